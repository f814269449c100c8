#include "audit/crypto.h"

#include "base/check.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <array>
#include <memory>
#include <utility>

namespace rgx::audit {
namespace {

template <auto Free>
struct Deleter {
  template <class T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using Mac = std::unique_ptr<EVP_MAC, Deleter<EVP_MAC_free>>;
using MacContext = std::unique_ptr<EVP_MAC_CTX, Deleter<EVP_MAC_CTX_free>>;
using Kdf = std::unique_ptr<EVP_KDF, Deleter<EVP_KDF_free>>;
using KdfContext = std::unique_ptr<EVP_KDF_CTX, Deleter<EVP_KDF_CTX_free>>;
using PublicKey = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using SignContext = std::unique_ptr<EVP_MD_CTX, Deleter<EVP_MD_CTX_free>>;

// SubjectPublicKeyInfo of an Ed25519 key is this and the 32 bytes of the key (RFC 8410).
constexpr std::array<std::uint8_t, 12> kPublicKeyHead = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
                                                         0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};
constexpr std::string_view kPublicKeyPrefix = "ed25519:";

// OpenSSL parameters take mutable pointers to what they only read.
OSSL_PARAM sha256(const char* name) {
  static char text[] = "SHA256";
  return OSSL_PARAM_construct_utf8_string(name, text, 0);
}

OSSL_PARAM octets(const char* name, Bytes bytes) {
  static std::uint8_t nothing = 0;
  auto* data = bytes.empty() ? &nothing : const_cast<std::uint8_t*>(bytes.data());
  return OSSL_PARAM_construct_octet_string(name, data, bytes.size());
}

MacContext new_hmac(Bytes key) {
  const Mac mac(EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr));
  RGX_CHECK(mac != nullptr);
  MacContext context(EVP_MAC_CTX_new(mac.get()));
  RGX_CHECK(context != nullptr);
  const std::array<OSSL_PARAM, 2> parameters = {sha256(OSSL_MAC_PARAM_DIGEST),
                                                OSSL_PARAM_construct_end()};
  static constexpr std::uint8_t kNothing = 0;  // a null key would mean "keep the key before"
  const std::uint8_t* data = key.empty() ? &kNothing : key.data();
  RGX_CHECK(EVP_MAC_init(context.get(), data, key.size(), parameters.data()) == 1);
  return context;
}

Digest finish_mac(EVP_MAC_CTX* context) {
  Digest::Array bytes{};
  std::size_t size = 0;
  RGX_CHECK(EVP_MAC_final(context, bytes.data(), &size, bytes.size()) == 1);
  RGX_CHECK(size == bytes.size());
  return Digest(bytes);
}

void update_mac(EVP_MAC_CTX* context, std::string_view text) {
  const Bytes bytes = as_bytes(text);
  RGX_CHECK(EVP_MAC_update(context, bytes.data(), bytes.size()) == 1);
}

std::string encoding_head(std::string_view type, std::size_t size) {
  std::string head = "DSSEv1 ";
  head += std::to_string(type.size());
  head += ' ';
  head += type;
  head += ' ';
  head += std::to_string(size);
  head += ' ';
  return head;
}

PublicKey private_key(const SecretKey& seed) {
  PublicKey key(EVP_PKEY_new_raw_private_key_ex(nullptr, "ED25519", nullptr, seed.bytes().data(),
                                                seed.bytes().size()));
  RGX_CHECK(key != nullptr);
  return key;
}

}  // namespace

// ---- HMAC and HKDF
// --------------------------------------------------------------------------------

Digest hmac_sha256(Bytes key, Bytes message) {
  const MacContext context = new_hmac(key);
  RGX_CHECK(EVP_MAC_update(context.get(), message.data(), message.size()) == 1);
  return finish_mac(context.get());
}

void hkdf_sha256(Bytes key, Bytes salt, Bytes info, std::span<std::uint8_t> out) {
  const Kdf kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  RGX_CHECK(kdf != nullptr);
  const KdfContext context(EVP_KDF_CTX_new(kdf.get()));
  RGX_CHECK(context != nullptr);
  const std::array<OSSL_PARAM, 5> parameters = {
      sha256(OSSL_KDF_PARAM_DIGEST), octets(OSSL_KDF_PARAM_KEY, key),
      octets(OSSL_KDF_PARAM_SALT, salt), octets(OSSL_KDF_PARAM_INFO, info),
      OSSL_PARAM_construct_end()};
  RGX_CHECK(EVP_KDF_derive(context.get(), out.data(), out.size(), parameters.data()) == 1);
}

struct Authenticator::Context {
  MacContext mac;
  bool is_fresh = true;  // the first message needs no re-initialisation
};

Authenticator::Authenticator(const SecretKey& key) : context_(std::make_unique<Context>()) {
  context_->mac = new_hmac(key.bytes());
}
Authenticator::~Authenticator() = default;
Authenticator::Authenticator(Authenticator&&) noexcept = default;
Authenticator& Authenticator::operator=(Authenticator&&) noexcept = default;

Digest Authenticator::mac(std::string_view payload_type, std::string_view bytes) {
  EVP_MAC_CTX* mac = context_->mac.get();
  if (!std::exchange(context_->is_fresh, false)) {
    // A null key keeps the key schedule: a quarter of the time of a new context.
    RGX_CHECK(EVP_MAC_init(mac, nullptr, 0, nullptr) == 1);
  }
  update_mac(mac, encoding_head(payload_type, bytes.size()));
  update_mac(mac, bytes);
  return finish_mac(mac);
}

std::string pre_authentication(std::string_view type, std::string_view bytes) {
  std::string encoding = encoding_head(type, bytes.size());
  encoding += bytes;
  return encoding;
}

bool equal_constant_time(const Digest& a, const Digest& b) {
  return CRYPTO_memcmp(a.bytes().data(), b.bytes().data(), Digest::kSize) == 0;
}

// ---- Ed25519
// --------------------------------------------------------------------------------------

std::string ed25519_public_key(const SecretKey& seed) {
  const PublicKey key = private_key(seed);
  std::array<std::uint8_t, kEd25519KeySize> raw{};
  std::size_t size = raw.size();
  RGX_CHECK(EVP_PKEY_get_raw_public_key(key.get(), raw.data(), &size) == 1);
  RGX_CHECK(size == raw.size());
  return {raw.begin(), raw.end()};
}

std::string ed25519_sign(const SecretKey& seed, Bytes message) {
  const PublicKey key = private_key(seed);
  const SignContext context(EVP_MD_CTX_new());
  RGX_CHECK(context != nullptr);
  RGX_CHECK(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
  std::array<std::uint8_t, kEd25519SignatureSize> signature{};
  std::size_t size = signature.size();
  RGX_CHECK(
      EVP_DigestSign(context.get(), signature.data(), &size, message.data(), message.size()) == 1);
  RGX_CHECK(size == signature.size());
  return {signature.begin(), signature.end()};
}

bool ed25519_verify(std::string_view raw_public_key, Bytes message,
                    std::string_view raw_signature) {
  if (raw_public_key.size() != kEd25519KeySize || raw_signature.size() != kEd25519SignatureSize) {
    return false;
  }
  const Bytes raw = as_bytes(raw_public_key);
  const PublicKey key(
      EVP_PKEY_new_raw_public_key_ex(nullptr, "ED25519", nullptr, raw.data(), raw.size()));
  const SignContext context(EVP_MD_CTX_new());
  if (key == nullptr || context == nullptr ||
      EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1) {
    return false;
  }
  const Bytes signature = as_bytes(raw_signature);
  return EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(),
                          message.size()) == 1;
}

std::string public_key_text(std::string_view raw_public_key) {
  RGX_CHECK(raw_public_key.size() == kEd25519KeySize);
  std::string info(kPublicKeyHead.begin(), kPublicKeyHead.end());
  info += raw_public_key;
  return std::string(kPublicKeyPrefix) + to_base64(as_bytes(info));
}

Result<std::string> parse_public_key(std::string_view text) {
  const auto refuse = [] {
    return fail(ErrorKind::usage, "signature.public_key",
                "not an Ed25519 public key: `ed25519:` and base64 of a SubjectPublicKeyInfo",
                "`openssl pkey -pubout` prints that base64 between its two marker lines");
  };
  if (!text.starts_with(kPublicKeyPrefix)) {
    return refuse();
  }
  const Result<std::string> info = from_base64(text.substr(kPublicKeyPrefix.size()));
  const std::string head(kPublicKeyHead.begin(), kPublicKeyHead.end());
  if (!info || info->size() != head.size() + kEd25519KeySize || !info->starts_with(head)) {
    return refuse();
  }
  return info->substr(head.size());
}

}  // namespace rgx::audit
