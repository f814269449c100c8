#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

// Edits of `file.edit` on the bytes of one file. Everything that no edit names stays as it is, byte
// for byte: line ends, a missing last line feed, the encoding. Private to the package.

namespace rgx::engine {

inline constexpr std::size_t kEditBytesMax = std::size_t{16} << 20;  // of a file, before and after

struct EditedText {
  std::string bytes;
  std::int64_t replacements = 0;
};

/// Applies `edits` ([{word|text|anchor|pattern, to}]) one after the other; each must find
/// something, an `anchor` exactly one place. In a file whose every line ends in CR LF, line ends of
/// the edits are CR LF, too. Errors: edit.binary, edit.no_match, edit.not_unique,
/// edit.too_large.
[[nodiscard]] Result<EditedText> apply_edits(std::string bytes, const Json& edits,
                                             std::string_view path);

enum class Boundary : std::uint8_t { anywhere, word };

/// Start of the next match at or after `from`; npos when there is none. A word begins and ends
/// where no word byte ([A-Za-z0-9_] or beyond ASCII) goes on, as in the probe that planned it.
[[nodiscard]] std::size_t find_match(std::string_view bytes, std::string_view needle,
                                     Boundary boundary, std::size_t from);
/// A NUL among the first 8000 bytes, as git decides it.
[[nodiscard]] bool is_binary(std::string_view bytes);

}  // namespace rgx::engine
