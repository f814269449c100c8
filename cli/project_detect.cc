#include "cli/project_detect.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace rgx::cli {
namespace {

// What `npm init` writes: a script that only says that there are no tests.
constexpr std::string_view kNoNpmTests = "no test specified";

constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kLanguages = {{
    {".c", "C"},       {".cc", "C++"},         {".cpp", "C++"},        {".cs", "C#"},
    {".cxx", "C++"},   {".go", "Go"},          {".hh", "C++"},         {".hpp", "C++"},
    {".java", "Java"}, {".js", "JavaScript"},  {".jsx", "JavaScript"}, {".kt", "Kotlin"},
    {".lua", "Lua"},   {".mjs", "JavaScript"}, {".php", "PHP"},        {".pl", "Perl"},
    {".py", "Python"}, {".rb", "Ruby"},        {".rs", "Rust"},        {".scala", "Scala"},
    {".sh", "Shell"},  {".swift", "Swift"},    {".ts", "TypeScript"},  {".tsx", "TypeScript"},
}};

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// `name` followed by `(`, not in a comment: CMake's commands ignore case.
bool calls_cmake(std::string_view text, std::string_view name, std::string_view argument) {
  for (std::string_view line : split(text, '\n')) {
    line = line.substr(0, line.find('#'));
    std::string lower;
    for (const char c : line) {
      if (c == ' ' || c == '\t' || c == '\r') {
        continue;
      }
      lower += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const std::string call = std::string(name) + '(' + std::string(argument);
    const std::size_t at = lower.find(call);
    if (at != std::string::npos && (at == 0 || !is_word_char(lower[at - 1]))) {
      return true;
    }
  }
  return false;
}

void find_ctest(const ProjectFiles& project, std::vector<TestCommand>& found) {
  const auto text = project.read("CMakeLists.txt");
  if (text &&
      (calls_cmake(*text, "enable_testing", "") || calls_cmake(*text, "include", "ctest"))) {
    // ctest alone would test what was built before the change.
    found.push_back(
        {"CMakeLists.txt",
         {"ctest", "--build-and-test", ".", "build/rgx", "--build-generator", "Unix Makefiles",
          "--build-noclean", "--test-command", "ctest", "--output-on-failure"},
         {"build/rgx/**"}});
  }
}

void find_make(const ProjectFiles& project, std::vector<TestCommand>& found) {
  // The order in which GNU make looks.
  for (const std::string_view name : {"GNUmakefile", "makefile", "Makefile"}) {
    const auto text = project.read(name);
    if (!text) {
      continue;
    }
    for (const std::string_view target : {"test", "check"}) {
      if (has_make_target(*text, target)) {
        found.push_back({std::string(name) + ", target " + std::string(target),
                         {"make", std::string(target)},
                         {"build/**"}});
        return;
      }
    }
    return;
  }
}

void find_npm(const ProjectFiles& project, std::vector<TestCommand>& found) {
  const auto text = project.read("package.json");
  if (!text) {
    return;
  }
  const auto package = parse_json(*text, "package.json");
  const Json* scripts = package ? package->find("scripts") : nullptr;
  const Json* test = scripts != nullptr ? scripts->find("test") : nullptr;
  if (test != nullptr && test->is_string() &&
      test->as_string().find(kNoNpmTests) == std::string::npos) {
    found.push_back({"package.json, script test", {"npm", "test"}, {}});
  }
}

bool has_pytest_section(const ProjectFiles& project) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kSections = {
      {{"pyproject.toml", "[tool.pytest"},
       {"setup.cfg", "[tool:pytest]"},
       {"tox.ini", "[pytest]"}}};
  return std::any_of(kSections.begin(), kSections.end(), [&](const auto& section) {
    const auto text = project.read(section.first);
    return text && text->find(section.second) != std::string::npos;
  });
}

bool is_pytest_file(std::string_view path) {
  const std::string_view name = file_name(path);
  return name == "conftest.py" || name == "pytest.ini" ||
         (name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py")));
}

// The one folder of tests, where python3 -m unittest can run all of them: what pytest has in
// addition does not occur, and neither do its files of settings.
std::optional<std::string> unittest_folder(const ProjectFiles& project) {
  std::optional<std::string> folder;
  for (const std::string& path : project.paths) {
    if (!is_pytest_file(path)) {
      continue;
    }
    const auto text = project.read(path);
    if (!file_name(path).starts_with("test") || !text ||
        text->find("import pytest") != std::string::npos ||
        text->find("unittest") == std::string::npos) {
      return std::nullopt;
    }
    std::string parent = path.substr(0, path.size() - file_name(path).size());
    if (folder && *folder != parent) {
      return std::nullopt;
    }
    folder = std::move(parent);
  }
  return folder;
}

void find_pytest(const ProjectFiles& project, std::vector<TestCommand>& found) {
  const bool has_section = has_pytest_section(project);
  const auto folder = has_section ? std::nullopt : unittest_folder(project);
  if (folder && (folder->empty() || project.read(*folder + "__init__.py"))) {
    found.push_back({"tests of Python's unittest", {"python3", "-m", "unittest"}, {}});
  } else if (folder) {
    found.push_back(
        {"tests of Python's unittest",
         {"python3", "-m", "unittest", "discover", "-s", folder->substr(0, folder->size() - 1)},
         {}});
  }
  if (has_section || std::any_of(project.paths.begin(), project.paths.end(), is_pytest_file)) {
    // Without its cache, so that the tests write nothing into the workspace.
    found.push_back({"pytest's files", {"pytest", "-p", "no:cacheprovider"}, {}});
  }
}

}  // namespace

bool has_make_target(std::string_view makefile, std::string_view target) {
  for (const std::string_view line : split(makefile, '\n')) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || line.starts_with('\t') || line.starts_with('#')) {
      continue;
    }
    const std::string_view after = line.substr(colon + 1);
    // `:=` and `::=` assign a variable.
    if (after.starts_with('=') || after.starts_with(":=")) {
      continue;
    }
    for (const std::string_view word : split(line.substr(0, colon), ' ')) {
      if (word == target) {
        return true;
      }
    }
  }
  return false;
}

std::vector<TestCommand> find_test_commands(const ProjectFiles& project) {
  std::vector<TestCommand> found;
  find_ctest(project, found);
  find_make(project, found);
  find_npm(project, found);
  find_pytest(project, found);
  if (project.read("Cargo.toml")) {
    found.push_back({"Cargo.toml", {"cargo", "test"}, {"target/**"}});
  }
  if (project.read("go.mod")) {
    found.push_back({"go.mod", {"go", "test", "./..."}, {}});
  }
  return found;
}

std::vector<std::string> find_languages(const std::vector<std::string>& paths) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& path : paths) {
    const std::string_view name = file_name(path);
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) {
      continue;
    }
    for (const auto& [extension, language] : kLanguages) {
      if (extension == name.substr(dot)) {
        ++counts[std::string(language)];
      }
    }
  }
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> languages;
  for (const auto& [language, count] : sorted) {
    languages.push_back(language);
  }
  return languages;
}

}  // namespace rgx::cli
