#include "audit/keys.h"

#include "audit/crypto.h"
#include "base/check.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <memory>

namespace rgx::audit {
namespace {

constexpr std::string_view kCommitmentDomain = "rgx.key-commitment/v1";
constexpr std::string_view kLogKeyInfo = "rgx.log-key/v1";
constexpr std::string_view kEpochKeyInfo = "rgx.epoch-key/v1";
constexpr std::size_t kKeyIdSize = 16;
constexpr std::size_t kPemBytesMax = 4096;

// PKCS#8 of an Ed25519 key is this and the 32 bytes of the seed (RFC 8410).
constexpr std::array<std::uint8_t, 16> kPrivateKeyHead = {
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20};

SecretKey derive(Bytes key, std::string_view salt, std::string_view info) {
  std::array<std::uint8_t, SecretKey::kSize> bytes{};
  hkdf_sha256(key, as_bytes(salt), as_bytes(info), bytes);
  SecretKey derived(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return derived;
}

Result<SecretKey> random_secret(Entropy& entropy) {
  std::array<std::uint8_t, SecretKey::kSize> bytes{};
  RGX_TRY_STATUS(entropy.fill(bytes));
  SecretKey secret(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return secret;
}

// Never asks for a passphrase on a terminal.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*user*/) {
  return -1;
}

}  // namespace

SecretKey::SecretKey(std::string_view bytes) {
  RGX_CHECK(bytes.size() == kSize);
  std::copy(bytes.begin(), bytes.end(), bytes_.begin());
}

SecretKey::~SecretKey() {
  OPENSSL_cleanse(bytes_.data(), bytes_.size());
}

RootKey RootKey::from_secret(const SecretKey& secret) {
  return {secret, key_commitment(secret).hex().substr(0, kKeyIdSize)};
}

Result<RootKey> generate_root_key(Entropy& entropy) {
  RGX_TRY(const SecretKey secret, random_secret(entropy));
  return RootKey::from_secret(secret);
}

SecretKey log_key(const RootKey& root, std::string_view log_id) {
  return derive(root.secret.bytes(), log_id, kLogKeyInfo);
}

SecretKey next_epoch_key(const SecretKey& key) {
  return derive(key.bytes(), {}, kEpochKeyInfo);
}

Digest key_commitment(const SecretKey& key) {
  const Bytes bytes = key.bytes();
  return digest_domain(kCommitmentDomain,
                       std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// ---- Ed25519
// --------------------------------------------------------------------------------------

Result<SigningKey> SigningKey::generate(Entropy& entropy) {
  RGX_TRY(const SecretKey seed, random_secret(entropy));
  return SigningKey(seed);
}

Result<SigningKey> SigningKey::parse_pem(std::string_view pem, std::string_view file) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorKind::usage, "key.syntax", why,
                "`openssl genpkey -algorithm ed25519` makes a key of the right form",
                Place{std::string(file), 0, 0});
  };
  if (pem.size() > kPemBytesMax) {
    return refuse("the signing key is longer than a PEM file of an Ed25519 key can be");
  }
  if (pem.empty()) {  // a null pointer to OpenSSL
    return refuse("the signing key is an empty file");
  }
  struct Free {
    void operator()(BIO* bio) const { BIO_free(bio); }
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  };
  const std::unique_ptr<BIO, Free> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  RGX_CHECK(bio != nullptr);
  const std::unique_ptr<EVP_PKEY, Free> key(
      PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr));
  if (key == nullptr) {
    return refuse("the signing key is no unencrypted private key in PEM");
  }
  std::array<std::uint8_t, SecretKey::kSize> seed{};
  std::size_t size = seed.size();
  if (EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519 ||
      EVP_PKEY_get_raw_private_key(key.get(), seed.data(), &size) != 1 || size != seed.size()) {
    return refuse("the signing key is not an Ed25519 key");
  }
  const SecretKey secret(std::string_view(reinterpret_cast<const char*>(seed.data()), seed.size()));
  OPENSSL_cleanse(seed.data(), seed.size());
  return SigningKey(secret);
}

std::string SigningKey::pem() const {
  std::string der(kPrivateKeyHead.begin(), kPrivateKeyHead.end());
  der.append(reinterpret_cast<const char*>(seed_.bytes().data()), seed_.bytes().size());
  std::string text = "-----BEGIN PRIVATE KEY-----\n";
  text += to_base64(as_bytes(der));  // 64 characters: exactly one line of PEM
  text += "\n-----END PRIVATE KEY-----\n";
  OPENSSL_cleanse(der.data(), der.size());
  return text;
}

std::string SigningKey::public_key() const {
  return public_key_text(ed25519_public_key(seed_));
}

std::string SigningKey::sign(std::string_view payload_type, std::string_view bytes) const {
  const std::string message = pre_authentication(payload_type, bytes);
  return to_base64(as_bytes(ed25519_sign(seed_, as_bytes(message))));
}

std::string SigningKey::sign_raw(std::string_view bytes) const {
  return ed25519_sign(seed_, as_bytes(bytes));
}

Result<bool> verify_signature(std::string_view public_key, std::string_view payload_type,
                              std::string_view bytes, std::string_view signature) {
  RGX_TRY(const std::string raw_key, parse_public_key(public_key));
  const Result<std::string> raw_signature = from_base64(signature);
  if (!raw_signature || raw_signature->size() != kEd25519SignatureSize) {
    return fail(ErrorKind::usage, "signature.syntax",
                "not an Ed25519 signature: base64 of 64 bytes, padded");
  }
  const std::string message = pre_authentication(payload_type, bytes);
  return ed25519_verify(raw_key, as_bytes(message), *raw_signature);
}

}  // namespace rgx::audit
