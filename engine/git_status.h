#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/git_program.h"

// How work tree, index and HEAD differ, as the program git tells it. Private to the package.

namespace rgx::engine {

/// One path. `index` and `work` are git's letters (`M`, `A`, `D`, `T`, `U`, `.` = the same).
struct GitStatusEntry {
  char index = '.';
  char work = '.';
  bool untracked = false;
  bool ignored = false;
  bool conflict = false;
  bool differs = false;  ///< from HEAD, index and work tree taken together
  bool is_file = false;  ///< a regular file stands in the work tree
};

struct GitStatus {
  std::map<std::string, GitStatusEntry> entries;  ///< by path; submodules are left out

  /// Paths that differ from HEAD, sorted; ignored ones are not among them.
  [[nodiscard]] std::vector<std::string> changed() const;
  [[nodiscard]] bool has_conflicts() const;
  /// HEAD has the path and the index has it no more, whatever stands in the work tree.
  [[nodiscard]] bool is_removed(const std::string& path) const;
  /// Those that are regular files now.
  [[nodiscard]] std::vector<std::string> files_among(const std::vector<std::string>& paths) const;
};

/// Errors of GitProgram, and repository.broken for rules that are no regular file.
[[nodiscard]] Result<GitStatus> status_by_program(const GitProgram& git, bool with_ignored = false);

/// What git is in the middle of (`a merge`), from the files it keeps of it; empty when nothing is.
[[nodiscard]] std::string under_way_in(const std::string& git_dir);

}  // namespace rgx::engine
