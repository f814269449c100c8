#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "audit/keys.h"

// The primitives below the keys, as their standards name them. OpenSSL 3 does the work.
// A failure inside OpenSSL (no memory, broken provider) is a programmer error.

namespace rgx::audit {

/// RFC 2104 with SHA-256.
[[nodiscard]] Digest hmac_sha256(Bytes key, Bytes message);
/// RFC 5869, extract and expand; fills `out` (at most 255 * 32 bytes).
void hkdf_sha256(Bytes key, Bytes salt, Bytes info, std::span<std::uint8_t> out);

inline constexpr std::size_t kEd25519KeySize = 32;
inline constexpr std::size_t kEd25519SignatureSize = 64;

/// RFC 8032, PureEdDSA on raw keys and messages.
[[nodiscard]] std::string ed25519_public_key(const SecretKey& seed);
[[nodiscard]] std::string ed25519_sign(const SecretKey& seed, Bytes message);
[[nodiscard]] bool ed25519_verify(std::string_view raw_public_key, Bytes message,
                                  std::string_view raw_signature);

/// `ed25519:` and base64 of SubjectPublicKeyInfo, and back to the 32 raw bytes
/// (signature.public_key).
[[nodiscard]] std::string public_key_text(std::string_view raw_public_key);
[[nodiscard]] Result<std::string> parse_public_key(std::string_view text);

}  // namespace rgx::audit
