#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/process.h"

// What the git tools ask of a repository, whatever reads it: libgit2 or the program git. Commit
// ids are hex. Submodules are never entered. Private to the package.

namespace rgx::engine {

struct GitCommitLine {
  std::string id;
  std::string subject;
};

struct GitDifference {
  std::size_t files = 0;
  std::size_t lines = 0;  ///< added and removed
  std::string patch;
};

struct GitCommitted {
  std::string id;             ///< HEAD where nothing was to commit, empty before the first commit
  std::size_t files = 0;      ///< 0 = nothing to commit
  Status index_updated = {};  ///< when not, the commit stands all the same
};

class GitRepository {
 public:
  virtual ~GitRepository() = default;
  /// What holds the effect, as outcomes say it: `in_process`, or what holds the program git.
  [[nodiscard]] virtual std::string confinement() const = 0;
  /// Paths at which work tree or index differ from HEAD, untracked ones too and ignored ones not,
  /// sorted.
  [[nodiscard]] virtual Result<std::vector<std::string>> changed_paths() = 0;
  /// Tracked files against a commit (repository.no_such_revision, git.conflicts).
  [[nodiscard]] virtual Result<GitDifference> difference(const std::string& revision) = 0;
  /// HEAD and its first parents, as far as they are there.
  [[nodiscard]] virtual Result<std::vector<GitCommitLine>> log(std::size_t commits_max) = 0;
  /// Makes a branch and returns its commit (git.bad_name, git.branch_exists,
  /// repository.no_such_revision).
  [[nodiscard]] virtual Result<std::string> make_branch(const std::string& name,
                                                        const std::string& revision) = 0;
  /// A commit of what differs at `places` on the branch of HEAD (git.under_way, git.conflicts,
  /// git.detached, git.filtered). What else is staged or changed stays as it is.
  [[nodiscard]] virtual Result<GitCommitted> commit(const std::string& message,
                                                    const std::vector<std::string>& places) = 0;
};

inline constexpr const char* kCommitterName = "rgx";
inline constexpr const char* kCommitterEmail = "rgx@localhost";

/// The repository of the work tree `root`, through libgit2, or through git where libgit2 will not
/// do (git_need.h).
[[nodiscard]] Result<std::unique_ptr<GitRepository>> open_git(const std::string& root,
                                                              ProcessRunner& processes);

/// A path is at one of the places, which are names of files and folders or globs.
[[nodiscard]] Result<std::vector<std::string>> only_at(std::vector<std::string> paths,
                                                       const std::vector<std::string>& places);

[[nodiscard]] tl::unexpected<Error> under_way_error();
[[nodiscard]] tl::unexpected<Error> conflicts_error();
[[nodiscard]] tl::unexpected<Error> detached_error();
[[nodiscard]] tl::unexpected<Error> bad_branch_name(const std::string& name);
[[nodiscard]] tl::unexpected<Error> branch_exists(const std::string& name);
/// A file that a filter program would change: rgx starts none, and its bytes as they are would be
/// the wrong ones.
[[nodiscard]] tl::unexpected<Error> filtered_error(const std::string& path,
                                                   std::string_view driver);

}  // namespace rgx::engine
