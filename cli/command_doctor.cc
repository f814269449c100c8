#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "audit/keys.h"
#include "base/canonical.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/doctor.h"
#include "cli/files.h"
#include "cli/kernel_probe.h"
#include "cli/keys.h"
#include "cli/paths.h"
#include "cli/policy_layers.h"
#include "cli/world.h"
#include "planner/compile.h"

namespace rgx::cli {
namespace {

constexpr std::string_view kConfig = ".rgx/config.yaml";
constexpr std::size_t kConfigBytesMax = 1U << 20;
constexpr std::uint64_t kSpaceLow = std::uint64_t{100} << 20;  // bytes
constexpr std::uint64_t kSpaceNone = std::uint64_t{1} << 20;   // a ledger may not fit

HealthCheck check_of(std::string group, std::string name, Health health, std::string note,
                     std::string remedy = {}) {
  return {.group = std::move(group),
          .name = std::move(name),
          .health = health,
          .note = std::move(note),
          .remedy = std::move(remedy)};
}

HealthCheck failure(std::string group, std::string name, const Error& error) {
  std::string remedy;
  std::string note;
  for (const Diagnostic& one : error.diagnostics) {
    note += (note.empty() ? "" : "; ") + escape_controls(one.message);
    remedy = remedy.empty() ? one.remedy : remedy;
  }
  return check_of(std::move(group), std::move(name), Health::fail, note, escape_controls(remedy));
}

// A program as the shell of this person finds it.
std::optional<std::string> find_on_path(const Environment& environment, std::string_view name) {
  const std::string path = environment.find("PATH").value_or("/usr/bin:/bin");
  for (const std::string_view folder : split(path, ':')) {
    std::string file = std::string(folder) + '/' + std::string(name);
    if (folder.starts_with('/') && ::access(file.c_str(), X_OK) == 0) {
      return file;
    }
  }
  return std::nullopt;
}

class Doctor {
 public:
  explicit Doctor(Session& session) : session_(session) {}
  Result<HealthReport> examine();

 private:
  void programs();
  void repository(const Paths& paths);
  void keys(const Paths& paths);
  void policy(const Paths& paths, World& world);
  void state(const Paths& paths);
  void project(World& world);
  void add(HealthCheck check) { report_.push_back(std::move(check)); }

  Session& session_;
  HealthReport report_;
  std::optional<World> world_;
};

void Doctor::programs() {
  const auto git = find_on_path(session_.environment, "git");
  add(git ? check_of("programs", "git", Health::ok, printable(*git))
          : check_of(
                "programs", "git", Health::warn, "not on PATH",
                "install it (Debian: `apt-get install git`) to review and restore changes, and "
                "for repositories that libgit2 does not read"));
}

// Opening the repository loads libgit2, so that one look answers for both.
void Doctor::repository(const Paths& paths) {
  Result<World> world = World::open(".", paths.state_home);
  const bool no_library = !world && world.error().first().code == "repository.no_library";
  if (no_library) {
    add(failure("programs", "libgit2", world.error()));
    return;
  }
  add(check_of("programs", "libgit2", Health::ok, "loads"));
  if (world) {
    add(check_of("repository", "work tree", Health::ok, printable(world->root())));
    add(check_of("repository", "read by", Health::ok, world->repository_reader()));
    world_.emplace(std::move(*world));
  } else if (world.error().first().code == "repository.none") {
    add(check_of("repository", "work tree", Health::warn, "this folder is in none",
                 "run this in a git repository to have its policy and project looked at, too"));
  } else {
    add(failure("repository", "work tree", world.error()));
  }
}

void Doctor::keys(const Paths& paths) {
  const auto add_key = [&](std::string name, const std::string& file, const Status& loaded) {
    if (!exists(file)) {
      add(check_of("keys", std::move(name), Health::fail, "not there: nothing runs without it",
                   "`rgx init` makes one"));
    } else if (!loaded) {
      add(failure("keys", std::move(name), loaded.error()));
    } else {
      add(check_of("keys", std::move(name), Health::ok, printable(file)));
    }
  };
  const auto ignore = [](const auto&) {};
  add_key("root key", paths.root_key(), audit::load_root_key(paths.root_key()).map(ignore));
  add_key("requester key", paths.requester_key(),
          audit::SigningKey::load(paths.requester_key()).map(ignore));
  if (world_) {
    if (const Status outside = check_keys_outside(paths, world_->root()); !outside) {
      add(failure("keys", "place", outside.error()));
    }
  }
}

void Doctor::policy(const Paths& paths, World& world) {
  const LayerSources sources{.org_file = std::string(kOrgPolicy),
                             .user_file = paths.user_policy(),
                             .trust_file = paths.trusted_policies(),
                             .run_file = std::nullopt,
                             .base = std::nullopt};
  const auto loaded = load_layers(sources, world.repository(), world.workspace());
  if (!loaded) {
    add(failure("policy", "layers", loaded.error()));
    return;
  }
  for (const policy::Policy& layer : loaded->policy.layers()) {
    add(check_of("policy", std::string(policy::to_string(layer.layer)), Health::ok,
                 printable(layer.name) + " (" + printable(layer.file) + ")"));
  }
  for (const std::string& notice : loaded->notices) {
    add(check_of("policy", "repository", Health::warn, escape_controls(notice)));
  }
  if (loaded->policy.sandbox() == policy::SandboxDemand::required) {
    for (HealthCheck& check : report_) {
      if (check.group == "kernel" && check.name == "landlock" && check.note.starts_with("not")) {
        check.health = Health::fail;
        check.note += ", and the policy says `sandbox: required`";
      }
    }
  }
}

// The nearest folder above that is there: rgx makes what is missing.
std::string existing_part(std::string path) {
  while (path.size() > 1 && !exists(path)) {
    const std::size_t slash = path.rfind('/');
    path.resize(slash == 0 || slash == std::string::npos ? 1 : slash);
  }
  return path;
}

void Doctor::state(const Paths& paths) {
  const std::string wanted = paths.state_home + "/rgx";
  const std::string folder = existing_part(wanted);
  struct stat status = {};
  struct statvfs space = {};
  if (::stat(folder.c_str(), &status) != 0 || ::statvfs(folder.c_str(), &space) != 0) {
    add(check_of("state", "directory", Health::fail,
                 "`" + printable(folder) + "` cannot be looked at: " + errno_text(errno),
                 "set RGX_STATE_HOME to a folder of yours"));
    return;
  }
  const bool is_mine = folder != wanted || status.st_uid == ::getuid();
  if (!S_ISDIR(status.st_mode) || !is_mine || ::access(folder.c_str(), W_OK) != 0) {
    add(check_of("state", "directory", Health::fail,
                 "`" + printable(folder) + "` is no folder that you own and may write in",
                 "set RGX_STATE_HOME to a folder of yours"));
  } else {
    add(check_of("state", "directory", Health::ok,
                 printable(wanted) + (folder == wanted ? "" : " (made by the first run)")));
  }
  const std::uint64_t bytes = std::uint64_t{space.f_bavail} * space.f_frsize;
  const std::string note = std::to_string(bytes >> 20) + " MiB free";
  add(bytes < kSpaceNone ? check_of("state", "space", Health::fail, note, "free some space")
      : bytes < kSpaceLow
          ? check_of("state", "space", Health::warn, note, "free some space before long runs")
          : check_of("state", "space", Health::ok, note));
}

void Doctor::project(World& world) {
  const auto state = world.workspace().state(kConfig);
  if (!state) {
    add(failure("project", "settings", state.error()));
    return;
  }
  if (!*state) {
    add(check_of("project", "settings", Health::warn, "there is no " + std::string(kConfig),
                 "`rgx init` finds the test command, `rgx init -- COMMAND` takes yours"));
    return;
  }
  const auto text = world.workspace().read(kConfig, kConfigBytesMax);
  if (!text) {
    add(failure("project", "settings", text.error()));
    return;
  }
  const auto settings = planner::parse_project_settings(*text, kConfig);
  if (!settings) {
    add(failure("project", "settings", settings.error()));
    return;
  }
  const std::string command = printable(shell_words(settings->test_argv));
  const std::string& program = settings->test_argv.front();
  const bool is_there = program.find('/') != std::string::npos ||
                        find_on_path(session_.environment, program).has_value();
  add(is_there ? check_of("project", "test command", Health::ok, command)
               : check_of("project", "test command", Health::warn,
                          command + ": the program is not on PATH",
                          "install `" + printable(program) + "`"));
}

Result<HealthReport> Doctor::examine() {
  RGX_TRY(const Paths paths, find_paths(session_.environment));
  programs();
  repository(paths);
  for (HealthCheck& check : probe_kernel()) {
    add(std::move(check));
  }
  keys(paths);
  state(paths);
  if (world_) {
    policy(paths, *world_);
    project(*world_);
  }
  return report_;
}

}  // namespace

ExitCode run_doctor(Session& session, const DoctorOptions& options) {
  const auto found = Doctor(session).examine();
  if (!found) {
    return report(session, found.error());
  }
  session.output.result(options.json ? canonical(doctor_json(*found)) + '\n'
                                     : doctor_text(*found, session.output.result_colour()));
  return worst(*found) == Health::fail ? ExitCode::environment : ExitCode::done;
}

}  // namespace rgx::cli
