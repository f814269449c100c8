#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"

// The port through which the repository is *read* while compiling: never written, no process
// started. Paths are workspace-relative, `/`-separated, without `.` or `..` components.

namespace rgx {

/// A regular file that git tracks. Symlinks, submodules and untracked files are not listed.
struct RepositoryFile {
  std::string path;
  std::int64_t size_bytes = 0;

  bool operator==(const RepositoryFile&) const = default;
};

class RepositoryView {
 public:
  virtual ~RepositoryView() = default;

  /// Commit id of HEAD in hex (repository.no_commits when there is none).
  [[nodiscard]] virtual Result<std::string> head() = 0;
  /// Commit id in hex of a branch, tag or commit (repository.no_such_revision).
  [[nodiscard]] virtual Result<std::string> commit_id(std::string_view revision) = 0;
  /// Tracked regular files at or below `paths` (`.` = all), each once, sorted bytewise.
  /// A path that does not exist is repository.no_such_path; one that leaves the workspace
  /// repository.path_outside.
  [[nodiscard]] virtual Result<std::vector<RepositoryFile>> files(
      const std::vector<std::string>& paths) = 0;
  /// Files at or below `paths` that git neither tracks nor ignores, sorted bytewise. A path that
  /// does not exist has none.
  [[nodiscard]] virtual Result<std::vector<std::string>> untracked(
      const std::vector<std::string>& paths) = 0;
  /// Bytes of a file in the work tree (repository.unreadable, repository.too_large).
  [[nodiscard]] virtual Result<std::string> read(std::string_view path) = 0;
  /// Bytes of a file in commit `revision`; nothing when it does not exist there.
  [[nodiscard]] virtual Result<std::optional<std::string>> read_at(std::string_view revision,
                                                                   std::string_view path) = 0;
};

}  // namespace rgx
