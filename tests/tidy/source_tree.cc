#include "tests/tidy/source_tree.h"

#include "tests/support/scratch_dir.h"

#include <algorithm>
#include <array>

namespace rgx::tidy {
namespace {

bool is_left_out(const std::filesystem::path& relative) {
  const std::string text = relative.generic_string();
  const std::string name = relative.filename().string();
  return text == "build" || text == "tests/golden" || text == "tests/fuzz/corpus" ||
         (name.starts_with('.') && text != ".ci");
}

// The sample projects in examples/ are somebody else's code, as far as the rules go.
bool is_sample(std::string_view path) {
  return path.starts_with("examples/");
}

}  // namespace

std::string to_string(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += finding.path;
    if (finding.line != 0) {
      text += ':' + std::to_string(finding.line);
    }
    text += ": " + finding.message + '\n';
  }
  return text;
}

Tree read_tree(const std::filesystem::path& root) {
  Tree tree;
  std::filesystem::recursive_directory_iterator entries(root);
  for (auto it = begin(entries); it != end(entries); ++it) {
    const std::filesystem::path relative = it->path().lexically_relative(root);
    if (it->is_directory()) {
      if (is_left_out(relative)) {
        it.disable_recursion_pending();
      }
    } else if (it->is_regular_file() && !it->is_symlink() && !is_left_out(relative)) {
      tree.emplace(relative.generic_string(), test::read_file(it->path()));
    }
  }
  return tree;
}

std::string_view package_of(std::string_view path) {
  if (path.starts_with("base/yaml/")) {
    return "yaml";
  }
  static constexpr std::array<std::string_view, 7> kPackages = {
      "base", "templates", "audit", "policy", "planner", "engine", "cli"};
  const std::string_view first = path.substr(0, path.find('/'));
  const bool is_package = first.size() < path.size() &&
                          std::find(kPackages.begin(), kPackages.end(), first) != kPackages.end();
  return is_package ? first : std::string_view{};
}

bool is_header(std::string_view path) {
  return path.ends_with(".h") && !is_sample(path);
}

bool is_cxx(std::string_view path) {
  return is_header(path) || (path.ends_with(".cc") && !is_sample(path));
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

std::string_view name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t line_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace rgx::tidy
