#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "audit/storage.h"
#include "audit/storage_posix.h"
#include "base/ids.h"
#include "engine/object_store.h"

// Where runs live, outside the workspace (`$XDG_STATE_HOME/rgx/repositories/ID/`):
//   index.jsonl            the repository's index ledger
//   runs/RUN/ledger.jsonl  one run's ledger
//   runs/RUN/plan.json     the sealed plan it ran
//   runs/RUN/approval-*    the inbox: answers of people, not yet or already in the ledger
//   objects/ab/cdef...     content-addressed store
//   worktrees/RUN/         where a run works that is not in place

namespace rgx::engine {

inline constexpr std::size_t kRunFilesMax = 1024;

/// Bytes at the end of the index that are no whole record; moved to `index.jsonl.torn-N`.
struct TornTail {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  Digest digest;
};

class StateStore {
 public:
  virtual ~StateStore() = default;
  [[nodiscard]] virtual Result<bool> has_index() = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<audit::Storage>> open_index(
      audit::OpenMode mode) = 0;
  /// Creates the run's directory and its ledger.
  [[nodiscard]] virtual Result<std::unique_ptr<audit::Storage>> create_run(const RunId& run) = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<audit::Storage>> open_run(const RunId& run,
                                                                         audit::OpenMode mode) = 0;
  /// Stores a file of the run durably (`plan.json`).
  [[nodiscard]] virtual Status write_run_file(const RunId& run, std::string_view name,
                                              std::string_view bytes) = 0;
  [[nodiscard]] virtual Result<std::string> read_run_file(const RunId& run,
                                                          std::string_view name) = 0;
  /// Names of the run's files that begin with `head`, sorted; at most kRunFilesMax.
  [[nodiscard]] virtual Result<std::vector<std::string>> run_files(const RunId& run,
                                                                   std::string_view head) = 0;
  [[nodiscard]] virtual Result<std::vector<RunId>> runs() = 0;  ///< sorted
  [[nodiscard]] virtual ObjectStore& objects() = 0;
  /// Sets the torn tail of the index aside, durably, under the writer's lock, so that a crash in
  /// the middle of a write does not lock the repository for ever.
  [[nodiscard]] virtual Result<TornTail> set_aside_torn_index() = 0;
  /// A new owner-only folder outside workspace and state, absolute, with empty `home` and `tmp`:
  /// HOME and TMPDIR of one step.
  [[nodiscard]] virtual Result<std::string> make_scratch(const RunId& run, std::size_t step) = 0;
  [[nodiscard]] virtual Status remove_scratch(const std::string& path) = 0;
  /// Removes scratch folders that killed runs of this repository left; needs the index's lock.
  [[nodiscard]] virtual Status remove_leftover_scratch() = 0;
};

/// The real one; `state_home` is `$XDG_STATE_HOME`, below which owner-only directories are made
/// when something is first written. `repository_root` is the canonical workspace path. Errors:
/// state.in_workspace, state.unsafe (a link, another owner, open to others), state.io.
[[nodiscard]] Result<std::unique_ptr<StateStore>> open_state_store(
    const std::string& state_home, const std::string& repository_root);

/// A run is put on record in the index before anything of it is stored, so runs without an index
/// mean that it was removed. Errors: run.index_gone (evidence).
[[nodiscard]] Status check_index_is_there(StateStore& state);

/// Where that one has the worktrees of runs.
[[nodiscard]] Result<std::string> worktrees_path(const std::string& state_home,
                                                 const std::string& repository_root);

/// Where that one keeps a run's ledger, to tell people.
[[nodiscard]] std::string ledger_path(const std::string& state_home,
                                      const std::string& repository_root, const RunId& run);

}  // namespace rgx::engine
