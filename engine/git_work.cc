#include "engine/git_work.h"

#include <algorithm>

#include "base/text.h"
#include "engine/git_repository.h"

namespace rgx::engine {

tl::unexpected<Error> GitWork::failed(std::string_view what) const {
  const git_error* error = git_->error_last();
  const std::string message =
      error != nullptr && error->message != nullptr ? printable(error->message) : "unknown error";
  if (message.find("extension") != std::string::npos) {
    return fail(ErrorKind::environment, "repository.unsupported",
                "the repository cannot be used: " + message,
                "use a SHA-1 repository without extensions");
  }
  return fail(ErrorKind::environment, "repository.broken",
              std::string(what) + " failed: " + message, "check it with `git fsck`");
}

Result<GitWork> GitWork::open(const std::string& root) {
  RGX_TRY(const GitLibrary* git, git_library());
  git_repository* raw = nullptr;
  const int code = git->repository_open_ext(
      &raw, root.c_str(), static_cast<unsigned int>(GIT_REPOSITORY_OPEN_NO_SEARCH), nullptr);
  GitWork work(git, raw);
  if (code == GIT_ENOTFOUND) {
    return fail(ErrorKind::usage, "repository.none",
                "there is no git repository at `" + printable(root) + "`",
                "go to a clone, or make one with `git init`");
  }
  if (code != 0) {
    return work.failed("opening the repository");
  }
  return work;
}

Result<std::optional<git_oid>> GitWork::head() const {
  git_oid id = {};
  const int code = git_->reference_name_to_id(&id, get(), "HEAD");
  if (code == GIT_ENOTFOUND) {
    return std::optional<git_oid>();
  }
  if (code != 0) {
    return failed("reading HEAD");
  }
  return std::optional<git_oid>(id);
}

Result<git_oid> GitWork::commit_id(const std::string& revision) const {
  git_object* raw = nullptr;
  git_object* raw_commit = nullptr;
  const int code = git_->revparse_single(&raw, get(), revision.c_str());
  const GitHandle<git_object> object(raw, git_->object_free);
  if (code != 0 || git_->object_peel(&raw_commit, object.get(), GIT_OBJECT_COMMIT) != 0) {
    return fail(ErrorKind::failed, "repository.no_such_revision",
                "there is no commit `" + printable(revision) + "`",
                "name a commit, branch or tag of this repository");
  }
  const GitHandle<git_object> commit(raw_commit, git_->object_free);
  return *git_->object_id(commit.get());
}

Result<GitHandle<git_commit>> GitWork::commit(const git_oid& id) const {
  git_commit* raw = nullptr;
  if (git_->commit_lookup(&raw, get(), &id) != 0) {
    return failed("reading a commit");
  }
  return GitHandle<git_commit>(raw, git_->commit_free);
}

Result<GitHandle<git_tree>> GitWork::tree_of(const git_oid& id) const {
  RGX_TRY(const GitHandle<git_commit> commit, commit(id));
  git_tree* raw = nullptr;
  if (git_->commit_tree(&raw, commit.get()) != 0) {
    return failed("reading a commit");
  }
  return GitHandle<git_tree>(raw, git_->tree_free);
}

std::string GitWork::hex(const git_oid& id) const {
  char text[GIT_OID_HEXSZ + 1];
  return git_->oid_tostr(text, sizeof(text), &id);
}

namespace {

/// libgit2 would still tell of one that is new in the index.
int leave_out_submodule(const git_diff* /*diff*/, const git_diff_delta* delta,
                        const char* /*pathspec*/, void* /*payload*/) {
  const bool is_one =
      delta->old_file.mode == GIT_FILEMODE_COMMIT || delta->new_file.mode == GIT_FILEMODE_COMMIT;
  return is_one ? 1 : 0;
}

}  // namespace

std::string GitWork::setting(const char* name, const char* otherwise) const {
  git_config* raw = nullptr;
  if (git_->repository_config_snapshot(&raw, get()) != 0) {
    return otherwise;
  }
  const GitHandle<git_config> config(raw, git_->config_free);
  const char* value = nullptr;
  const bool found = git_->config_get_string(&value, config.get(), name) == 0 && value != nullptr;
  return found && *value != '\0' ? value : otherwise;
}

Result<GitHandle<git_signature>> GitWork::author() const {
  git_signature* raw = nullptr;
  if (git_->signature_now(&raw, setting("user.name", kCommitterName).c_str(),
                          setting("user.email", kCommitterEmail).c_str()) != 0) {
    return failed("making a commit");
  }
  return GitHandle<git_signature>(raw, git_->signature_free);
}

Result<GitHandle<git_diff>> GitWork::diff(git_tree* tree, bool with_untracked) const {
  git_diff_options options = {};
  git_diff* raw = nullptr;
  if (git_->diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) != 0) {
    return failed("comparing files with a commit");
  }
  options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_IGNORE_SUBMODULES;
  options.notify_cb = leave_out_submodule;
  if (with_untracked) {
    options.flags |=
        GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS | GIT_DIFF_INCLUDE_TYPECHANGE;
  }
  if (git_->diff_tree_to_workdir_with_index(&raw, get(), tree, &options) != 0) {
    return failed("comparing files with a commit");
  }
  return GitHandle<git_diff>(raw, git_->diff_free);
}

std::vector<GitDelta> GitWork::deltas(git_diff* diff) const {
  std::vector<GitDelta> all;
  const std::size_t count = git_->diff_num_deltas(diff);
  for (std::size_t i = 0; i < count; ++i) {
    const git_diff_delta* delta = git_->diff_get_delta(diff, i);
    const bool gone = delta->status == GIT_DELTA_DELETED;
    const git_diff_file& file = gone ? delta->old_file : delta->new_file;
    const std::string path = file.path == nullptr ? "" : file.path;
    // A path that ends with `/` is a repository of its own.
    if (path.empty() || path.ends_with('/') || file.mode == GIT_FILEMODE_COMMIT) {
      continue;
    }
    all.push_back(
        {path, static_cast<git_filemode_t>(file.mode), gone, delta->status == GIT_DELTA_UNTRACKED});
  }
  std::ranges::sort(all, {}, &GitDelta::path);
  return all;
}

}  // namespace rgx::engine
