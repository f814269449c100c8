#include "engine/run_loop.h"

#include <utility>

#include "base/text.h"
#include "engine/run_records.h"
#include "engine/worktree_end.h"

namespace rgx::engine {

namespace {

/// What a tool of rgx itself says that it will change.
std::vector<Change> planned(const Admitted& admitted) {
  return admitted.action ? admitted.action->planned() : std::vector<Change>();
}

}  // namespace

using audit::RecordType;

/// As many as may run at once, and no more than there are.
std::size_t Run::process_slots(const policy::AdmittedPlan& plan) {
  std::size_t programs = 0;
  for (const auto& [step, decision] : plan.decisions()) {
    programs += decision.facts.program ? 1U : 0U;
  }
  const std::int64_t slots = std::max<std::int64_t>(plan.policy().slots("process"), 1);
  return std::min({programs, static_cast<std::size_t>(slots), kWorkersMax});
}

Status Run::carry_out() {
  for (;;) {
    wake_retries();
    RGX_TRY_STATUS(look_at_inbox(false));
    RGX_TRY_STATUS(start_ready());
    if (running_.empty() && (retries_.empty() || halted())) {
      const std::size_t waiting = waiting_.size();
      if (!halted()) {
        RGX_TRY_STATUS(look_at_inbox(true));
      }
      if (waiting_.size() == waiting) {
        return give_up_retries();
      }
      continue;
    }
    if (interruption_.stop.load()) {
      stop_.store(true);
    }
    if (const auto step = workers_.wait(pause())) {
      running_.erase(*step);
      RGX_TRY_STATUS(complete(*step));
    }
  }
}

Status Run::start_ready() {
  while (!halted()) {
    // One that waited comes before one that has just become ready, unless that one ranks higher.
    if (!held_.empty() && running_.size() < slots_) {
      const std::size_t step = held_.begin()->second;
      held_.erase(held_.begin());
      RGX_TRY_STATUS(start(step));
      continue;
    }
    const auto step = scheduler_.next();
    if (!step) {
      return {};
    }
    if (!outputs_.runs(steps_[*step])) {
      RGX_TRY_STATUS(pass_over(*step));
      continue;
    }
    if (waits_for_people(*step)) {
      set_aside(*step);
      continue;
    }
    if (plan_.decision(steps_[*step].id).facts.program) {
      held_.emplace(scheduler_.position(*step), *step);
      continue;
    }
    RGX_TRY_STATUS(start(*step));
  }
  return {};
}

Status Run::start(std::size_t step) {
  const std::int64_t decided = now();
  Attempts& attempts = attempts_[step];
  ++attempts.made;
  if (const Status inputs = close_inputs(step); !inputs) {
    return refuse(step, Refused{Refused::Because::environment, inputs.error().first().message,
                                inputs.error().first().remedy, std::nullopt});
  }
  auto answer = gate_->pass({.step = closed(step),
                             .index = step,
                             .now_unix_ms = decided,
                             .remaining_ms = budget_.limit().wall_ms - elapsed()});
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    return refuse(step, *refused);
  }
  auto& admitted = std::get<Admitted>(answer);
  RGX_TRY_STATUS(append(RecordType::step_intent, intent_body({.step = closed(step),
                                                              .decision = admitted.decision,
                                                              .pins = admitted.pins,
                                                              .reserved = admitted.reserved,
                                                              .sandbox = plan_.policy().sandbox(),
                                                              .now_unix_ms = decided,
                                                              .changes = planned(admitted),
                                                              .attempt = attempts.made,
                                                              .approvals = admitted.approvals})));
  RGX_TRY_STATUS(ledger_->commit());  // no effect before this
  ports_.observer.budget_changed(budget_);
  if (attempts.made == 1 || again_.erase(step) > 0) {
    attempts.first_ms = ports_.clock.monotonic_ms();
    ports_.observer.step_started(event(step));
  }
  Active& active = active_[step];
  active.reserved = admitted.reserved;
  active.decision = std::move(admitted.decision);
  active.action = std::move(admitted.action);
  if (admitted.failure) {
    return finish_step(step, failed_outcome(*admitted.failure));
  }
  if (const Status begun = active.action->begin(); !begun) {
    Outcome outcome = active.action->finish();
    const Outcome cause = failed_outcome(begun.error());
    outcome.state = cause.state;
    outcome.error = cause.error;
    outcome.summary = cause.summary;
    outcome.detail = cause.detail;
    return finish_step(step, outcome);
  }
  if (active.action->is_concurrent()) {
    running_.insert(step);
    workers_.submit(step, [action = active.action.get(), this] { action->act(stop_); });
    return {};
  }
  active.action->act(interruption_.stop);
  return complete(step);
}

Status Run::refuse(std::size_t step, const Refused& refused) {
  RGX_TRY_STATUS(append(RecordType::step_refused,
                        refused_body({.step = steps_[step].id,
                                      .because = std::string(to_string(refused.because)),
                                      .message = refused.message,
                                      .decision = refused.decision ? &*refused.decision : nullptr,
                                      .now_unix_ms = now_unix_ms_})));
  RGX_TRY_STATUS(ledger_->commit());
  switch (refused.because) {
    case Refused::Because::policy:
    case Refused::Because::approval:
      denied_ = true;
      break;
    case Refused::Because::budget:
      over_budget_ = true;
      halt_ = refused.message;
      break;
    case Refused::Because::drift:
      drifted_ = true;
      halt_ = refused.message;
      break;
    case Refused::Because::environment:
      failed_ = true;
      break;
  }
  report_.steps[step].state = StepState::refused;
  report_.steps[step].summary = refused.message;
  StepEvent finished = event(step);
  finished.state = StepState::refused;
  finished.summary = refused.message;
  finished.detail = refused.detail;
  ports_.observer.step_finished(finished);
  return skip(scheduler_.failed(step), "`" + steps_[step].id.text() + "` was refused");
}

Status Run::complete(std::size_t step) {
  Active& active = active_.at(step);
  Outcome outcome = active.action->finish();
  check_after(step, outcome);
  return finish_step(step, outcome);
}

/// For the checks that look at what the run changed.
void Run::note_changes(const StepId& step, const std::vector<Change>& changed, const Json& values) {
  pins_.changes().add(changed);
  if (const Json* missing = values.find("pre_images_missing")) {
    pins_.changes().note_unknown("`" + step.text() + "`: " + missing->as_string());
  }
}

/// What really changed against what was declared, and what later pins refer to.
void Run::check_after(std::size_t step, Outcome& outcome) {
  const auto fail_step = [&outcome](const Error& error) {
    if (outcome.state == StepState::succeeded) {
      outcome.state = StepState::failed;
      outcome.error = error.first();
      outcome.summary = error.first().message;
      outcome.detail = error.first().remedy;
    }
  };
  note_changes(steps_[step].id, outcome.changed, outcome.values);
  if (const Status noted = pins_.record(steps_[step], outcome.changed, ports_.workspace); !noted) {
    fail_step(noted.error());
  }
  if (!active_.at(step).action->is_concurrent()) {
    return;
  }
  std::vector<std::string> writes;
  for (const auto& [other, active] : active_) {
    for (const policy::PathFact& write : active.decision.facts.writes) {
      writes.push_back(write.path);
    }
  }
  if (const auto path = pins_.find_foreign_change(writes, ports_.workspace)) {
    fail_step(
        make_error(ErrorKind::failed, "step.undeclared_change",
                   "`" + printable(*path) + "` was changed, although the step does not declare it",
                   "declare what the program writes, or find out what else writes it"));
  }
}

void Run::note_end(const Outcome& outcome) {
  switch (outcome.state) {
    case StepState::succeeded:
      return;
    case StepState::timed_out:
      failed_ = true;
      if (elapsed() >= budget_.limit().wall_ms) {
        over_budget_ = true;
        halt_ = "the run's budget of `wall_ms` is used up";
      }
      return;
    case StepState::cancelled:
      interrupted_ = true;
      return;
    case StepState::failed:
    case StepState::refused:
    case StepState::skipped:
      failed_ = true;
      if (outcome.error && outcome.error->code == "workspace.changed") {
        drifted_ = true;
        halt_ = outcome.error->message;
      }
      return;
  }
}

void Run::settle_report(std::size_t step, const Outcome& outcome) {
  StepReport& report = report_.steps[step];
  report.state = outcome.state;
  report.summary = outcome.summary;
  for (const Change& change : outcome.changed) {
    report.changed.push_back(change.path);
  }
  StepEvent finished = event(step);
  finished.state = outcome.state;
  finished.summary = outcome.summary;
  finished.detail = outcome.detail;
  finished.wall_ms = ports_.clock.monotonic_ms() - attempts_[step].first_ms;
  ports_.observer.step_finished(finished);
}

Status Run::finish_step(std::size_t step, const Outcome& outcome) {
  RGX_TRY_STATUS(append(RecordType::step_outcome,
                        outcome_body(steps_[step].id, attempts_[step].made, outcome)));
  RGX_TRY_STATUS(ledger_->commit());
  budget_.settle(active_.at(step).reserved, outcome.spent);
  ports_.observer.budget_changed(budget_);
  active_.erase(step);
  return try_again(step, outcome) ? Status{} : settle_step(step, outcome);
}

/// There is no further attempt.
Status Run::settle_step(std::size_t step, const Outcome& outcome) {
  note_end(outcome);
  note_commit(steps_[step].id, outcome.values);
  settle_report(step, outcome);
  closed_.erase(step);
  if (outcome.state == StepState::succeeded) {
    outputs_.record(steps_[step], output_values(outcome));
    scheduler_.succeeded(step);
    return {};
  }
  return skip(scheduler_.failed(step), "`" + steps_[step].id.text() + "` did not succeed");
}

Status Run::skip(const std::vector<std::size_t>& steps, const std::string& because) {
  for (const std::size_t step : steps) {
    RGX_TRY_STATUS(append(RecordType::step_skipped, skipped_body(steps_[step].id, because)));
    report_.steps[step].state = StepState::skipped;
    report_.steps[step].summary = because;
    StepEvent skipped = event(step);
    skipped.state = StepState::skipped;
    skipped.summary = because;
    ports_.observer.step_finished(skipped);
  }
  return {};
}

RunState Run::state() const {
  if (denied_) {
    return RunState::denied;
  }
  if (over_budget_) {
    return RunState::budget_exhausted;
  }
  if (interrupted_) {
    return RunState::interrupted;
  }
  if (drifted_) {
    return RunState::drifted;
  }
  if (failed_) {
    return RunState::failed;
  }
  return RunState::succeeded;
}

Result<RunReport> Run::close() {
  for (const auto& [position, step] : held_) {
    scheduler_.put_back(step);
  }
  for (const std::size_t step : waiting_) {
    scheduler_.put_back(step);
  }
  for (const auto& [step, why] : stuck_) {
    scheduler_.put_back(step);
  }
  const auto left = scheduler_.not_started();
  if (left.empty() && !unjudged_ && interrupted_ && !stop_.load()) {
    interrupted_ = false;  // everything had ended by itself
  }
  if (interrupted_) {
    RGX_TRY_STATUS(append(RecordType::run_interrupted,
                          Json::object({{"because", "a person or a signal stopped the run"}})));
  }
  RGX_TRY_STATUS(skip(left, halt_));
  if (report_.worktree && state() == RunState::succeeded) {
    RGX_TRY_STATUS(write_tree(*report_.worktree));
  }
  report_.state = state();
  report_.spent = budget_.spent();
  report_.spent.wall_ms = elapsed();
  RGX_TRY([[maybe_unused]] const auto sealed, ledger_->seal(seal_body(report_)));
  report_.records = ledger_->records();
  report_.root = ledger_->root();
  if (report_.worktree && report_.state == RunState::succeeded) {
    RGX_TRY_STATUS(commit_worktree(*report_.worktree));
  }
  RGX_TRY([[maybe_unused]] const auto finished,
          index_->writer.append(RecordType::run_finished, finished_body(report_, log_id_)));
  RGX_TRY_STATUS(index_->writer.commit());
  if (report_.worktree && report_.state == RunState::succeeded) {
    RGX_TRY_STATUS(clear_worktree(*ports_.worktrees, report_.run, *report_.worktree));
  }
  ports_.observer.run_finished(report_.run);
  return std::move(report_);
}

/// After an error: ends what runs and waits for it. Nothing of it is recorded any more.
void Run::stop_running() {
  stop_.store(true);
  while (!running_.empty()) {
    if (const auto step = workers_.wait(kStopPause)) {
      running_.erase(*step);
      static_cast<void>(active_.at(*step).action->finish());
    }
  }
}

}  // namespace rgx::engine
