#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "cli/progress_frame.h"
#include "cli/progress_painters.h"
#include "cli/progress_report.h"
#include "cli/progress_view.h"

namespace rgx::cli {
namespace {

/// A terminal that takes nothing for so long (Ctrl-S) goes without the last words.
constexpr std::int64_t kDrainMs = 3000;
/// Failures whose output goes into the scrollback; from then on they get their line only.
constexpr std::size_t kTailsMax = 20;

class LivePainter final : public ProgressPainter {
 public:
  LivePainter(const ProgressSettings& settings, ProgressSink& sink)
      : sink_(sink),
        symbols_(settings.symbols),
        style_{
            .wording = settings.wording, .colour = settings.colour, .symbols = settings.symbols} {}

  void on(const ProgressEvent& event) override {
    for (const ProgressEvent& effect : view_.apply(event)) {
      if (const auto* end = std::get_if<StepFinished>(&effect.body)) {
        keep_failure(view_.step(end->step));
      }
    }
  }

  void tick(std::int64_t now_ms) override {
    const bool is_early = !view_.is_announced() || now_ms - view_.announced_ms() < kFirstPaintMs ||
                          (painted_ms_ && now_ms - *painted_ms_ < kRepaintMs);
    // While the terminal has not taken the last frame, there is no sense in a next one.
    if (is_early || view_.finished() || !sink_.flush()) {
      return;
    }
    forget_moved_frame();
    const Frame frame = draw_frame(view_, size_, symbols_, now_ms);
    std::string picture = to_text(frame);
    if (lines_ > 0 && above_.empty() && picture == picture_) {
      return;
    }
    painted_ms_ = now_ms;
    picture_ = std::move(picture);
    paint(frame);
  }

  void finish() override {
    static_cast<void>(view_.apply(view_.aborted()));
    sink_.drain(kDrainMs);
    forget_moved_frame();
    // A single failure stands right above the last words; of several the first is far away.
    const Repeat repeat = view_.troubles().size() > 1 ? Repeat::failures : Repeat::consequences;
    for (std::string& line : closing_lines(view_, style_, repeat)) {
      above_.push_back(std::move(line));
    }
    paint({});
    sink_.drain(kDrainMs);
  }

 private:
  void keep_failure(const StepView& step) {
    const bool failed = step.end == StepEnd::failed || step.end == StepEnd::timed_out ||
                        step.end == StepEnd::refused;
    if (!failed) {
      return;
    }
    above_.push_back(step_line(step, style_));
    if (++failures_ <= kTailsMax) {
      for (std::string& line : detail_lines(step, kTailLines, style_)) {
        above_.push_back(std::move(line));
      }
    }
  }

  /// The last frame is painted over only where it is known to stand: not after a stop of the
  /// process, nor on a terminal that became smaller and may have wrapped or scrolled it.
  void forget_moved_frame() {
    const TerminalSize size = sink_.size();
    const bool is_smaller = size.columns < size_.columns || size.rows <= lines_;
    if (sink_.take_continued() || is_smaller) {
      lines_ = 0;
    }
    size_ = size;
  }

  void paint(const Frame& frame) {
    sink_.write(to_terminal(
        frame,
        {.lines_before = lines_, .above = std::exchange(above_, {}), .colour = style_.colour}));
    lines_ = frame.size();
  }

  ProgressSink& sink_;
  Symbols symbols_;
  ReportStyle style_;
  RunView view_;
  TerminalSize size_;
  Lines above_;
  std::size_t failures_ = 0;
  std::size_t lines_ = 0;  // of the frame on the screen
  std::string picture_;
  std::optional<std::int64_t> painted_ms_;
};

}  // namespace

std::unique_ptr<ProgressPainter> make_live_painter(const ProgressSettings& settings,
                                                   ProgressSink& sink) {
  return std::make_unique<LivePainter>(settings, sink);
}

}  // namespace rgx::cli
