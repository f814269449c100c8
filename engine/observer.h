#pragma once

#include <cstdint>
#include <optional>
#include <set>
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
  std::optional<std::uint64_t> record = std::nullopt;  ///< ledger record that says the same
};

/// What a step waits for people for.
struct ApprovalRequest {
  StepId step;
  std::string rule;  ///< the rule that asks
  std::string need;  ///< who has to approve: `1 of release-managers`
};

class Budget;

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void run_started(const RunId& run, std::size_t steps) = 0;
  virtual void step_started(const StepEvent& event) = 0;
  virtual void step_finished(const StepEvent& event) = 0;
  virtual void run_finished(const RunId& run) = 0;

  /// Before the start of a run that is resumed: these were done by an earlier process.
  virtual void steps_restored(const std::set<StepId>& /*steps*/) {}
  /// A running step wrote `bytes` more since the last call. Any thread may call it.
  virtual void step_output(const StepId& /*step*/, std::int64_t /*bytes*/) {}
  /// A step waits for an approval; it starts or finishes later, or the run ends before.
  virtual void step_waiting(const ApprovalRequest& /*request*/) {}
  /// Something was reserved or settled.
  virtual void budget_changed(const Budget& /*budget*/) {}
};

}  // namespace rgx::engine
