#pragma once

#include <set>
#include <string>

#include "base/digest.h"
#include "engine/run.h"
#include "engine/worktrees.h"
#include "templates/plan.h"

// The commit that a run in a worktree ends in. Private to the package.

namespace rgx::engine {

struct EndOfWorktree {
  Worktrees& worktrees;
  const templates::SealedPlan& plan;
  const RunId& run;
  const Digest& head;                 ///< tree root of the sealed ledger
  const std::set<std::string>& tips;  ///< where the run may have left the branch
};

/// Commits `report.tree` and removes the folder. A run that changed nothing has no commit, and its
/// branch goes, too.
[[nodiscard]] Status make_commit(const EndOfWorktree& end, WorktreeReport& report);
/// The folder is of no use any more; `report` says what is left.
[[nodiscard]] Status clear_worktree(Worktrees& worktrees, const RunId& run, WorktreeReport& report);

/// Subject from the intent, then the trailers that name plan, run and ledger.
[[nodiscard]] std::string commit_message(const templates::SealedPlan& plan, const RunId& run,
                                         const Digest& head);

}  // namespace rgx::engine
