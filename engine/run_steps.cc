#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/retry.h"
#include "engine/run_loop.h"
#include "engine/run_records.h"

// Steps of a run that do not start as they stand in the plan: conditions, inputs that are outputs
// of earlier steps, further attempts.

namespace rgx::engine {

/// Its condition does not hold: neither failed nor succeeded, and what needs it runs.
Status Run::pass_over(std::size_t step) {
  RGX_TRY_STATUS(pins_.pass_over(steps_[step], ports_.workspace));
  scheduler_.succeeded(step);
  return skip({step}, "its condition does not hold");
}

const templates::Step& Run::closed(std::size_t step) const {
  const auto found = closed_.find(step);
  return found == closed_.end() ? steps_[step] : found->second;
}

/// Puts outputs of earlier steps in, once: they do not change any more.
Status Run::close_inputs(std::size_t step) {
  if (closed_.contains(step) || !StepOutputs::is_open(steps_[step])) {
    return {};
  }
  RGX_TRY(templates::Step closed, outputs_.close(steps_[step]));
  closed_.emplace(step, std::move(closed));
  return {};
}

/// What later steps can ask for.
Json Run::output_values(const Outcome& outcome) {
  Json values = outcome.values;
  if (outcome.exit_code) {
    values.set("exit_code", *outcome.exit_code);
  }
  return values;
}

/// Plans a further attempt, unless the time of the run would be over before.
bool Run::try_again(std::size_t step, const Outcome& outcome) {
  const auto delay_ms = retry_delay_ms(steps_[step], attempts_[step].made, outcome, log_id_);
  if (!delay_ms || halted() || elapsed() + *delay_ms >= budget_.limit().wall_ms) {
    return false;
  }
  retries_.emplace(step, Retrying{ports_.clock.monotonic_ms() + *delay_ms, outcome});
  return true;
}

/// Makes those ready whose pause is over.
void Run::wake_retries() {
  if (retries_.empty()) {
    return;
  }
  const std::int64_t now_ms = ports_.clock.monotonic_ms();
  std::erase_if(retries_, [&](const auto& entry) {
    const bool due = entry.second.due_ms <= now_ms;
    if (due) {
      scheduler_.put_back(entry.first);
    }
    return due;
  });
}

/// Nothing new starts: the last attempt of each was its end.
Status Run::give_up_retries() {
  for (const auto& [step, retrying] : std::exchange(retries_, {})) {
    RGX_TRY_STATUS(settle_step(step, retrying.outcome));
  }
  return {};
}

/// How long to wait for a worker before looking around.
std::chrono::milliseconds Run::pause() const {
  std::chrono::milliseconds pause = kStopPause;
  for (const auto& [step, retrying] : retries_) {
    const std::int64_t left_ms = retrying.due_ms - ports_.clock.monotonic_ms();
    pause = std::clamp(std::chrono::milliseconds(left_ms), std::chrono::milliseconds(0), pause);
  }
  return pause;
}

}  // namespace rgx::engine
