#pragma once

#include <cstdint>
#include <string_view>

// Literal search in a file's bytes. Private to the package.

namespace rgx::planner {

enum class MatchBoundary : std::uint8_t {
  anywhere,  ///< every occurrence that does not overlap the one before
  word,      ///< only between bytes that are no word bytes
};

/// `[A-Za-z0-9_]` and every byte of a character beyond ASCII: `größe` holds no word `e`.
[[nodiscard]] bool is_word_byte(char byte);
/// Number of occurrences of `needle`, which is not empty.
[[nodiscard]] std::int64_t count_matches(std::string_view bytes, std::string_view needle,
                                         MatchBoundary boundary);
/// A NUL among the first 8000 bytes, as git decides it.
[[nodiscard]] bool is_binary(std::string_view bytes);

}  // namespace rgx::planner
