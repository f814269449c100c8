#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "audit/keys.h"
#include "audit/verifier.h"
#include "base/glob.h"
#include "engine/state_store.h"
#include "engine/tool.h"

// What a run did to the files, from its ledger. Private to the package.

namespace rgx::engine {

using Image = std::optional<Digest>;  // nothing = no file

/// One file from before the run to after it.
struct FileHistory {
  Image before;
  std::optional<std::uint32_t> before_mode;
  std::vector<Image> left;  ///< what the run may have left: more than one only if it was killed
  std::optional<std::uint32_t> left_mode;
  bool unknown = false;  ///< a program was killed that may have written it
};

struct RollbackPlan {
  std::string log_id;
  std::string workspace;       ///< `in_place` or `worktree`
  std::string base;            ///< commit that a worktree began with
  std::set<std::string> tips;  ///< commits where steps left the branch of a worktree
  audit::Verdict verdict;
  std::map<std::string, FileHistory> files;
  std::set<std::string> folders;  ///< that the run made
  std::vector<std::string> not_covered;
  std::set<std::string> began;       ///< steps that have an intent
  std::vector<Glob> program_writes;  ///< of programs that were started
};

/// Reads and verifies the ledger of a run under `key`, whether it has a seal or not. Errors:
/// rollback.evidence.
[[nodiscard]] Result<RollbackPlan> plan_rollback(StateStore& state, const RunId& run,
                                                 const audit::RootKey& key);

}  // namespace rgx::engine
