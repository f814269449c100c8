#include <algorithm>
#include <utility>

#include "base/text.h"
#include "engine/replay.h"
#include "engine/run_loop.h"
#include "engine/run_records.h"

// A run that goes on in the ledger that it began: where it stands is what its records say.

namespace rgx::engine {

using audit::RecordType;

namespace {

bool may_run_again(const templates::Step& step) {
  return step.idempotent || step.on_interrupted == templates::OnInterrupted::rerun;
}

}  // namespace

void Run::restore_approvals(const ReplayedRun& stands) {
  for (const std::string& digest : stands.used) {
    book_.set_seen(digest);
  }
  if (stands.admission_digest != plan_.digest().to_string()) {
    return;
  }
  for (const ReplayedApproval& given : stands.approvals) {
    if (const auto approval = read_approval(given.file, "ledger")) {
      book_.add(*approval, given.seq);
    }
  }
}

/// Notes an end that is on record already.
Status Run::restore_end(std::size_t step, const ReplayedStep& before) {
  StepReport& report = report_.steps[step];
  if (before.progress == ReplayedStep::Progress::refused) {
    report.state = StepState::refused;
    report.summary = before.message;
    denied_ = denied_ || before.because == "policy" || before.because == "approval";
    over_budget_ = over_budget_ || before.because == "budget";
    drifted_ = drifted_ || before.because == "drift";
    failed_ = failed_ || before.because == "environment";
    halt_ = over_budget_ || drifted_ ? before.message : halt_;
    static_cast<void>(scheduler_.failed(step));
    return {};
  }
  report.state = before.state;
  report.summary = "before this process";
  for (const Change& change : before.changed) {
    report.changed.push_back(change.path);
  }
  if (before.state != StepState::succeeded) {
    failed_ = true;
    static_cast<void>(scheduler_.failed(step));
    return {};
  }
  outputs_.record(steps_[step], before.values);
  scheduler_.succeeded(step);
  return {};
}

/// A step with an intent and no outcome: what it says that it would change is compared with what is
/// there. A tool of rgx changes a file as a whole or not at all.
Status Run::restore_open(std::size_t step, const ReplayedStep& before) {
  bool all_after = !before.planned.empty();
  bool all_before = !before.planned.empty();
  for (const Change& change : before.planned) {
    RGX_TRY(const auto file, ports_.workspace.state(change.path));
    const auto image = file ? std::optional(file->digest) : std::nullopt;
    all_after = all_after && image == change.after;
    all_before = all_before && image == change.before;
  }
  if (all_after) {
    Outcome outcome;
    outcome.state = StepState::succeeded;
    outcome.changed = before.planned;
    outcome.confinement = "in_process";
    outcome.spent.steps = 1;
    outcome.spent.files_changed = static_cast<std::int64_t>(before.planned.size());
    outcome.summary = "was done when the run was cut short";
    RGX_TRY_STATUS(
        append(RecordType::step_outcome, outcome_body(steps_[step].id, before.attempts, outcome)));
    RGX_TRY_STATUS(ledger_->commit());
    budget_.settle({}, outcome.spent);
    note_changes(steps_[step].id, outcome.changed, outcome.values);
    RGX_TRY_STATUS(pins_.record(steps_[step], outcome.changed, ports_.workspace));
    report_.steps[step].state = StepState::succeeded;
    report_.steps[step].summary = outcome.summary;
    for (const Change& change : outcome.changed) {
      report_.steps[step].changed.push_back(change.path);
    }
    outputs_.record(steps_[step], outcome.values);
    scheduler_.succeeded(step);
    return {};
  }
  attempts_[step].made = before.attempts;
  if (all_before || may_run_again(steps_[step])) {
    again_.insert(step);
    return {};
  }
  stuck_.emplace(step, "it was under way when the run was cut short");
  return {};
}

Status Run::restore(const ReplayedRun& stands) {
  restore_approvals(stands);
  policy::RunBudget spent = stands.spent;
  spent.wall_ms = 0;
  budget_.settle({}, spent);
  for (const StepId& id : stands.ended) {
    const ReplayedStep& before = stands.steps.at(id);
    const templates::Step* step = plan_.plan().find(id);
    if (step != nullptr && before.progress == ReplayedStep::Progress::ended) {
      note_changes(id, before.changed, before.values);
      note_commit(id, before.values);
      if (before.state == StepState::succeeded) {
        RGX_TRY_STATUS(pins_.record(*step, before.changed, ports_.workspace));
      }
    }
  }
  for (const templates::Step& check : plan_.plan().plan().acceptance) {
    if (const auto before = stands.steps.find(check.id); before != stands.steps.end()) {
      check_attempts_[check.id] = before->second.attempts;
    }
  }
  if (stands.judge && stands.admission_digest == plan_.digest().to_string()) {
    restore_judge(*stands.judge);
  }
  std::vector<std::size_t> fresh;
  while (const auto step = scheduler_.next()) {
    const auto before = stands.steps.find(steps_[*step].id);
    if (before == stands.steps.end() ||
        before->second.progress == ReplayedStep::Progress::skipped) {
      fresh.push_back(*step);
    } else if (before->second.progress == ReplayedStep::Progress::under_way) {
      RGX_TRY_STATUS(restore_open(*step, before->second));
    } else {
      RGX_TRY_STATUS(restore_end(*step, before->second));
    }
  }
  fresh.insert(fresh.end(), again_.begin(), again_.end());
  for (const std::size_t step : fresh) {
    scheduler_.put_back(step);
  }
  return {};
}

/// What is not carried out again, the checks among it.
std::set<StepId> Run::restored_steps() const {
  std::set<StepId> restored;
  for (const auto& step : report_.steps) {
    if (step.state != StepState::skipped) {
      restored.insert(step.step);
    }
  }
  if (report_.acceptance) {
    for (const AcceptanceReport::Check& check : report_.acceptance->checks) {
      if (check.state != StepState::skipped) {
        restored.insert(check.step);
      }
    }
  }
  return restored;
}

}  // namespace rgx::engine
