#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/posix_io.h"

// The files of a work tree, read from below a held descriptor of its root and never through a
// link: the same whatever reads the repository. Private to the package.

namespace rgx::engine {

inline constexpr std::size_t kRepositoryFileBytesMax = std::size_t{16} << 20;
inline constexpr std::size_t kRevisionBytesMax = 512;

[[nodiscard]] bool is_at_or_below(std::string_view path, std::string_view place);

class WorkTreeFiles {
 public:
  explicit WorkTreeFiles(FileDescriptor root) : root_(std::move(root)) {}

  /// Bytes of a regular file (repository.unreadable, repository.too_large).
  [[nodiscard]] Result<std::string> read(std::string_view path) const;
  /// Normal forms; all must exist (repository.path_outside, repository.no_such_path).
  [[nodiscard]] Result<std::vector<std::string>> existing(
      const std::vector<std::string>& paths) const;
  [[nodiscard]] int root() const { return root_.get(); }

 private:
  FileDescriptor root_;
};

/// Normal form of a path inside the workspace (repository.path_outside).
[[nodiscard]] Result<std::string> path_inside(std::string_view path);
[[nodiscard]] Result<std::vector<std::string>> paths_inside(const std::vector<std::string>& paths);
/// The places are neither the submodule `path` nor in it (repository.submodule): nothing would be
/// found there, whatever it holds.
[[nodiscard]] Status check_not_submodule(const std::string& path,
                                         const std::vector<std::string>& places);

[[nodiscard]] tl::unexpected<Error> unreadable_file(std::string_view path, std::string_view why);
[[nodiscard]] tl::unexpected<Error> too_large_file(std::string_view path);
[[nodiscard]] tl::unexpected<Error> unmerged_file(std::string_view path);
[[nodiscard]] tl::unexpected<Error> no_such_commit(std::string_view revision);
[[nodiscard]] tl::unexpected<Error> no_commits();

/// Sizes of files that come sorted by path: the directory stays open from one to the next.
class FileSizes {
 public:
  explicit FileSizes(int root) : root_(root) {}
  /// Nothing where there is no regular file now.
  [[nodiscard]] std::optional<std::int64_t> size_of(const std::string& path);

 private:
  int root_;
  bool started_ = false;
  std::string directory_;
  FileDescriptor fd_;
};

}  // namespace rgx::engine
