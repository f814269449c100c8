#include "engine/run_records.h"

#include "audit/requester.h"
#include "base/canonical.h"
#include "base/text.h"

namespace rgx::engine {

namespace {

constexpr std::size_t kTextBytesMax = 65536;          // of the ledger's format
constexpr std::size_t kChangedJudgeMax = 100;         // of the ledger's format
constexpr std::size_t kRefusalBytesMax = 512U << 10;  // half a record

/// Text that a record may hold: one line, bounded, cut at the end of a character.
std::string record_text(std::string_view text) {
  std::string safe = printable(text);
  if (safe.size() > kTextBytesMax) {
    safe.resize(kTextBytesMax);
    while (!is_utf8(safe)) {
      safe.pop_back();
    }
  }
  return safe;
}

std::string_view name_of(policy::SandboxDemand demand) {
  return policy::kSandboxNames.at(static_cast<std::size_t>(demand));
}

std::string_view name_of(policy::ChangedJudge changed) {
  return policy::kChangedJudgeNames.at(static_cast<std::size_t>(changed));
}

Json digest_or_null(const std::optional<Digest>& digest) {
  return digest ? Json(digest->to_string()) : Json();
}

Json pins_json(const std::map<std::string, Digest>& pins) {
  Json all = Json::array();
  for (const auto& [path, digest] : pins) {
    all.push(Json::object({{"digest", digest.to_string()}, {"path", path}}));
  }
  return all;
}

Json layers_json(const policy::PolicySet& policy) {
  return policy.describe_layers();
}

Json steps_json(const RunReport& report) {
  Json counts = Json::object();
  for (const StepReport& step : report.steps) {
    const std::string_view name = to_string(step.state);
    const Json* before = counts.find(name);
    counts.set(name, (before == nullptr ? 0 : before->as_integer()) + 1);
  }
  return counts;
}

}  // namespace

Digest inputs_digest(const templates::Step& step, const std::map<std::string, Digest>& pins) {
  return digest_of("rgx.step-inputs/v1",
                   Json::object({{"pins", pins_json(pins)}, {"step", templates::to_json(step)}}));
}

Json to_json(const std::vector<Change>& changes) {
  Json all = Json::array();
  for (const Change& change : changes) {
    Json one = Json::object({{"after", digest_or_null(change.after)},
                             {"before", digest_or_null(change.before)},
                             {"path", change.path}});
    if (change.before_mode) {
      one.set("before_mode", *change.before_mode);
    }
    if (change.after_mode) {
      one.set("after_mode", *change.after_mode);
    }
    all.push(std::move(one));
  }
  return all;
}

Json intent_body(const IntentRecord& intent) {
  Json body = Json::object({{"attempt", intent.attempt},
                            {"contract_version", intent.decision.facts.contract_version},
                            {"decision", policy::to_json(intent.decision)},
                            {"inputs_digest", inputs_digest(intent.step, intent.pins).to_string()},
                            {"now_unix_ms", intent.now_unix_ms},
                            {"pins", pins_json(intent.pins)},
                            {"reserved", policy::to_json(intent.reserved)},
                            {"sandbox", name_of(intent.sandbox)},
                            {"step", intent.step.id.text()},
                            {"tool", intent.step.tool.use}});
  if (!intent.changes.empty()) {
    body.set("changes", to_json(intent.changes));
  }
  if (!intent.approvals.empty()) {
    Json records = Json::array();
    for (const std::int64_t seq : intent.approvals) {
      records.push(seq);
    }
    body.set("approvals", std::move(records));
  }
  return body;
}

Json outcome_body(const StepId& step, std::int64_t attempt, const Outcome& outcome) {
  Json outputs = Json::object();
  for (const auto& [name, output] : outcome.outputs) {
    outputs.set(name, Json::object({{"bytes", output.bytes},
                                    {"digest", output.digest.to_string()},
                                    {"truncated", output.truncated}}));
  }
  Json body = Json::object({{"attempt", attempt},
                            {"changed", to_json(outcome.changed)},
                            {"outputs", std::move(outputs)},
                            {"sandbox", Json::object({{"achieved", outcome.confinement}})},
                            {"spent", policy::to_json(outcome.spent)},
                            {"state", to_string(outcome.state)},
                            {"step", step.text()},
                            {"values", outcome.values}});
  if (outcome.exit_code) {
    body.set("exit_code", *outcome.exit_code);
  }
  if (outcome.signal) {
    body.set("signal", *outcome.signal);
  }
  if (outcome.error) {
    body.set("error", Json::object({{"code", outcome.error->code},
                                    {"message", record_text(outcome.error->message)}}));
  }
  return body;
}

Json refused_body(const RefusedRecord& refused) {
  Json body = Json::object({{"because", refused.because},
                            {"message", record_text(refused.message)},
                            {"now_unix_ms", refused.now_unix_ms},
                            {"step", refused.step.text()}});
  if (refused.decision != nullptr) {
    body.set("decision", policy::to_json(*refused.decision));
  }
  return body;
}

Json skipped_body(const StepId& step, std::string_view because) {
  return Json::object({{"because", record_text(because)}, {"step", step.text()}});
}

Json genesis_body(const policy::AdmittedPlan& plan, const std::string& log_id,
                  const std::string& index_log_id, const audit::RecordReference& started,
                  const RunIdentity& identity) {
  return Json::object({{"admission_digest", plan.digest().to_string()},
                       {"index", Json::object({{"head", started.leaf.to_string()},
                                               {"log_id", index_log_id},
                                               {"seq", started.seq}})},
                       {"plan_digest", plan.plan().digest().to_string()},
                       {"requester", audit::sign_requester(identity.requester, log_id,
                                                           plan.plan().digest(), plan.digest())},
                       {"rgx_version", identity.rgx_version},
                       {"workspace", plan.plan().plan().workspace}});
}

Json approval_body(const SignedApproval& approval) {
  return Json::object({{"answer", to_string(approval.approval.answer)},
                       {"approval", approval.file},
                       {"digest", approval.digest.to_string()},
                       {"step", approval.approval.subject.step.text()}});
}

Json policy_changed_body(const policy::AdmittedPlan& plan) {
  const Json all = admission_body(plan, 0);
  Json body = Json::object();
  for (const char* name : {"admission_digest", "changed_judge", "policy_layers", "worst_case",
                           "steps", "decisions_digest"}) {
    body.set(name, *all.find(name));
  }
  return body;
}

Json admission_body(const policy::AdmittedPlan& plan, std::int64_t now_unix_ms) {
  Json decisions = Json::object();
  for (const auto& [step, decision] : plan.decisions()) {
    decisions.set(step.text(), policy::to_json(decision));
  }
  const std::string_view review = plan.policy().review() == policy::Review::plan ? "plan" : "none";
  return Json::object({{"admission_digest", plan.digest().to_string()},
                       {"base_revision", plan.base_revision()},
                       {"changed_judge", name_of(plan.policy().changed_judge())},
                       {"decisions_digest", digest_of("rgx.decisions/v1", decisions).to_string()},
                       {"now_unix_ms", now_unix_ms},
                       {"plan_digest", plan.plan().digest().to_string()},
                       {"policy_layers", layers_json(plan.policy())},
                       {"review", review},
                       {"sandbox", name_of(plan.policy().sandbox())},
                       {"steps", plan.plan().plan().steps.size()},
                       {"worst_case", policy::to_json(plan.worst_case())}});
}

Json to_json(const AcceptanceReport& acceptance) {
  Json checks = Json::array();
  for (const AcceptanceReport::Check& check : acceptance.checks) {
    checks.push(Json::object({{"record", check.record},
                              {"state", to_string(check.state)},
                              {"step", check.step.text()}}));
  }
  Json changed = Json::array();
  for (const std::string& path : acceptance.changed_judge) {
    if (changed.as_array().size() == kChangedJudgeMax) {
      break;
    }
    changed.push(Json::object({{"path", path}}));
  }
  Json body = Json::object({{"changed_judge", std::move(changed)},
                            {"changed_judge_total", acceptance.changed_judge.size()},
                            {"checks", std::move(checks)},
                            {"verdict", to_string(acceptance.verdict)}});
  if (!acceptance.unknown.empty()) {
    body.set("unknown", record_text(acceptance.unknown));
  }
  if (acceptance.approval) {
    body.set("approval", *acceptance.approval);
  }
  return body;
}

Json question_json(const AcceptanceReport& acceptance, const Digest& files) {
  Json body = to_json(acceptance);
  Json checks = Json::array();
  for (const AcceptanceReport::Check& check : acceptance.checks) {
    Json evidence = Json::object();
    for (const auto& [name, digest] : check.evidence) {
      evidence.set(name, digest.to_string());
    }
    checks.push(Json::object({{"evidence", std::move(evidence)},
                              {"record", check.record},
                              {"state", to_string(check.state)},
                              {"step", check.step.text()}}));
  }
  body.set("checks", std::move(checks));
  body.set("files", files.to_string());
  return body;
}

Json seal_body(const RunReport& report) {
  policy::RunBudget spent = report.spent;
  spent.wall_ms = 0;  // measured, so not the same in a replay; `env` has the times
  Json body = Json::object({{"exit_code", exit_code(report.state)},
                            {"spent", policy::to_json(spent)},
                            {"state", to_string(report.state)},
                            {"steps", steps_json(report)}});
  if (report.acceptance) {
    body.set("acceptance", to_json(*report.acceptance));
  }
  if (report.worktree && report.state == RunState::succeeded) {
    body.set("worktree", Json::object({{"base", report.worktree->base},
                                       {"branch", report.worktree->branch},
                                       {"tree", report.worktree->tree}}));
  }
  return body;
}

Json started_body(const RunId& run, const std::string& log_id, const Digest& plan,
                  const Digest& admission) {
  return Json::object({{"admission_digest", admission.to_string()},
                       {"log_id", log_id},
                       {"plan_digest", plan.to_string()},
                       {"run", run.text()}});
}

Json finished_body(const RunReport& report, const std::string& log_id) {
  Json body = Json::object({{"exit_code", exit_code(report.state)},
                            {"log_id", log_id},
                            {"records", report.records},
                            {"root", report.root.to_string()},
                            {"run", report.run.text()},
                            {"state", to_string(report.state)}});
  if (report.worktree && !report.worktree->commit.empty()) {
    body.set("commit", report.worktree->commit);
  }
  return body;
}

Json refusal_body(const RunId& run, const templates::SealedPlan& plan,
                  const policy::Refusal& refusal) {
  // Decisions are counted one by one: a plan may have thousands of denied steps.
  policy::Refusal kept;
  kept.over_budget = refusal.over_budget;
  std::size_t bytes = 0;
  for (const auto& [step, decision] : refusal.denied) {
    bytes += canonical(policy::to_json(decision)).size() + step.text().size();
    if (bytes > kRefusalBytesMax) {
      break;
    }
    kept.denied.emplace(step, decision);
  }
  return Json::object({{"decisions", policy::to_json(kept)},
                       {"intent", record_text(plan.plan().intent)},
                       {"plan_digest", plan.digest().to_string()},
                       {"run", run.text()},
                       {"truncated", kept.denied.size() < refusal.denied.size()}});
}

}  // namespace rgx::engine
