#include "engine/git_program.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/text.h"
#include "engine/program_lookup.h"

namespace rgx::engine {

namespace {

constexpr std::int64_t kTimeoutMs = 120'000;
constexpr std::size_t kOutputBytesMax = std::size_t{64} << 20;
constexpr std::size_t kArgumentBytesMax = std::size_t{256} << 10;
constexpr std::size_t kFiltersMax = 1000;
constexpr std::size_t kMessageBytesMax = 500;

struct Setting {
  const char* name;
  const char* value;
};

// Over whatever the repository says: nothing is started, nothing is fetched, and what is printed
// does not depend on anybody's taste. Drivers of filters are added by name.
constexpr std::array kSettings = {
    Setting{"core.fsmonitor", "false"},
    Setting{"core.hooksPath", "/dev/null"},
    Setting{"core.pager", "/nonexistent"},
    Setting{"core.editor", "/nonexistent"},
    Setting{"core.askPass", "/nonexistent"},
    Setting{"core.sshCommand", "/nonexistent"},
    Setting{"core.gitProxy", "/nonexistent"},
    Setting{"core.alternateRefsCommand", "/nonexistent"},
    Setting{"credential.helper", ""},
    Setting{"protocol.allow", "never"},
    Setting{"gc.auto", "0"},
    Setting{"maintenance.auto", "false"},
    Setting{"commit.gpgSign", "false"},
    Setting{"log.showSignature", "false"},
    Setting{"gpg.program", "/nonexistent"},
    Setting{"submodule.recurse", "false"},
    Setting{"status.submoduleSummary", "false"},
    Setting{"status.renames", "false"},
    Setting{"diff.ignoreSubmodules", "all"},
    Setting{"diff.noprefix", "false"},
    Setting{"diff.mnemonicPrefix", "false"},
    Setting{"diff.renames", "false"},
    Setting{"diff.relative", "false"},
    Setting{"diff.orderFile", "/dev/null"},
    Setting{"diff.suppressBlankEmpty", "false"},
    Setting{"diff.wsErrorHighlight", "none"},
    Setting{"diff.context", "3"},
    Setting{"diff.interHunkContext", "0"},
    Setting{"diff.algorithm", "default"},
    Setting{"diff.submodule", "short"},
    Setting{"color.ui", "false"},
    Setting{"color.diff", "false"},
    Setting{"i18n.commitEncoding", "UTF-8"},
    Setting{"i18n.logOutputEncoding", "UTF-8"},
};

// The loader of programs; what else git could start is not among them.
constexpr std::array kLoaders = {
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-linux-armhf.so.3",
    "/lib64/ld64.so.2",
    "/lib/ld64.so.1",
    "/lib/ld-linux-riscv64-lp64d.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
};

std::string canonical_or(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), &free);
  return real ? std::string(real.get()) : path;
}

Status check_owner(const GitPlaces& places) {
  for (const std::string& place : {places.root, places.git_dir, places.common_dir}) {
    struct stat status = {};
    if (stat(place.c_str(), &status) != 0 || status.st_uid != geteuid()) {
      return fail(ErrorKind::environment, "repository.foreign_owner",
                  "the repository at `" + printable(places.root) + "` belongs to another user",
                  "run rgx as its owner, or take it over with `chown -R`");
    }
  }
  return {};
}

std::string first_line(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("fatal: ") || line.starts_with("error: ")) {
      return printable(line.substr(7, kMessageBytesMax));
    }
  }
  return printable(text.substr(0, std::min(text.find('\n'), kMessageBytesMax)));
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

void add_settings(std::map<std::string, std::string>& env,
                  const std::vector<std::string>& filters) {
  std::size_t count = 0;
  const auto add = [&](const std::string& name, const std::string& value) {
    const std::string index = std::to_string(count++);
    env["GIT_CONFIG_KEY_" + index] = name;
    env["GIT_CONFIG_VALUE_" + index] = value;
  };
  for (const Setting& one : kSettings) {
    add(one.name, one.value);
  }
  for (const std::string& driver : filters) {
    const std::string name = "filter." + driver;
    add(name + ".clean", "");
    add(name + ".smudge", "");
    add(name + ".process", "");
    add(name + ".required", "false");
  }
  env["GIT_CONFIG_COUNT"] = std::to_string(count);
}

std::map<std::string, std::string> environment(const std::vector<std::string>& filters) {
  std::map<std::string, std::string> env = {
      {"LC_ALL", "C"},
      {"PATH", "/nonexistent"},
      {"HOME", "/nonexistent"},
      {"GIT_CONFIG_NOSYSTEM", "1"},
      {"GIT_CONFIG_SYSTEM", "/dev/null"},
      {"GIT_CONFIG_GLOBAL", "/dev/null"},
      {"GIT_ATTR_NOSYSTEM", "1"},
      {"GIT_TERMINAL_PROMPT", "0"},
      {"GIT_OPTIONAL_LOCKS", "0"},
      {"GIT_NO_LAZY_FETCH", "1"},
      {"GIT_ALLOW_PROTOCOL", ""},
      {"GIT_NO_REPLACE_OBJECTS", "1"},
      {"GIT_LITERAL_PATHSPECS", "1"},
      {"GIT_PAGER", "/nonexistent"},
      {"GIT_EDITOR", "/nonexistent"},
      {"GIT_ASKPASS", "/nonexistent"},
      {"GIT_SSH_COMMAND", "/nonexistent"},
  };
  add_settings(env, filters);
  return env;
}

}  // namespace

Status status_of(const Result<std::string>& told) {
  return told ? Status() : Status(fail(told.error()));
}

std::vector<std::string> split_records(std::string_view text) {
  std::vector<std::string> records;
  while (!text.empty()) {
    const auto end = text.find('\0');
    records.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return records;
}

ProcessSpec GitProgram::spec(const std::vector<std::string>& arguments, const GitCall& call) const {
  ProcessSpec spec;
  spec.program = program_;
  spec.argv = {"git", "--no-pager", "--no-replace-objects", "--git-dir=" + places_.git_dir,
               "--work-tree=" + places_.root};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.env = environment(filters_);
  for (const auto& [name, value] : call.env) {
    spec.env[name] = value;
  }
  spec.cwd = places_.root;
  spec.timeout_ms = kTimeoutMs;
  spec.output_bytes_max = kOutputBytesMax;
  SandboxSpec& sandbox = spec.sandbox;
  sandbox.read_below = {program_};
  sandbox.read_below.insert(sandbox.read_below.end(), kLoaders.begin(), kLoaders.end());
  sandbox.data_below = {
      "/usr/lib",       "/usr/lib64",          "/lib",      "/lib64",       "/etc/ld.so.cache",
      "/etc/localtime", "/usr/share/zoneinfo", "/dev/null", "/dev/urandom", places_.root,
      places_.git_dir,  places_.common_dir};
  for (std::string& folder : alternate_folders(places_)) {
    sandbox.data_below.push_back(std::move(folder));
  }
  sandbox.write_below = {"/dev/null"};
  if (call.writes) {
    sandbox.write_below.push_back(places_.git_dir);
    if (places_.common_dir != places_.git_dir) {
      sandbox.write_below.push_back(places_.common_dir);
    }
  }
  return spec;
}

Result<GitAnswer> GitProgram::ask(const std::vector<std::string>& arguments,
                                  const GitCall& call) const {
  const CancelFlag never = false;
  RGX_TRY(ProcessOutcome outcome, processes_->run(spec(arguments, call), never));
  const std::string command = "`git " + printable(arguments.front()) + "`";
  if (outcome.end == ProcessOutcome::End::timed_out) {
    return fail(ErrorKind::environment, "repository.git_failed",
                command + " did not end within " + std::to_string(kTimeoutMs / 1000) + " s",
                "see what it waits for: pipes, a slow disk, a very large work tree");
  }
  if (outcome.end != ProcessOutcome::End::exited) {
    return fail(ErrorKind::environment, "repository.git_failed",
                command + " was ended by signal " + std::to_string(outcome.code),
                "see whether the machine ran out of memory, and run again");
  }
  if (outcome.out.bytes_total > static_cast<std::int64_t>(outcome.out.bytes.size())) {
    return fail(ErrorKind::environment, "repository.git_failed",
                command + " printed more than 64 MiB", "name fewer paths");
  }
  return GitAnswer{outcome.code, std::move(outcome.out.bytes), std::move(outcome.err.bytes),
                   outcome.sandbox};
}

Result<std::string> GitProgram::tell(const std::vector<std::string>& arguments,
                                     std::string_view what, const GitCall& call) const {
  RGX_TRY(GitAnswer answer, ask(arguments, call));
  if (answer.status != 0) {
    return failed(what, answer);
  }
  return std::move(answer.out);
}

Result<std::string> GitProgram::tell_of(const std::vector<std::string>& arguments,
                                        const std::vector<std::string>& paths,
                                        std::string_view what, const GitCall& call) const {
  std::string printed;
  for (std::size_t i = 0; i < paths.size();) {
    std::vector<std::string> all = arguments;
    std::size_t bytes = 0;
    for (; i < paths.size() && bytes < kArgumentBytesMax; ++i) {
      bytes += paths[i].size() + 1;
      all.push_back(paths[i]);
    }
    RGX_TRY(const std::string part, tell(all, what, call));
    printed += part;
  }
  return printed;
}

tl::unexpected<Error> GitProgram::failed(std::string_view what, const GitAnswer& answer) const {
  const std::string said = first_line(answer.err);
  if (contains(said, "unknown repository extension") || contains(said, "unknown extension") ||
      contains(said, "Expected git repo version") || contains(said, "extensions.refstorage") ||
      contains(answer.err, "unknown index entry format") ||
      contains(answer.err, "bad index version") || contains(said, "which we do not understand")) {
    return fail(ErrorKind::environment, "repository.git_too_old",
                "git " + (version_.empty() ? std::string("of this system") : version_) +
                    " cannot read the repository: " +
                    printable(answer.err.substr(0, std::min(answer.err.size(), kMessageBytesMax))),
                "install a newer git, or convert the repository to a format that this one knows");
  }
  if (contains(answer.err, "promisor") || contains(answer.err, "lazy fetching")) {
    return fail(ErrorKind::environment, "repository.not_fetched",
                std::string(what) + " needs an object that this partial clone does not have",
                "fetch it with git first (`git checkout`, `git show REVISION:PATH`): rgx never "
                "uses the network for it");
  }
  return fail(ErrorKind::environment, "repository.broken",
              std::string(what) + " failed: " + (said.empty() ? "git said nothing" : said),
              "check it with `git fsck`");
}

std::string GitProgram::setting(const std::string& name, const std::string& otherwise) const {
  const auto found = settings_.find(name);
  return found == settings_.end() || found->second.empty() ? otherwise : found->second;
}

Status GitProgram::read_settings() {
  RGX_TRY(const std::string listed, tell({"config", "-z", "--list"}, "reading the configuration"));
  for (const std::string& record : split_records(listed)) {
    const auto end = record.find('\n');
    const std::string name = record.substr(0, end);
    settings_[name] = end == std::string::npos ? "" : record.substr(end + 1);
    const auto dot = name.rfind('.');
    if (name.starts_with("filter.") && dot > 7 &&
        (filters_.empty() || filters_.back() != name.substr(7, dot - 7))) {
      filters_.push_back(name.substr(7, dot - 7));
    }
  }
  if (filters_.size() > kFiltersMax) {
    return fail(ErrorKind::environment, "repository.too_large",
                "the configuration names more than " + std::to_string(kFiltersMax) + " filters",
                "remove those that nobody uses");
  }
  return {};
}

Status GitProgram::check_work_tree() const {
  const std::string named = setting("core.worktree", "");
  if (named.empty()) {
    return {};
  }
  const std::filesystem::path there(named);
  const std::string real = canonical_or(
      there.is_absolute() ? named : (std::filesystem::path(places_.git_dir) / there).string());
  if (real != places_.root) {
    return fail(ErrorKind::usage, "repository.elsewhere",
                "the repository at `" + printable(places_.root) + "` has its work tree at `" +
                    printable(real) + "`",
                "go there, or correct `core.worktree` of the repository");
  }
  return {};
}

const std::vector<std::string>& GitProgram::system_git_paths() {
  static const std::vector<std::string> kPaths = {"/usr/bin/git", "/usr/local/bin/git", "/bin/git"};
  return kPaths;
}

Result<GitProgram> GitProgram::open(GitPlaces places, std::string_view why,
                                    ProcessRunner& processes,
                                    const std::vector<std::string>& candidates) {
  RGX_TRY_STATUS(check_owner(places));
  std::string distrust;
  const auto found = find_program(candidates, places.root, distrust);
  if (!found) {
    return fail(ErrorKind::environment, "repository.needs_git",
                "libgit2 cannot read the repository (" + std::string(why) +
                    "), and the program git cannot be used: " + distrust,
                "install git (Debian: `apt-get install git`)");
  }
  GitProgram program(std::move(places), canonical_or(found->path), processes);
  RGX_TRY(const GitAnswer version, program.ask({"version"}));
  if (version.status != 0) {
    return program.failed("starting git", version);
  }
  program.sandbox_ = version.sandbox;
  const std::string_view text(version.out);
  const auto start = text.find_first_of("0123456789");
  program.version_ = start == std::string_view::npos
                         ? ""
                         : printable(text.substr(start, text.find_first_of(" \n", start) - start));
  RGX_TRY_STATUS(program.read_settings());
  // Listing a configuration works whatever the format is; this does not.
  RGX_TRY_STATUS(
      status_of(program.tell({"rev-parse", "--is-inside-work-tree"}, "opening the repository")));
  RGX_TRY_STATUS(program.check_work_tree());
  return program;
}

}  // namespace rgx::engine
