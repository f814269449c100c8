#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"

// SHA-256 digests (FIPS 180-4). Two kinds, never mixed:
//   digest_bytes   plain SHA-256 of a file's or blob's bytes, what `sha256sum` prints
//   digest_of      SHA-256(domain || 0x00 || canonical JSON) of a structure; the domain is an
//                  ASCII name such as `rgx.plan/v1`, so that no structure passes for another

namespace rgx {

using Bytes = std::span<const std::uint8_t>;

[[nodiscard]] inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class Digest {
 public:
  static constexpr std::size_t kSize = 32;
  using Array = std::array<std::uint8_t, kSize>;

  Digest() = default;  ///< all zero
  explicit Digest(const Array& bytes) : bytes_(bytes) {}

  [[nodiscard]] const Array& bytes() const { return bytes_; }
  [[nodiscard]] std::string hex() const;        ///< 64 lower-case hex digits
  [[nodiscard]] std::string to_string() const;  ///< `sha256:` and 64 hex digits
  /// Reads the form of `to_string`, and nothing else (digest.syntax).
  [[nodiscard]] static Result<Digest> parse(std::string_view text);
  [[nodiscard]] static Result<Digest> parse_hex(std::string_view text);

  auto operator<=>(const Digest&) const = default;

 private:
  Array bytes_{};
};

[[nodiscard]] Digest digest_bytes(std::string_view bytes);
[[nodiscard]] Digest digest_of(std::string_view domain, const Json& value);
[[nodiscard]] Digest digest_domain(std::string_view domain, std::string_view bytes);

/// Streaming SHA-256, reusable: `finish` returns the digest and starts anew.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;

  void update(std::string_view bytes);
  [[nodiscard]] Digest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// Lower-case hex of any bytes, and back (hex.syntax: odd length, upper case or another digit).
[[nodiscard]] std::string to_hex(Bytes bytes);
[[nodiscard]] Result<std::string> from_hex(std::string_view text);
/// Standard padded base64 (RFC 4648), and back; non-canonical forms are refused (base64.syntax).
[[nodiscard]] std::string to_base64(Bytes bytes);
[[nodiscard]] Result<std::string> from_base64(std::string_view text);

}  // namespace rgx
