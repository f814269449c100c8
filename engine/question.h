#pragma once

#include <optional>
#include <set>
#include <string>

#include "audit/keys.h"
#include "base/json.h"
#include "engine/state_store.h"
#include "templates/plan.h"

// Where a stored run stands, for people who answer it or go on with it.

namespace rgx::engine {

struct StoredRun {
  templates::SealedPlan plan;
  std::string admission_digest;  ///< in force
  std::string base_revision;     ///< that the admission names; empty = killed before that
  std::string requester;         ///< public key
  bool sealed = false;
  bool suspended = false;     ///< the last record says so
  std::optional<Json> found;  ///< by the judge: what people are asked about the acceptance
  std::set<StepId> asked;     ///< then: `acceptance`, and checks that wait
};

/// Reads and verifies the run's ledger, and its plan. Errors: resume.evidence (it does not verify,
/// or its plan is another), resume.nothing (it was killed before it began).
[[nodiscard]] Result<StoredRun> read_stored_run(StateStore& state, const RunId& run,
                                                const std::optional<audit::RootKey>& key);

/// The last record of the run's ledger says that it waits. Says nothing of what is damaged.
[[nodiscard]] bool is_suspended(StateStore& state, const RunId& run);

/// Puts an answer into the run's inbox; `nonce` names the file.
[[nodiscard]] Status send_answer(StateStore& state, const RunId& run, const std::string& nonce,
                                 const std::string& bytes);

}  // namespace rgx::engine
