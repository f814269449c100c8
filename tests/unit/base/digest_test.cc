#include "base/digest.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace rgx {
namespace {

using test::refused;

constexpr const char* kEmptyHex =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

TEST(Digest, GivesTheVectorsOfFips180) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", kEmptyHex},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlm"
       "nopqrsmnopqrstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto& [bytes, hex] : cases) {
    EXPECT_EQ(digest_bytes(bytes).hex(), hex);
    EXPECT_EQ(digest_bytes(bytes).to_string(), "sha256:" + hex);
  }
}

TEST(Hasher, IsTheSameInPiecesAndReusable) {
  Hasher hasher;
  for (int round = 0; round < 3; ++round) {
    hasher.update("a");
    hasher.update("");
    hasher.update("bc");
    EXPECT_EQ(hasher.finish(), digest_bytes("abc"));
  }
  EXPECT_EQ(hasher.finish().hex(), kEmptyHex);
  Hasher moved = std::move(hasher);
  moved.update("abc");
  EXPECT_EQ(moved.finish(), digest_bytes("abc"));
}

TEST(Digest, OfAStructureIsSeparatedByItsDomain) {
  const Json value = Json::object({{"a", 1}});
  // printf 'rgx.test/v1\0{"a":1}' | sha256sum
  EXPECT_EQ(digest_of("rgx.test/v1", value),
            digest_bytes(std::string("rgx.test/v1\0{\"a\":1}", 19)));
  EXPECT_EQ(digest_domain("rgx.test/v1", "{\"a\":1}"), digest_of("rgx.test/v1", value));
  EXPECT_NE(digest_of("rgx.other/v1", value), digest_of("rgx.test/v1", value));
  EXPECT_NE(digest_of("rgx.test/v1", value), digest_bytes("{\"a\":1}"));
}

TEST(Digest, ReadsItsOwnTextOnly) {
  const Digest digest = digest_bytes("abc");
  EXPECT_EQ(Digest::parse(digest.to_string()), digest);
  EXPECT_EQ(Digest::parse_hex(digest.hex()), digest);
  const std::string hex = digest.hex();
  EXPECT_TRUE(refused(Digest::parse(hex), "digest.syntax", "does not start with `sha256:`"));
  EXPECT_TRUE(refused(Digest::parse("sha256:" + hex.substr(1)), "digest.syntax", "64 lower-case"));
  EXPECT_TRUE(refused(Digest::parse("sha256:" + hex + "0"), "digest.syntax", "64 lower-case"));
  EXPECT_TRUE(refused(Digest::parse("sha256: " + hex.substr(1)), "digest.syntax", "64 lower-case"));
  EXPECT_TRUE(refused(Digest::parse("SHA256:" + hex), "digest.syntax", "`sha256:`"));
  std::string upper = hex;
  upper[0] = 'B';
  EXPECT_TRUE(refused(Digest::parse_hex(upper), "digest.syntax", "lower-case"));
}

TEST(Digest, OrdersByBytes) {
  EXPECT_LT(Digest(), digest_bytes("abc"));
  EXPECT_EQ(Digest().hex(), std::string(64, '0'));
}

TEST(Digest, IsRightInManyThreads) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(8, 0);
  for (std::size_t index = 0; index < wrong.size(); ++index) {
    threads.emplace_back([index, &wrong] {
      const std::string text(index * 31, 'x');
      const Digest expected = digest_bytes(text);
      for (int count = 0; count < 200; ++count) {
        wrong[index] += digest_bytes(text) == expected ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, std::vector<int>(8, 0));
}

TEST(DigestDeathTest, ADomainWithAZeroByteIsABug) {
  EXPECT_EXIT(static_cast<void>(digest_domain(std::string_view("a\0b", 3), "")),
              testing::ExitedWithCode(70), "check");
}

}  // namespace
}  // namespace rgx
