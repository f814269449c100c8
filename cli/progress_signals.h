#pragma once

namespace rgx::cli {

/// Gives a terminal its modes back when a signal ends the process in the middle of a frame, and
/// notices when it went on after a stop. Only signals that nobody else handles are handled, and
/// they end the process as they would have without. At most one exists at a time.
///
/// Between two frames there is nothing to give back (cli/progress_frame.h), so an end that no
/// handler sees costs at most the rest of one frame.
class TerminalGuard {
 public:
  explicit TerminalGuard(int descriptor);
  ~TerminalGuard();
  TerminalGuard(const TerminalGuard&) = delete;
  TerminalGuard& operator=(const TerminalGuard&) = delete;

  void set_in_frame(bool in_frame);
  [[nodiscard]] bool take_continued();
};

}  // namespace rgx::cli
