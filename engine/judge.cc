#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "engine/change_set.h"
#include "engine/judge_files.h"
#include "engine/run_loop.h"
#include "engine/run_records.h"
#include "templates/tool.h"

// The judge: after the last step, and never by the one who did the work, the checks that the plan
// names are carried out in a copy of the workspace. docs/acceptance.md

namespace rgx::engine {

using audit::RecordType;
using Verdict = AcceptanceReport::Verdict;

namespace {

bool starts_program(const templates::Step& step) {
  const auto effects = templates::effects_of(step.tool);
  return effects && effects->starts_process;
}

/// What a step of the run ran is not what the acceptance runs.
bool is_another_program(const templates::Step& step, const std::vector<templates::Step>& checks) {
  const Json* argv = step.tool.with.find("argv");
  return std::ranges::none_of(checks, [argv](const templates::Step& check) {
    const Json* other = check.tool.with.find("argv");
    return argv != nullptr && other != nullptr && *argv == *other;
  });
}

Status add_writes(const templates::Step& step, std::vector<Glob>& globs) {
  RGX_TRY(const templates::Effects effects, templates::effects_of(step.tool));
  for (const std::string& path : effects.writes) {
    RGX_TRY(Glob glob, Glob::parse(path));
    globs.push_back(std::move(glob));
  }
  return {};
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::accepted:
      return "accepted";
    case Verdict::refused:
      return "refused";
    case Verdict::needs_review:
      return "needs_review";
  }
  return "refused";
}

AcceptanceReport& Run::acceptance() {
  RGX_CHECK(report_.acceptance.has_value());
  return *report_.acceptance;
}

/// Files of the run's changes that its checks rely on: tests and builds, where a check runs them.
std::vector<std::string> Run::changed_judge() const {
  const bool runs = std::ranges::any_of(plan_.plan().plan().acceptance, starts_program);
  const std::set<std::string> named = files_named_by_checks(plan_.plan().plan());
  std::vector<std::string> found;
  for (const auto& [path, change] : pins_.changes().files()) {
    const std::string& name = path;
    const bool is_named = std::ranges::any_of(named, [&name](const std::string& place) {
      return name == place || name.starts_with(place + "/");
    });
    if (is_named || (runs && is_judge_file(path))) {
      found.push_back(path);
    }
  }
  return found;
}

/// Every check that was not refused by a gate has an intent and an outcome, like a step. Those that
/// people must let pass are left for later.
Status Run::judge() {
  const std::vector<templates::Step>& checks = plan_.plan().plan().acceptance;
  std::set<std::size_t> open;
  for (std::size_t check = 0; check < checks.size(); ++check) {
    open.insert(check);
  }
  unjudged_ = !checks.empty();
  if (checks.empty() || halted() || state() != RunState::succeeded) {
    return skip_checks(open, halt_.empty() ? "the run did not succeed" : halt_);
  }
  AcceptanceReport& report = report_.acceptance.emplace();
  for (const templates::Step& check : checks) {
    report.checks.push_back({check.id, check.tool.use, StepState::skipped, "", 0, {}});
  }
  report.changed_judge = changed_judge();
  report.unknown = pins_.changes().unknown();
  std::erase_if(open, [this](std::size_t check) { return asks_people(check); });
  for (std::size_t check = 0; check < checks.size(); ++check) {
    if (asks_people(check)) {
      open_checks_.insert(check);
    }
  }
  Digest files;
  if (asks_review() || !open_checks_.empty()) {
    RGX_TRY(files, judged_files());
  }
  RGX_TRY_STATUS(carry_out_checks(open));
  open.insert(open_checks_.begin(), open_checks_.end());
  find_verdict();
  if (halted() || report.verdict == Verdict::refused) {
    open_checks_.clear();
    RGX_TRY_STATUS(skip_checks(open, halt_.empty() ? "a check did not pass" : halt_));
    unjudged_ = !halt_.empty() && !open.empty();
    return {};
  }
  unjudged_ = false;
  if (report.verdict == Verdict::needs_review) {
    found_ = question_json(report, files);
  }
  return {};
}

/// Those that are open, one by one in one copy; what is left was not reached.
Status Run::carry_out_checks(std::set<std::size_t>& open) {
  const std::vector<templates::Step>& checks = plan_.plan().plan().acceptance;
  std::string scratch;
  if (std::ranges::any_of(open, [&](std::size_t check) { return starts_program(checks[check]); })) {
    RGX_TRY(scratch, ports_.state.make_scratch(report_.run, steps_.size() + checks.size()));
    if (const Status made = copy_for_judge(scratch); !made) {
      static_cast<void>(ports_.state.remove_scratch(scratch));
      return made;
    }
  }
  ToolPorts copy{judged_ ? *judged_ : ports_.workspace, ports_.repository, ports_.processes,
                 ports_.state};
  Status judged;
  while (!open.empty() && judged && !halted()) {
    judged = judge_check(*open.begin(), copy);
    open.erase(open.begin());
  }
  judged_.reset();
  if (!scratch.empty()) {
    // What is left is removed before the next run.
    static_cast<void>(ports_.state.remove_scratch(scratch));
  }
  return judged;
}

/// What the checks that were carried out say together.
void Run::find_verdict() {
  AcceptanceReport& report = acceptance();
  bool passed = true;
  for (std::size_t check = 0; check < report.checks.size(); ++check) {
    passed = passed &&
             (open_checks_.contains(check) || report.checks[check].state == StepState::succeeded);
  }
  const bool asks = !open_checks_.empty() || (asks_review() && !report.approval);
  report.verdict = !passed ? Verdict::refused : asks ? Verdict::needs_review : Verdict::accepted;
}

Status Run::skip_checks(const std::set<std::size_t>& checks, const std::string& because) {
  for (const std::size_t check : checks) {
    const templates::Step& step = plan_.plan().plan().acceptance[check];
    RGX_TRY_STATUS(append(RecordType::step_skipped, skipped_body(step.id, because)));
    if (report_.acceptance) {
      report_.acceptance->checks[check].record = last_record_.seq;
    }
    StepEvent skipped;
    skipped.step = step.id;
    skipped.tool = step.tool.use;
    skipped.record = last_record_.seq;
    skipped.state = StepState::skipped;
    skipped.summary = because;
    ports_.observer.step_finished(skipped);
  }
  return {};
}

/// All but what git ignores.
Result<std::set<std::string>> Run::files_to_judge() {
  std::set<std::string> files;
  RGX_TRY(const std::vector<RepositoryFile> tracked, ports_.repository.files({"."}));
  for (const RepositoryFile& file : tracked) {
    files.insert(file.path);
  }
  RGX_TRY(const std::vector<std::string> untracked, ports_.repository.untracked({"."}));
  files.insert(untracked.begin(), untracked.end());
  return files;
}

Status Run::copy_for_judge(const std::string& scratch) {
  CopyRequest request;
  request.to = scratch + "/tmp";
  RGX_TRY(request.files, files_to_judge());
  const std::vector<templates::Step>& checks = plan_.plan().plan().acceptance;
  for (const templates::Step& check : checks) {
    if (starts_program(check)) {
      RGX_TRY_STATUS(add_writes(check, request.kept));
    }
  }
  for (const templates::Step& step : steps_) {
    if (starts_program(step) && is_another_program(step, checks)) {
      RGX_TRY_STATUS(add_writes(step, request.left_out));
    }
  }
  RGX_TRY(judged_, ports_.workspace.copy(request));
  return {};
}

Status Run::judge_check(std::size_t check, ToolPorts& copy) {
  const templates::Step& step = plan_.plan().plan().acceptance[check];
  const std::int64_t decided = now();
  auto answer = gate_->pass({.step = step,
                             .index = steps_.size() + check,
                             .now_unix_ms = decided,
                             .remaining_ms = budget_.limit().wall_ms - elapsed(),
                             .judged = &copy});
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    return refuse_check(check, *refused);
  }
  auto& admitted = std::get<Admitted>(answer);
  const std::int64_t attempt = ++check_attempts_[step.id];
  RGX_TRY_STATUS(append(RecordType::step_intent, intent_body({.step = step,
                                                              .decision = admitted.decision,
                                                              .pins = admitted.pins,
                                                              .reserved = admitted.reserved,
                                                              .sandbox = plan_.policy().sandbox(),
                                                              .now_unix_ms = decided,
                                                              .attempt = attempt,
                                                              .approvals = admitted.approvals})));
  RGX_TRY_STATUS(ledger_->commit());
  StepEvent started;
  started.step = step.id;
  started.tool = step.tool.use;
  started.record = last_record_.seq;
  ports_.observer.step_started(started);
  Active active;
  active.reserved = admitted.reserved;
  active.action = std::move(admitted.action);
  const std::int64_t began_ms = ports_.clock.monotonic_ms();
  if (admitted.failure) {
    return finish_check(check, {active.reserved, began_ms}, failed_outcome(*admitted.failure));
  }
  if (const Status begun = active.action->begin(); !begun) {
    Outcome outcome = active.action->finish();
    const Outcome cause = failed_outcome(begun.error());
    outcome.state = cause.state;
    outcome.error = cause.error;
    outcome.summary = cause.summary;
    return finish_check(check, {active.reserved, began_ms}, outcome);
  }
  active.action->act(interruption_.stop);
  return finish_check(check, {active.reserved, began_ms}, active.action->finish());
}

Status Run::refuse_check(std::size_t check, const Refused& refused) {
  const templates::Step& step = plan_.plan().plan().acceptance[check];
  RGX_TRY_STATUS(append(RecordType::step_refused,
                        refused_body({.step = step.id,
                                      .because = std::string(to_string(refused.because)),
                                      .message = refused.message,
                                      .decision = refused.decision ? &*refused.decision : nullptr,
                                      .now_unix_ms = now_unix_ms_})));
  RGX_TRY_STATUS(ledger_->commit());
  switch (refused.because) {
    case Refused::Because::policy:
      denied_ = true;
      break;
    case Refused::Because::budget:
      over_budget_ = true;
      break;
    case Refused::Because::drift:
      drifted_ = true;
      break;
    case Refused::Because::approval:  // what was done is refused, and not the doing
    case Refused::Because::environment:
      failed_ = true;
      break;
  }
  AcceptanceReport::Check& found = acceptance().checks[check];
  found.state = StepState::refused;
  found.summary = refused.message;
  found.record = last_record_.seq;
  StepEvent finished;
  finished.step = step.id;
  finished.tool = step.tool.use;
  finished.record = last_record_.seq;
  finished.state = StepState::refused;
  finished.summary = refused.message;
  finished.detail = refused.detail;
  ports_.observer.step_finished(finished);
  return {};
}

Status Run::finish_check(std::size_t check, const CheckCost& cost, const Outcome& outcome) {
  const templates::Step& step = plan_.plan().plan().acceptance[check];
  RGX_TRY_STATUS(append(RecordType::step_outcome,
                        outcome_body(step.id, check_attempts_.at(step.id), outcome)));
  RGX_TRY_STATUS(ledger_->commit());
  budget_.settle(cost.reserved, outcome.spent);
  ports_.observer.budget_changed(budget_);
  note_end(outcome);
  AcceptanceReport::Check& found = acceptance().checks[check];
  found.state = outcome.state;
  found.summary = outcome.summary;
  found.record = last_record_.seq;
  for (const auto& [name, output] : outcome.outputs) {
    found.evidence.emplace(name, output.digest);
  }
  StepEvent finished;
  finished.step = step.id;
  finished.tool = step.tool.use;
  finished.record = last_record_.seq;
  finished.state = outcome.state;
  finished.summary = outcome.summary;
  finished.detail = outcome.detail;
  finished.wall_ms = ports_.clock.monotonic_ms() - cost.began_ms;
  ports_.observer.step_finished(finished);
  return {};
}

}  // namespace rgx::engine
