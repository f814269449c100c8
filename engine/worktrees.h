#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/repository_view.h"
#include "base/result.h"
#include "engine/process.h"
#include "engine/workspace.h"

// The port to worktrees: a checkout of its own for a run, on a branch of its own. What people have
// checked out, its index and HEAD are never touched.

namespace rgx::engine {

/// `rgx/RUN`: the branch that a run in a worktree ends in.
[[nodiscard]] std::string branch_of(const RunId& run);

struct Worktree {
  std::string path;  ///< absolute, of the root
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<RepositoryView> repository;
};

/// What one file of a tree is to be; no bytes = it is taken out.
struct TreeChange {
  std::string path;
  std::optional<std::string> bytes;
  bool executable = false;
};

struct WorktreeCommit {
  RunId run;
  std::set<std::string> from;  ///< where the branch may be now
  std::string tree;
  std::string message;
};

class Worktrees {
 public:
  virtual ~Worktrees() = default;
  /// A worktree with the files of `base`, byte by byte as committed, on a new branch. What a
  /// killed process left of it is made anew. Errors: worktree.branch_moved,
  /// worktree.branch_blocked, worktree.io, and those of the repository.
  [[nodiscard]] virtual Result<Worktree> make(const RunId& run, const std::string& base) = 0;
  /// The one that is there (worktree.gone).
  [[nodiscard]] virtual Result<Worktree> open(const RunId& run) = 0;
  /// Runs that have a folder here, sorted.
  [[nodiscard]] virtual Result<std::vector<RunId>> list() = 0;
  /// Where the branch is, in hex; nothing when there is none.
  [[nodiscard]] virtual Result<std::optional<std::string>> tip(const RunId& run) = 0;
  /// Stores the tree of `base` with the changes, and nothing else; its id.
  [[nodiscard]] virtual Result<std::string> write_tree(const std::string& base,
                                                       const std::vector<TreeChange>& changes) = 0;
  /// Tree of a commit, in hex.
  [[nodiscard]] virtual Result<std::string> tree_of(const std::string& commit) = 0;
  /// Moves the branch on by one commit; its id. When it is there already nothing happens. Errors:
  /// worktree.branch_moved.
  [[nodiscard]] virtual Result<std::string> commit(const WorktreeCommit& commit) = 0;
  /// Files of the worktree that are not as in `base` and that git does not ignore, sorted; none
  /// when there is no worktree (worktree.gone: there is a folder that git does not know any more).
  [[nodiscard]] virtual Result<std::vector<std::string>> differing(const RunId& run,
                                                                   const std::string& base) = 0;
  /// Removes folder and administrative files; what is not there is no error.
  [[nodiscard]] virtual Status remove(const RunId& run) = 0;
  /// Removes the branch, which must be at `tip` and checked out nowhere (worktree.branch_moved,
  /// worktree.branch_in_use).
  [[nodiscard]] virtual Status remove_branch(const RunId& run, const std::string& tip) = 0;
};

/// The real one, in the repository with the work tree `root`; worktrees are made in `folder`, whose
/// parent exists when the first is made. `processes` must outlive it.
[[nodiscard]] std::unique_ptr<Worktrees> open_worktrees(std::string root, std::string folder,
                                                        ProcessRunner& processes);

/// A commit as if it were checked out, and read-only: what a plan for a worktree is compiled for
/// and decided on.
struct OpenBase {
  std::unique_ptr<RepositoryView> view;
  std::unique_ptr<Workspace> workspace;
};

/// `repository` and `workspace` are those of the work tree `root`, and outlive the answer.
[[nodiscard]] Result<OpenBase> open_base(const std::string& commit, RepositoryView& repository,
                                         Workspace& workspace);

}  // namespace rgx::engine
