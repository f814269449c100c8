#include "tests/tidy/orphan_rules.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace rgx::tidy {
namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '/';
}

// Whether `text` holds `name` as a whole word of a list of files.
bool names(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_name_character(text[at - 1]) || text[at - 1] == '/';
    if (begins && (end == text.size() || !is_name_character(text[end]))) {
      return true;
    }
  }
  return false;
}

// Text of a CMake file without its comments, so that a commented-out line names nothing.
std::string without_comments(std::string_view text) {
  std::string kept;
  for (const std::string_view line : lines_of(text)) {
    kept += line.substr(0, line.find('#'));
    kept += '\n';
  }
  return kept;
}

bool is_named_by_cmake(const Tree& tree, std::string_view path) {
  for (std::string_view folder = folder_of(path);; folder = folder_of(folder)) {
    const std::string list =
        folder.empty() ? "CMakeLists.txt" : std::string(folder) + "/CMakeLists.txt";
    const auto found = tree.find(list);
    if (found != tree.end()) {
      const std::string_view relative = folder.empty() ? path : path.substr(folder.size() + 1);
      const std::string text = without_comments(found->second);
      // A helper function may take the name without its suffix: rgx_cli_test(NAME plan).
      const bool is_script = relative.ends_with(".sh");
      if (names(text, relative) ||
          (is_script && names(text, relative.substr(0, relative.size() - 3)))) {
        return true;
      }
    }
    if (folder.empty()) {
      return false;
    }
  }
}

bool is_included(const Tree& tree, std::string_view header) {
  const std::string directive = "#include \"" + std::string(header) + '"';
  for (const auto& [path, text] : tree) {
    if (is_cxx(path) && path != header && text.find(directive) != std::string::npos) {
      return true;
    }
  }
  return false;
}

bool is_named_by_script(const Tree& tree, std::string_view script) {
  for (const auto& [path, text] : tree) {
    if (path != script && path.ends_with(".sh") && path.starts_with("tests/") &&
        names(text, name_of(script))) {
      return true;
    }
  }
  return false;
}

bool is_embedded(const Tree& tree, std::string_view path) {
  for (const auto& [list, text] : tree) {
    if (name_of(list) == "CMakeLists.txt" && names(without_comments(text), name_of(path))) {
      return true;
    }
  }
  return false;
}

bool is_embeddable(std::string_view path) {
  const bool is_policy =
      path.starts_with("policies/") && path.ends_with(".yaml") && !path.ends_with(".test.yaml");
  return is_policy || (path.starts_with("templates/catalog/") && path.ends_with(".yaml")) ||
         path.starts_with("cli/help/");
}

}  // namespace

Findings check_orphans(const Tree& tree) {
  Findings findings;
  for (const auto& [path, text] : tree) {
    const bool is_test = path.starts_with("tests/") || path.starts_with("bench/");
    const bool is_package = !package_of(path).empty();
    if (is_header(path) && is_test) {
      if (!is_included(tree, path)) {
        findings.push_back({path, 0, "no file includes it"});
      }
    } else if (is_cxx(path) && (is_test || is_package)) {
      if (!is_named_by_cmake(tree, path)) {
        findings.push_back({path, 0, "no CMakeLists.txt beside or above it names it"});
      }
    } else if (is_test && path.ends_with(".sh")) {
      if (!is_named_by_cmake(tree, path) && !is_named_by_script(tree, path)) {
        findings.push_back({path, 0, "no CMakeLists.txt and no other script names it"});
      }
    } else if (is_embeddable(path) && !is_embedded(tree, path)) {
      findings.push_back({path, 0, "no CMakeLists.txt embeds it"});
    }
  }
  return findings;
}

}  // namespace rgx::tidy
