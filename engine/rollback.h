#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/run.h"

// Gives back what a run changed: everything or nothing, and only where nobody has changed it since.

namespace rgx::engine {

struct RollbackReport {
  RunId run;
  std::string plan_workspace;              ///< `in_place` or `worktree`
  std::vector<std::string> changed_since;  ///< one line each; not empty = nothing was given back
  std::vector<std::string> restored;       ///< paths, sorted
  std::string branch;                      ///< of a worktree, which is gone with it
  /// Steps whose programs may have written what git ignores and nobody keeps (`tests: build/**`).
  std::vector<std::string> not_covered;
  std::uint64_t record = 0;  ///< of the index ledger; meaningful when something was given back
};

/// Looks at everything first; then records the start in the index ledger, restores content and
/// modes, removes what the run created, and records the end. What is already as it was before
/// stays, so that a rollback that was cut short is completed by the next. Errors: rollback.done,
/// rollback.evidence, object.missing, run.locked. Of a run in a worktree it removes worktree and
/// branch instead, where nobody has worked on in either.
[[nodiscard]] Result<RollbackReport> roll_back(RunPorts ports, const RunIdentity& identity,
                                               const RunId& run);

}  // namespace rgx::engine
