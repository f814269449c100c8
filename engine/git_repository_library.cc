#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "engine/git_repository_adapters.h"

// The git tools through libgit2, in this process: without hooks, filter programs or anybody's
// configuration but the repository's.

namespace rgx::engine {

namespace {

class LibraryCommit {
 public:
  LibraryCommit(const GitWork& work, const std::string& message,
                const std::vector<std::string>& places)
      : work_(work),
        git_(work.git()),
        message_(message),
        places_(places) {}

  Result<GitCommitted> make();

 private:
  Status check_state(git_index* index) const;
  [[nodiscard]] Status check_unfiltered(const std::vector<GitDelta>& deltas) const;
  [[nodiscard]] std::string attribute(const std::string& path, const char* name) const;
  Result<std::vector<GitDelta>> wanted(git_tree* tree) const;
  Result<git_oid> write_tree(git_tree* tree, const std::vector<GitDelta>& deltas) const;
  [[nodiscard]] Result<git_oid> write_commit(const std::optional<git_oid>& parent,
                                             const git_oid& tree) const;
  Status update_index(git_index* index, const std::vector<GitDelta>& deltas) const;

  const GitWork& work_;
  const GitLibrary& git_;
  const std::string& message_;
  const std::vector<std::string>& places_;
};

Status LibraryCommit::check_state(git_index* index) const {
  if (git_.repository_state(work_.get()) != GIT_REPOSITORY_STATE_NONE) {
    return under_way_error();
  }
  if (git_.index_has_conflicts(index) != 0) {
    return conflicts_error();
  }
  if (git_.repository_head_detached(work_.get()) != 0) {
    return detached_error();
  }
  return {};
}

/// What differs from HEAD at the named places.
Result<std::vector<GitDelta>> LibraryCommit::wanted(git_tree* tree) const {
  RGX_TRY(const GitHandle<git_diff> diff, work_.diff(tree, true));
  std::vector<GitDelta> deltas = work_.deltas(diff.get());
  std::vector<std::string> paths;
  for (const GitDelta& delta : deltas) {
    paths.push_back(delta.path);
  }
  RGX_TRY(const std::vector<std::string> kept, only_at(std::move(paths), places_));
  std::erase_if(deltas, [&kept](const GitDelta& delta) {
    return !std::ranges::binary_search(kept, delta.path);
  });
  return deltas;
}

Result<git_oid> LibraryCommit::write_tree(git_tree* tree,
                                          const std::vector<GitDelta>& deltas) const {
  git_index* raw = nullptr;
  if (git_.index_new(&raw) != 0) {
    return work_.failed("making a commit");
  }
  const GitHandle<git_index> index(raw, git_.index_free);
  if (tree != nullptr && git_.index_read_tree(index.get(), tree) != 0) {
    return work_.failed("reading the tree of HEAD");
  }
  for (const GitDelta& delta : deltas) {
    if (delta.gone) {
      if (git_.index_remove(index.get(), delta.path.c_str(), 0) != 0) {
        return work_.failed("taking a file out of the commit");
      }
      continue;
    }
    git_index_entry entry = {};
    entry.path = delta.path.c_str();
    entry.mode = delta.mode;
    if (git_.blob_create_from_workdir(&entry.id, work_.get(), delta.path.c_str()) != 0 ||
        git_.index_add(index.get(), &entry) != 0) {
      return work_.failed("adding `" + printable(delta.path) + "` to the commit");
    }
  }
  git_oid id = {};
  if (git_.index_write_tree_to(&id, index.get(), work_.get()) != 0) {
    return work_.failed("writing the tree of the commit");
  }
  return id;
}

Result<git_oid> LibraryCommit::write_commit(const std::optional<git_oid>& parent,
                                            const git_oid& tree_id) const {
  git_tree* raw_tree = nullptr;
  const int looked = git_.tree_lookup(&raw_tree, work_.get(), &tree_id);
  const GitHandle<git_tree> tree(raw_tree, git_.tree_free);
  if (looked != 0) {
    return work_.failed("making a commit");
  }
  RGX_TRY(const GitHandle<git_signature> author, work_.author());
  GitHandle<git_commit> parent_commit(nullptr, git_.commit_free);
  if (parent) {
    RGX_TRY(parent_commit, work_.commit(*parent));
  }
  const git_commit* parents[] = {parent_commit.get()};
  std::string message = message_;
  message += message.ends_with('\n') ? "" : "\n";
  git_oid id = {};
  // libgit2 refuses when HEAD is no longer at the parent.
  if (git_.commit_create(&id, work_.get(), "HEAD", author.get(), author.get(), "UTF-8",
                         message.c_str(), tree.get(), parent ? 1U : 0U, parents) != 0) {
    return work_.failed("making a commit");
  }
  return id;
}

/// So that the committed files are not shown as changed; what else is staged stays staged.
Status LibraryCommit::update_index(git_index* index, const std::vector<GitDelta>& deltas) const {
  for (const GitDelta& delta : deltas) {
    const int code = delta.gone ? git_.index_remove_bypath(index, delta.path.c_str())
                                : git_.index_add_bypath(index, delta.path.c_str());
    if (code != 0) {
      return work_.failed("updating the index");
    }
  }
  return git_.index_write(index) == 0 ? Status() : work_.failed("writing the index");
}

/// Text of an attribute that is a text; else empty.
std::string LibraryCommit::attribute(const std::string& path, const char* name) const {
  const char* value = nullptr;
  const bool found = git_.attr_get(&value, work_.get(), 0, path.c_str(), name) == 0 &&
                     git_.attr_value(value) == GIT_ATTR_VALUE_STRING;
  return found ? value : "";
}

Status LibraryCommit::check_unfiltered(const std::vector<GitDelta>& deltas) const {
  for (const GitDelta& delta : deltas) {
    if (delta.gone || delta.mode == GIT_FILEMODE_LINK) {
      continue;
    }
    if (const std::string driver = attribute(delta.path, "filter"); !driver.empty()) {
      return filtered_error(delta.path, driver);
    }
    // libgit2 does not know it; rules that git tracks have led to the program git before.
    if (!attribute(delta.path, "working-tree-encoding").empty()) {
      return fail(ErrorKind::failed, "git.filtered",
                  "`" + printable(delta.path) +
                      "` has a `working-tree-encoding` from a "
                      "`.gitattributes` that git does not track: nothing was committed",
                  "commit that `.gitattributes` first");
    }
  }
  return {};
}

Result<GitCommitted> LibraryCommit::make() {
  git_index* raw = nullptr;
  const int opened = git_.repository_index(&raw, work_.get());
  const GitHandle<git_index> index(raw, git_.index_free);
  if (opened != 0 || git_.index_read(index.get(), 1) != 0) {
    return work_.failed("reading the index");
  }
  RGX_TRY_STATUS(check_state(index.get()));
  RGX_TRY(const std::optional<git_oid> head, work_.head());
  GitHandle<git_tree> tree(nullptr, git_.tree_free);
  if (head) {
    RGX_TRY(tree, work_.tree_of(*head));
  }
  RGX_TRY(const std::vector<GitDelta> deltas, wanted(tree.get()));
  RGX_TRY_STATUS(check_unfiltered(deltas));
  if (deltas.empty()) {
    return GitCommitted{head ? work_.hex(*head) : std::string(), 0};
  }
  RGX_TRY(const git_oid written, write_tree(tree.get(), deltas));
  RGX_TRY(const git_oid commit, write_commit(head, written));
  return GitCommitted{work_.hex(commit), deltas.size(), update_index(index.get(), deltas)};
}

class LibraryRepository final : public GitRepository {
 public:
  LibraryRepository(GitWork work, std::string root)
      : work_(std::move(work)),
        git_(work_.git()),
        root_(std::move(root)) {}

  [[nodiscard]] std::string confinement() const override { return "in_process"; }
  Result<std::vector<std::string>> changed_paths() override;
  Result<GitDifference> difference(const std::string& revision) override;
  Result<std::vector<GitCommitLine>> log(std::size_t commits_max) override;
  Result<std::string> make_branch(const std::string& name, const std::string& revision) override;
  Result<GitCommitted> commit(const std::string& message,
                              const std::vector<std::string>& places) override {
    RGX_TRY_STATUS(check_rule_files(root_));
    return LibraryCommit(work_, message, places).make();
  }

 private:
  [[nodiscard]] bool is_there(const git_oid& id) const;

  GitWork work_;
  const GitLibrary& git_;
  std::string root_;
};

Result<std::vector<std::string>> LibraryRepository::changed_paths() {
  RGX_TRY_STATUS(check_rule_files(root_));
  RGX_TRY(const std::optional<git_oid> head, work_.head());
  GitHandle<git_tree> tree(nullptr, git_.tree_free);
  if (head) {
    RGX_TRY(tree, work_.tree_of(*head));
  }
  RGX_TRY(const GitHandle<git_diff> diff, work_.diff(tree.get(), true));
  std::vector<std::string> paths;
  for (const GitDelta& delta : work_.deltas(diff.get())) {
    paths.push_back(delta.path);
  }
  return paths;
}

Result<GitDifference> LibraryRepository::difference(const std::string& revision) {
  RGX_TRY_STATUS(check_rule_files(root_));
  git_index* raw_index = nullptr;
  const int opened = git_.repository_index(&raw_index, work_.get());
  const GitHandle<git_index> index(raw_index, git_.index_free);
  if (opened != 0 || git_.index_read(index.get(), 1) != 0) {
    return work_.failed("reading the index");
  }
  if (git_.index_has_conflicts(index.get()) != 0) {
    return conflicts_error();
  }
  RGX_TRY(const git_oid commit, work_.commit_id(revision));
  RGX_TRY(const GitHandle<git_tree> tree, work_.tree_of(commit));
  RGX_TRY(const GitHandle<git_diff> compared, work_.diff(tree.get(), false));
  git_diff_stats* raw = nullptr;
  if (git_.diff_get_stats(&raw, compared.get()) != 0) {
    return work_.failed("comparing files with a commit");
  }
  const GitHandle<git_diff_stats> stats(raw, git_.diff_stats_free);
  git_buf buffer = {};
  if (git_.diff_to_buf(&buffer, compared.get(), GIT_DIFF_FORMAT_PATCH) != 0) {
    return work_.failed("writing the difference");
  }
  GitDifference difference;
  // A file that became a link is gone and new in a difference, and is one file.
  std::set<std::string> paths;
  for (const GitDelta& delta : work_.deltas(compared.get())) {
    paths.insert(delta.path);
  }
  difference.files = paths.size();
  difference.lines =
      git_.diff_stats_insertions(stats.get()) + git_.diff_stats_deletions(stats.get());
  difference.patch = std::string(buffer.ptr == nullptr ? "" : buffer.ptr, buffer.size);
  git_.buf_dispose(&buffer);
  return difference;
}

/// A shallow clone ends at a commit that names parents which it does not have.
bool LibraryRepository::is_there(const git_oid& id) const {
  git_commit* raw = nullptr;
  const int code = git_.commit_lookup(&raw, work_.get(), &id);
  const GitHandle<git_commit> commit(raw, git_.commit_free);
  return code != GIT_ENOTFOUND;
}

Result<std::vector<GitCommitLine>> LibraryRepository::log(std::size_t commits_max) {
  RGX_TRY(const std::optional<GitPlaces> places, find_git_places(root_));
  struct stat status = {};
  const bool shallow = places && stat((places->common_dir + "/shallow").c_str(), &status) == 0;
  RGX_TRY(std::optional<git_oid> at, work_.head());
  std::vector<GitCommitLine> lines;
  while (at && lines.size() < commits_max) {
    RGX_TRY(const GitHandle<git_commit> commit, work_.commit(*at));
    const char* subject = git_.commit_summary(commit.get());
    lines.push_back({work_.hex(*at), subject == nullptr ? "" : subject});
    const git_oid* parent = git_.commit_parentcount(commit.get()) > 0
                                ? git_.commit_parent_id(commit.get(), 0)
                                : nullptr;
    const bool goes_on = parent != nullptr && !(shallow && !is_there(*parent));
    at = goes_on ? std::optional(*parent) : std::nullopt;
  }
  return lines;
}

Result<std::string> LibraryRepository::make_branch(const std::string& name,
                                                   const std::string& revision) {
  const std::string ref = "refs/heads/" + name;
  if (name.starts_with('-') || name == "HEAD" || git_.reference_is_valid_name(ref.c_str()) != 1) {
    return bad_branch_name(name);
  }
  RGX_TRY(const git_oid id, work_.commit_id(revision));
  RGX_TRY(const GitHandle<git_commit> commit, work_.commit(id));
  git_reference* raw = nullptr;
  const int code = git_.branch_create(&raw, work_.get(), name.c_str(), commit.get(), 0);
  const GitHandle<git_reference> made(raw, git_.reference_free);
  if (code == GIT_EEXISTS) {
    return branch_exists(name);
  }
  if (code != 0) {
    return work_.failed("making a branch");
  }
  return work_.hex(id);
}

}  // namespace

std::unique_ptr<GitRepository> git_by_library(GitWork work, std::string root) {
  return std::make_unique<LibraryRepository>(std::move(work), std::move(root));
}

}  // namespace rgx::engine
