#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Finds the place of a mistake in a JSON text. The parser proper (simdjson) says that a text is
// wrong, but not where; this scan is slower, runs only after a refusal, and decides nothing.
// Not for use outside base/json_parse.cc and its tests.

namespace rgx::json_scan {

enum class Mistake : std::uint8_t {
  none,
  syntax,        ///< `reason` says what was expected
  number,        ///< valid JSON, but a number that rgx has no value for; `reason` says why
  too_deep,      ///< more than `depth_max` open brackets
  wanted_token,  ///< no mistake: this is where token number `token` starts
};

struct Found {
  Mistake mistake = Mistake::none;
  std::size_t offset = 0;
  std::string_view reason;
};

struct Search {
  std::size_t depth_max = 1024;
  /// Stops at this token, counting member names and values from 0 in the order of the text.
  std::optional<std::size_t> token;
};

/// The first mistake of `text` under the grammar of RFC 8259, or the wanted token. A refused
/// number is told only when nothing else is wrong.
[[nodiscard]] Found scan(std::string_view text, const Search& search);

}  // namespace rgx::json_scan
