#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "cli/progress_text.h"
#include "cli/progress_view.h"

// The picture of a running run: a pure function of its state, the size of the terminal and the
// time. What needs a person comes first, then what failed, then what runs.

namespace rgx::cli {

struct TerminalSize {
  std::size_t rows = 24;
  std::size_t columns = 80;

  bool operator==(const TerminalSize&) const = default;
};

/// A text that starts in a column of its own, counted from 0. It is safe to print and cut to the
/// cells it may take.
struct FrameCell {
  std::size_t column = 0;
  std::string text;
  Tone tone = Tone::plain;
};

/// Cells from left to right. Text of a cell may turn out wider on a terminal than counted here;
/// the next one begins in its column all the same.
using FrameLine = std::vector<FrameCell>;
using Frame = std::vector<FrameLine>;

inline constexpr std::size_t kFrameRowsMax = 16;
inline constexpr std::size_t kFrameRunningMax = 8;
/// From so many steps on, groups are shown instead of waiting steps.
inline constexpr std::size_t kFrameGroupsFrom = 50;

/// At most `kFrameRowsMax` lines and one less than the terminal has, so that the cursor has a
/// line below them; no cell reaches into the last column.
[[nodiscard]] Frame draw_frame(const RunView& view, TerminalSize size, Symbols symbols,
                               std::int64_t now_ms);

/// The picture as text, for goldens and for people: columns by blanks, no colours.
[[nodiscard]] std::string to_text(const Frame& frame);

/// What to write so that the terminal shows `frame` in place of the last one.
struct Repaint {
  std::size_t lines_before = 0;    ///< height of the last frame, on whose next line the cursor is
  std::vector<std::string> above;  ///< lines that stay, to go above the frame into the scrollback
  Colour colour = Colour::off;
};
/// INVARIANT: whatever this changes in the terminal's modes it sets back at its end, so that a
/// process that is killed between two frames leaves a terminal as it found it.
[[nodiscard]] std::string to_terminal(const Frame& frame, const Repaint& repaint);
/// The escape sequence of a tone, empty for plain text.
[[nodiscard]] std::string_view tone_sequence(Tone tone);
/// Ends what an interrupted repaint may have begun. Async-signal-safe to write.
inline constexpr std::string_view kTerminalRestore = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?2026l";

}  // namespace rgx::cli
