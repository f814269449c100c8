#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "engine/run_loop.h"
#include "engine/run_records.h"

// A verdict that people settle: the run waits in an open ledger, and goes on by their answers. No
// step runs again, and no check that has run. docs/acceptance.md

namespace rgx::engine {

using audit::RecordType;
using Verdict = AcceptanceReport::Verdict;

namespace {

constexpr std::string_view kWaits = "the acceptance waits for people";
constexpr std::uint32_t kExecutableBits = 0111;

std::string text_of(const Json& value, std::string_view name) {
  const Json* text = value.find(name);
  return text != nullptr && text->is_string() ? text->as_string() : std::string();
}

void restore_check(AcceptanceReport::Check& check, const Json& told) {
  check.state = step_state(text_of(told, "state"));
  if (check.state != StepState::skipped) {
    check.summary = "before this process";
  }
  if (const Json* record = told.find("record"); record != nullptr && record->is_integer()) {
    check.record = static_cast<std::uint64_t>(record->as_integer());
  }
  const Json* evidence = told.find("evidence");
  if (evidence == nullptr || !evidence->is_object()) {
    return;
  }
  for (const auto& [name, text] : evidence->as_object()) {
    if (const auto digest = Digest::parse(text.is_string() ? text.as_string() : "")) {
      check.evidence.emplace(name, *digest);
    }
  }
}

}  // namespace

const Json& Run::found() const {
  RGX_CHECK(found_.has_value());
  return *found_;
}

/// The run changed what its judge relies on, or perhaps did, and policy wants a person to look.
bool Run::asks_review() const {
  return report_.acceptance &&
         !(report_.acceptance->changed_judge.empty() && report_.acceptance->unknown.empty()) &&
         plan_.policy().changed_judge() == policy::ChangedJudge::needs_review;
}

bool Run::asks_people(std::size_t check) const {
  const templates::Step& step = plan_.plan().plan().acceptance[check];
  return plan_.decision(step.id).effect == policy::Effect::require_approval;
}

/// What no answer that is in force settles.
std::vector<WaitingStep> Run::open_questions() {
  std::vector<WaitingStep> open;
  const auto ask = [&](const StepId& id, const std::vector<policy::ApprovalDemand>& demands) {
    const ApprovalRules rules{
        .policy = plan_.policy(), .demands = demands, .requester = requester_};
    if (!meets(book_.in_force(id, now()).keys, rules)) {
      open.push_back({id, describe_demands(demands)});
    }
  };
  if (asks_review()) {
    ask(StepId(std::string(kAcceptanceStep)), review_demands_);
  }
  for (const std::size_t check : open_checks_) {
    const StepId& id = plan_.plan().plan().acceptance[check].id;
    ask(id, plan_.decision(id).approvals);
  }
  return open;
}

/// Digest over every file that git does not ignore: a line for each, sorted, of its path, a NUL and
/// what is there.
Result<Digest> Run::judged_files() {
  RGX_TRY(const std::set<std::string> files, files_to_judge());
  Hasher hasher;
  for (const std::string& path : files) {
    RGX_TRY(const EntryKind kind, ports_.workspace.kind(path));
    std::string line = path + '\0';
    if (kind == EntryKind::symlink) {
      // A link that leads nowhere is named by that alone.
      const auto target = ports_.workspace.resolve(path);
      line += "link " + (target ? *target : std::string());
    } else if (kind == EntryKind::file) {
      RGX_TRY(const std::optional<FileState> file, ports_.workspace.state(path));
      line += file ? file->digest.to_string() : "missing";
      line += file && (file->mode & kExecutableBits) != 0 ? " x" : "";
    } else {
      line += kind == EntryKind::missing ? "missing" : "other";
    }
    hasher.update(line + '\n');
  }
  return hasher.finish();
}

/// What was found stands: no check that has run is run again.
void Run::restore_judge(const ReplayedJudge& stands) {
  const std::vector<templates::Step>& checks = plan_.plan().plan().acceptance;
  AcceptanceReport& report = report_.acceptance.emplace();
  report.verdict = Verdict::needs_review;
  const Json* told = stands.found.find("checks");
  for (std::size_t check = 0; check < checks.size(); ++check) {
    report.checks.push_back(
        {checks[check].id, checks[check].tool.use, StepState::skipped, "", 0, {}});
    if (told != nullptr && told->is_array() && check < told->as_array().size()) {
      restore_check(report.checks.back(), told->as_array()[check]);
    }
    if (stands.waiting.contains(checks[check].id)) {
      open_checks_.insert(check);
    }
  }
  report.changed_judge = changed_judge();
  report.unknown = pins_.changes().unknown();
  found_ = stands.found;
}

Result<RunReport> Run::end() {
  if (suspends()) {
    return suspend();
  }
  const bool judged_before = found_.has_value();
  if (!judged_before) {
    RGX_TRY_STATUS(judge());
  }
  if (!report_.acceptance || report_.acceptance->verdict != Verdict::needs_review) {
    return close();
  }
  if (halted()) {
    unjudged_ = true;
    RGX_TRY_STATUS(skip_checks(std::exchange(open_checks_, {}), halt_));
    return close();
  }
  if (judged_before) {
    RGX_TRY_STATUS(settle());
  }
  if (acceptance().verdict != Verdict::needs_review) {
    return close();
  }
  RGX_TRY_STATUS(suspend_judged(std::string(kWaits)));
  return stopped();
}

/// Takes the answers; the verdict changes where they are enough.
Status Run::settle() {
  RGX_TRY_STATUS(take_answers());
  const StepId asked{std::string(kAcceptanceStep)};
  if (asks_review()) {
    if (const auto said = book_.rejection(asked)) {
      acceptance().approval = said->record;
      return reject(*said);
    }
  }
  for (const std::size_t check : open_checks_) {
    const StepId& id = plan_.plan().plan().acceptance[check].id;
    if (const auto said = book_.rejection(id)) {
      static_cast<void>(now());
      RGX_TRY_STATUS(refuse_check(check, Refused{Refused::Because::approval, said->why,
                                                 "what was done is refused", std::nullopt}));
      open_checks_.erase(check);
      return reject(*said);
    }
  }
  if (!open_questions().empty()) {
    return {};
  }
  RGX_TRY_STATUS(check_still_judged());
  if (asks_review()) {
    acceptance().approval = book_.in_force(asked, now()).records.back();
    acceptance().answer = "approved";
  }
  std::set<std::size_t> open = std::exchange(open_checks_, {});
  RGX_TRY_STATUS(carry_out_checks(open));
  unjudged_ = !open.empty();
  RGX_TRY_STATUS(skip_checks(open, halt_));
  find_verdict();
  return {};
}

Status Run::reject(const ApprovalBook::Rejection& said) {
  acceptance().verdict = Verdict::refused;
  acceptance().answer = said.why;
  failed_ = true;
  return skip_checks(std::exchange(open_checks_, {}), said.why);
}

/// People approved what was judged. Where the workspace is another one by now, the run goes on
/// waiting: with the files as they were, the answers still count.
Status Run::check_still_judged() {
  std::string what;
  if (const auto path = pins_.find_foreign_change({}, ports_.workspace)) {
    what = "`" + printable(*path) + "` has changed";
  } else {
    RGX_TRY(const Digest files, judged_files());
    if (files.to_string() != text_of(found(), "files")) {
      what = "files that git does not ignore have changed";
    }
  }
  if (what.empty()) {
    return {};
  }
  what += " since the run was judged";
  RGX_TRY_STATUS(suspend_judged(what));
  return fail(ErrorKind::drift, "run.judged_drift", what,
              "put the files back as they were (`git status` lists them) and resume again, or `rgx "
              "reject " +
                  report_.run.text() + " acceptance --reason TEXT`");
}

Status Run::suspend_judged(const std::string& because) {
  report_.waiting = open_questions();
  std::vector<std::string> ids;
  if (asks_review()) {
    ids.emplace_back(kAcceptanceStep);
  }
  for (const std::size_t check : open_checks_) {
    ids.push_back(plan_.plan().plan().acceptance[check].id.text());
  }
  for (const WaitingStep& open : report_.waiting) {
    ports_.observer.step_waiting({.step = open.step, .rule = {}, .need = open.need});
  }
  RGX_TRY_STATUS(append(RecordType::run_suspended, Json::object({{"acceptance", found()},
                                                                 {"because", because},
                                                                 {"steps", Json::array_of(ids)}})));
  return ledger_->commit();
}

}  // namespace rgx::engine
