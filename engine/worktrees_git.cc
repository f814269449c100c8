#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dirent.h>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <utility>

#include "base/text.h"
#include "engine/git_work.h"
#include "engine/posix_io.h"
#include "engine/posix_world.h"
#include "engine/worktrees.h"

// Worktrees through libgit2: no hooks, no filters, nobody's configuration but the repository's.

namespace rgx::engine {

namespace {

constexpr std::string_view kBranchFolder = "rgx";
constexpr std::string_view kBranches = "refs/heads/";

tl::unexpected<Error> io_failed(const std::string& path, int error) {
  return fail(ErrorKind::environment, "worktree.io",
              "the worktree `" + printable(path) + "` cannot be used: " + system_message(error),
              "check space and permissions, or set XDG_STATE_HOME to another directory");
}

tl::unexpected<Error> moved(const RunId& run, const std::string& tip) {
  return fail(ErrorKind::drift, "worktree.branch_moved",
              "the branch `" + branch_of(run) + "` is at " + tip.substr(0, 12) +
                  ", where the run did not leave it",
              "look at it with `git log " + branch_of(run) +
                  "`; give what you want to keep another branch, then put this one back");
}

bool is_run(std::string_view name) {
  return name.size() == 14 && name.starts_with("r-") &&
         std::ranges::all_of(name.substr(2), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

class GitWorktrees final : public Worktrees {
 public:
  GitWorktrees(std::string root, std::string folder, ProcessRunner& processes)
      : root_(std::move(root)),
        folder_(std::move(folder)),
        processes_(processes) {}

  Result<Worktree> make(const RunId& run, const std::string& base) override;
  Result<Worktree> open(const RunId& run) override;
  Result<std::vector<RunId>> list() override;
  Result<std::optional<std::string>> tip(const RunId& run) override;
  Result<std::string> write_tree(const std::string& base,
                                 const std::vector<TreeChange>& changes) override;
  Result<std::string> tree_of(const std::string& commit) override;
  Result<std::string> commit(const WorktreeCommit& commit) override;
  Result<std::vector<std::string>> differing(const RunId& run, const std::string& base) override;
  Status remove(const RunId& run) override;
  Status remove_branch(const RunId& run, const std::string& tip) override;

 private:
  [[nodiscard]] std::string path_of(const RunId& run) const { return folder_ + "/" + run.text(); }
  [[nodiscard]] static std::string ref_of(const RunId& run) {
    return std::string(kBranches) + branch_of(run);
  }
  /// None where there is no such reference.
  static Result<GitHandle<git_reference>> find(const GitWork& work, const std::string& name);
  [[nodiscard]] static std::string admin_folder(const GitWork& work) {
    return std::string(work.git().repository_commondir(work.get())) + "worktrees";
  }
  /// What a killed process may have held. The branch is the run's, and who writes runs of this
  /// repository holds their lock.
  static void drop_lock(const GitWork& work, const RunId& run) {
    const std::string lock = work.git().repository_commondir(work.get()) + ref_of(run) + ".lock";
    static_cast<void>(unlink(lock.c_str()));
  }
  [[nodiscard]] Status make_folder() const;
  Result<GitHandle<git_reference>> make_branch(const GitWork& work, const RunId& run,
                                               const git_oid& base);
  [[nodiscard]] static Status check_out(const GitWork& work, const RunId& run,
                                        const std::string& path, git_reference* branch);
  static Result<std::optional<git_oid>> made_before(const GitWork& work, const git_oid& tip,
                                                    const WorktreeCommit& wanted);

  std::string root_;
  std::string folder_;
  ProcessRunner& processes_;
};

Result<GitHandle<git_reference>> GitWorktrees::find(const GitWork& work, const std::string& name) {
  git_reference* raw = nullptr;
  const int code = work.git().reference_lookup(&raw, work.get(), name.c_str());
  if (code != 0 && code != GIT_ENOTFOUND) {
    return work.failed("looking for `" + printable(name) + "`");
  }
  return GitHandle<git_reference>(raw, work.git().reference_free);
}

Result<std::optional<std::string>> GitWorktrees::tip(const RunId& run) {
  RGX_TRY(const GitWork work, GitWork::open(root_));
  RGX_TRY(const GitHandle<git_reference> branch, find(work, ref_of(run)));
  const git_oid* id = branch ? work.git().reference_target(branch.get()) : nullptr;
  if (branch && id == nullptr) {
    return moved(run, "another reference");
  }
  return id == nullptr ? std::optional<std::string>() : std::optional(work.hex(*id));
}

/// Owner-only, and nobody else's: the state store has made what is above it.
Status GitWorktrees::make_folder() const {
  struct stat status = {};
  if ((mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) ||
      lstat(folder_.c_str(), &status) != 0) {
    return io_failed(folder_, errno);
  }
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077U) != 0) {
    return fail(ErrorKind::environment, "state.unsafe",
                "state directory `" + printable(folder_) + "` is a link, or open to others",
                "make it a directory of your own with mode 0700");
  }
  return {};
}

Result<GitHandle<git_reference>> GitWorktrees::make_branch(const GitWork& work, const RunId& run,
                                                           const git_oid& base) {
  const GitLibrary& git = work.git();
  RGX_TRY(const GitHandle<git_reference> above,
          find(work, std::string(kBranches) + std::string(kBranchFolder)));
  if (above) {
    return fail(ErrorKind::environment, "worktree.branch_blocked",
                "there is a branch `" + std::string(kBranchFolder) + "`, so git can have no `" +
                    branch_of(run) + "`",
                "give it another name: `git branch -m " + std::string(kBranchFolder) +
                    " NAME`, then `rgx resume " + run.text() + "`");
  }
  drop_lock(work, run);
  RGX_TRY(GitHandle<git_reference> there, find(work, ref_of(run)));
  if (there) {  // of a process that was killed before it had done anything
    const git_oid* id = git.reference_target(there.get());
    if (id == nullptr || work.hex(*id) != work.hex(base)) {
      return moved(run, id == nullptr ? "another reference" : work.hex(*id));
    }
    return there;
  }
  RGX_TRY(const GitHandle<git_commit> commit, work.commit(base));
  git_reference* raw = nullptr;
  if (git.branch_create(&raw, work.get(), branch_of(run).c_str(), commit.get(), 0) != 0) {
    return work.failed("making the branch `" + branch_of(run) + "`");
  }
  return GitHandle<git_reference>(raw, git.reference_free);
}

Status GitWorktrees::check_out(const GitWork& work, const RunId& run, const std::string& path,
                               git_reference* branch) {
  const GitLibrary& git = work.git();
  git_worktree_add_options options = {};
  if (git.worktree_add_options_init(&options, GIT_WORKTREE_ADD_OPTIONS_VERSION) != 0) {
    return work.failed("making a worktree");
  }
  options.ref = branch;
  options.checkout_options.checkout_strategy = GIT_CHECKOUT_FORCE;
  options.checkout_options.disable_filters = 1;  // the bytes that the plan was compiled for
  git_worktree* raw = nullptr;
  if (git.worktree_add(&raw, work.get(), run.text().c_str(), path.c_str(), &options) != 0) {
    return work.failed("making a worktree");
  }
  const GitHandle<git_worktree> made(raw, git.worktree_free);
  // So that neither `git worktree prune` nor `remove` takes it away from the run.
  const std::string reason =
      "rgx run " + run.text() + "; `rgx rollback " + run.text() + "` removes it";
  if (git.worktree_lock(made.get(), reason.c_str()) != 0) {
    return work.failed("locking a worktree");
  }
  return {};
}

Result<Worktree> GitWorktrees::make(const RunId& run, const std::string& base) {
  RGX_TRY(const GitWork work, GitWork::open(root_));
  RGX_TRY(const git_oid id, work.commit_id(base));
  RGX_TRY_STATUS(make_folder());
  RGX_TRY_STATUS(remove(run));
  RGX_TRY(const GitHandle<git_reference> branch, make_branch(work, run, id));
  RGX_TRY_STATUS(check_out(work, run, path_of(run), branch.get()));
  const FileDescriptor fd(::open(path_of(run).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.open() || syncfs(fd.get()) != 0) {
    return io_failed(path_of(run), errno);
  }
  return open(run);
}

Result<Worktree> GitWorktrees::open(const RunId& run) {
  const auto gone = [&](const std::string& why) {
    return fail(ErrorKind::environment, "worktree.gone",
                "the worktree of run " + run.text() + " cannot be used: " + why,
                "`git worktree repair " + path_of(run) +
                    "` may bring it back; else `rgx rollback " + run.text() +
                    "` and start a new run");
  };
  struct stat status = {};
  if (lstat(path_of(run).c_str(), &status) != 0) {
    return errno == ENOENT ? Result<Worktree>(gone("its folder is gone"))
                           : Result<Worktree>(io_failed(path_of(run), errno));
  }
  RGX_TRY(const GitWork main, GitWork::open(root_));
  auto work = GitWork::open(path_of(run));
  const std::string admin = admin_folder(main) + "/" + run.text();
  if (!work || lstat(admin.c_str(), &status) != 0) {
    return gone("git does not know it any more");
  }
  Worktree worktree;
  RGX_TRY(OpenRepository opened, open_repository(path_of(run), processes_));
  worktree.path = std::move(opened.root);
  worktree.repository = std::move(opened.view);
  RGX_TRY(worktree.workspace, open_workspace(worktree.path));
  return worktree;
}

Result<std::vector<RunId>> GitWorktrees::list() {
  std::vector<RunId> runs;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(folder_.c_str()), &closedir);
  if (!stream) {
    return errno == ENOENT ? Result<std::vector<RunId>>(std::move(runs))
                           : Result<std::vector<RunId>>(io_failed(folder_, errno));
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): own stream
  while (const dirent* item = readdir(stream.get())) {
    if (is_run(item->d_name)) {
      runs.emplace_back(item->d_name);
    }
  }
  std::ranges::sort(runs);
  return runs;
}

Result<std::string> GitWorktrees::write_tree(const std::string& base,
                                             const std::vector<TreeChange>& changes) {
  RGX_TRY(const GitWork work, GitWork::open(root_));
  const GitLibrary& git = work.git();
  RGX_TRY(const git_oid commit, work.commit_id(base));
  RGX_TRY(const GitHandle<git_tree> tree, work.tree_of(commit));
  git_index* raw = nullptr;
  if (git.index_new(&raw) != 0) {
    return work.failed("making a commit");
  }
  const GitHandle<git_index> index(raw, git.index_free);
  if (git.index_read_tree(index.get(), tree.get()) != 0) {
    return work.failed("reading a commit");
  }
  for (const TreeChange& change : changes) {
    if (!change.bytes) {
      if (git.index_remove(index.get(), change.path.c_str(), 0) != 0) {
        return work.failed("taking a file out of the commit");
      }
      continue;
    }
    git_index_entry entry = {};
    entry.path = change.path.c_str();
    entry.mode = change.executable ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
    if (git.blob_create_from_buffer(&entry.id, work.get(), change.bytes->data(),
                                    change.bytes->size()) != 0 ||
        git.index_add(index.get(), &entry) != 0) {
      return work.failed("adding `" + printable(change.path) + "` to the commit");
    }
  }
  git_oid id = {};
  if (git.index_write_tree_to(&id, index.get(), work.get()) != 0) {
    return work.failed("writing the tree of the commit");
  }
  return work.hex(id);
}

Result<std::string> GitWorktrees::tree_of(const std::string& commit) {
  RGX_TRY(const GitWork work, GitWork::open(root_));
  RGX_TRY(const git_oid id, work.commit_id(commit));
  RGX_TRY(const GitHandle<git_commit> found, work.commit(id));
  return work.hex(*work.git().commit_tree_id(found.get()));
}

/// The commit at the tip, if it is the wanted one, of a process that was killed after it.
Result<std::optional<git_oid>> GitWorktrees::made_before(const GitWork& work, const git_oid& tip,
                                                         const WorktreeCommit& wanted) {
  const GitLibrary& git = work.git();
  RGX_TRY(const GitHandle<git_commit> commit, work.commit(tip));
  const char* message = git.commit_message(commit.get());
  // The message names the head of the ledger, so there is no other commit like it.
  const bool same = work.hex(*git.commit_tree_id(commit.get())) == wanted.tree &&
                    message != nullptr && wanted.message == message;
  return same ? std::optional(tip) : std::nullopt;
}

Result<std::string> GitWorktrees::commit(const WorktreeCommit& wanted) {
  RGX_TRY(const GitWork work, GitWork::open(root_));
  const GitLibrary& git = work.git();
  RGX_TRY(const std::optional<std::string> now, tip(wanted.run));
  if (!now) {
    return moved(wanted.run, "no commit");
  }
  RGX_TRY(const git_oid tip_id, work.commit_id(*now));
  if (!wanted.from.contains(*now)) {
    RGX_TRY(const std::optional<git_oid> before, made_before(work, tip_id, wanted));
    return before ? Result<std::string>(work.hex(*before)) : moved(wanted.run, *now);
  }
  drop_lock(work, wanted.run);
  RGX_TRY(const GitHandle<git_commit> parent, work.commit(tip_id));
  RGX_TRY(const GitHandle<git_signature> author, work.author());
  // A revision names the tree as well as a commit.
  git_object* raw = nullptr;
  const int looked = git.revparse_single(&raw, work.get(), wanted.tree.c_str());
  const GitHandle<git_object> tree(raw, git.object_free);
  const git_commit* parents[] = {parent.get()};
  git_oid id = {};
  // libgit2 refuses when the branch is no longer at the parent.
  if (looked != 0 ||
      git.commit_create(&id, work.get(), ref_of(wanted.run).c_str(), author.get(), author.get(),
                        "UTF-8", wanted.message.c_str(),
                        reinterpret_cast<const git_tree*>(tree.get()), 1, parents) != 0) {
    return work.failed("making a commit on `" + branch_of(wanted.run) + "`");
  }
  return work.hex(id);
}

Result<std::vector<std::string>> GitWorktrees::differing(const RunId& run,
                                                         const std::string& base) {
  struct stat status = {};
  if (lstat(path_of(run).c_str(), &status) != 0 && errno == ENOENT) {
    return std::vector<std::string>();
  }
  RGX_TRY([[maybe_unused]] const Worktree worktree, open(run));
  RGX_TRY(const GitWork work, GitWork::open(path_of(run)));
  RGX_TRY(const git_oid id, work.commit_id(base));
  RGX_TRY(const GitHandle<git_tree> tree, work.tree_of(id));
  RGX_TRY(const GitHandle<git_diff> diff, work.diff(tree.get(), true));
  std::vector<std::string> paths;
  for (const GitDelta& delta : work.deltas(diff.get())) {
    paths.push_back(delta.path);
  }
  return paths;
}

Status GitWorktrees::remove(const RunId& run) {
  if (!is_run(run.text())) {
    return fail(ErrorKind::internal, "worktree.run", "`" + printable(run.text()) + "` is no run");
  }
  RGX_TRY(const GitWork work, GitWork::open(root_));
  for (const std::string& folder : {folder_, admin_folder(work)}) {
    const FileDescriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.open()) {
      if (errno == ENOENT) {
        continue;
      }
      return io_failed(folder, errno);
    }
    if (const int error = remove_tree(fd.get(), run.text()); error != 0) {
      return io_failed(folder + "/" + run.text(), error);
    }
  }
  static_cast<void>(rmdir(admin_folder(work).c_str()));  // as git does, when it was the last one
  return {};
}

Status GitWorktrees::remove_branch(const RunId& run, const std::string& tip) {
  RGX_TRY(const GitWork work, GitWork::open(root_));
  const GitLibrary& git = work.git();
  RGX_TRY(const GitHandle<git_reference> branch, find(work, ref_of(run)));
  if (!branch) {
    return {};
  }
  const git_oid* id = git.reference_target(branch.get());
  if (id == nullptr || work.hex(*id) != tip) {
    return moved(run, id == nullptr ? "another reference" : work.hex(*id));
  }
  if (git.branch_is_checked_out(branch.get()) == 1) {
    return fail(ErrorKind::drift, "worktree.branch_in_use",
                "the branch `" + branch_of(run) + "` is checked out",
                "go to another one first: `git switch -`");
  }
  drop_lock(work, run);
  return git.reference_delete(branch.get()) == 0
             ? Status()
             : Status(work.failed("removing `" + branch_of(run) + "`"));
}

}  // namespace

std::unique_ptr<Worktrees> open_worktrees(std::string root, std::string folder,
                                          ProcessRunner& processes) {
  return std::make_unique<GitWorktrees>(std::move(root), std::move(folder), processes);
}

}  // namespace rgx::engine
