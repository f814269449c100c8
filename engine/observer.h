#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"

// The port through which a run is watched. The engine never prints; a painter that fails or is
// slow does not touch the run.

namespace rgx::engine {

enum class StepState : std::uint8_t { succeeded, failed, timed_out, cancelled, refused, skipped };
[[nodiscard]] std::string_view to_string(StepState state);

struct StepEvent {
  StepId step;
  std::string tool;
  StepState state = StepState::succeeded;  ///< of a finished step
  std::string summary;                     ///< one line: `2 replacements`, `exit status 1`
  std::string detail;  ///< output tail or decision of a step that did not succeed
  std::int64_t wall_ms = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void run_started(const RunId& run, std::size_t steps) = 0;
  virtual void step_started(const StepEvent& event) = 0;
  virtual void step_finished(const StepEvent& event) = 0;
  virtual void run_finished(const RunId& run) = 0;
};

}  // namespace rgx::engine
