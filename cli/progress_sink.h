#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "cli/progress_frame.h"

namespace rgx::cli {

/// Where painters write: stderr, but so that a reader who is slow, stopped or gone never holds up
/// the run. What the reader does not take at once waits in memory, up to `kSinkBytesMax`; beyond
/// that the stream ends (it is cut, it never has a hole).
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  /// Never blocks. `bytes` are one frame or whole lines.
  virtual void write(std::string_view bytes) = 0;
  /// Hands over what waits, as far as that goes without blocking; whether nothing waits any more.
  virtual bool flush() = 0;
  /// Waits until everything is handed over, or the reader has taken nothing for `patience_ms`.
  virtual void drain(std::int64_t patience_ms) = 0;
  [[nodiscard]] virtual TerminalSize size() = 0;
  /// Whether the process was stopped (Ctrl-Z) and went on since the last call: then the cursor is
  /// no longer where the last frame left it.
  [[nodiscard]] virtual bool take_continued() = 0;
};

inline constexpr std::size_t kSinkBytesMax = 64U << 20;

/// What a descriptor is used for: a terminal gets its modes back when a signal ends the process in
/// the middle of a frame.
enum class SinkUse : std::uint8_t { lines, terminal };

/// A sink over an open descriptor, which stays the caller's and keeps its flags: terminals and
/// pipes are opened anew, because O_NONBLOCK on the shared description would reach the shell.
[[nodiscard]] std::unique_ptr<ProgressSink> open_progress_sink(int descriptor, SinkUse use);

}  // namespace rgx::cli
