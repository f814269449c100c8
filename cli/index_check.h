#pragma once

#include "audit/verifier.h"
#include "base/ids.h"
#include "cli/history.h"

// A run's place in the repository's index ledger: what shows that a whole ledger was removed,
// exchanged for an older copy of itself, or cut at the end of a line.

namespace rgx::cli {

/// Compares a ledger's verdict with what the index says about the run. `fails` when the two
/// contradict each other, or the index is that of another repository than the one at `root`;
/// `unknown` when the index cannot tell.
[[nodiscard]] audit::Property check_index(const RunId& run, const audit::Verdict& ledger,
                                          const History& history, const std::string& root);

/// The verdict about a run of which the index knows, but whose ledger is gone.
[[nodiscard]] audit::Verdict missing_ledger();

}  // namespace rgx::cli
