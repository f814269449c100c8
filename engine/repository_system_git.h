#pragma once

#include <memory>

#include "base/repository_view.h"
#include "base/result.h"
#include "engine/git_program.h"

// The view of a repository through the program git. Private to the package.

namespace rgx::engine {

[[nodiscard]] Result<std::unique_ptr<RepositoryView>> view_by_program(GitProgram git);

/// Commit id in hex that a revision names (repository.no_such_revision).
[[nodiscard]] Result<std::string> commit_by_program(const GitProgram& git,
                                                    std::string_view revision);
/// Commit id of HEAD; nothing before the first one.
[[nodiscard]] Result<std::optional<std::string>> head_by_program(const GitProgram& git);

/// An entry of the index.
struct IndexRecord {
  std::string path;
  std::string mode;  ///< `100644`
  bool unmerged = false;
  bool unwatched = false;  ///< git was told not to look at the file
};
[[nodiscard]] Result<std::vector<IndexRecord>> index_by_program(const GitProgram& git);

}  // namespace rgx::engine
