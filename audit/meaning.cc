#include "audit/meaning.h"

#include "audit/body.h"
#include "audit/checkpoint.h"
#include "audit/keys.h"
#include "audit/requester.h"
#include "base/check.h"
#include "base/text.h"

#include <utility>

namespace rgx::audit {
namespace {

constexpr std::size_t kOpenMax = 65536;
constexpr std::size_t kApprovalsMax = 65536;
constexpr std::size_t kAmountsMax = 64;
constexpr std::size_t kRunIdDigits = 12;
constexpr std::string_view kAcceptance = "acceptance";  // a member, and the step that people answer
// A deadline of the run, not a sum over its steps.
constexpr std::string_view kMeasuredAmount = "wall_ms";

// Members whose presence and type body_mistake() has checked.
const std::string& text(const Json& body, std::string_view key) {
  return body.find(key)->as_string();
}
std::int64_t integer(const Json& body, std::string_view key) {
  return body.find(key)->as_integer();
}

std::string quoted(std::string_view name) {
  return "`" + std::string(name) + "`";
}

bool states_tree(const Json& body, const MerkleTree& before) {
  return static_cast<std::uint64_t>(integer(body, "records")) == before.size() &&
         text(body, "root") == before.root().to_string();
}

std::optional<std::string> requester_mistake(const Record& genesis) {
  const Json& requester = *genesis.body.find("requester");
  const auto plan = Digest::parse(text(genesis.body, "plan_digest"));
  const auto admission = Digest::parse(text(genesis.body, "admission_digest"));
  RGX_CHECK(plan.has_value());
  RGX_CHECK(admission.has_value());
  const std::string statement = requester_statement(genesis.log_id, *plan, *admission);
  const Result<bool> verifies =
      verify_signature(text(requester, "public_key"), kRequesterPayloadType, statement,
                       text(requester, "signature"));
  if (!verifies) {
    return "the requester's signature is malformed: " + verifies.error().first().message;
  }
  if (!*verifies) {
    return "the requester's signature does not verify";
  }
  return std::nullopt;
}

/// Earlier versions did not say.
bool demands_review(const Json& body) {
  const Json* changed = body.find("changed_judge");
  return changed != nullptr && *changed == Json("needs_review");
}

std::optional<std::string> run_name_mistake(const Json& body) {
  if (text(body, "run") != "r-" + text(body, "log_id").substr(0, kRunIdDigits)) {
    return "the run's name is not that of its log id";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> Meaning::next(const Record& record, const MerkleTree& before) {
  RGX_CHECK(record.seq == before.size());
  if (record.seq == 0) {
    is_index_ = record.type == RecordType::index_genesis;
  }
  if (Mistake mistake = kind(record.type)) {
    return mistake;
  }
  if (Mistake mistake = body_mistake(record.type, record.body)) {
    return mistake;
  }
  if (record.seq == 0) {
    return first(record);
  }
  if (!is_index_ && record.seq == 1 && record.type != RecordType::admission) {
    return quoted(to_string(record.type)) + " stands where the admission must";
  }
  return dispatch(record, before);
}

std::vector<std::string> Meaning::indeterminate() const {
  std::vector<std::string> steps;
  if (!is_index_) {
    for (const auto& [step, attempt] : open_) {
      steps.push_back(step);
    }
  }
  return steps;
}

/// Whether a kind belongs into this ledger at all.
std::optional<std::string> Meaning::kind(RecordType type) const {
  switch (type) {
    case RecordType::recovery:
    case RecordType::epoch_closed:
    case RecordType::key_rotated:
    case RecordType::checkpoint:
      return std::nullopt;
    case RecordType::index_genesis:
    case RecordType::run_started:
    case RecordType::run_finished:
    case RecordType::run_refused:
    case RecordType::run_rolled_back:
    case RecordType::pruned:
      return is_index_ ? std::nullopt
                       : Mistake(quoted(to_string(type)) + " does not belong into a run ledger");
    case RecordType::genesis:
    case RecordType::admission:
    case RecordType::step_intent:
    case RecordType::step_outcome:
    case RecordType::step_refused:
    case RecordType::step_skipped:
    case RecordType::approval:
    case RecordType::policy_changed:
    case RecordType::run_interrupted:
    case RecordType::run_suspended:
    case RecordType::run_sealed:
      return is_index_ ? Mistake(quoted(to_string(type)) + " does not belong into an index ledger")
                       : std::nullopt;
  }
  RGX_CHECK(false);
  return std::nullopt;
}

std::optional<std::string> Meaning::first(const Record& record) {
  if (record.type == RecordType::index_genesis) {
    return std::nullopt;
  }
  if (record.type != RecordType::genesis) {
    return "the first record is " + quoted(to_string(record.type)) + ", not `genesis`";
  }
  plan_digest_ = text(record.body, "plan_digest");
  admission_digest_ = text(record.body, "admission_digest");
  if (text(record.body, "workspace") == "worktree") {
    branch_ = "rgx/r-" + record.log_id.substr(0, kRunIdDigits);
  }
  return requester_mistake(record);
}

std::optional<std::string> Meaning::dispatch(const Record& record, const MerkleTree& before) {
  switch (record.type) {
    case RecordType::genesis:
    case RecordType::index_genesis:
      return quoted(to_string(record.type)) + " occurs again";
    case RecordType::admission:
      return admission(record.body);
    case RecordType::step_intent:
      return intent(record.body);
    case RecordType::step_outcome:
      return outcome(record.body);
    case RecordType::approval:
      answered(record);
      return approvals_.size() <= kApprovalsMax ? std::nullopt : Mistake("too many approvals");
    case RecordType::policy_changed:
      admission_digest_ = text(record.body, "admission_digest");
      needs_review_ = demands_review(record.body);
      approvals_.clear();  // given for the admission of before
      accepting_.clear();
      return std::nullopt;
    case RecordType::epoch_closed:
      return epoch_closed(record, before);
    case RecordType::checkpoint:
      return note(record, before);
    case RecordType::run_sealed:
      return sealed(record.body);
    case RecordType::run_started:
      return started(record);
    case RecordType::run_finished:
      return finished(record.body);
    case RecordType::run_rolled_back:
      return rolled_back(record.body);
    case RecordType::key_rotated:
    case RecordType::pruned:
      has_reserved_ = true;
      return std::nullopt;
    case RecordType::step_refused:
    case RecordType::step_skipped:
    case RecordType::run_interrupted:
    case RecordType::run_suspended:
    case RecordType::recovery:
    case RecordType::run_refused:
      return std::nullopt;
  }
  RGX_CHECK(false);
  return std::nullopt;
}

std::optional<std::string> Meaning::admission(const Json& body) {
  if (is_admitted_) {
    return "`admission` occurs again";
  }
  is_admitted_ = true;
  base_ = text(body, "base_revision");
  needs_review_ = demands_review(body);
  if (text(body, "plan_digest") != plan_digest_) {
    return "the admission is of another plan than the genesis";
  }
  if (text(body, "admission_digest") != admission_digest_) {
    return "the admission digest differs from that of the genesis";
  }
  return std::nullopt;
}

std::optional<std::string> Meaning::intent(const Json& body) {
  const std::string& step = text(body, "step");
  const Json* answer = body.find("decision")->find("decision");
  const bool is_allowed = answer != nullptr && *answer == Json("allow");
  const bool is_approved = answer != nullptr && *answer == Json("require_approval");
  if (!is_allowed && !is_approved) {
    return "the intent of " + quoted(step) + " has no allowing decision";
  }
  const Json* approvals = body.find("approvals");
  if (is_approved && (approvals == nullptr || approvals->as_array().empty())) {
    return "the intent of " + quoted(step) + " lacks the approval that its decision asks for";
  }
  if (approvals != nullptr) {
    for (const Json& seq : approvals->as_array()) {
      if (!approvals_.contains(seq.as_integer())) {
        return "the intent of " + quoted(step) + " cites an approval that is not there";
      }
    }
  }
  const std::int64_t attempt = integer(body, "attempt");
  const auto [open, is_new] = open_.try_emplace(step, attempt);
  if (!is_new && open->second >= attempt) {
    return "the intent of " + quoted(step) + " repeats an attempt";
  }
  open->second = attempt;
  return open_.size() <= kOpenMax ? std::nullopt : Mistake("too many intents without an outcome");
}

std::optional<std::string> Meaning::outcome(const Json& body) {
  const std::string& step = text(body, "step");
  const auto open = open_.find(step);
  if (open == open_.end() || open->second != integer(body, "attempt")) {
    return "the outcome of " + quoted(step) + " has no intent";
  }
  open_.erase(open);
  return spend(*body.find("spent"));
}

std::optional<std::string> Meaning::spend(const Json& spent) {
  for (const auto& [name, amount] : spent.as_object()) {
    std::int64_t& sum = spent_[name];
    if (sum > Json::kIntegerMax - amount.as_integer()) {
      return "the outcomes spend more `" + printable(name) + "` than any budget can hold";
    }
    sum += amount.as_integer();
  }
  return spent_.size() <= kAmountsMax ? std::nullopt : Mistake("too many kinds of amounts");
}

std::optional<std::string> Meaning::epoch_closed(const Record& record,
                                                 const MerkleTree& before) const {
  if (integer(record.body, "epoch") != static_cast<std::int64_t>(record.epoch)) {
    return "`epoch_closed` names another epoch";
  }
  if (!states_tree(record.body, before)) {
    return "`epoch_closed` states another count or root";
  }
  return std::nullopt;
}

std::optional<std::string> Meaning::note(const Record& record, const MerkleTree& before) const {
  const Result<Checkpoint> checkpoint = read_checkpoint(text(record.body, "note"));
  if (!checkpoint) {
    return "the checkpoint is malformed: " + checkpoint.error().first().message;
  }
  const Checkpoint expected{"rgx/" + record.log_id, before.size(), before.root()};
  if (*checkpoint != expected) {
    return "the checkpoint is about other records than those before it";
  }
  return std::nullopt;
}

/// An answer of a person, and whether it is about the acceptance as a whole.
void Meaning::answered(const Record& record) {
  const auto seq = static_cast<std::int64_t>(record.seq);
  const bool approves = text(record.body, "answer") == "approve";
  if (approves) {
    approvals_.insert(seq);
  }
  if (*record.body.find("step") == Json(kAcceptance)) {
    (approves ? accepting_ : rejecting_).insert(seq);
  }
}

/// Who changed what the judge relies on succeeds by a person's word alone, or where policy lets it.
std::optional<std::string> Meaning::accepted(const Json& body) const {
  const Json* acceptance = body.find(kAcceptance);
  if (acceptance == nullptr) {
    return std::nullopt;
  }
  const bool succeeded = text(body, "state") == "succeeded";
  const Json* approval = acceptance->find("approval");
  if (approval != nullptr && !accepting_.contains(approval->as_integer()) &&
      (succeeded || !rejecting_.contains(approval->as_integer()))) {
    return "the seal cites an answer about its acceptance that is not there";
  }
  if (!succeeded) {
    return std::nullopt;
  }
  if (text(*acceptance, "verdict") != "accepted") {
    return "the run is sealed as succeeded, but was not accepted";
  }
  const Json* unknown = acceptance->find("unknown");
  const bool changed = integer(*acceptance, "changed_judge_total") > 0 || unknown != nullptr;
  if (needs_review_ && changed && approval == nullptr) {
    return "the run changed files that its checks rely on, and nobody approved that";
  }
  return std::nullopt;
}

/// Where a run in a worktree succeeded, and nowhere else, the seal announces the commit.
std::optional<std::string> Meaning::ended_worktree(const Json& body) const {
  const Json* worktree = body.find("worktree");
  const bool ends_in_commit = !branch_.empty() && text(body, "state") == "succeeded";
  if ((worktree != nullptr) != ends_in_commit) {
    return ends_in_commit ? "the run succeeded in a worktree, but its seal has no `worktree`"
                          : "the seal has a `worktree`, but the run has none that it ended in";
  }
  if (worktree != nullptr &&
      (text(*worktree, "base") != base_ || text(*worktree, "branch") != branch_)) {
    return "the seal is about another branch or base than the run's";
  }
  return std::nullopt;
}

std::optional<std::string> Meaning::sealed(const Json& body) const {
  if (text(body, "state") == "succeeded" && !open_.empty()) {
    return "the run is sealed as succeeded, but " + quoted(open_.begin()->first) +
           " has no outcome";
  }
  if (Mistake mistake = accepted(body)) {
    return mistake;
  }
  if (Mistake mistake = ended_worktree(body)) {
    return mistake;
  }
  const Json& spent = *body.find("spent");
  for (const auto& [name, sum] : spent_) {
    if (name == kMeasuredAmount || sum == 0) {
      continue;
    }
    const Json* stated = spent.find(name);
    if (stated == nullptr || stated->as_integer() < sum) {
      return "the seal states less `" + printable(name) + "` than the outcomes spent";
    }
  }
  return std::nullopt;
}

std::optional<std::string> Meaning::started(const Record& record) {
  if (Mistake mistake = run_name_mistake(record.body)) {
    return mistake;
  }
  const auto [open, is_new] = open_.try_emplace(text(record.body, "log_id"), 0);
  if (!is_new) {
    return "run " + quoted(text(record.body, "run")) + " is started again";
  }
  return std::nullopt;
}

std::optional<std::string> Meaning::finished(const Json& body) {
  if (Mistake mistake = run_name_mistake(body)) {
    return mistake;
  }
  if (open_.erase(text(body, "log_id")) == 0) {
    return "run " + quoted(text(body, "run")) + " is finished, but was not started";
  }
  return std::nullopt;
}

/// A rollback is begun as often as it was cut short, and ends once.
std::optional<std::string> Meaning::rolled_back(const Json& body) {
  if (Mistake mistake = run_name_mistake(body)) {
    return mistake;
  }
  const std::string& log_id = text(body, "log_id");
  if (text(body, "state") == "started") {
    rollbacks_[log_id] = text(body, "digest");
    return rollbacks_.size() <= kOpenMax ? std::nullopt : Mistake("too many rollbacks under way");
  }
  const auto open = rollbacks_.find(log_id);
  if (open == rollbacks_.end() || open->second != text(body, "digest")) {
    return "the rollback of " + quoted(text(body, "run")) + " ends, but was not begun";
  }
  rollbacks_.erase(open);
  return std::nullopt;
}

}  // namespace rgx::audit
