#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/environment.h"
#include "cli/output.h"
#include "cli/progress_event.h"
#include "cli/progress_sink.h"
#include "cli/progress_text.h"

// How a person, a log or a program sees a run while it happens. Results are none of its business:
// progress goes to stderr, and a run is the same whoever watches.

namespace rgx::cli {

enum class ProgressMode : std::uint8_t { automatic, live, plain, json, none };

/// Whether lines are read by eye or read aloud (ACCESSIBLE): whole sentences without marks.
enum class Wording : std::uint8_t { terse, sentences };

/// Services that give lines of a log a meaning.
enum class LogHost : std::uint8_t { other, github, buildkite };

/// What the flags say. Texts for their help, too, so that each command says the same.
struct ProgressChoice {
  std::string mode = "auto";     ///< --progress
  std::string symbols = "auto";  ///< --symbols
};
inline constexpr std::string_view kProgressHelp =
    "how to show the run on stderr: auto, live, plain, json or none";
inline constexpr std::string_view kSymbolsHelp = "marks of the live view: auto, ascii or unicode";

struct ProgressSettings {
  ProgressMode mode = ProgressMode::plain;  ///< never automatic
  Symbols symbols = Symbols::ascii;
  Colour colour = Colour::off;
  Wording wording = Wording::terse;
  LogHost host = LogHost::other;
  /// Unguessable by what runs: keeps output from being taken for a command of the log's host.
  std::string fence;
};

/// `auto` is live where stderr is a terminal that can (TERM), nobody said CI or ACCESSIBLE, and
/// plain elsewhere; live without a terminal is plain. Symbols follow the locale. Colours as in
/// cli/output.h. Errors: progress.mode, progress.symbols.
[[nodiscard]] Result<ProgressSettings> resolve_progress(const ProgressChoice& choice,
                                                        const Environment& environment,
                                                        bool stderr_is_terminal);

/// Paints one run from its events. Used by one thread at a time; never blocks but in finish().
class ProgressPainter {
 public:
  virtual ~ProgressPainter() = default;
  virtual void on(const ProgressEvent& event) = 0;
  /// Time goes on: to be called at least ten times a second, on the same clock as the events.
  virtual void tick(std::int64_t now_ms) = 0;
  /// Says the last words and gives the terminal back. Nothing comes after it.
  virtual void finish() = 0;
};

inline constexpr std::int64_t kFirstPaintMs = 500;
inline constexpr std::int64_t kRepaintMs = 100;
inline constexpr std::int64_t kHeartbeatMs = 30'000;

/// `sink` must outlive the painter.
[[nodiscard]] std::unique_ptr<ProgressPainter> make_painter(const ProgressSettings& settings,
                                                            ProgressSink& sink);

}  // namespace rgx::cli
