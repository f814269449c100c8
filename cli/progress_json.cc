#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/canonical.h"
#include "cli/progress_painters.h"
#include "cli/progress_view.h"

namespace rgx::cli {
namespace {

constexpr std::int64_t kDrainMs = 30'000;
/// A step's output is told of at most once a second: readers want a sign of life, not a load.
constexpr std::int64_t kOutputMs = 1000;

class JsonPainter final : public ProgressPainter {
 public:
  explicit JsonPainter(ProgressSink& sink) : sink_(sink) {}

  void on(const ProgressEvent& event) override {
    begin();
    for (const ProgressEvent& effect : view_.apply(event)) {
      take(effect);
    }
  }

  void tick(std::int64_t now_ms) override {
    for (auto output = outputs_.begin(); output != outputs_.end();) {
      if (now_ms - output->second.told_ms >= kOutputMs && output->second.bytes > 0) {
        tell(output->first, output->second, now_ms);
      }
      ++output;
    }
    static_cast<void>(sink_.flush());
  }

  void finish() override {
    begin();
    for (const ProgressEvent& effect : view_.apply(view_.aborted())) {
      take(effect);
    }
    sink_.drain(kDrainMs);
  }

 private:
  struct Output {
    std::int64_t bytes = 0;
    std::int64_t told_ms = 0;
  };

  void begin() {
    if (!std::exchange(begun_, true)) {
      line(progress_stream_header());
    }
  }

  void take(const ProgressEvent& event) {
    if (const auto* output = std::get_if<StepOutput>(&event.body)) {
      const auto [known, is_new] =
          outputs_.emplace(output->step, Output{.bytes = 0, .told_ms = event.at_ms - kOutputMs});
      known->second.bytes += output->bytes;
      if (event.at_ms - known->second.told_ms >= kOutputMs) {
        tell(known->first, known->second, event.at_ms);
      }
      return;
    }
    if (const auto* end = std::get_if<StepFinished>(&event.body)) {
      const auto known = outputs_.find(end->step);
      if (known != outputs_.end()) {
        if (known->second.bytes > 0) {
          tell(known->first, known->second, event.at_ms);
        }
        outputs_.erase(known);
      }
    }
    line(to_json(event));
  }

  void tell(const std::string& step, Output& output, std::int64_t at_ms) {
    line(to_json(
        {.at_ms = at_ms, .record = {}, .body = StepOutput{.step = step, .bytes = output.bytes}}));
    output = {.bytes = 0, .told_ms = at_ms};
  }

  void line(const Json& value) { sink_.write(canonical(value) + "\n"); }

  ProgressSink& sink_;
  RunView view_;
  std::map<std::string, Output, std::less<>> outputs_;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<ProgressPainter> make_json_painter(ProgressSink& sink) {
  return std::make_unique<JsonPainter>(sink);
}

}  // namespace rgx::cli
