#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/process.h"
#include "engine/workspace.h"
#include "templates/plan.h"

// A run in place changes only files that git can give back: tracked, and as in the last commit.

namespace rgx::engine {

struct UncleanFile {
  std::string path;
  std::string why;  ///< `has changes that are not committed`

  bool operator==(const UncleanFile&) const = default;
};

struct CleanReport {
  std::string under_way;           ///< `a merge`, `a rebase`; empty when nothing is
  std::vector<UncleanFile> files;  ///< sorted by path

  [[nodiscard]] bool clean() const { return under_way.empty() && files.empty(); }
  bool operator==(const CleanReport&) const = default;
};

/// The files that a plan writes by name, sorted. What a program writes by pattern (`build/**`) is
/// not among them.
[[nodiscard]] Result<std::vector<std::string>> files_written(const templates::Plan& plan);

/// Looks at `paths` in the git work tree `root`. A file that exists must be a tracked regular
/// file, the same in work tree, index and HEAD; one that does not exist must be in none of them.
/// In a repository without a commit everything is clean: there is nothing to compare with.
[[nodiscard]] Result<CleanReport> check_clean(const std::string& root,
                                              const std::vector<std::string>& paths,
                                              Workspace& workspace, ProcessRunner& processes);

}  // namespace rgx::engine
