#include "templates/syntax.h"

#include "base/glob.h"
#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

namespace rgx::templates {
namespace {

TEST(Syntax, Identifiers) {
  for (const char* good : {"a", "_x", "fooBar9", "a.b", "std::auto_ptr", "A::b.c"}) {
    EXPECT_TRUE(is_identifier(good)) << good;
  }
  for (const char* bad :
       {"", "9a", "foo-bar", "a b", "a:b", "a::", "::a", ".a", "a..b", "a:::b", "größe", "a\n"}) {
    EXPECT_FALSE(is_identifier(bad)) << bad;
  }
  EXPECT_TRUE(is_identifier(std::string(256, 'a')));
  EXPECT_FALSE(is_identifier(std::string(257, 'a')));
}

TEST(Syntax, Symbols) {
  EXPECT_TRUE(is_symbol("operator=="));
  EXPECT_TRUE(is_symbol("Foo::~Foo"));
  EXPECT_TRUE(is_symbol("größe"));
  EXPECT_FALSE(is_symbol("a b"));
  EXPECT_FALSE(is_symbol("a\tb"));
  EXPECT_FALSE(
      is_symbol("a\xe3\x80\x80"
                "b"));
  EXPECT_FALSE(is_symbol("\xff"));
  EXPECT_FALSE(is_symbol(""));
}

TEST(Syntax, Versions) {
  for (const char* good : {"1", "1.2", "1.2.3", "1.2.3.4", "1.0.0-rc.1", "1.0.0+build-5"}) {
    EXPECT_TRUE(is_version(good)) << good;
  }
  for (const char* bad : {"", "v1", "1.", "1.2.3.4.5", "01.2", "1.0.0-", "1.0 0", "-1"}) {
    EXPECT_FALSE(is_version(bad)) << bad;
  }
}

TEST(Syntax, Branches) {
  for (const char* good : {"main", "fix/parser", "a.b", "größe"}) {
    EXPECT_TRUE(is_branch(good)) << good;
  }
  for (const char* bad : {"", "-x", "a..b", "a b", "a~1", "a^", "a:b", "@", "a@{1}", "/a", "a/",
                          "a//b", ".a", "a/.b", "a.lock", "a.", "a\\b", "a[b", "a*"}) {
    EXPECT_FALSE(is_branch(bad)) << bad;
  }
}

TEST(Syntax, HostsOfUrls) {
  EXPECT_EQ(host_of_url("https://API.osv.dev/v1?q"), "api.osv.dev:443");
  EXPECT_EQ(host_of_url("http://localhost"), "localhost:80");
  EXPECT_EQ(host_of_url("HTTPS://a.b:8443/"), "a.b:8443");
  EXPECT_EQ(host_of_url("https://[::1]:8080/"), "[::1]:8080");
  EXPECT_EQ(host_of_url("https://[::1]/"), "[::1]:443");
  for (const char* bad :
       {"", "ftp://a", "https://", "https://user@a/", "https://a:0/", "https://a:99999/",
        "https://a b/", "//a", "https://a\\@b/", "https://*.a/", "https://-a/", "https://a..b/",
        "https:/a", "javascript:alert(1)", "https://a:/x"}) {
    EXPECT_EQ(host_of_url(bad), std::nullopt) << bad;
  }
}

TEST(Syntax, HostsNeedAPort) {
  EXPECT_EQ(normal_host("API.example.org:443"), "api.example.org:443");
  EXPECT_EQ(normal_host("*.example.org:443"), "*.example.org:443");
  EXPECT_EQ(normal_host("example.org"), std::nullopt);
  EXPECT_EQ(normal_host("[::1]"), std::nullopt);
}

TEST(Syntax, QuantitiesCarryTheirUnit) {
  EXPECT_EQ(duration_ms("250ms"), 250);
  EXPECT_EQ(duration_ms("2h"), 7200000);
  EXPECT_EQ(duration_ms("90"), std::nullopt);
  EXPECT_EQ(duration_ms("-5s"), std::nullopt);
  EXPECT_EQ(duration_ms("9007199254740991d"), std::nullopt);
  EXPECT_EQ(size_bytes("10KiB"), 10240);
  EXPECT_EQ(size_bytes("1MB"), 1000000);
  EXPECT_EQ(size_bytes("1kb"), std::nullopt);
}

TEST(Syntax, DecimalsHaveOneSpelling) {
  EXPECT_EQ(decimal("0"), 0);
  EXPECT_EQ(decimal("-3"), -3);
  EXPECT_EQ(decimal("9007199254740991"), 9007199254740991);
  for (const char* bad :
       {"", "-", "+1", "01", "-0", "1.0", "1e3", " 1", "9007199254740992", "0x1"}) {
    EXPECT_EQ(decimal(bad), std::nullopt) << bad;
  }
}

TEST(Syntax, RegexesAreThoseOfRe2) {
  EXPECT_TRUE(is_regex("a(b|c)*"));
  EXPECT_FALSE(is_regex("a("));
  EXPECT_FALSE(is_regex("(a)\\1"));
}

TEST(Syntax, PatternOfAPathMatchesOnlyThatPath) {
  for (const char* path :
       {"src/a.c", "pages/[id].tsx", "a*b", "what?", "{a,b}", "!x", "~", "a\\b"}) {
    const auto glob = Glob::parse(pattern_of_path(path));
    ASSERT_TRUE(test::accepted(glob)) << path;
    EXPECT_TRUE(glob->matches(path)) << path;
    EXPECT_FALSE(glob->matches(std::string(path) + "x")) << path;
  }
  EXPECT_FALSE(Glob::parse(pattern_of_path("a*b"))->matches("axb"));
}

}  // namespace
}  // namespace rgx::templates
