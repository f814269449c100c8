#include "policy/host.h"

#include <gtest/gtest.h>

namespace rgx::policy {
namespace {

TEST(HostPattern, TakesNamesAndPorts) {
  for (const std::string_view text :
       {"a.org:443", "*.a.org:443", "localhost:8080", "xn--bcher-kva.example:1", "a-b.c.d:65535"}) {
    EXPECT_TRUE(is_host_pattern(text)) << text;
  }
  for (const std::string_view text : {"",
                                      "a.org",
                                      "a.org:",
                                      "a.org:0",
                                      "a.org:65536",
                                      "a.org:08",
                                      "A.org:443",
                                      "a.org.:443",
                                      "a..org:443",
                                      "*:443",
                                      "*.org:x",
                                      "**.a.org:443",
                                      "a.*.org:443",
                                      "127.0.0.1:80",
                                      "127.1:80",
                                      "1.2.3.0x7f:80",
                                      "[::1]:80",
                                      "-a.org:80",
                                      "a_b.org:80",
                                      "https://a.org:443",
                                      "org:443",
                                      "a.org:443/x",
                                      "\xc3\xa4.org:443"}) {
    EXPECT_FALSE(is_host_pattern(text)) << text;
  }
}

TEST(HostPattern, WildcardIsOneLabel) {
  EXPECT_TRUE(covers_host("*.a.org:443", "x.a.org:443"));
  EXPECT_FALSE(covers_host("*.a.org:443", "x.y.a.org:443"));
  EXPECT_FALSE(covers_host("*.a.org:443", "a.org:443"));
  EXPECT_FALSE(covers_host("*.a.org:443", ".a.org:443"));
  EXPECT_FALSE(covers_host("*.a.org:443", "x.a.org:80"));
  EXPECT_FALSE(covers_host("a.org:443", "*.a.org:443"));
  EXPECT_TRUE(covers_host("*.a.org:443", "*.a.org:443"));
}

TEST(HostPattern, DenialsHitEverySpelling) {
  EXPECT_TRUE(hits_host("a.org:443", "A.ORG:443"));
  EXPECT_TRUE(hits_host("a.org:443", "a.org.:443"));
  EXPECT_TRUE(hits_host("x.a.org:443", "*.a.org:443"));
  EXPECT_TRUE(hits_host("*.a.org:443", "x.a.org:443"));
  EXPECT_FALSE(hits_host("a.org:443", "b.org:443"));
  EXPECT_FALSE(hits_host("*.a.org:443", "a.org.evil.org:443"));
}

}  // namespace
}  // namespace rgx::policy
