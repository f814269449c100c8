#include <string>
#include <utility>
#include <variant>

#include "base/text.h"
#include "cli/progress_host.h"
#include "cli/progress_painters.h"
#include "cli/progress_report.h"
#include "cli/progress_view.h"

namespace rgx::cli {
namespace {

/// A reader that takes nothing for so long goes without the rest.
constexpr std::int64_t kDrainMs = 30'000;

class PlainPainter final : public ProgressPainter {
 public:
  PlainPainter(const ProgressSettings& settings, ProgressSink& sink)
      : sink_(sink),
        host_(settings.host, settings.fence),
        style_{
            .wording = settings.wording, .colour = settings.colour, .symbols = settings.symbols} {}

  void on(const ProgressEvent& event) override {
    if (!std::exchange(begun_, true)) {
      sink_.write(host_.begin());
    }
    for (const ProgressEvent& effect : view_.apply(event)) {
      std::visit([this, &effect](const auto& body) { told(effect.at_ms, body); }, effect.body);
    }
  }

  void tick(std::int64_t now_ms) override {
    if (view_.is_announced() && !view_.finished() && now_ms - said_ms_ >= kHeartbeatMs) {
      say(now_ms, {heartbeat_line(view_, style_, now_ms)});
    }
    static_cast<void>(sink_.flush());
  }

  void finish() override {
    if (!view_.finished() && begun_) {
      on(view_.aborted());
    }
    if (begun_) {
      sink_.write(host_.end());
    }
    sink_.drain(kDrainMs);
  }

 private:
  void told(std::int64_t at_ms, const RunAnnounced& /*body*/) {
    say(at_ms, opening_lines(view_, style_));
  }
  void told(std::int64_t /*at_ms*/, const StepStarted& /*body*/) {}
  void told(std::int64_t /*at_ms*/, const StepOutput& /*body*/) {}
  void told(std::int64_t at_ms, const StepWaiting& body) {
    say(at_ms, ask_lines(view_.step(body.step), style_));
  }
  void told(std::int64_t at_ms, const StepFinished& body) {
    switch (body.end) {
      case StepEnd::skipped:
      case StepEnd::unfinished:
        return;  // counted in the last words
      case StepEnd::succeeded:
      case StepEnd::cancelled:
        say(at_ms, {step_line(view_.step(body.step), style_)});
        return;
      case StepEnd::failed:
      case StepEnd::timed_out:
      case StepEnd::refused:
        say_failure(at_ms, view_.step(body.step));
        return;
    }
  }
  void told(std::int64_t /*at_ms*/, const BudgetChanged& /*body*/) {}
  void told(std::int64_t at_ms, const RunInterrupted& /*body*/) {
    say(at_ms, {interrupted_line(view_, style_)});
  }
  void told(std::int64_t at_ms, const RunFinished& /*body*/) {
    const bool is_above = said_failure_ && view_.troubles().size() == 1;
    say(at_ms, closing_lines(view_, style_, is_above ? Repeat::consequences : Repeat::failures));
  }

  void say_failure(std::int64_t at_ms, const StepView& step) {
    const std::string name = printable(step.plan.id);
    const Lines tail = detail_lines(step, kTailLines, style_);
    std::string out = host_.before_failure(name);
    out += step_line(step, style_) + "\n";
    if (!tail.empty()) {
      out += host_.begin_output(name);
      for (const std::string& line : tail) {
        out += line + "\n";
      }
      out += host_.end_output();
    }
    out += host_.after_failure(name, step_summary(step));
    sink_.write(out);
    said_ms_ = at_ms;
    said_failure_ = true;
  }

  void say(std::int64_t at_ms, const Lines& lines) {
    std::string out;
    for (const std::string& line : lines) {
      out += line + "\n";
    }
    sink_.write(out);
    said_ms_ = at_ms;
    said_failure_ = false;
  }

  ProgressSink& sink_;
  HostMarks host_;
  ReportStyle style_;
  RunView view_;
  std::int64_t said_ms_ = 0;
  bool begun_ = false;
  bool said_failure_ = false;  // the last lines are those of a failure
};

}  // namespace

std::unique_ptr<ProgressPainter> make_plain_painter(const ProgressSettings& settings,
                                                    ProgressSink& sink) {
  return std::make_unique<PlainPainter>(settings, sink);
}

}  // namespace rgx::cli
