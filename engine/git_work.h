#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/git_library.h"

// What the git tools share: the repository of a work tree, and how the work tree differs from a
// commit. Submodules are never entered. Private to the package.

namespace rgx::engine {

template <class Type>
using GitHandle = std::unique_ptr<Type, void (*)(Type*)>;

struct GitDelta {
  std::string path;
  git_filemode_t mode = GIT_FILEMODE_UNREADABLE;  ///< now
  bool gone = false;
  bool untracked = false;
};

class GitWork {
 public:
  /// Errors: repository.none, repository.unsupported, repository.broken.
  [[nodiscard]] static Result<GitWork> open(const std::string& root);

  [[nodiscard]] const GitLibrary& git() const { return *git_; }
  [[nodiscard]] git_repository* get() const { return repository_.get(); }
  [[nodiscard]] tl::unexpected<Error> failed(std::string_view what) const;

  /// Commit of HEAD; nothing before the first one.
  [[nodiscard]] Result<std::optional<git_oid>> head() const;
  /// Commit that a branch, tag or id names (repository.no_such_revision).
  [[nodiscard]] Result<git_oid> commit_id(const std::string& revision) const;
  [[nodiscard]] Result<GitHandle<git_commit>> commit(const git_oid& id) const;
  [[nodiscard]] Result<GitHandle<git_tree>> tree_of(const git_oid& commit) const;
  [[nodiscard]] std::string hex(const git_oid& id) const;
  /// Who makes commits now: the repository's own `user.name` and `user.email`, else `rgx`.
  [[nodiscard]] Result<GitHandle<git_signature>> author() const;

  /// Work tree and index against a tree (null = nothing in it); what git ignores is left out.
  [[nodiscard]] Result<GitHandle<git_diff>> diff(git_tree* tree, bool with_untracked) const;
  [[nodiscard]] std::vector<GitDelta> deltas(git_diff* diff) const;

 private:
  [[nodiscard]] std::string setting(const char* name, const char* otherwise) const;
  GitWork(const GitLibrary* git, git_repository* repository)
      : git_(git),
        repository_(repository, git->repository_free) {}

  const GitLibrary* git_;
  GitHandle<git_repository> repository_;
};

}  // namespace rgx::engine
