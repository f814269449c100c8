#include "planner/probe_dependencies.h"

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

enum class Ecosystem : std::uint8_t { npm, pip, cargo, go };

/// How a kind of manifest names a package and its version: `before`, the version, `after`, where
/// `NAME` stands for the package. The version keeps its `^`, `~`, `==`.
struct Manifest {
  std::string_view glob;
  Ecosystem ecosystem;
  std::string_view before;
  std::string_view after;
};
constexpr std::string_view kVersion = "[0-9][0-9A-Za-z.+!*-]*";
constexpr std::array kManifests = {
    Manifest{"**/package.json", Ecosystem::npm, R"RE("NAME"\s*:\s*"(?:\^|~|>=|=|v)*\s*)RE", "\""},
    Manifest{"**/requirements*.txt", Ecosystem::pip,
             R"((?im:^)(?i:NAME)\s*(?:\[[^\]\n]*\])?\s*(?:==|~=|>=)\s*)", R"((?:\s|;|#|\\|\z))"},
    Manifest{"**/requirements*.in", Ecosystem::pip,
             R"((?im:^)(?i:NAME)\s*(?:\[[^\]\n]*\])?\s*(?:==|~=|>=)\s*)", R"((?:\s|;|#|\\|\z))"},
    Manifest{"**/constraints*.txt", Ecosystem::pip, R"((?im:^)(?i:NAME)\s*(?:==|~=|>=)\s*)",
             R"((?:\s|;|#|\\|\z))"},
    Manifest{"**/pyproject.toml", Ecosystem::pip,
             R"(["'](?i:NAME)\s*(?:\[[^\]\n]*\])?\s*(?:==|~=|>=)\s*)", R"(["',;])"},
    Manifest{"**/Cargo.toml", Ecosystem::cargo,
             R"((?m:^)NAME\s*=\s*(?:\{[^}\n]*?\bversion\s*=\s*)?"(?:\^|~|=)?\s*)", "\""},
    Manifest{"**/go.mod", Ecosystem::go, R"((?m:^)\s*(?:require\s+)?NAME\s+v)", R"((?:\s|\z))"},
};

std::string_view lock_name(Ecosystem ecosystem) {
  switch (ecosystem) {
    case Ecosystem::npm:
      return "package-lock.json";
    case Ecosystem::pip:
      return "requirements.lock.json";
    case Ecosystem::cargo:
      return "Cargo.lock";
    case Ecosystem::go:
      return "go.sum";
  }
  return {};
}

/// Where the package manager asks when no registry is named.
std::vector<std::string> public_hosts(Ecosystem ecosystem) {
  switch (ecosystem) {
    case Ecosystem::npm:
      return {"registry.npmjs.org:443"};
    case Ecosystem::pip:
      return {"files.pythonhosted.org:443", "pypi.org:443"};
    case Ecosystem::cargo:
      return {"index.crates.io:443", "static.crates.io:443"};
    case Ecosystem::go:
      return {"proxy.golang.org:443", "sum.golang.org:443"};
  }
  return {};
}

struct Wanted {
  std::string package;
  std::string version;
  std::string registry;  ///< URL; empty for the public one
};

/// `http://127.0.0.1:8080/simple` -> `127.0.0.1:8080`.
std::string host_of(std::string_view url) {
  const bool tls = url.starts_with("https://");
  url.remove_prefix(tls ? 8 : 7);
  std::string host(url.substr(0, url.find('/')));
  const std::size_t bracket = host.rfind(']');
  const bool has_port =
      host.find(':', bracket == std::string::npos ? 0 : bracket) != std::string::npos;
  return has_port ? host : host + (tls ? ":443" : ":80");
}

std::vector<std::string> npm_argv(const Wanted& wanted) {
  std::vector<std::string> argv = {
      "npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"};
  if (!wanted.registry.empty()) {
    argv.push_back("--registry=" + wanted.registry);
  }
  return argv;
}

std::vector<std::string> pip_argv(const Wanted& wanted, const std::string& manifest) {
  std::vector<std::string> argv = {"python3",
                                   "-m",
                                   "pip",
                                   "install",
                                   "--dry-run",
                                   "--ignore-installed",
                                   "--quiet",
                                   "--no-input",
                                   "--no-cache-dir",
                                   "--disable-pip-version-check"};
  if (!wanted.registry.empty()) {
    argv.push_back("--index-url=" + wanted.registry);
  }
  argv.insert(argv.end(), {"--report", "requirements.lock.json", "--requirement", manifest});
  return argv;
}

std::vector<std::string> lock_argv(Ecosystem ecosystem, const Wanted& wanted,
                                   const std::string& manifest) {
  switch (ecosystem) {
    case Ecosystem::npm:
      return npm_argv(wanted);
    case Ecosystem::pip:
      return pip_argv(wanted, manifest);
    case Ecosystem::cargo:
      return {"cargo", "update", "--package", wanted.package, "--precise", wanted.version};
    case Ecosystem::go:
      return {"go", "mod", "tidy"};
  }
  return {};
}

Json lock_env(Ecosystem ecosystem, const Wanted& wanted) {
  Json env = Json::object();
  if (ecosystem == Ecosystem::go && !wanted.registry.empty()) {
    env.set("GOPROXY", wanted.registry);
    env.set("GONOSUMDB", "*");
  }
  return env;
}

class Dependencies {
 public:
  Dependencies(const Fact& fact, Wanted wanted, RepositoryView& repository)
      : fact_(fact),
        wanted_(std::move(wanted)),
        repository_(repository) {}

  Result<FactValue> find(const Value& with);

 private:
  Status look_into(const RepositoryFile& file, const Manifest& manifest);
  /// What the package manager must see beside its lock file. Only npm and pip are content with less
  /// than everything.
  [[nodiscard]] std::vector<std::string> reads_of(Ecosystem ecosystem,
                                                  const std::string& lock) const;
  void add_lock(Ecosystem ecosystem, const std::string& manifest);

  const Fact& fact_;
  Wanted wanted_;
  RepositoryView& repository_;
  std::set<std::string, std::less<>> tracked_;
  Json files_ = Json::array();
  Json locks_ = Json::array();
  std::set<std::string> locked_;
  std::set<std::string> current_;
  std::map<std::string, Digest> pins_;
};

std::vector<std::string> Dependencies::reads_of(Ecosystem ecosystem,
                                                const std::string& lock) const {
  if (ecosystem == Ecosystem::cargo || ecosystem == Ecosystem::go) {
    return {"**"};
  }
  std::vector<std::string> reads = {lock};
  for (const std::string& path : tracked_) {
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    const bool npm = name == "package.json" || name == ".npmrc";
    const bool pip = (name.starts_with("requirements") || name.starts_with("constraints")) &&
                     (name.ends_with(".txt") || name.ends_with(".in"));
    if (ecosystem == Ecosystem::npm ? npm : pip || name == "pyproject.toml") {
      reads.push_back(path);
    }
  }
  return reads;
}

void Dependencies::add_lock(Ecosystem ecosystem, const std::string& manifest) {
  const std::size_t slash = manifest.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : manifest.substr(0, slash);
  const std::string prefix = slash == std::string::npos ? "" : folder + "/";
  const std::string lock = prefix + std::string(lock_name(ecosystem));
  if (!tracked_.contains(lock) || !locked_.insert(lock).second) {
    return;
  }
  // npm and go write the manifest again, even when they leave it as it is.
  std::vector<std::string> writes = {lock};
  if (ecosystem == Ecosystem::npm || ecosystem == Ecosystem::go) {
    writes.push_back(manifest);
  }
  std::ranges::sort(writes);
  const std::vector<std::string> hosts =
      wanted_.registry.empty() ? public_hosts(ecosystem) : std::vector{host_of(wanted_.registry)};
  const std::string name = manifest.substr(prefix.size());
  locks_.push(Json::object({{"argv", Json::array_of(lock_argv(ecosystem, wanted_, name))},
                            {"cwd", folder},
                            {"env", lock_env(ecosystem, wanted_)},
                            {"hosts", Json::array_of(hosts)},
                            {"path", lock},
                            {"reads", Json::array_of(reads_of(ecosystem, lock))},
                            {"writes", Json::array_of(writes)}}));
}

Status Dependencies::look_into(const RepositoryFile& file, const Manifest& manifest) {
  RGX_TRY(const std::string bytes, repository_.read(file.path));
  if (is_binary(bytes)) {
    return {};
  }
  std::string before(manifest.before);
  before.replace(before.find("NAME"), 4, regex_quote(wanted_.package));
  RGX_TRY(const Regex regex, Regex::parse("(" + before + ")(" + std::string(kVersion) +
                                          ")(?:" + std::string(manifest.after) + ")"));
  std::set<std::string> old;
  for (std::size_t at = 0; const auto groups = regex.find(bytes, at);) {
    old.emplace((*groups)[2]);
    at = static_cast<std::size_t>((*groups)[2].data() - bytes.data()) + (*groups)[2].size();
  }
  current_.insert(old.begin(), old.end());
  old.erase(wanted_.version);
  if (old.empty()) {
    return {};
  }
  Json edits = Json::array();
  for (const std::string& version : old) {
    edits.push(Json::object({{"pattern", "(" + before + ")" + regex_quote(version) + "(" +
                                             std::string(manifest.after) + ")"},
                             {"to", "\\1" + wanted_.version + "\\2"}}));
  }
  files_.push(Json::object({{"edits", std::move(edits)}, {"path", file.path}}));
  pins_[file.path] = digest_bytes(bytes);
  // pip makes its report of a list of requirements.
  if (manifest.ecosystem != Ecosystem::pip || manifest.glob.starts_with("**/requirements")) {
    add_lock(manifest.ecosystem, file.path);
  }
  return {};
}

Result<FactValue> Dependencies::find(const Value& with) {
  RGX_TRY(std::vector<RepositoryFile> files, repository_.files({"."}));
  std::ranges::sort(files, {}, &RepositoryFile::path);
  for (const RepositoryFile& file : files) {
    tracked_.insert(file.path);
  }
  for (const RepositoryFile& file : files) {
    const bool foreign = ("/" + file.path).find("/node_modules/") != std::string::npos ||
                         ("/" + file.path).find("/vendor/") != std::string::npos;
    for (const Manifest& manifest : kManifests) {
      RGX_TRY(const Glob glob, Glob::parse(manifest.glob));
      if (!foreign && file.size_bytes <= kSearchedBytesMax && glob.matches(file.path)) {
        RGX_TRY_STATUS(look_into(file, manifest));
      }
    }
  }
  if (current_.empty()) {
    return fail(ErrorKind::usage, "fact.no_dependency",
                "fact `" + fact_.name + "`: no manifest names `" + printable(wanted_.package) +
                    "` with a version",
                "check the spelling; `package.json`, `requirements*.txt`, `pyproject.toml`, "
                "`Cargo.toml` and `go.mod` that git tracks are read",
                fact_.place);
  }
  FactValue value;
  value.probe = fact_.probe;
  value.with = Json::object(
      {{"package", wanted_.package}, {"registry", wanted_.registry}, {"version", wanted_.version}});
  value.value.json = Json::object(
      {{"current", Json::array_of(std::vector<std::string>(current_.begin(), current_.end()))},
       {"files", std::move(files_)},
       {"locks", std::move(locks_)}});
  value.value.origins = with.origins;
  value.value.origins.add(Origin::repository);
  value.pins = std::move(pins_);
  return value;
}

Result<std::string> text_input(const Fact& fact, const Json& with, std::string_view name) {
  const Json* value = with.find(name);
  if (value == nullptr || !value->is_string()) {
    return bad_input(fact, "`" + std::string(name) + "` is no text", "give one text");
  }
  return value->as_string();
}

}  // namespace

Result<FactValue> probe_project_dependencies(const Fact& fact, const Value& with,
                                             RepositoryView& repository) {
  Wanted wanted;
  RGX_TRY(wanted.package, text_input(fact, with.json, "package"));
  RGX_TRY(wanted.version, text_input(fact, with.json, "version"));
  if (with.json.find("registry") != nullptr) {
    RGX_TRY(wanted.registry, text_input(fact, with.json, "registry"));
  }
  const bool url =
      wanted.registry.starts_with("http://") || wanted.registry.starts_with("https://");
  if (!wanted.registry.empty() && !url) {
    return bad_input(fact, "`registry` is no URL", "write `https://HOST/PATH`");
  }
  if (wanted.version.find('\\') != std::string::npos || wanted.package.empty()) {
    return bad_input(fact, "`version` or `package` is no name", "give one word each");
  }
  return Dependencies(fact, std::move(wanted), repository).find(with);
}

}  // namespace rgx::planner
