#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

// Where git keeps what belongs to a work tree, and whether it can be opened without danger: both
// libgit2 and git open whatever has the right name and wait for ever at a pipe, and read whole
// files into memory. Looked at by `lstat`, never opened. Private to the package.

namespace rgx::engine {

struct GitPlaces {
  std::string root;        ///< work tree
  std::string git_dir;     ///< of this work tree
  std::string common_dir;  ///< differs from `git_dir` in a linked work tree
};

/// The first `.git` at or above `start`, all places canonical; nothing where there is none.
/// Errors: repository.broken.
[[nodiscard]] Result<std::optional<GitPlaces>> find_git_places(const std::string& start);

/// Folders of objects that the repository borrows from, canonical.
[[nodiscard]] std::vector<std::string> alternate_folders(const GitPlaces& places);

/// Everything that is read when a repository is opened and used is a regular file of a sane size
/// (repository.broken, repository.too_large).
[[nodiscard]] Status check_git_files(const GitPlaces& places);

/// Nothing but regular files stands where rules of the work tree are read from: `.gitignore` and
/// `.gitattributes` of every folder (repository.broken, repository.too_large).
[[nodiscard]] Status check_rule_files(const std::string& root);

/// Bytes of one of git's own small files; nothing when it does not exist or is no regular file.
[[nodiscard]] std::optional<std::string> read_git_file(const std::string& file);

}  // namespace rgx::engine
