#include <utility>

#include "audit/ledger_writer.h"
#include "base/text.h"
#include "engine/run_loop.h"
#include "engine/run_records.h"

// Steps of a run that wait for people: the inbox, and the end of a run that only waits.

namespace rgx::engine {

using audit::RecordType;

namespace {

constexpr std::string_view kInboxHead = "approval-";
constexpr std::int64_t kLookPauseMs = 1000;

}  // namespace

/// What an answer about a step must fit; nothing where nobody is asked.
std::optional<Run::Question> Run::question_of(const StepId& id) const {
  const Digest& admission = plan_.digest();
  const Digest& plan = plan_.plan().digest();
  if (found_ && id.text() == kAcceptanceStep && asks_review()) {
    return Question{subject_of_acceptance(admission, plan, report_.run, *found_), review_demands_};
  }
  const templates::Step* step = plan_.plan().find(id);
  if (step == nullptr || plan_.decision(id).effect != policy::Effect::require_approval) {
    return std::nullopt;
  }
  Question question{subject_of(admission, plan, report_.run, *step), plan_.decision(id).approvals};
  if (is_acceptance_check(id)) {
    if (!found_) {
      return std::nullopt;
    }
    bind_acceptance(question.subject, *found_);
  }
  return question;
}

ApprovalRules Run::rules_of(std::size_t step) const {
  return {.policy = plan_.policy(),
          .demands = plan_.decision(steps_[step].id).approvals,
          .requester = requester_};
}

bool Run::waits_for_people(std::size_t step) {
  const StepId& id = steps_[step].id;
  if (plan_.decision(id).effect != policy::Effect::require_approval) {
    return false;
  }
  return !book_.rejection(id) && !meets(book_.in_force(id, now()).keys, rules_of(step));
}

/// Puts a ready step aside until people have answered.
void Run::set_aside(std::size_t step) {
  waiting_.insert(step);
  const policy::Decision& decision = plan_.decision(steps_[step].id);
  ports_.observer.step_waiting(
      {.step = steps_[step].id,
       .rule = decision.deciding.empty() ? std::string() : decision.deciding.front().rule,
       .need = describe_demands(decision.approvals)});
}

Status Run::take_answer(const std::string& name) {
  const auto bytes = ports_.state.read_run_file(report_.run, name);
  if (!bytes || book_.has_seen(digest_bytes(*bytes).to_string())) {
    return {};
  }
  book_.set_seen(digest_bytes(*bytes).to_string());
  const auto answer = read_approval(*bytes, name);
  if (!answer) {
    report_.notes.push_back(answer.error().first().message);
    return {};
  }
  const auto question = question_of(answer->approval.subject.step);
  if (!question) {
    report_.notes.push_back("`" + printable(name) +
                            "` answers for a step that the plan has not, or that asks nobody");
    return {};
  }
  const ApprovalRules rules{
      .policy = plan_.policy(), .demands = question->demands, .requester = requester_};
  if (const Status fits = check_approval(*answer, question->subject, rules, now(), book_.nonces());
      !fits) {
    report_.notes.push_back(fits.error().first().message);
    return {};
  }
  RGX_TRY_STATUS(append(RecordType::approval, approval_body(*answer)));
  RGX_TRY_STATUS(ledger_->commit());
  book_.add(*answer, static_cast<std::int64_t>(last_record_.seq));
  return {};
}

/// Records what people have answered since the last look.
Status Run::take_answers() {
  RGX_TRY(const auto names, ports_.state.run_files(report_.run, kInboxHead));
  for (const std::string& name : names) {
    RGX_TRY_STATUS(take_answer(name));
  }
  return {};
}

/// Takes answers, and lets go what they free.
Status Run::look_at_inbox(bool at_once) {
  if (waiting_.empty()) {
    return {};
  }
  const std::int64_t now_ms = ports_.clock.monotonic_ms();
  if (!at_once && now_ms < next_look_ms_) {
    return {};
  }
  next_look_ms_ = now_ms + kLookPauseMs;
  RGX_TRY_STATUS(take_answers());
  for (const std::size_t step : std::set(waiting_)) {
    if (const auto said = book_.rejection(steps_[step].id)) {
      waiting_.erase(step);
      static_cast<void>(now());
      RGX_TRY_STATUS(refuse(step, Refused{Refused::Because::approval, said->why,
                                          "nothing of the step ran", std::nullopt}));
    } else if (!waits_for_people(step)) {
      waiting_.erase(step);
      scheduler_.put_back(step);
    }
  }
  return {};
}

/// The run only waits: its ledger stays open, and `rgx resume` goes on with it.
Result<RunReport> Run::suspend() {
  std::vector<std::string> ids;
  for (const std::size_t step : waiting_) {
    ids.push_back(steps_[step].id.text());
    report_.waiting.push_back(
        {steps_[step].id, describe_demands(plan_.decision(steps_[step].id).approvals)});
  }
  for (const auto& [step, why] : stuck_) {
    ids.push_back(steps_[step].id.text());
    report_.stuck.push_back(steps_[step].id);
  }
  const std::string because = stuck_.empty() ? "steps wait for an approval"
                                             : "a step was cut short, and nobody knows what it did";
  RGX_TRY_STATUS(append(RecordType::run_suspended,
                        Json::object({{"because", because}, {"steps", Json::array_of(ids)}})));
  RGX_TRY_STATUS(ledger_->commit());
  return stopped();
}

RunReport Run::stopped() {
  report_.state = RunState::waiting;
  report_.spent = budget_.spent();
  report_.spent.wall_ms = elapsed();
  report_.records = ledger_->records();
  report_.root = ledger_->root();
  ports_.observer.run_finished(report_.run);
  return std::move(report_);
}

}  // namespace rgx::engine
