#include "audit/checkpoint.h"

#include "audit/crypto.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <string>

namespace rgx::audit::test {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

constexpr std::string_view kName = "rgx/test";

Checkpoint example() {
  return {"rgx/" + std::string(kLogId), 3, digest_bytes("root")};
}
std::string note() {
  return sign_checkpoint(example(), kName, signing_key());
}
std::string key() {
  return signing_key().public_key();
}

TEST(Checkpoint, TextIsOriginSizeAndRoot) {
  EXPECT_EQ(checkpoint_text(example()),
            "rgx/00112233445566778899aabbccddeeff\n3\n"
            "SBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=\n");
}

TEST(Checkpoint, OpensWithItsKey) {
  const auto opened = open_checkpoint(note(), kName, key());
  ASSERT_TRUE(accepted(opened));
  EXPECT_EQ(*opened, example());
  EXPECT_EQ(*read_checkpoint(note()), example());
}

TEST(Checkpoint, AnotherKeyOrNameDoesNotOpen) {
  EXPECT_TRUE(refused(open_checkpoint(note(), kName, signing_key("other").public_key()),
                      "checkpoint.signature", "no signature of the given key"));
  EXPECT_TRUE(refused(open_checkpoint(note(), "rgx/other", key()), "checkpoint.signature",
                      "no signature of the given key"));
  EXPECT_TRUE(refused(open_checkpoint(note(), kName, "ed25519:"), "signature.public_key",
                      "not an Ed25519 public key"));
}

TEST(Checkpoint, EveryChangedByteOfTheBodyIsRefused) {
  const std::string whole = note();
  for (std::size_t at = 0; at < checkpoint_text(example()).size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ (1U << bit));
      ASSERT_FALSE(open_checkpoint(changed, kName, key()).has_value()) << at;
    }
  }
}

TEST(Checkpoint, EveryCutIsRefused) {
  const std::string whole = note();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    ASSERT_FALSE(open_checkpoint(whole.substr(0, size), kName, key()).has_value()) << size;
  }
}

TEST(Checkpoint, UnknownSignaturesAreIgnoredAndBadOnesOfOursAreNot) {
  const std::string whole = note();
  const std::string witness =
      "\xe2\x80\x94 witness.example/w1 " + to_base64(as_bytes(std::string(80, 'w'))) + "\n";
  EXPECT_TRUE(accepted(open_checkpoint(whole + witness, kName, key())));
  // The same name and key id with other bytes after it, even beside a good one.
  const std::size_t line = whole.rfind("\xe2\x80\x94");
  const std::string signature = whole.substr(whole.rfind(' ') + 1, 92);
  std::string raw = *from_base64(signature);
  raw.back() = static_cast<char>(raw.back() ^ 1);
  const std::string forged =
      whole.substr(line, whole.rfind(' ') + 1 - line) + to_base64(as_bytes(raw)) + "\n";
  EXPECT_TRUE(refused(open_checkpoint(whole + forged, kName, key()), "checkpoint.signature",
                      "does not verify"));
}

TEST(Checkpoint, OtherFormsAreRefused) {
  const std::string whole = note();
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string changed = whole;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  const std::string_view root = "SBNJTRN+FjG7owHVrKtue7eqdM4RhdRWVl71HXN2d7I=";
  for (const std::string& other : {
           std::string(),
           with("\n3\n", "\n03\n"),
           with("\n3\n", "\n-3\n"),
           with("\n3\n", "\n9007199254740992\n"),
           with("\n3\n", "\n3\n3\n"),
           with("rgx/0011", "rgx/001"),
           with("rgx/0011", "rgx/001G"),
           with(root, "AA=="),
           with(root, std::string(root) + "\nextension"),
           with("\n\n", "\n"),
           whole + "x",
           whole + "\n",
           with("rgx/test", "rgx+test"),
           with("rgx/test", "rgx/te st"),
           with("\xe2\x80\x94 ", "- "),
           std::string(20000, 'x') + "\n",
       }) {
    EXPECT_TRUE(refused(read_checkpoint(other), "checkpoint.syntax", "")) << other;
  }
  std::string many = whole;
  for (int i = 0; i < 16; ++i) {
    many += whole.substr(whole.rfind("\xe2\x80\x94"));
  }
  EXPECT_TRUE(refused(read_checkpoint(many), "checkpoint.syntax", "more than 16 signatures"));
}

}  // namespace
}  // namespace rgx::audit::test
