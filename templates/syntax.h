#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The lexical forms of values in templates and plans. Private to the package.
// Format: docs/formats/template.md, section "Parameters"

namespace rgx::templates {

inline constexpr std::size_t kIdentifierBytesMax = 256;
inline constexpr std::size_t kStringBytesMax = 4096;
inline constexpr std::size_t kTextBytesMax = 64U << 10;

/// `[A-Za-z_][A-Za-z0-9_]*`, or several of them joined by `.` or `::`.
[[nodiscard]] bool is_identifier(std::string_view text);
/// No white space, no control or deceptive character: `operator==`, `Foo::~Foo`, `größe`.
[[nodiscard]] bool is_symbol(std::string_view text);
/// One to four numbers with dots, then optionally `-` or `+` and letters, digits, `.`, `-`.
[[nodiscard]] bool is_version(std::string_view text);
/// The names that `git check-ref-format --branch` takes, without its `@{-N}` forms.
[[nodiscard]] bool is_branch(std::string_view text);
/// A name of an environment variable: `[A-Za-z_][A-Za-z0-9_]*`.
[[nodiscard]] bool is_variable(std::string_view text);
/// RE2 takes it as a pattern.
[[nodiscard]] bool is_regex(std::string_view text);
/// `host:port` in lower case of an `http` or `https` URL without user information; nothing for
/// any other text. IPv6 hosts keep their brackets.
[[nodiscard]] std::optional<std::string> host_of_url(std::string_view text);
/// `host:port` in lower case, `*.example.org:443` included.
[[nodiscard]] std::optional<std::string> normal_host(std::string_view text);
/// `250ms`, `30s`, `15m`, `2h`, `1d` in milliseconds.
[[nodiscard]] std::optional<std::int64_t> duration_ms(std::string_view text);
/// `123B`, `10KiB`, `5MiB`, `1GiB`, `10kB`, `5MB`, `1GB` in bytes.
[[nodiscard]] std::optional<std::int64_t> size_bytes(std::string_view text);
/// A decimal integer within +-(2^53 - 1), without plus sign or leading zero.
[[nodiscard]] std::optional<std::int64_t> decimal(std::string_view text);

/// The glob that matches exactly the path `normal_path`: its wildcards are escaped.
[[nodiscard]] std::string pattern_of_path(std::string_view normal_path);

}  // namespace rgx::templates
