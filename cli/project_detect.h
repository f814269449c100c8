#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Finds out how a project is tested, from its own files. Only looks; runs nothing.

namespace rgx::cli {

struct TestCommand {
  std::string found_in;  ///< `Makefile, target test`
  std::vector<std::string> argv;
  std::vector<std::string> writes;  ///< what it usually writes
};

struct ProjectFiles {
  std::vector<std::string> paths;  ///< tracked files, workspace-relative
  /// Text of a file; nothing when there is none that can be read.
  std::function<std::optional<std::string>(std::string_view path)> read;
};

/// Every test command that the project's files speak of, the most likely first.
[[nodiscard]] std::vector<TestCommand> find_test_commands(const ProjectFiles& project);

/// Languages by number of files, most first, ties by name.
[[nodiscard]] std::vector<std::string> find_languages(const std::vector<std::string>& paths);

/// True when a makefile has a rule for `target`.
[[nodiscard]] bool has_make_target(std::string_view makefile, std::string_view target);

}  // namespace rgx::cli
