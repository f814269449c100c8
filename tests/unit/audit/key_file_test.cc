#include "audit/keys.h"
#include "tests/support/error_matchers.h"
#include "tests/support/fake_entropy.h"
#include "tests/support/scratch_dir.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace rgx::audit::test {
namespace {

using rgx::test::accepted;
using rgx::test::FakeEntropy;
using rgx::test::refused;
using rgx::test::ScratchDir;

constexpr std::string_view kText =
    "rgx-root-key/v1\n"
    "id: 5e41670268524d01\n"
    "secret: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n";

TEST(RootKey, TextHasOneForm) {
  const Result<RootKey> key = parse_root_key(kText, "root.key");
  ASSERT_TRUE(accepted(key));
  EXPECT_EQ(key->id, "5e41670268524d01");
  EXPECT_EQ(write_root_key(*key), kText);
  EXPECT_EQ(kText.size(), 110U);
}

TEST(RootKey, OtherFormsAreRefused) {
  std::string upper(kText);
  upper[upper.find("1e1f") + 1] = 'E';
  std::string other_version(kText);
  other_version[14] = '2';
  for (const std::string& text :
       {std::string(), std::string(kText) + "\n", std::string(kText.substr(0, kText.size() - 1)),
        upper, other_version, std::string(110, 'x')}) {
    EXPECT_TRUE(refused(parse_root_key(text, "root.key"), "key.syntax", "root.key"));
  }
}

TEST(RootKey, EveryChangedByteIsRefused) {
  for (std::size_t at = 0; at < kText.size(); ++at) {
    std::string changed(kText);
    changed[at] = changed[at] == '0' ? '1' : '0';
    ASSERT_FALSE(parse_root_key(changed, "root.key").has_value()) << at;
  }
}

TEST(RootKey, DamageIsToldFromAnotherForm) {
  std::string changed(kText);
  changed[changed.size() - 2] = '0';
  EXPECT_TRUE(refused(parse_root_key(changed, "root.key"), "key.damaged",
                      "its id is not that of its secret"));
}

TEST(RootKey, ComesFromEntropyAndNothingElse) {
  FakeEntropy a(1);
  FakeEntropy b(1);
  FakeEntropy c(2);
  EXPECT_EQ(generate_root_key(a)->id, generate_root_key(b)->id);
  EXPECT_NE(generate_root_key(a)->id, generate_root_key(c)->id);
  c.fail_from(1);
  EXPECT_TRUE(refused(generate_root_key(c), "entropy.unavailable", "no random bytes"));
}

TEST(RootKey, DerivedKeysAreAllDifferent) {
  const RootKey root = root_key();
  const SecretKey first = log_key(root, kLogId);
  const SecretKey other_log = log_key(root, "ffffffffffffffffffffffffffffffff");
  const SecretKey other_root = log_key(root_key("other"), kLogId);
  const SecretKey next = next_epoch_key(first);
  EXPECT_NE(key_commitment(first), key_commitment(other_log));
  EXPECT_NE(key_commitment(first), key_commitment(other_root));
  EXPECT_NE(key_commitment(first), key_commitment(next));
  EXPECT_NE(key_commitment(first), key_commitment(root.secret));
  EXPECT_NE(key_commitment(next), key_commitment(next_epoch_key(next)));
}

// ---- files
// ----------------------------------------------------------------------------------------

TEST(KeyFile, StoredKeyIsOwnerOnlyAndReadsBack) {
  const ScratchDir dir;
  const RootKey key = root_key();
  const mode_t before = ::umask(0);
  const Status stored = store_key_file(dir / "root.key", write_root_key(key));
  ::umask(before);
  ASSERT_TRUE(accepted(stored));
  struct stat status{};
  ASSERT_EQ(::stat((dir / "root.key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  const Result<RootKey> loaded = load_root_key(dir / "root.key");
  ASSERT_TRUE(accepted(loaded));
  EXPECT_EQ(loaded->id, key.id);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST(KeyFile, NothingIsOverwritten) {
  const ScratchDir dir;
  const std::string path = dir.write("root.key", "precious");
  EXPECT_TRUE(refused(store_key_file(path, "new"), "key.exists", "there is a key file already"));
  EXPECT_EQ(dir.read("root.key"), "precious");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
}

TEST(KeyFile, MissingFolderIsSaid) {
  const ScratchDir dir;
  EXPECT_TRUE(refused(store_key_file(dir / "no/root.key", "x"), "key.unwritable",
                      "no such file or directory"));
}

TEST(KeyFile, MissingKeyHasARemedy) {
  const ScratchDir dir;
  EXPECT_TRUE(refused(load_root_key(dir / "root.key"), "key.missing", "rgx init"));
  EXPECT_TRUE(refused(SigningKey::load(dir / "requester.pem"), "key.missing", "requester.pem"));
}

// Scenario 7: a key that others can read is refused.
TEST(KeyFile, Scenario07KeysThatOthersCanReadAreRefused) {
  const ScratchDir dir;
  const std::string path = dir / "root.key";
  ASSERT_TRUE(accepted(store_key_file(path, write_root_key(root_key()))));
  for (const mode_t mode : {0640U, 0604U, 0620U, 0602U, 0610U, 0644U, 0666U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_TRUE(refused(load_root_key(path), "key.unsafe_mode", "chmod 600")) << mode;
  }
  ASSERT_EQ(::chmod(path.c_str(), 0400), 0);
  EXPECT_TRUE(accepted(load_root_key(path)));
}

TEST(KeyFile, AnotherOwnerIsRefused) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "only root can give a file away";
  }
  const ScratchDir dir;
  const std::string path = dir / "root.key";
  ASSERT_TRUE(accepted(store_key_file(path, write_root_key(root_key()))));
  ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
  EXPECT_TRUE(refused(load_root_key(path), "key.unsafe_owner", "belongs to another user"));
}

TEST(KeyFile, OnlyRegularFilesAreRead) {
  const ScratchDir dir;
  ASSERT_TRUE(accepted(store_key_file(dir / "root.key", write_root_key(root_key()))));
  ASSERT_EQ(::symlink((dir / "root.key").c_str(), (dir / "link").c_str()), 0);
  EXPECT_TRUE(refused(load_root_key(dir / "link"), "key.not_a_file", "symbolic link"));
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(refused(load_root_key(dir / "pipe"), "key.not_a_file", "not a regular file"));
  EXPECT_TRUE(refused(load_root_key(dir.path().string()), "key.not_a_file", "regular file"));
}

TEST(KeyFile, LargeFilesAreRefusedUnread) {
  const ScratchDir dir;
  const std::string path = dir.write("root.key", std::string(1U << 20U, 'x'));
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_TRUE(refused(load_root_key(path), "key.syntax", "too long for a key file"));
}

// ---- signing keys
// -----------------------------------------------------------------------------------

TEST(SigningKey, PemIsThatOfOpenssl) {
  // openssl genpkey -algorithm ed25519, for the seed of RFC 8032, test 1
  constexpr std::string_view kPem =
      "-----BEGIN PRIVATE KEY-----\n"
      "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
      "-----END PRIVATE KEY-----\n";
  const Result<SigningKey> key = SigningKey::parse_pem(kPem, "requester.pem");
  ASSERT_TRUE(accepted(key));
  EXPECT_EQ(key->pem(), kPem);
  EXPECT_EQ(key->public_key(),
            "ed25519:MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
}

TEST(SigningKey, StoresLoadsAndSigns) {
  const ScratchDir dir;
  FakeEntropy entropy;
  const Result<SigningKey> made = SigningKey::generate(entropy);
  ASSERT_TRUE(accepted(made));
  ASSERT_TRUE(accepted(store_key_file(dir / "requester.pem", made->pem())));
  const Result<SigningKey> key = SigningKey::load(dir / "requester.pem");
  ASSERT_TRUE(accepted(key));
  const std::string signature = key->sign("type", "bytes");
  EXPECT_EQ(verify_signature(made->public_key(), "type", "bytes", signature), true);
  EXPECT_EQ(verify_signature(made->public_key(), "type", "other", signature), false);
  EXPECT_EQ(verify_signature(made->public_key(), "epyt", "bytes", signature), false);
  EXPECT_EQ(verify_signature(signing_key().public_key(), "type", "bytes", signature), false);
}

TEST(SigningKey, OtherKeysAreRefused) {
  EXPECT_TRUE(refused(SigningKey::parse_pem({}, "k.pem"), "key.syntax", "an empty file"));
  EXPECT_TRUE(refused(SigningKey::parse_pem("x", "k.pem"), "key.syntax", "private key in PEM"));
  EXPECT_TRUE(
      refused(SigningKey::parse_pem(std::string(9000, 'x'), "k.pem"), "key.syntax", "longer than"));
  // X25519
  EXPECT_TRUE(refused(
      SigningKey::parse_pem("-----BEGIN PRIVATE KEY-----\n"
                            "MC4CAQAwBQYDK2VuBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
                            "-----END PRIVATE KEY-----\n",
                            "k.pem"),
      "key.syntax", "not an Ed25519 key"));
  // encrypted: refused without asking anybody for a passphrase
  EXPECT_TRUE(refused(SigningKey::parse_pem("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n"
                                            "-----END ENCRYPTED PRIVATE KEY-----\n",
                                            "k.pem"),
                      "key.syntax", "unencrypted"));
}

// Scenario 32: one spelling of a signature.
TEST(Signature, Scenario32OtherSpellingsAreRefused) {
  const SigningKey key = signing_key();
  const std::string signature = key.sign("type", "bytes");
  ASSERT_EQ(signature.size(), 88U);
  for (const std::string& other :
       {std::string(), signature.substr(0, 87), signature + "\n", " " + signature,
        signature.substr(0, 85) + "R==", std::string("AAAA")}) {
    EXPECT_TRUE(refused(verify_signature(key.public_key(), "type", "bytes", other),
                        "signature.syntax", "not an Ed25519 signature"))
        << other;
  }
}

}  // namespace
}  // namespace rgx::audit::test
