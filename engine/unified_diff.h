#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Unified diffs of one file, taken strictly: the counts of every hunk must hold, and what a hunk
// expects must stand in the file byte for byte. Private to the package.

namespace rgx::engine {

struct DiffLine {
  char kind = ' ';   ///< ` ` kept, `-` removed, `+` added
  std::string text;  ///< with its line end, `\r` included; without one at the end of the file
};

struct Hunk {
  std::int64_t old_start = 0;  ///< from 1; 0 = before the first line
  std::int64_t old_count = 0;
  std::int64_t new_start = 0;
  std::int64_t new_count = 0;
  std::vector<DiffLine> lines;
};

struct UnifiedDiff {
  std::vector<Hunk> hunks;
  bool makes_file = false;    ///< from `/dev/null`
  bool deletes_file = false;  ///< to `/dev/null`
};

/// Errors: patch.syntax (with the line), patch.too_large, patch.many_files.
[[nodiscard]] Result<UnifiedDiff> parse_unified_diff(std::string_view text);

/// Every hunk applied at the line that it states, shifted by what the hunks before it added, or at
/// the only other place where it fits; never by leaving out context. Errors: patch.no_match,
/// patch.not_unique.
[[nodiscard]] Result<std::string> apply_unified_diff(std::string_view bytes,
                                                     const UnifiedDiff& diff,
                                                     std::string_view path);

}  // namespace rgx::engine
