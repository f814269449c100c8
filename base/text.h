#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Text that crosses a border: UTF-8 checks, escaping for people, and suggestions.

namespace rgx {

[[nodiscard]] bool is_utf8(std::string_view text);
/// Byte offset of the first invalid UTF-8 sequence, if any (RFC 3629: no surrogates, no overlong).
[[nodiscard]] std::optional<std::size_t> find_invalid_utf8(std::string_view text);
/// True for C0/C1 controls, DEL, bidirectional controls, zero-width and other invisible code
/// points: what must never reach a terminal or a name unescaped.
[[nodiscard]] bool is_deceptive(char32_t code_point);
/// First deceptive code point of valid UTF-8 (line feed and tab count), if any.
[[nodiscard]] std::optional<char32_t> find_deceptive(std::string_view text);
/// Makes any bytes safe to print on one line: controls, deceptive code points and invalid bytes
/// become `\n`, `\t`, `\x1b`, `\u{202e}`, and a backslash `\\`.
[[nodiscard]] std::string printable(std::string_view text);
/// The candidate nearest to `word` by edit distance, when near enough to be a likely typo.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string_view> candidates);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);

}  // namespace rgx
