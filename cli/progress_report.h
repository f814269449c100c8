#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/progress.h"
#include "cli/progress_view.h"

// What stays on the screen or in the log of a run, as lines: what ended, what asks, signs of life
// and the last words. The live view leaves the same lines behind as a plain log.

namespace rgx::cli {

struct ReportStyle {
  Wording wording = Wording::terse;
  Colour colour = Colour::off;
  Symbols symbols = Symbols::ascii;
};

/// Whether the last words repeat failures, or only say what came of the one right above them.
enum class Repeat : std::uint8_t { failures, consequences };

using Lines = std::vector<std::string>;

[[nodiscard]] Lines opening_lines(const RunView& view, const ReportStyle& style);
/// The line of an ended step.
[[nodiscard]] std::string step_line(const StepView& step, const ReportStyle& style);
/// Its output tail or decision, indented; empty where it succeeded.
[[nodiscard]] Lines detail_lines(const StepView& step, std::size_t count_max,
                                 const ReportStyle& style);
[[nodiscard]] Lines ask_lines(const StepView& step, const ReportStyle& style);
[[nodiscard]] std::string interrupted_line(const RunView& view, const ReportStyle& style);
/// A sign of life: how far the run is, and which step has been silent for longest.
[[nodiscard]] std::string heartbeat_line(const RunView& view, const ReportStyle& style,
                                         std::int64_t now_ms);
/// Requests that are still open, each failure again with the first cause first and what was
/// skipped because of it, the counts, and the summary of the run.
[[nodiscard]] Lines closing_lines(const RunView& view, const ReportStyle& style, Repeat repeat);

/// Lines of an output tail under a step when it ends, and under the first cause at the end.
inline constexpr std::size_t kTailLines = 20;
inline constexpr std::size_t kCauseLines = 8;

}  // namespace rgx::cli
