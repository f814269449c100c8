#pragma once

#include <optional>
#include <set>

#include "audit/ledger_writer.h"
#include "engine/run.h"

// The repository's index ledger: who holds it is the only writer of runs. Private to the package.

namespace rgx::engine {

struct OpenIndex {
  audit::LedgerWriter writer;       ///< holds the lock as long as it lives
  std::optional<RunId> unfinished;  ///< the run before has no end on record: it was killed
  std::set<RunId> succeeded;        ///< have their end on record
};

/// Makes the index or continues it. A torn last write is set aside and recorded; anything else
/// that does not verify stops here. Errors: run.locked,
/// run.index_gone, run.index_damaged, run.index_elsewhere, and those of storage and ledger.
[[nodiscard]] Result<OpenIndex> open_index(RunPorts& ports, const RunIdentity& identity);

/// Removes what killed runs may have left behind: scratch folders of this repository, and
/// temporaries beside the files that `plan` or the unfinished run's plan writes, worktrees of runs
/// that ended well. Needs the lock.
[[nodiscard]] Status remove_leftovers(RunPorts& ports, const templates::Plan& plan,
                                      const OpenIndex& index);
/// Temporaries beside the files that `plan` writes.
[[nodiscard]] Status remove_temporaries(Workspace& workspace, const templates::Plan& plan);

}  // namespace rgx::engine
