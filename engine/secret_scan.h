#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Finds what looks like a secret: tokens of well-known formats, private keys, and random-looking
// values given to names like `password`. Nothing in here ever hands out a secret itself.
// Private to the package.

namespace rgx::engine {

struct SecretFinding {
  std::int64_t line = 0;  ///< from 1
  std::string kind;       ///< `private_key`, `github_token`, ...
  std::string mark;       ///< first 12 hex digits of the secret's SHA-256: tells two apart

  bool operator==(const SecretFinding&) const = default;
};

/// In the order of the text.
[[nodiscard]] std::vector<SecretFinding> find_secrets(std::string_view bytes);

/// The text with every secret replaced by `[KIND]`.
[[nodiscard]] std::string redact_secrets(std::string_view bytes);

}  // namespace rgx::engine
