#pragma once

#include <string>

#include "audit/ledger_writer.h"
#include "engine/approval.h"
#include "engine/run.h"
#include "engine/tool.h"
#include "policy/admission.h"

// Bodies of the records that a run writes, from values and nothing else. Format:
// docs/formats/ledger.md. Private to the package.

namespace rgx::engine {

/// Member `inputs_digest`: domain `rgx.step-inputs/v1` over {pins, step}.
[[nodiscard]] Digest inputs_digest(const templates::Step& step,
                                   const std::map<std::string, Digest>& pins);

/// As in the member `changed` of an outcome.
[[nodiscard]] Json to_json(const std::vector<Change>& changes);

struct IntentRecord {
  const templates::Step& step;  ///< closed: outputs of earlier steps stand in it
  const policy::Decision& decision;
  const std::map<std::string, Digest>& pins;
  const policy::RunBudget& reserved;
  policy::SandboxDemand sandbox;
  std::int64_t now_unix_ms = 0;
  std::vector<Change> changes = {};  ///< planned
  std::int64_t attempt = 1;
  std::vector<std::int64_t> approvals = {};  ///< records of those that count
};
[[nodiscard]] Json intent_body(const IntentRecord& intent);
[[nodiscard]] Json outcome_body(const StepId& step, std::int64_t attempt, const Outcome& outcome);

struct RefusedRecord {
  StepId step;
  std::string because;  ///< `policy`, `approval`, `budget`, `drift`, `environment`
  std::string message;
  const policy::Decision* decision = nullptr;
  std::int64_t now_unix_ms = 0;
};
[[nodiscard]] Json refused_body(const RefusedRecord& refused);
[[nodiscard]] Json skipped_body(const StepId& step, std::string_view because);

[[nodiscard]] Json genesis_body(const policy::AdmittedPlan& plan, const std::string& log_id,
                                const std::string& index_log_id,
                                const audit::RecordReference& started, const RunIdentity& identity);
[[nodiscard]] Json admission_body(const policy::AdmittedPlan& plan, std::int64_t now_unix_ms);
[[nodiscard]] Json policy_changed_body(const policy::AdmittedPlan& plan);
[[nodiscard]] Json approval_body(const SignedApproval& approval);
/// As in the seal.
[[nodiscard]] Json to_json(const AcceptanceReport& acceptance);
/// As in a record that suspends: with the evidence, and the digest of the files that were judged.
[[nodiscard]] Json question_json(const AcceptanceReport& acceptance, const Digest& files);
[[nodiscard]] Json seal_body(const RunReport& report);
[[nodiscard]] Json started_body(const RunId& run, const std::string& log_id, const Digest& plan,
                                const Digest& admission);
[[nodiscard]] Json finished_body(const RunReport& report, const std::string& log_id);
/// Leaves out decisions beyond the size of a record, and says so.
[[nodiscard]] Json refusal_body(const RunId& run, const templates::SealedPlan& plan,
                                const policy::Refusal& refusal);

}  // namespace rgx::engine
