#pragma once

#include <memory>

#include "cli/progress.h"

// One factory for each form of progress; make_painter chooses.

namespace rgx::cli {

/// A picture that is repainted in place. What failed goes into the scrollback above it at once,
/// and the last words stay when the picture is gone.
[[nodiscard]] std::unique_ptr<ProgressPainter> make_live_painter(const ProgressSettings& settings,
                                                                 ProgressSink& sink);
/// One line when a step ends, its output under it where it failed, a sign of life every
/// `kHeartbeatMs` of silence.
[[nodiscard]] std::unique_ptr<ProgressPainter> make_plain_painter(const ProgressSettings& settings,
                                                                  ProgressSink& sink);
/// The events as JSON lines: docs/formats/progress.md.
[[nodiscard]] std::unique_ptr<ProgressPainter> make_json_painter(ProgressSink& sink);

}  // namespace rgx::cli
