#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/keys.h"
#include "audit/ledger_writer.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "base/repository_view.h"
#include "engine/observer.h"
#include "engine/process.h"
#include "engine/state_store.h"
#include "engine/workspace.h"
#include "engine/worktrees.h"
#include "policy/admission.h"

// The one loop that executes an admitted plan. It owns all state and is the only ledger writer;
// workers and child processes only do and report.

namespace rgx::engine {

struct RunPorts {
  Clock& clock;
  Entropy& entropy;
  Workspace& workspace;
  RepositoryView& repository;  ///< names the files that `search.*` looks at
  ProcessRunner& processes;
  Sandbox& sandbox;
  StateStore& state;
  Observer& observer;
  Worktrees* worktrees = nullptr;  ///< none: runs in place only
};

struct RunIdentity {
  audit::RootKey root_key;
  audit::SigningKey requester;
  audit::LedgerWriter::Environment environment;
  std::string rgx_version;
};

/// How a run ended, spelled as in its seal. Of several ends the first that applies counts:
/// denied, budget_exhausted, interrupted, drifted, failed.
enum class RunState : std::uint8_t {
  succeeded,
  failed,
  denied,
  budget_exhausted,
  drifted,
  interrupted,
  waiting,  ///< for people; not sealed, `resume` goes on
};
[[nodiscard]] std::string_view to_string(RunState state);
/// 0, 1, 3, 5, 6, 8 or 130: what the seal records and the program exits with.
[[nodiscard]] int exit_code(RunState state);

/// How a person stops a run, from a signal handler or another thread. `finish`: what runs may end,
/// nothing new starts; `stop`: what runs is ended, too.
struct Interruption {
  CancelFlag finish{false};
  CancelFlag stop{false};
};

struct StepReport {
  StepId step;
  StepState state = StepState::skipped;
  std::string summary;
  std::vector<std::string> changed;  ///< paths
};

/// A step that waits for people.
struct WaitingStep {
  StepId step;
  std::string need;  ///< `1 of release-managers`
};
/// What the judge found (docs/acceptance.md).
struct AcceptanceReport {
  enum class Verdict : std::uint8_t { accepted, refused, needs_review };
  struct Check {
    StepId step;
    std::string tool;
    StepState state = StepState::skipped;
    std::string summary;
    std::uint64_t record = 0;                ///< that ended it
    std::map<std::string, Digest> evidence;  ///< outputs in the object store, by name
  };
  Verdict verdict = Verdict::refused;
  std::vector<Check> checks;
  std::vector<std::string> changed_judge;  ///< files that the checks rely on, sorted
  std::string unknown;                     ///< why there may be more of them; empty = there are not
  std::optional<std::int64_t> approval;    ///< record of the answer that settled it
  std::string answer;                      ///< what a person said to it, in one line
};
[[nodiscard]] std::string_view to_string(AcceptanceReport::Verdict verdict);

/// Where a run in a worktree works, and what is left of that (docs/workspaces.md).
struct WorktreeReport {
  std::string base;  ///< commit
  std::string branch;
  std::string path;    ///< empty: removed
  std::string tree;    ///< of the commit
  std::string commit;  ///< empty: none was made
};

struct RunReport {
  RunId run;
  RunState state = RunState::failed;
  std::vector<StepReport> steps;               ///< in plan order
  std::optional<AcceptanceReport> acceptance;  ///< none: no checks, or they were not reached
  policy::RunBudget spent;
  Digest root;  ///< tree root of the sealed ledger
  std::uint64_t records = 0;
  std::vector<WaitingStep> waiting;  ///< of a run that is suspended
  std::optional<WorktreeReport> worktree;
  std::vector<StepId> stuck;       ///< cut short, and nobody knows what they did
  std::vector<std::string> notes;  ///< what else people should know: answers that do not count
};

/// Runs the plan: index entry, genesis, admission record, then each step through its gates, then
/// the seal and the index entry. An Error means the evidence could not be written or the
/// environment is unfit (run.sandbox_too_weak, run.locked, ...): no effect starts after it.
[[nodiscard]] Result<RunReport> run(const policy::AdmittedPlan& plan, RunPorts ports,
                                    const RunIdentity& identity, const Interruption& interruption);

/// Goes on with a run that was suspended or killed, under `plan`, its own plan admitted anew: what
/// has ended is not done again. Errors besides those of run(): resume.finished, resume.other_run,
/// those of a ledger that cannot be continued.
[[nodiscard]] Result<RunReport> resume(const policy::AdmittedPlan& plan, RunPorts ports,
                                       const RunIdentity& identity,
                                       const Interruption& interruption, const RunId& run);

/// Completes a run in a worktree that was killed after its seal: makes the commit that the seal
/// announces, unless it is there, and puts the end on record. Errors besides those of resume():
/// worktree.branch_moved.
[[nodiscard]] Result<WorktreeReport> finish_worktree(const templates::SealedPlan& plan,
                                                     RunPorts ports, const RunIdentity& identity,
                                                     const RunId& run);

/// Records a plan that admission refused in the repository's index ledger; nothing else happens.
[[nodiscard]] Result<audit::RecordReference> record_refusal(const templates::SealedPlan& plan,
                                                            const policy::Refusal& refusal,
                                                            RunPorts ports,
                                                            const RunIdentity& identity);

}  // namespace rgx::engine
