#pragma once

#include "engine/observer.h"

namespace rgx::cli {

/// Watches what has no steps: a rollback, a plan that does not start, a run that only ends.
class QuietObserver final : public engine::Observer {
 public:
  void run_started(const RunId& /*run*/, std::size_t /*steps*/) override {}
  void step_started(const engine::StepEvent& /*event*/) override {}
  void step_finished(const engine::StepEvent& /*event*/) override {}
  void run_finished(const RunId& /*run*/) override {}
};

}  // namespace rgx::cli
