#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/entropy.h"
#include "base/result.h"

// Keys of the audit envelope. Symmetric (local mode): root key -> HKDF-SHA256 per log -> epoch
// keys, each derived from the one before. Asymmetric: Ed25519 for requesters and checkpoints.
// Secrets are wiped from memory when they die.

namespace rgx::audit {

class SecretKey {
 public:
  static constexpr std::size_t kSize = 32;
  SecretKey() = default;
  explicit SecretKey(std::string_view bytes);  ///< exactly kSize bytes
  ~SecretKey();
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;

  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  std::array<std::uint8_t, kSize> bytes_{};
};

/// The local root key: 32 random bytes in an owner-only file (text form: docs/formats/keys.md).
struct RootKey {
  SecretKey secret;
  std::string id;  ///< 16 hex digits of its commitment

  [[nodiscard]] static RootKey from_secret(const SecretKey& secret);
};

[[nodiscard]] Result<RootKey> generate_root_key(Entropy& entropy);
[[nodiscard]] std::string write_root_key(const RootKey& key);
[[nodiscard]] Result<RootKey> parse_root_key(std::string_view text, std::string_view file);
/// Reads a key file; refuses one that others can read or that is no regular file
/// (key.missing, key.not_a_file, key.unreadable, key.unsafe_mode, key.unsafe_owner, key.syntax,
/// key.damaged), with the remedy.
[[nodiscard]] Result<RootKey> load_root_key(const std::string& path);
/// Creates an owner-only file durably (key.exists, key.unwritable).
[[nodiscard]] Status store_key_file(const std::string& path, std::string_view text);

/// K_0 of a log, and K_(e+1) from K_e. Commitment: SHA-256 over domain and key, safe to publish.
[[nodiscard]] SecretKey log_key(const RootKey& root, std::string_view log_id);
[[nodiscard]] SecretKey next_epoch_key(const SecretKey& key);
[[nodiscard]] Digest key_commitment(const SecretKey& key);

/// HMAC-SHA256 over the DSSE pre-authentication encoding of (type, bytes); one context per key,
/// re-initialised for each message.
class Authenticator {
 public:
  explicit Authenticator(const SecretKey& key);
  ~Authenticator();
  Authenticator(Authenticator&&) noexcept;
  Authenticator& operator=(Authenticator&&) noexcept;

  [[nodiscard]] Digest mac(std::string_view payload_type, std::string_view bytes);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};
[[nodiscard]] bool equal_constant_time(const Digest& a, const Digest& b);

/// An Ed25519 key pair (RFC 8032), stored as PKCS#8 PEM in an owner-only file.
class SigningKey {
 public:
  [[nodiscard]] static Result<SigningKey> generate(Entropy& entropy);
  [[nodiscard]] static Result<SigningKey> parse_pem(std::string_view pem, std::string_view file);
  [[nodiscard]] static Result<SigningKey> load(const std::string& path);
  [[nodiscard]] std::string pem() const;
  [[nodiscard]] std::string public_key() const;  ///< `ed25519:` + base64 of SubjectPublicKeyInfo
  [[nodiscard]] std::string sign(std::string_view payload_type, std::string_view bytes) const;
  /// The 64 bytes over `bytes` as they are: only for checkpoints, whose form is not ours.
  [[nodiscard]] std::string sign_raw(std::string_view bytes) const;

 private:
  explicit SigningKey(const SecretKey& seed) : seed_(seed) {}
  SecretKey seed_;
};

/// Verifies a base64 signature over the pre-authentication encoding (signature.*; an answer of
/// `false` is a valid form that does not verify).
[[nodiscard]] Result<bool> verify_signature(std::string_view public_key,
                                            std::string_view payload_type, std::string_view bytes,
                                            std::string_view signature);

/// DSSE v1 pre-authentication encoding: `DSSEv1 LEN(type) type LEN(bytes) bytes`, byte lengths.
[[nodiscard]] std::string pre_authentication(std::string_view type, std::string_view bytes);

}  // namespace rgx::audit
