#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/output.h"
#include "cli/progress_view.h"

// Words, numbers and marks that every form of progress shares, so that a row of the live view and
// a plain line say the same. All results are safe to print.

namespace rgx::cli {

enum class Symbols : std::uint8_t { ascii, unicode };

/// Marks of one cell; a word always stands beside them.
struct SymbolSet {
  std::string_view ask;
  std::string_view failed;
  std::string_view refused;
  std::string_view running;
  std::string_view succeeded;
  std::string_view waiting;
  std::string_view skipped;
  std::string_view ellipsis;
  std::string_view separator;
};
[[nodiscard]] const SymbolSet& symbol_set(Symbols symbols);

/// What a row begins with: `FAIL`, its mark and its tone.
struct RowWord {
  std::string_view word;
  std::string_view symbol;
  Tone tone = Tone::plain;
};
[[nodiscard]] RowWord row_word(const StepView& step, const SymbolSet& symbols);

/// `41s`, `1m12s`, `2h05m`, `3d04h`; below a second `0s`.
[[nodiscard]] std::string format_age(std::int64_t ms);
/// `41s ago`, `13m ago`, `2h ago`, `3d ago`.
[[nodiscard]] std::string format_ago(std::int64_t ms);
/// What a step took: like an age, but `340ms` below a second.
[[nodiscard]] std::string format_wall(std::int64_t ms);
/// `1 minute 12 seconds`, to be read aloud.
[[nodiscard]] std::string spoken_age(std::int64_t ms);
/// `812 B`, `80 kB`, `1.2 MB`.
[[nodiscard]] std::string format_bytes(std::int64_t bytes);
/// `950`, `18k`, `1.9M`.
[[nodiscard]] std::string format_count(std::int64_t count);
/// `tokens 18k+4k/60k`: spent, reserved and limit.
[[nodiscard]] std::string format_meter(const Meter& meter);
/// Whether four fifths of it are spent or reserved.
[[nodiscard]] bool is_nearly_spent(const Meter& meter);
/// `9c1e…40d2` of `sha256:9c1e...40d2`.
[[nodiscard]] std::string short_digest(std::string_view digest, const SymbolSet& symbols);

/// `exec ctest -j2`
[[nodiscard]] std::string step_title(const StepView& step);
/// Summary of an ended step; says that a time-out was one.
[[nodiscard]] std::string step_summary(const StepView& step);
/// Why a waiting step waits: `after s9 and 2 more`, `for a slot`.
[[nodiscard]] std::string waiting_reason(const RunView& view, std::size_t step);
/// `831/1000 ok, 4 FAILED, 2 denied, 16 running`; what is zero is left out but the first.
struct CountPart {
  std::string text;
  Tone tone = Tone::plain;
};
[[nodiscard]] std::vector<CountPart> count_parts(const Tally& tally);
[[nodiscard]] std::string count_text(const Tally& tally);

/// The last `count_max` lines of an output that are not empty, each made safe and cut to
/// `bytes_max`.
[[nodiscard]] std::vector<std::string> tail_lines(std::string_view output, std::size_t count_max,
                                                  std::size_t bytes_max);

}  // namespace rgx::cli
