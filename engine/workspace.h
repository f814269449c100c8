#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/glob.h"
#include "base/result.h"

// The port to the files under work. Every path is a normal workspace-relative path; nothing is
// reached through a symbolic link or outside the root.

namespace rgx::engine {

struct FileState {
  Digest digest;
  std::int64_t size_bytes = 0;
  std::uint32_t mode = 0;  ///< permission bits

  bool operator==(const FileState&) const = default;
};

enum class EntryKind : std::uint8_t { missing, file, directory, symlink, other };

/// One name in a directory.
struct Entry {
  std::string name;
  EntryKind kind = EntryKind::file;

  bool operator==(const Entry&) const = default;
};

/// What a judge's copy of a workspace holds. `.git` is never part of it, links stay links, and
/// whatever none of these lists names is there as a link to the original.
struct CopyRequest {
  std::string to;               ///< absolute, an empty folder
  std::set<std::string> files;  ///< copied
  std::vector<Glob> kept;       ///< what is there below these is copied as well
  std::vector<Glob> left_out;   ///< what is there below these and not in `files` is left out
};

class Workspace {
 public:
  virtual ~Workspace() = default;
  /// State of a regular file; nothing when the path does not exist. workspace.symlink,
  /// workspace.not_regular, workspace.outside, workspace.io.
  [[nodiscard]] virtual Result<std::optional<FileState>> state(std::string_view path) = 0;
  [[nodiscard]] virtual Result<std::string> read(std::string_view path, std::size_t bytes_max) = 0;
  /// Replaces a file as a whole: temporary file beside it, fsync, `expected` checked again
  /// (workspace.changed, drift), rename, fsync of the directory. The mode is kept. No half write
  /// is ever visible. `expected` empty = the file must not exist.
  [[nodiscard]] virtual Status write(std::string_view path, std::string_view bytes,
                                     const std::optional<Digest>& expected) = 0;
  /// Removes a regular file that holds `expected` (workspace.changed, drift), durably.
  [[nodiscard]] virtual Status remove_file(std::string_view path, const Digest& expected) = 0;
  /// Gives a regular file that holds `expected` another name (workspace.changed, drift), durably.
  /// Nothing may be at `to` (workspace.changed), and its folder must exist.
  [[nodiscard]] virtual Status move_file(std::string_view path, std::string_view to,
                                         const Digest& expected) = 0;
  /// Removes a directory that is empty, durably.
  [[nodiscard]] virtual Status remove_directory(std::string_view path) = 0;
  /// Sets the permission bits of a regular file.
  [[nodiscard]] virtual Status set_mode(std::string_view path, std::uint32_t mode) = 0;
  /// Where a path leads after symbolic links: workspace-relative, or `abs:` when outside.
  [[nodiscard]] virtual Result<std::string> resolve(std::string_view path) = 0;
  /// What a path is, without following it; `missing` also where a parent is missing.
  [[nodiscard]] virtual Result<EntryKind> kind(std::string_view path) = 0;
  /// Names in a directory (`.` = the root), sorted bytewise.
  [[nodiscard]] virtual Result<std::vector<Entry>> list(std::string_view path) = 0;
  /// Makes a directory and what is missing above it; existing directories are left alone.
  [[nodiscard]] virtual Status make_directory(std::string_view path) = 0;
  /// Removes the temporaries that a killed run left in a directory; how many. A directory that
  /// does not exist has none.
  [[nodiscard]] virtual Result<std::size_t> remove_leftovers(std::string_view directory) = 0;
  /// A copy, as a workspace of its own (workspace.copy_too_large).
  [[nodiscard]] virtual Result<std::unique_ptr<Workspace>> copy(const CopyRequest& request) = 0;
  /// Absolute path of the root, for programs that need a working directory.
  [[nodiscard]] virtual std::string root() const = 0;
};

}  // namespace rgx::engine
