#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/progress_event.h"
#include "cli/progress_view.h"

// Streams of events that several tests paint: made by hand, with times by hand.

namespace rgx::cli::test {

/// A stream under construction. Time stands still until `at` moves it.
class Scenario {
 public:
  Scenario& at(std::int64_t ms) {
    now_ms_ = ms;
    return *this;
  }
  Scenario& announce(RunAnnounced plan) { return add(std::move(plan)); }
  Scenario& start(std::string step) { return add(StepStarted{.step = std::move(step)}); }
  Scenario& output(std::string step, std::int64_t bytes) {
    return add(StepOutput{.step = std::move(step), .bytes = bytes});
  }
  Scenario& ask(std::string step, std::string rule, std::string need, std::string how) {
    return add(StepWaiting{.step = std::move(step),
                           .rule = std::move(rule),
                           .need = std::move(need),
                           .how = std::move(how)});
  }
  Scenario& end(std::string step, StepEnd how, std::string summary = {}, std::string detail = {},
                std::int64_t wall_ms = 1000) {
    return add(StepFinished{.step = std::move(step),
                            .end = how,
                            .summary = std::move(summary),
                            .detail = std::move(detail),
                            .wall_ms = wall_ms});
  }
  Scenario& budget(std::vector<Meter> meters) {
    return add(BudgetChanged{.meters = std::move(meters)});
  }
  Scenario& interrupt(Interruption how) { return add(RunInterrupted{.how = how}); }
  Scenario& finish(RunEnd how, int exit_code, std::string summary) {
    return add(RunFinished{.end = how, .exit_code = exit_code, .summary = std::move(summary)});
  }
  Scenario& add(ProgressBody body) {
    events_.push_back({.at_ms = now_ms_, .record = {}, .body = std::move(body)});
    return *this;
  }

  [[nodiscard]] const std::vector<ProgressEvent>& events() const { return events_; }
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  [[nodiscard]] RunView view() const;

 private:
  std::vector<ProgressEvent> events_;
  std::int64_t now_ms_ = 0;
};

[[nodiscard]] PlannedStep planned(std::string id, std::string tool, std::string title,
                                  std::string phase = {}, std::vector<std::string> needs = {});

/// Twelve steps: six done, two running, one asks, three wait. 72 s in.
[[nodiscard]] Scenario small_run();
/// A thousand steps in two fan-outs, with four failures, two denials and a request. 14 min in.
[[nodiscard]] Scenario large_run();
/// Ten thousand steps of one fan-out, a third done.
[[nodiscard]] Scenario huge_run();
/// Names, titles, output and rules that try to reach the terminal.
[[nodiscard]] Scenario hostile_run();

}  // namespace rgx::cli::test
