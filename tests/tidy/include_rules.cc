#include "tests/tidy/include_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace rgx::tidy {
namespace {

struct Include {
  std::string_view name;
  bool is_system = false;  // <name>
  std::size_t line = 0;
};

std::optional<Include> parse_include(std::string_view line) {
  static constexpr std::string_view kDirective = "#include ";
  if (!line.starts_with(kDirective)) {
    return std::nullopt;
  }
  line.remove_prefix(kDirective.size());
  const bool is_system = line.starts_with('<');
  if (!is_system && !line.starts_with('"')) {
    return std::nullopt;
  }
  const std::size_t end = line.find(is_system ? '>' : '"', 1);
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  return Include{line.substr(1, end - 1), is_system, 0};
}

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> includes;
  const auto lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (auto include = parse_include(lines[i])) {
      include->line = i + 1;
      includes.push_back(*include);
    }
  }
  return includes;
}

// The library that a system include belongs to, or empty for the language's and the system's own.
std::string_view library_of(std::string_view include) {
  struct Prefix {
    std::string_view prefix;
    std::string_view library;
  };
  static constexpr std::array<Prefix, 18> kPrefixes = {{
      {"tl/", "expected"},
      {"openssl/", "openssl"},
      {"simdjson", "simdjson"},
      {"fmt/", "fmt"},
      {"yaml-cpp/", "yaml_cpp"},
      {"re2/", "re2"},
      {"range/v3/", "range_v3"},
      {"git2", "git2"},
      {"seccomp.h", "seccomp"},
      {"curl/", "curl"},
      {"CLI/", "cli11"},
      {"spdlog/", "spdlog"},
      {"utf8proc.h", "utf8proc"},
      {"gtest/", "googletest"},
      {"gmock/", "googletest"},
      {"benchmark/", "benchmark"},
      {"rapidcheck", "rapidcheck"},
      {"nlohmann/", "nlohmann"},
  }};
  for (const Prefix& entry : kPrefixes) {
    if (include.starts_with(entry.prefix)) {
      return entry.library;
    }
  }
  return {};
}

bool is_pure(std::string_view package) {
  return package == "base" || package == "yaml" || package == "templates" || package == "policy" ||
         package == "planner";
}

bool touches_the_world(std::string_view include) {
  static constexpr std::array<std::string_view, 22> kHeaders = {
      "fstream", "filesystem", "iostream",           "thread",  "mutex",    "atomic",   "future",
      "random",  "chrono",     "unistd.h",           "fcntl.h", "dirent.h", "signal.h", "spawn.h",
      "csignal", "poll.h",     "condition_variable", "ctime",   "time.h",   "clocale",  "locale",
      "regex"};
  return include.starts_with("sys/") || include.starts_with("linux/") ||
         std::find(kHeaders.begin(), kHeaders.end(), include) != kHeaders.end();
}

std::string ticked(std::string_view text) {
  return '`' + std::string(text) + '`';
}

void check_system_include(std::string_view path, const Include& include,
                          const LibraryTable& libraries, Findings& findings) {
  const std::string_view package = package_of(path);
  if (package.empty()) {
    return;
  }
  const std::string_view library = library_of(include.name);
  if (library.empty()) {
    // base/check.cc writes its one line to stderr itself.
    if (is_pure(package) && touches_the_world(include.name) && path != "base/check.cc") {
      findings.push_back({std::string(path), include.line,
                          ticked(include.name) + " in " + std::string(package) +
                              ", which works on memory only; take a port as an argument"});
    }
    return;
  }
  if (is_header(path)) {
    // The second is private to engine: the table of the functions that are loaded from libgit2.
    const bool is_exception = (path == "base/result.h" && library == "expected") ||
                              (path == "engine/git_library.h" && library == "git2");
    if (!is_exception) {
      findings.push_back({std::string(path), include.line,
                          "a third-party header in a header; include " + ticked(include.name) +
                              " in the .cc file"});
    }
    return;
  }
  const auto allowed = libraries.find(package);
  if (allowed == libraries.end() || !allowed->second.contains(library)) {
    findings.push_back({std::string(path), include.line,
                        "package " + std::string(package) + " may not use " + std::string(library) +
                            " (cmake/RgxLayers.cmake)"});
  }
}

void check_project_include(std::string_view path, const Include& include, const Tree& tree,
                           Findings& findings) {
  if (include.name.starts_with('.') || include.name.find("/../") != std::string_view::npos) {
    findings.push_back({std::string(path), include.line,
                        "relative include " + ticked(include.name) + "; write it from the root"});
    return;
  }
  const bool is_generated = name_of(include.name).starts_with("embedded_");
  if (!is_generated && !tree.contains(include.name)) {
    findings.push_back({std::string(path), include.line,
                        "no file " + ticked(include.name) +
                            " below the root; a library's header "
                            "is included with <>"});
  }
}

}  // namespace

LibraryTable parse_library_table(std::string_view layers) {
  static constexpr std::string_view kStart = "set(RGX_THIRD_PARTY_";
  LibraryTable table;
  for (std::string_view line : lines_of(layers)) {
    if (!line.starts_with(kStart) || !line.ends_with(')')) {
      continue;
    }
    line.remove_prefix(kStart.size());
    line.remove_suffix(1);
    std::size_t end = std::min(line.find(' '), line.size());
    auto& libraries = table[std::string(line.substr(0, end))];
    while (end < line.size()) {
      line.remove_prefix(end + 1);
      end = std::min(line.find(' '), line.size());
      libraries.insert(std::string(line.substr(0, end)));
    }
  }
  return table;
}

Findings check_includes(std::string_view path, const Tree& tree, const LibraryTable& libraries) {
  Findings findings;
  const auto file = tree.find(path);
  if (file == tree.end() || !is_cxx(path)) {
    return findings;
  }
  const auto includes = includes_of(file->second);
  for (const Include& include : includes) {
    if (include.is_system) {
      check_system_include(path, include, libraries, findings);
    } else {
      check_project_include(path, include, tree, findings);
    }
  }
  if (!is_header(path)) {
    const std::string own = std::string(path.substr(0, path.size() - 2)) + 'h';
    if (tree.contains(own) && (includes.empty() || includes.front().name != own)) {
      findings.push_back({std::string(path), includes.empty() ? 0 : includes.front().line,
                          "the first include is the own header, " + ticked(own)});
    }
  }
  return findings;
}

}  // namespace rgx::tidy
