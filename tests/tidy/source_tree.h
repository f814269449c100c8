#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// The repository as text, and what a rule says about it.

namespace rgx::tidy {

/// All files that rules look at: path from the root (`/` between components) to bytes. Sorted.
using Tree = std::map<std::string, std::string, std::less<>>;

/// One broken rule. `line` is 1-based; 0 is the whole file.
struct Finding {
  std::string path;
  std::size_t line = 0;
  std::string message;

  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

/// `path:line: message`, one a line.
[[nodiscard]] std::string to_string(const Findings& findings);

/// Reads the repository. Left out: build folders, hidden ones (but .ci), and tests/golden and
/// tests/fuzz/corpus, whose bytes are data.
[[nodiscard]] Tree read_tree(const std::filesystem::path& root);

/// The package that a path belongs to (`yaml` for base/yaml), or empty for tests, docs and so on.
[[nodiscard]] std::string_view package_of(std::string_view path);

[[nodiscard]] bool is_cxx(std::string_view path);
[[nodiscard]] bool is_header(std::string_view path);

/// The part before the last `/`, empty at the root; and the part after it.
[[nodiscard]] std::string_view folder_of(std::string_view path);
[[nodiscard]] std::string_view name_of(std::string_view path);

/// The lines of a text without their line feeds.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// The 1-based line of a byte offset.
[[nodiscard]] std::size_t line_of(std::string_view text, std::size_t offset);

}  // namespace rgx::tidy
