#include "audit/body.h"

#include "base/check.h"
#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

namespace rgx::audit {
namespace {

enum class Shape : std::uint8_t {
  digest,
  digest_or_null,
  hex_16,
  hex_32,
  text,
  step,
  step_or_null,
  word,     // one of `words`
  integer,  // any
  count,    // >= 0
  ordinal,  // >= 1
  boolean,
  object,         // members not looked at
  amounts,        // values are counts
  record,         // members as in `members`
  open_record,    // those, and others
  records,        // array of records
  named_records,  // object whose values are records
  counts,         // array of counts
  steps,          // array of steps
};

enum class Need : std::uint8_t { required, optional };

struct Member {
  std::string_view name;
  Shape shape;
  Need need = Need::required;
  std::span<const std::string_view> words = {};
  std::span<const Member> members = {};
};

constexpr std::size_t kTextBytesMax = 65536;
constexpr std::size_t kStepBytesMax = 1024;

// ---- words
// ----------------------------------------------------------------------------------------

constexpr std::string_view kSchemas[] = {"rgx.ledger/v1"};
constexpr std::string_view kModes[] = {"local"};
constexpr std::string_view kWorkspaces[] = {"in_place", "worktree"};
constexpr std::string_view kSandboxes[] = {"required", "best_effort"};
constexpr std::string_view kStepStates[] = {"succeeded", "failed", "timed_out", "cancelled",
                                            "denied"};
constexpr std::string_view kRefusals[] = {"policy", "approval", "budget", "drift", "environment"};
constexpr std::string_view kAnswers[] = {"approve", "reject"};
constexpr std::string_view kVerdicts[] = {"accepted", "refused", "needs_review"};
constexpr std::string_view kChangedJudge[] = {"allow", "needs_review"};
constexpr std::string_view kRollbackStates[] = {"started", "finished"};
constexpr std::string_view kRunStates[] = {"succeeded",        "failed",       "denied",
                                           "budget_exhausted", "needs_review", "environment_unfit",
                                           "drifted",          "cancelled",    "interrupted"};

// ---- parts
// ----------------------------------------------------------------------------------------

constexpr Member kRequester[] = {{"public_key", Shape::text}, {"signature", Shape::text}};
constexpr Member kIndexPlace[] = {
    {"head", Shape::digest}, {"log_id", Shape::hex_32}, {"seq", Shape::count}};
constexpr Member kPolicyLayer[] = {{"digest", Shape::digest},
                                   {"file", Shape::text},
                                   {"layer", Shape::text},
                                   {"name", Shape::text}};
constexpr Member kPin[] = {{"digest", Shape::digest_or_null}, {"path", Shape::text}};
constexpr Member kChange[] = {{"after", Shape::digest_or_null},
                              {"after_mode", Shape::count, Need::optional},
                              {"before", Shape::digest_or_null},
                              {"before_mode", Shape::count, Need::optional},
                              {"path", Shape::text}};
constexpr Member kOutput[] = {
    {"bytes", Shape::count}, {"digest", Shape::digest}, {"truncated", Shape::boolean}};
constexpr Member kSandbox[] = {{"achieved", Shape::text}};
constexpr Member kCheck[] = {{"evidence", Shape::object, Need::optional},
                             {"record", Shape::count},
                             {"state", Shape::text},
                             {"step", Shape::step}};
constexpr Member kPath[] = {{"path", Shape::text}};
constexpr Member kAcceptance[] = {{"approval", Shape::count, Need::optional},
                                  {"changed_judge", Shape::records, Need::required, {}, kPath},
                                  {"changed_judge_total", Shape::count},
                                  {"checks", Shape::records, Need::required, {}, kCheck},
                                  {"files", Shape::digest, Need::optional},
                                  {"unknown", Shape::text, Need::optional},
                                  {"verdict", Shape::word, Need::required, kVerdicts}};
constexpr Member kWorktree[] = {
    {"base", Shape::text}, {"branch", Shape::text}, {"tree", Shape::text}};
constexpr Member kError[] = {{"code", Shape::text}, {"message", Shape::text}};

// ---- bodies
// ---------------------------------------------------------------------------------------

constexpr Member kGenesis[] = {{"admission_digest", Shape::digest},
                               {"index", Shape::record, Need::required, {}, kIndexPlace},
                               {"key_commitment", Shape::digest},
                               {"mode", Shape::word, Need::required, kModes},
                               {"plan_digest", Shape::digest},
                               {"requester", Shape::record, Need::required, {}, kRequester},
                               {"rgx_version", Shape::text},
                               {"schema", Shape::word, Need::required, kSchemas},
                               {"workspace", Shape::word, Need::required, kWorkspaces}};
constexpr Member kAdmission[] = {
    {"admission_digest", Shape::digest},
    {"base_revision", Shape::text},
    {"changed_judge", Shape::word, Need::optional, kChangedJudge},
    {"decisions_digest", Shape::digest},
    {"now_unix_ms", Shape::integer, Need::optional},
    {"plan_digest", Shape::digest},
    {"policy_layers", Shape::records, Need::required, {}, kPolicyLayer},
    {"review", Shape::text, Need::optional},
    {"sandbox", Shape::word, Need::optional, kSandboxes},
    {"steps", Shape::count},
    {"worst_case", Shape::amounts}};
constexpr Member kStepIntent[] = {{"approvals", Shape::counts, Need::optional},
                                  {"attempt", Shape::ordinal},
                                  {"changes", Shape::records, Need::optional, {}, kChange},
                                  {"contract_version", Shape::ordinal},
                                  {"decision", Shape::object},
                                  {"inputs_digest", Shape::digest},
                                  {"now_unix_ms", Shape::integer, Need::optional},
                                  {"pins", Shape::records, Need::required, {}, kPin},
                                  {"reserved", Shape::amounts},
                                  {"sandbox", Shape::word, Need::required, kSandboxes},
                                  {"step", Shape::step},
                                  {"tool", Shape::text}};
constexpr Member kStepOutcome[] = {{"attempt", Shape::ordinal},
                                   {"changed", Shape::records, Need::required, {}, kChange},
                                   {"error", Shape::record, Need::optional, {}, kError},
                                   {"exit_code", Shape::integer, Need::optional},
                                   {"outputs", Shape::named_records, Need::required, {}, kOutput},
                                   {"sandbox", Shape::open_record, Need::required, {}, kSandbox},
                                   {"signal", Shape::integer, Need::optional},
                                   {"spent", Shape::amounts},
                                   {"state", Shape::word, Need::required, kStepStates},
                                   {"step", Shape::step},
                                   {"values", Shape::object, Need::optional}};
constexpr Member kStepRefused[] = {{"attempt", Shape::ordinal, Need::optional},
                                   {"because", Shape::word, Need::required, kRefusals},
                                   {"decision", Shape::object, Need::optional},
                                   {"message", Shape::text, Need::optional},
                                   {"now_unix_ms", Shape::integer, Need::optional},
                                   {"step", Shape::step}};
constexpr Member kStepSkipped[] = {{"because", Shape::text}, {"step", Shape::step}};
constexpr Member kApproval[] = {{"answer", Shape::word, Need::required, kAnswers},
                                {"approval", Shape::object},
                                {"digest", Shape::digest},
                                {"step", Shape::step_or_null}};
constexpr Member kPolicyChanged[] = {
    {"admission_digest", Shape::digest},
    {"changed_judge", Shape::word, Need::optional, kChangedJudge},
    {"decisions_digest", Shape::digest},
    {"policy_layers", Shape::records, Need::required, {}, kPolicyLayer},
    {"steps", Shape::count},
    {"worst_case", Shape::amounts}};
constexpr Member kRunInterrupted[] = {{"because", Shape::text},
                                      {"signal", Shape::integer, Need::optional}};
constexpr Member kRunSuspended[] = {{"acceptance", Shape::record, Need::optional, {}, kAcceptance},
                                    {"because", Shape::text},
                                    {"steps", Shape::steps, Need::optional}};
constexpr Member kRecovery[] = {
    {"bytes", Shape::count}, {"digest", Shape::digest}, {"offset", Shape::count}};
constexpr Member kEpochClosed[] = {{"epoch", Shape::count},
                                   {"next_key_commitment", Shape::digest},
                                   {"records", Shape::count},
                                   {"root", Shape::digest}};
constexpr Member kKeyRotated[] = {{"next_key_commitment", Shape::digest},
                                  {"next_kid", Shape::hex_16}};
constexpr Member kCheckpoint[] = {{"note", Shape::text}};
constexpr Member kRunSealed[] = {{"acceptance", Shape::record, Need::optional, {}, kAcceptance},
                                 {"exit_code", Shape::integer},
                                 {"records", Shape::count},
                                 {"root", Shape::digest},
                                 {"spent", Shape::amounts},
                                 {"state", Shape::word, Need::required, kRunStates},
                                 {"steps", Shape::amounts, Need::optional},
                                 {"worktree", Shape::record, Need::optional, {}, kWorktree}};
constexpr Member kIndexGenesis[] = {{"key_commitment", Shape::digest},
                                    {"mode", Shape::word, Need::required, kModes},
                                    {"repository", Shape::text},
                                    {"rgx_version", Shape::text},
                                    {"schema", Shape::word, Need::required, kSchemas}};
constexpr Member kRunStarted[] = {{"admission_digest", Shape::digest},
                                  {"log_id", Shape::hex_32},
                                  {"plan_digest", Shape::digest},
                                  {"run", Shape::text}};
constexpr Member kRunFinished[] = {{"commit", Shape::text, Need::optional},
                                   {"exit_code", Shape::integer},
                                   {"log_id", Shape::hex_32},
                                   {"records", Shape::count},
                                   {"root", Shape::digest},
                                   {"run", Shape::text},
                                   {"state", Shape::word, Need::required, kRunStates}};
constexpr Member kRunRefused[] = {{"decisions", Shape::object},
                                  {"intent", Shape::text, Need::optional},
                                  {"plan_digest", Shape::digest},
                                  {"run", Shape::text},
                                  {"truncated", Shape::boolean, Need::optional}};
constexpr Member kRunRolledBack[] = {{"digest", Shape::digest},
                                     {"files", Shape::count},
                                     {"log_id", Shape::hex_32},
                                     {"run", Shape::text},
                                     {"state", Shape::word, Need::required, kRollbackStates}};
constexpr Member kPruned[] = {{"first", Shape::digest},
                              {"from", Shape::count},
                              {"last", Shape::digest},
                              {"to", Shape::count}};

std::span<const Member> members_of(RecordType type) {
  switch (type) {
    case RecordType::genesis:
      return kGenesis;
    case RecordType::admission:
      return kAdmission;
    case RecordType::step_intent:
      return kStepIntent;
    case RecordType::step_outcome:
      return kStepOutcome;
    case RecordType::step_refused:
      return kStepRefused;
    case RecordType::step_skipped:
      return kStepSkipped;
    case RecordType::approval:
      return kApproval;
    case RecordType::policy_changed:
      return kPolicyChanged;
    case RecordType::run_interrupted:
      return kRunInterrupted;
    case RecordType::run_suspended:
      return kRunSuspended;
    case RecordType::recovery:
      return kRecovery;
    case RecordType::epoch_closed:
      return kEpochClosed;
    case RecordType::key_rotated:
      return kKeyRotated;
    case RecordType::checkpoint:
      return kCheckpoint;
    case RecordType::run_sealed:
      return kRunSealed;
    case RecordType::index_genesis:
      return kIndexGenesis;
    case RecordType::run_started:
      return kRunStarted;
    case RecordType::run_finished:
      return kRunFinished;
    case RecordType::run_refused:
      return kRunRefused;
    case RecordType::run_rolled_back:
      return kRunRolledBack;
    case RecordType::pruned:
      return kPruned;
  }
  RGX_CHECK(false);
  return {};
}

// ---- the check
// ------------------------------------------------------------------------------------

bool is_lower_hex(const Json& value, std::size_t size) {
  if (!value.is_string() || value.as_string().size() != size) {
    return false;
  }
  const std::string& text = value.as_string();
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_digest(const Json& value) {
  return value.is_string() && Digest::parse(value.as_string()).has_value();
}

bool is_integer_from(const Json& value, std::int64_t least) {
  return value.is_integer() && value.as_integer() >= least;
}

bool is_step(const Json& value) {
  return value.is_string() && !value.as_string().empty() &&
         value.as_string().size() <= kStepBytesMax;
}

template <class Predicate>
bool is_array_of(const Json& value, Predicate predicate) {
  return value.is_array() &&
         std::all_of(value.as_array().begin(), value.as_array().end(), predicate);
}

bool is_amounts(const Json& value) {
  return value.is_object() &&
         std::all_of(value.as_object().begin(), value.as_object().end(),
                     [](const auto& member) { return is_integer_from(member.second, 0); });
}

using Mistake = std::optional<std::string>;
enum class Others : std::uint8_t { refused, allowed };
Mistake record_mistake(const Json& value, std::span<const Member> members, const std::string& what,
                       Others others);

Mistake unless(bool right, const std::string& what, std::string_view wanted) {
  if (right) {
    return std::nullopt;
  }
  return "`" + what + "` must be " + std::string(wanted);
}

Mistake records_mistake(const Json& value, const Member& member, const std::string& what) {
  if (!value.is_array()) {
    return unless(false, what, "an array of objects");
  }
  std::size_t at = 0;
  for (const Json& item : value.as_array()) {
    const std::string name = what + "[" + std::to_string(at++) + "]";
    if (Mistake mistake = record_mistake(item, member.members, name, Others::refused)) {
      return mistake;
    }
  }
  return std::nullopt;
}

Mistake named_records_mistake(const Json& value, const Member& member, const std::string& what) {
  if (!value.is_object()) {
    return unless(false, what, "an object of objects");
  }
  for (const auto& [name, item] : value.as_object()) {
    const std::string item_name = what + "." + printable(name);
    if (Mistake mistake = record_mistake(item, member.members, item_name, Others::refused)) {
      return mistake;
    }
  }
  return std::nullopt;
}

Mistake member_mistake(const Json& value, const Member& member, const std::string& what) {
  switch (member.shape) {
    case Shape::digest:
      return unless(is_digest(value), what, "a digest");
    case Shape::digest_or_null:
      return unless(value.is_null() || is_digest(value), what, "a digest or null");
    case Shape::hex_16:
      return unless(is_lower_hex(value, 16), what, "16 lower-case hex digits");
    case Shape::hex_32:
      return unless(is_lower_hex(value, 32), what, "32 lower-case hex digits");
    case Shape::text:
      return unless(value.is_string() && value.as_string().size() <= kTextBytesMax, what,
                    "a string of at most 65,536 bytes");
    case Shape::step:
      return unless(is_step(value), what, "a step id");
    case Shape::step_or_null:
      return unless(value.is_null() || is_step(value), what, "a step id or null");
    case Shape::word:
      return unless(value.is_string() && std::find(member.words.begin(), member.words.end(),
                                                   value.as_string()) != member.words.end(),
                    what, "one of the words of the format");
    case Shape::integer:
      return unless(value.is_integer(), what, "an integer");
    case Shape::count:
      return unless(is_integer_from(value, 0), what, "an integer, 0 or more");
    case Shape::ordinal:
      return unless(is_integer_from(value, 1), what, "an integer, 1 or more");
    case Shape::boolean:
      return unless(value.is_boolean(), what, "true or false");
    case Shape::object:
      return unless(value.is_object(), what, "an object");
    case Shape::amounts:
      return unless(is_amounts(value), what, "an object of integers, 0 or more");
    case Shape::record:
      return record_mistake(value, member.members, what, Others::refused);
    case Shape::open_record:
      return record_mistake(value, member.members, what, Others::allowed);
    case Shape::records:
      return records_mistake(value, member, what);
    case Shape::named_records:
      return named_records_mistake(value, member, what);
    case Shape::counts:
      return unless(is_array_of(value, [](const Json& item) { return is_integer_from(item, 0); }),
                    what, "an array of integers, 0 or more");
    case Shape::steps:
      return unless(is_array_of(value, is_step), what, "an array of step ids");
  }
  RGX_CHECK(false);
  return std::nullopt;
}

Mistake record_mistake(const Json& value, std::span<const Member> members, const std::string& what,
                       Others others) {
  if (!value.is_object()) {
    return unless(false, what, "an object");
  }
  std::size_t found = 0;
  for (const Member& member : members) {
    const std::string name = what + "." + std::string(member.name);
    const Json* part = value.find(member.name);
    if (part == nullptr) {
      if (member.need == Need::required) {
        return "`" + name + "` is missing";
      }
      continue;
    }
    ++found;
    if (Mistake mistake = member_mistake(*part, member, name)) {
      return mistake;
    }
  }
  if (others == Others::allowed || found == value.as_object().size()) {
    return std::nullopt;
  }
  for (const auto& [name, unused] : value.as_object()) {
    const auto named = [&key = name](const Member& member) { return member.name == key; };
    if (std::none_of(members.begin(), members.end(), named)) {
      return "`" + what + "." + printable(name) + "` is not a member of the format";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> body_mistake(RecordType type, const Json& body) {
  return record_mistake(body, members_of(type), std::string(to_string(type)), Others::refused);
}

}  // namespace rgx::audit
