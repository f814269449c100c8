#include "engine/replay.h"

#include <algorithm>
#include <array>

#include "base/canonical.h"
#include "engine/approval.h"

namespace rgx::engine {

namespace {

using audit::RecordType;

std::string text_of(const Json& body, std::string_view name) {
  const Json* value = body.find(name);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

std::int64_t integer_of(const Json& body, std::string_view name) {
  const Json* value = body.find(name);
  return value != nullptr && value->is_integer() ? value->as_integer() : 0;
}

std::optional<Digest> digest_of_member(const Json& body, std::string_view name) {
  const auto digest = Digest::parse(text_of(body, name));
  return digest ? std::optional(*digest) : std::nullopt;
}

std::optional<std::uint32_t> mode_of(const Json& body, std::string_view name) {
  const Json* value = body.find(name);
  return value != nullptr && value->is_integer()
             ? std::optional(static_cast<std::uint32_t>(value->as_integer()))
             : std::nullopt;
}

std::vector<Change> changes_of(const Json& body, std::string_view name) {
  std::vector<Change> changes;
  const Json* list = body.find(name);
  if (list == nullptr || !list->is_array()) {
    return changes;
  }
  for (const Json& item : list->as_array()) {
    changes.push_back({.path = text_of(item, "path"),
                       .before = digest_of_member(item, "before"),
                       .after = digest_of_member(item, "after"),
                       .before_mode = mode_of(item, "before_mode"),
                       .after_mode = mode_of(item, "after_mode")});
  }
  return changes;
}

}  // namespace

StepState step_state(std::string_view name) {
  constexpr std::array kStates = {StepState::succeeded, StepState::failed,  StepState::timed_out,
                                  StepState::cancelled, StepState::refused, StepState::skipped};
  const auto found = std::ranges::find(kStates, name, [](StepState s) { return to_string(s); });
  return found == kStates.end() ? StepState::failed : *found;
}

/// Time counts only between records of one process: nothing ran between two.
void Replay::take_time(const audit::Record& record) {
  const std::int64_t pid = integer_of(record.env, "pid");
  const std::int64_t now = integer_of(record.env, "monotonic_ms");
  if (pid == pid_ && now > monotonic_ms_) {
    run_.spent.wall_ms += now - monotonic_ms_;
  }
  pid_ = pid;
  monotonic_ms_ = now;
}

/// What was found does not stand any more, and no answer about it.
void Replay::forget_judge() {
  run_.judge.reset();
  std::erase_if(run_.approvals, [](const ReplayedApproval& given) {
    return given.step == kAcceptanceStep || is_acceptance_check(StepId(given.step));
  });
}

void Replay::take_suspension(const Json& body) {
  const Json* found = body.find(kAcceptanceStep);
  const Json* steps = body.find("steps");
  run_.judge.reset();
  if (found == nullptr) {
    return;
  }
  run_.judge = ReplayedJudge{*found, {}};
  if (steps != nullptr && steps->is_array()) {
    for (const Json& step : steps->as_array()) {
      run_.judge->waiting.emplace(step.is_string() ? step.as_string() : std::string());
    }
  }
}

void Replay::take_intent(const Json& body) {
  const StepId id(text_of(body, "step"));
  if (!run_.judge || !run_.judge->waiting.contains(id)) {
    forget_judge();
  }
  ReplayedStep& step = run_.steps[id];
  step.progress = ReplayedStep::Progress::under_way;
  step.attempts = integer_of(body, "attempt");
  step.planned = changes_of(body, "changes");
}

void Replay::take_outcome(const Json& body) {
  const StepId id(text_of(body, "step"));
  ReplayedStep& step = run_.steps[id];
  step.progress = ReplayedStep::Progress::ended;
  step.state = step_state(text_of(body, "state"));
  step.changed = changes_of(body, "changed");
  step.planned.clear();
  if (const Json* values = body.find("values")) {
    step.values = *values;
  }
  if (const Json* code = body.find("exit_code")) {
    step.values.set("exit_code", *code);
  }
  if (const Json* spent = body.find("spent")) {
    for (const policy::BudgetField& field : policy::kRunBudgetFields) {
      if (field.name != "wall_ms") {
        run_.spent.*field.member += integer_of(*spent, field.name);
      }
    }
  }
  std::erase(run_.ended, id);
  run_.ended.push_back(id);
}

void Replay::take_approval(const audit::Record& record) {
  run_.used.push_back(text_of(record.body, "digest"));
  const Json* file = record.body.find("approval");
  run_.approvals.push_back({.seq = static_cast<std::int64_t>(record.seq),
                            .step = text_of(record.body, "step"),
                            .file = file == nullptr ? std::string() : canonical(*file) + "\n"});
}

void Replay::take(const audit::Record& record) {
  take_time(record);
  const Json& body = record.body;
  run_.suspended = record.type == RecordType::run_suspended;
  if (record.type == RecordType::genesis) {
    run_.plan_digest = text_of(body, "plan_digest");
    run_.admission_digest = text_of(body, "admission_digest");
    if (const Json* requester = body.find("requester")) {
      run_.requester = text_of(*requester, "public_key");
    }
  } else if (record.type == RecordType::admission) {
    run_.base_revision = text_of(body, "base_revision");
  } else if (record.type == RecordType::policy_changed) {
    run_.admission_digest = text_of(body, "admission_digest");
    run_.approvals.clear();  // given for the admission of before
    run_.judge.reset();
  } else if (record.type == RecordType::run_suspended) {
    take_suspension(body);
  } else if (record.type == RecordType::approval) {
    take_approval(record);
  } else if (record.type == RecordType::step_intent) {
    take_intent(body);
  } else if (record.type == RecordType::step_outcome) {
    take_outcome(body);
  } else if (record.type == RecordType::step_refused || record.type == RecordType::step_skipped) {
    ReplayedStep& step = run_.steps[StepId(text_of(body, "step"))];
    const bool refused = record.type == RecordType::step_refused;
    step.progress = refused ? ReplayedStep::Progress::refused : ReplayedStep::Progress::skipped;
    step.because = text_of(body, "because");
    step.message = text_of(body, "message");
  }
}

}  // namespace rgx::engine
