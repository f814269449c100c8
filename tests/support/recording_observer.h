#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/observer.h"
#include "tests/support/call_log.h"

namespace rgx::test {

/// Keeps what it is shown.
class RecordingObserver final : public engine::Observer {
 public:
  explicit RecordingObserver(CallLog& log) : log_(log) {}

  void run_started(const RunId& /*run*/, std::size_t steps) override {
    log_.add("observer.run_started " + std::to_string(steps));
  }
  void step_started(const engine::StepEvent& event) override {
    log_.add("observer.step_started " + event.step.text());
  }
  void step_finished(const engine::StepEvent& event) override {
    log_.add("observer.step_finished " + event.step.text() + " " +
             std::string(to_string(event.state)));
    finished.push_back(event);
  }
  void run_finished(const RunId& /*run*/) override { log_.add("observer.run_finished"); }

  std::vector<engine::StepEvent> finished;

 private:
  CallLog& log_;
};

}  // namespace rgx::test
