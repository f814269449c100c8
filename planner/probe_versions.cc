#include "planner/probe_versions.h"

#include "base/check.h"
#include "base/glob.h"
#include "base/text.h"
#include "planner/probe_search.h"
#include "planner/text_search.h"
#include "templates/regex.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace rgx::planner {
namespace {

using templates::Fact;
using templates::FactValue;
using templates::Origin;
using templates::Regex;
using templates::regex_quote;
using templates::Value;

/// How a kind of file says its version: what stands before and behind it.
struct Rule {
  std::string_view glob;
  std::string_view before;
  std::string_view after;
  /// The file decides which version the project has; others only follow.
  bool decides = false;
};

constexpr std::string_view kVersion = "[0-9][0-9A-Za-z.+-]*";
/// Lines of a section of TOML or INI up to a key: none begins another section.
#define RGX_SECTION(name) "(?m:^)\\[" name "\\][^\\n]*\\n(?:[^\\[\\n][^\\n]*\\n|\\n)*?"

constexpr std::array kRules = {
    Rule{"**/package.json", R"RE((?m:^)[ \t]{1,8}"version"\s*:\s*")RE", "\"", true},
    Rule{"**/pyproject.toml", RGX_SECTION("(?:project|tool\\.poetry)") "version\\s*=\\s*[\"']",
         "[\"']", true},
    Rule{"**/Cargo.toml", RGX_SECTION("(?:workspace\\.)?package") "version\\s*=\\s*\"", "\"", true},
    Rule{"**/setup.cfg", RGX_SECTION("metadata") "version\\s*=\\s*", "\\s", true},
    Rule{"**/setup.py", R"(\bversion\s*=\s*["'])", "[\"']", true},
    Rule{"**/CMakeLists.txt", R"((?i:\bproject)\s*\([^)]*?\bVERSION\s+)", "[\\s)]", true},
    Rule{"**/meson.build", R"(\bproject\s*\([^)]*?\bversion\s*:\s*')", "'", true},
    Rule{"**/VERSION", "v?", "\\s*\\z", true},
    Rule{"**/VERSION.txt", "v?", "\\s*\\z", true},
    Rule{"**/version.txt", "v?", "\\s*\\z", true},
    Rule{"**/build.gradle", R"((?m:^)version\s*=?\s*['"])", "['\"]", true},
    Rule{"**/build.gradle.kts", R"((?m:^)version\s*=\s*")", "\"", true},
    Rule{"**/Chart.yaml", R"((?m:^)version:\s*["']?)", "[\"'\\s]", true},
    // Both places of npm's lock file that stand for the project itself.
    Rule{"**/package-lock.json", R"RE(\{\s*"name"\s*:\s*"[^"]*",\s*"version"\s*:\s*")RE", "\""},
    Rule{
        "**/package-lock.json",
        R"RE("packages"\s*:\s*\{\s*""\s*:\s*\{\s*(?:"name"\s*:\s*"[^"]*",\s*)?"version"\s*:\s*")RE",
        "\""},
    Rule{"**/*.py", R"((?m:^)__version__\s*(?::\s*str\s*)?=\s*["'])", "[\"']"},
    Rule{"**/conf.py", R"((?m:^)release\s*=\s*["'])", "[\"']"},
    Rule{"**/*.h", R"((?m:^)\s*#\s*define\s+\w*VERSION(?:_STRING|_STR)?\s+")", "\""},
    Rule{"**/*.hpp", R"((?m:^)\s*#\s*define\s+\w*VERSION(?:_STRING|_STR)?\s+")", "\""},
    Rule{"**/*.go", R"((?m:^)\s*(?:const\s+|var\s+)?[Vv]ersion\s*(?:string\s*)?=\s*"v?)", "\""},
    Rule{"**/*.ts", R"((?m:^)export const (?:VERSION|version)\s*(?::\s*string\s*)?=\s*["'])",
         "[\"']"},
    Rule{"**/*.js", R"((?m:^)export const (?:VERSION|version)\s*=\s*["'])", "[\"']"},
    Rule{"**/*.rs", R"((?m:^)pub const VERSION\s*:\s*&(?:'static )?str\s*=\s*")", "\""},
};

constexpr std::array<std::string_view, 5> kForeignFolders = {"node_modules", "third_party",
                                                             "vendor", "testdata", "fixtures"};

bool is_foreign(std::string_view path) {
  const std::vector<std::string_view> parts = split(path, '/');
  return std::ranges::any_of(parts, [](std::string_view part) {
    return std::ranges::find(kForeignFolders, part) != kForeignFolders.end();
  });
}

/// A version that a file says. `before` and `after` are patterns.
struct Said {
  std::string path;
  std::string version;
  std::string before;
  std::string after;
  bool decides = false;
};

std::string in_file(std::string_view before) {
  // Only the first place in a file counts, here and when it is changed.
  return "\\A((?s:.*?)" + std::string(before) + ")";
}

Result<std::vector<Said>> versions_in(const std::string& path, std::string_view bytes) {
  std::vector<Said> found;
  for (const Rule& rule : kRules) {
    RGX_TRY(const Glob glob, Glob::parse(rule.glob));
    if (!glob.matches(path)) {
      continue;
    }
    RGX_TRY(const Regex regex, Regex::parse(in_file(rule.before) + "(" + std::string(kVersion) +
                                            ")(?:" + std::string(rule.after) + ")"));
    if (const auto groups = regex.find(bytes, 0)) {
      found.push_back(Said{path, std::string((*groups)[2]), std::string(rule.before),
                           std::string(rule.after), rule.decides});
    }
  }
  return found;
}

/// The crates of this workspace as their lock file names them.
Result<std::vector<Said>> versions_in_cargo_lock(const std::string& path, std::string_view bytes,
                                                 const std::set<std::string>& crates) {
  std::vector<Said> found;
  for (const std::string& crate : crates) {
    const std::string before = "name = \"" + regex_quote(crate) + "\"\\nversion = \"";
    RGX_TRY(const Regex regex,
            Regex::parse(in_file(before) + "(" + std::string(kVersion) + ")(?:\")"));
    if (const auto groups = regex.find(bytes, 0)) {
      found.push_back(Said{path, std::string((*groups)[2]), before, "\"", false});
    }
  }
  return found;
}

class Versions {
 public:
  Versions(const Fact& fact, RepositoryView& repository) : fact_(fact), repository_(repository) {}

  Result<FactValue> find(const Value& with);

 private:
  Status read_all();
  [[nodiscard]] Result<std::string> current() const;
  [[nodiscard]] Json edits_of(const std::string& path, const std::string& from,
                              const std::string& to) const;

  const Fact& fact_;
  RepositoryView& repository_;
  std::vector<Said> said_;
  std::map<std::string, Digest> pins_;
};

Status Versions::read_all() {
  RGX_TRY(std::vector<RepositoryFile> files, repository_.files({"."}));
  std::ranges::sort(files, {}, &RepositoryFile::path);
  std::vector<Glob> globs;
  for (const Rule& rule : kRules) {
    RGX_TRY(Glob glob, Glob::parse(rule.glob));
    globs.push_back(std::move(glob));
  }
  RGX_TRY(const Regex crate_name,
          Regex::parse(in_file(RGX_SECTION("package") "name\\s*=\\s*\"") + "([A-Za-z0-9_-]+)\""));
  std::set<std::string> crates;
  std::vector<std::string> cargo_locks;
  for (const RepositoryFile& file : files) {
    const bool lock = file.path == "Cargo.lock" || file.path.ends_with("/Cargo.lock");
    const bool wanted = lock || std::ranges::any_of(globs, [&file](const Glob& glob) {
                          return glob.matches(file.path);
                        });
    if (!wanted || file.size_bytes > kSearchedBytesMax || is_foreign(file.path)) {
      continue;
    }
    if (lock) {
      cargo_locks.push_back(file.path);
      continue;
    }
    RGX_TRY(const std::string bytes, repository_.read(file.path));
    if (is_binary(bytes)) {
      continue;
    }
    if (file.path.ends_with("Cargo.toml")) {
      if (const auto groups = crate_name.find(bytes, 0)) {
        crates.emplace((*groups)[2]);
      }
    }
    RGX_TRY(const std::vector<Said> found, versions_in(file.path, bytes));
    if (!found.empty()) {
      pins_[file.path] = digest_bytes(bytes);
    }
    said_.insert(said_.end(), found.begin(), found.end());
  }
  for (const std::string& path : cargo_locks) {
    RGX_TRY(const std::string bytes, repository_.read(path));
    RGX_TRY(const std::vector<Said> found, versions_in_cargo_lock(path, bytes, crates));
    if (!found.empty()) {
      pins_[path] = digest_bytes(bytes);
    }
    said_.insert(said_.end(), found.begin(), found.end());
  }
  return {};
}

/// The version in the file nearest to the top that decides it.
Result<std::string> Versions::current() const {
  const Said* best = nullptr;
  const auto depth = [](const Said& said) { return std::ranges::count(said.path, '/'); };
  for (const Said& said : said_) {
    if (said.decides && (best == nullptr || depth(said) < depth(*best))) {
      best = &said;
    }
  }
  if (best == nullptr) {
    return fail(ErrorKind::usage, "fact.no_version",
                "fact `" + fact_.name + "`: no file of the project says its version",
                "keep it in `package.json`, `pyproject.toml`, `Cargo.toml`, `CMakeLists.txt`, "
                "`VERSION` or another file that docs/formats/template.md lists",
                fact_.place);
  }
  return best->version;
}

Json Versions::edits_of(const std::string& path, const std::string& from,
                        const std::string& to) const {
  Json edits = Json::array();
  for (const Said& said : said_) {
    if (said.path == path && said.version == from) {
      edits.push(Json::object(
          {{"pattern", in_file(said.before) + regex_quote(from) + "(" + said.after + ")"},
           {"to", "\\1" + to + "\\2"}}));
    }
  }
  return edits;
}

Result<FactValue> Versions::find(const Value& with) {
  const Json* version = with.json.find("version");
  if (version == nullptr || !version->is_string()) {
    return bad_input(fact_, "`version` is no text", "give the new version");
  }
  const std::string& to = version->as_string();
  RGX_TRY_STATUS(read_all());
  RGX_TRY(const std::string from, current());
  std::set<std::string> paths;
  Json others = Json::array();
  for (const Said& said : said_) {
    if (said.version == from) {
      paths.insert(said.path);
    } else {
      others.push(Json::object({{"path", said.path}, {"version", said.version}}));
    }
  }
  FactValue value;
  Json files = Json::array();
  if (from != to) {
    for (const std::string& path : paths) {
      files.push(Json::object({{"edits", edits_of(path, from, to)}, {"path", path}}));
      value.pins[path] = pins_.at(path);
    }
  }
  value.probe = fact_.probe;
  value.with = Json::object({{"version", to}});
  value.value.json = Json::object(
      {{"current", from},
       {"files", std::move(files)},
       {"others", std::move(others)},
       {"paths", Json::array_of(std::vector<std::string>(paths.begin(), paths.end()))}});
  value.value.origins = with.origins;
  value.value.origins.add(Origin::repository);
  return value;
}

}  // namespace

Result<FactValue> probe_project_versions(const Fact& fact, const Value& with,
                                         RepositoryView& repository) {
  return Versions(fact, repository).find(with);
}

}  // namespace rgx::planner
