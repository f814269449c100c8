#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/worktrees.h"
#include "tests/support/call_log.h"
#include "tests/support/faulty_engine.h"
#include "tests/support/memory_repository.h"
#include "tests/support/memory_workspace.h"

namespace rgx::test {

/// Worktrees in memory. A tree is the text of what is in it, a commit the count of commits.
class MemoryWorktrees final : public engine::Worktrees {
 public:
  explicit MemoryWorktrees(CallLog& log) : log_(log) {}

  /// What a new worktree has in it.
  std::map<std::string, std::string> base_files;
  std::map<RunId, std::unique_ptr<MemoryWorkspace>> folders;
  std::map<RunId, std::string> tips;
  std::vector<engine::WorktreeCommit> commits;
  std::map<std::string, std::string> trees;  ///< commit -> tree
  std::vector<std::string> extra_files;      ///< that differing() tells of
  bool commit_fails = false;
  bool make_fails = false;

  Result<engine::Worktree> make(const RunId& run, const std::string& base) override;
  Result<engine::Worktree> open(const RunId& run) override;
  Result<std::vector<RunId>> list() override;
  Result<std::optional<std::string>> tip(const RunId& run) override;
  Result<std::string> write_tree(const std::string& base,
                                 const std::vector<engine::TreeChange>& changes) override;
  Result<std::string> tree_of(const std::string& commit) override;
  Result<std::string> commit(const engine::WorktreeCommit& commit) override;
  Result<std::vector<std::string>> differing(const RunId& run, const std::string& base) override;
  Status remove(const RunId& run) override;
  Status remove_branch(const RunId& run, const std::string& tip) override;

 private:
  CallLog& log_;
  std::shared_ptr<FaultPlan> no_faults_ = std::make_shared<FaultPlan>();
};

}  // namespace rgx::test
