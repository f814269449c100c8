#include <utility>

#include "base/text.h"
#include "engine/run_loop.h"
#include "engine/run_records.h"
#include "engine/worktree_end.h"

// How a run in a worktree ends: the seal names the tree, a commit names the sealed ledger, and the
// index names the commit. docs/decisions/0062

namespace rgx::engine {

namespace {

constexpr std::size_t kFileBytesMax = std::size_t{1} << 30;

}  // namespace

/// What the run changed, as it is now. A file that is not as the run left it is somebody else's.
Result<std::vector<TreeChange>> Run::tree_changes() {
  std::vector<TreeChange> changes;
  for (const auto& [path, change] : pins_.changes().files()) {
    RGX_TRY(const std::optional<FileState> now, ports_.workspace.state(path));
    if ((now ? std::optional(now->digest) : std::nullopt) != change.after) {
      return fail(ErrorKind::drift, "workspace.changed",
                  "`" + printable(path) + "` is not as the run left it",
                  "see what else writes to the worktree");
    }
    if (!now && !change.before) {
      continue;
    }
    TreeChange made{.path = path, .bytes = std::nullopt, .executable = false};
    if (now) {
      RGX_TRY(made.bytes, ports_.workspace.read(path, kFileBytesMax));
      made.executable = (now->mode & 0100U) != 0;
    }
    changes.push_back(std::move(made));
  }
  return changes;
}

Status Run::write_tree(WorktreeReport& worktree) {
  const auto stop = [this](const Error& error) -> Status {
    if (error.kind == ErrorKind::environment) {
      return fail(error);
    }
    drifted_ = error.kind == ErrorKind::drift;
    failed_ = true;
    report_.notes.push_back("nothing was committed: " + error.first().message);
    return {};
  };
  if (!pins_.changes().unknown().empty()) {
    return stop(
        make_error(ErrorKind::failed, "worktree.unknown_changes",
                   "not everything that the run changed is known: " + pins_.changes().unknown(),
                   "let the program change fewer files, or commit by hand"));
  }
  RGX_TRY(const std::optional<std::string> tip, ports_.worktrees->tip(report_.run));
  if (!tip || !tips_.contains(*tip)) {
    return stop(make_error(ErrorKind::drift, "worktree.branch_moved",
                           "the branch `" + worktree.branch + "` is not where the run left it",
                           "see who else commits to it"));
  }
  const auto changes = tree_changes();
  if (!changes) {
    return stop(changes.error());
  }
  RGX_TRY(worktree.tree, ports_.worktrees->write_tree(worktree.base, *changes));
  return {};
}

/// A commit that a step of the run made is on its branch.
void Run::note_commit(const StepId& id, const Json& values) {
  const templates::Step* step = plan_.plan().find(id);
  const Json* commit = values.find("commit");
  if (step != nullptr && step->tool.use == "git.commit" && commit != nullptr &&
      commit->is_string()) {
    tips_.insert(commit->as_string());
  }
}

Status Run::commit_worktree(WorktreeReport& worktree) {
  RGX_TRY_STATUS(make_commit({.worktrees = *ports_.worktrees,
                              .plan = plan_.plan(),
                              .run = report_.run,
                              .head = ledger_->root(),
                              .tips = tips_},
                             worktree));
  return {};
}

}  // namespace rgx::engine
