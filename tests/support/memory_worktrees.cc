#include "tests/support/memory_worktrees.h"

namespace rgx::test {

namespace {

tl::unexpected<Error> disk_full() {
  return fail(ErrorKind::environment, "worktree.io", "the disk is full", "make room");
}

}  // namespace

Result<engine::Worktree> MemoryWorktrees::make(const RunId& run, const std::string& base) {
  log_.add("worktrees.make " + base);
  if (make_fails) {
    return disk_full();
  }
  auto made = std::make_unique<MemoryWorkspace>(log_);
  for (const auto& [path, bytes] : base_files) {
    made->put(path, bytes);
  }
  folders[run] = std::move(made);
  tips.try_emplace(run, base);
  trees.try_emplace(base, "tree of the base");
  return open(run);
}

Result<engine::Worktree> MemoryWorktrees::open(const RunId& run) {
  const auto folder = folders.find(run);
  if (folder == folders.end()) {
    return fail(ErrorKind::environment, "worktree.gone", "its folder is gone", "roll it back");
  }
  engine::Worktree worktree;
  worktree.path = "/worktrees/" + run.text();
  worktree.workspace = std::make_unique<FaultyWorkspace>(*folder->second, no_faults_);
  worktree.repository = std::make_unique<MemoryRepository>();
  return worktree;
}

Result<std::vector<RunId>> MemoryWorktrees::list() {
  std::vector<RunId> runs;
  for (const auto& [run, folder] : folders) {
    runs.push_back(run);
  }
  return runs;
}

Result<std::optional<std::string>> MemoryWorktrees::tip(const RunId& run) {
  const auto tip = tips.find(run);
  return tip == tips.end() ? std::optional<std::string>() : std::optional(tip->second);
}

Result<std::string> MemoryWorktrees::write_tree(const std::string& base,
                                                const std::vector<engine::TreeChange>& changes) {
  log_.add("worktrees.write_tree");
  std::string tree;
  for (const engine::TreeChange& change : changes) {
    tree += change.path + (change.bytes ? "=" + *change.bytes : " gone") +
            (change.executable ? " x" : "") + "\n";
  }
  return tree.empty() ? trees.at(base) : tree;
}

Result<std::string> MemoryWorktrees::tree_of(const std::string& commit) {
  return trees.at(commit);
}

Result<std::string> MemoryWorktrees::commit(const engine::WorktreeCommit& commit) {
  log_.add("worktrees.commit");
  if (commit_fails) {
    return disk_full();
  }
  std::string& tip = tips.at(commit.run);
  if (!commits.empty() && tip == "commit " + std::to_string(commits.size()) &&
      commits.back().message == commit.message) {
    return tip;
  }
  if (!commit.from.contains(tip)) {
    return fail(ErrorKind::drift, "worktree.branch_moved", "the branch has moved", "look at it");
  }
  commits.push_back(commit);
  tip = "commit " + std::to_string(commits.size());
  trees[tip] = commit.tree;
  return tip;
}

Result<std::vector<std::string>> MemoryWorktrees::differing(const RunId& /*run*/,
                                                            const std::string& /*base*/) {
  return extra_files;
}

Status MemoryWorktrees::remove(const RunId& run) {
  log_.add("worktrees.remove");
  folders.erase(run);
  return {};
}

Status MemoryWorktrees::remove_branch(const RunId& run, const std::string& tip) {
  log_.add("worktrees.remove_branch");
  if (tips.contains(run) && tips.at(run) != tip) {
    return fail(ErrorKind::drift, "worktree.branch_moved", "the branch has moved", "look at it");
  }
  tips.erase(run);
  return {};
}

}  // namespace rgx::test
