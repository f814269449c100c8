#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Text that crosses a border: UTF-8 checks, escaping for people, and suggestions.

namespace rgx {

/// One decoded code point and how many bytes it took.
struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;
};

/// The code point that starts at byte `offset`; nothing where the bytes are no valid UTF-8.
[[nodiscard]] std::optional<CodePoint> decode_utf8(std::string_view text, std::size_t offset);
/// Appends a Unicode scalar value; anything else is a programmer error.
void append_utf8(std::string& text, char32_t code_point);

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
/// Like `printable`, but leaves backslashes alone: for text whose parts are escaped already.
[[nodiscard]] std::string escape_controls(std::string_view text);
/// The candidate nearest to `word` by edit distance, when near enough to be a likely typo.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string_view> candidates);
/// Views of `text`, which must outlive them: a temporary string does not compile.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
template <class Text>
  requires std::same_as<Text, std::string> || std::same_as<Text, const std::string>
std::vector<std::string_view> split(Text&& text, char separator) = delete;
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);

}  // namespace rgx
