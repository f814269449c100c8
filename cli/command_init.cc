#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/keys.h"
#include "base/digest.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/init_policy.h"
#include "cli/keys.h"
#include "cli/paths.h"
#include "cli/project_detect.h"
#include "cli/repository_setup.h"
#include "cli/trust.h"
#include "cli/world.h"
#include "policy/decision.h"

namespace rgx::cli {
namespace {

constexpr std::uint32_t kFileMode = 0666;  // the umask takes from it
constexpr std::size_t kProbedBytesMax = 1U << 20;
constexpr std::string_view kFolder = ".rgx";
constexpr std::string_view kConfig = ".rgx/config.yaml";
constexpr std::string_view kPolicy = ".rgx/policy.yaml";

// What will be written, decided before anything is.
struct Setup {
  std::vector<std::pair<std::string, std::string>> files;  // workspace path -> text
  std::optional<StartingPolicy> user_policy;
  bool makes_root_key = false;
  bool makes_requester_key = false;

  [[nodiscard]] bool empty() const {
    return files.empty() && !user_policy && !makes_root_key && !makes_requester_key;
  }
};

class Command {
 public:
  Command(Session& session, const InitOptions& options) : session_(session), options_(options) {}

  Result<ExitCode> run();

 private:
  Result<std::optional<TestCommand>> find_tests(World& world);
  void explain_no_tests(bool has_config);
  Result<Setup> decide(World& world);
  void show(const Setup& setup);
  [[nodiscard]] bool confirmed() const;
  Status make_keys(const Setup& setup);
  Status write_files(const Setup& setup, const std::string& root);
  void say(std::string_view text) { session_.output.say(text); }

  Session& session_;
  const InitOptions& options_;
  Paths paths_;
  std::vector<std::string> languages_;
};

Result<std::optional<TestCommand>> Command::find_tests(World& world) {
  if (!options_.test_argv.empty()) {
    for (const std::string& word : options_.test_argv) {
      if (!is_utf8(word)) {
        return fail(ErrorKind::usage, "init.test_command",
                    "the test command `" + printable(word) + "` is not UTF-8");
      }
    }
    return std::optional(
        TestCommand{"the command line of rgx init", options_.test_argv, options_.test_writes});
  }
  ProjectFiles project;
  RGX_TRY(const std::vector<RepositoryFile> files, world.repository().files({"."}));
  for (const RepositoryFile& file : files) {
    project.paths.push_back(file.path);
  }
  project.read = [&world](std::string_view path) -> std::optional<std::string> {
    auto text = world.workspace().read(path, kProbedBytesMax);
    return text ? std::optional(std::move(*text)) : std::nullopt;
  };
  languages_ = find_languages(project.paths);
  std::vector<TestCommand> found = find_test_commands(project);
  if (!languages_.empty()) {
    say("languages     " + join(languages_, ", "));
  }
  if (found.empty()) {
    return std::optional<TestCommand>();
  }
  for (const TestCommand& test : found) {
    say((&test == &found.front() ? "tests         " : "  also found  ") + shell_words(test.argv) +
        "   (" + test.found_in + ")");
  }
  if (!options_.test_writes.empty()) {
    found.front().writes = options_.test_writes;
  }
  return std::optional(std::move(found.front()));
}

void Command::explain_no_tests(bool has_config) {
  if (has_config) {
    return;
  }
  say("no test command was found (CTest, make test, npm, unittest, pytest, cargo, go), so no");
  say("settings and no policy are written; name it yourself:");
  say("  rgx init --test-writes \"build/**\" -- COMMAND ARGUMENT...");
}

Result<Setup> Command::decide(World& world) {
  Setup setup;
  if (options_.policy) {
    RGX_TRY(setup.user_policy, starting_policy(*options_.policy, paths_));
  }
  const auto look = [&world](std::string_view path) {
    auto state = world.workspace().state(path);
    if (!state && state.error().kind == ErrorKind::failed) {
      state.error().kind = ErrorKind::usage;  // no step failed
    }
    return state;
  };
  RGX_TRY(const auto config, look(kConfig));
  RGX_TRY(const auto policy, look(kPolicy));
  if (config) {
    say("`" + std::string(kConfig) + "` exists and is left as it is");
  }
  if (policy) {
    say("`" + std::string(kPolicy) + "` exists and is left as it is");
  }
  if (!config || !policy) {
    RGX_TRY(const std::optional<TestCommand> test, find_tests(world));
    if (!test) {
      explain_no_tests(config.has_value());
    } else {
      if (!config) {
        setup.files.emplace_back(kConfig, config_text(*test, languages_));
      }
      if (!policy) {
        setup.files.emplace_back(kPolicy, policy_text(*test));
      }
    }
  }
  for (const auto& [path, text] : setup.files) {
    // What rgx would refuse to load tomorrow is not written today.
    if (path == kPolicy) {
      RGX_TRY_STATUS(policy::load_policy(text, path).map([](const policy::Policy&) {}));
    }
  }
  setup.makes_root_key = !exists(paths_.root_key());
  setup.makes_requester_key = !exists(paths_.requester_key());
  return setup;
}

void Command::show(const Setup& setup) {
  for (const auto& [path, text] : setup.files) {
    say("\n--- " + path);
    say(text.substr(0, text.size() - 1));
  }
  if (!setup.files.empty()) {
    say("---\n");
  }
  if (setup.user_policy) {
    say("user policy   " + paths_.user_policy() + "   (" + setup.user_policy->summary + ")");
    if (exists(std::string(kOrgPolicy))) {
      say("              below " + std::string(kOrgPolicy) + ", so it can only narrow");
    }
  }
  if (setup.makes_root_key) {
    say("root key      " + paths_.root_key() + "   (signs evidence; whoever reads it can forge)");
  }
  if (setup.makes_requester_key) {
    say("requester key " + paths_.requester_key() + "   (says who asked for a run)");
  }
}

bool Command::confirmed() const {
  if (options_.yes || !session_.is_interactive) {
    return true;
  }
  session_.output.say("write this? yes or no:");
  std::array<char, 16> answer{};
  if (std::fgets(answer.data(), answer.size(), stdin) == nullptr) {
    return false;
  }
  const std::string_view text = answer.data();
  return text == "yes\n" || text == "y\n";
}

Status Command::make_keys(const Setup& setup) {
  if (!setup.makes_root_key && !setup.makes_requester_key) {
    return {};
  }
  RGX_TRY_STATUS(make_folder(paths_.config_dir));
  const auto entropy = make_entropy();
  if (setup.makes_root_key) {
    RGX_TRY(const audit::RootKey key, audit::generate_root_key(*entropy));
    RGX_TRY_STATUS(audit::store_key_file(paths_.root_key(), audit::write_root_key(key)));
  }
  if (setup.makes_requester_key) {
    RGX_TRY(const audit::SigningKey key, audit::SigningKey::generate(*entropy));
    RGX_TRY_STATUS(audit::store_key_file(paths_.requester_key(), key.pem()));
  }
  return {};
}

Status Command::write_files(const Setup& setup, const std::string& root) {
  if (setup.files.empty()) {
    return {};
  }
  const std::string folder = root + '/' + std::string(kFolder);
  struct stat status = {};
  constexpr mode_t kFolderMode = 0777;
  if (::mkdir(folder.c_str(), kFolderMode) != 0 && errno != EEXIST) {
    return fail(ErrorKind::environment, "file.unwritable",
                "`" + printable(folder) + "` cannot be made: " + errno_text(errno),
                "check that you may write in the repository");
  }
  // A link could lead anywhere, and a cloned repository may hold one.
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
    return fail(ErrorKind::environment, "file.not_a_folder",
                "`" + printable(folder) + "` is there, but it is no folder", "move it away");
  }
  for (const auto& [path, text] : setup.files) {
    const std::string file = std::string(root).append("/").append(path);
    RGX_TRY_STATUS(write_file(file, text, kFileMode, IfExists::refuse));
    if (path == kPolicy) {
      RGX_TRY_STATUS(make_folder(paths_.config_dir));
      RGX_TRY_STATUS(record_trust(paths_.trusted_policies(), digest_bytes(text), file));
    }
  }
  return {};
}

Result<ExitCode> Command::run() {
  RGX_TRY(paths_, find_paths(session_.environment));
  RGX_TRY(World world, World::open(".", paths_.state_home));
  RGX_TRY_STATUS(check_keys_outside(paths_, world.root()));
  say("repository    " + world.root());
  RGX_TRY(const Setup setup, decide(world));
  if (setup.empty()) {
    say("nothing to do: settings, policy and keys are there");
  } else {
    show(setup);
    if (!confirmed()) {
      say("nothing was written");
      return ExitCode::waiting;
    }
    RGX_TRY_STATUS(make_keys(setup));
    if (setup.user_policy) {
      RGX_TRY_STATUS(write_starting_policy(*setup.user_policy, paths_));
    }
    RGX_TRY_STATUS(write_files(setup, world.root()));
    for (const auto& [path, text] : setup.files) {
      say("wrote         " + path);
    }
    if (setup.user_policy) {
      say("wrote         " + paths_.user_policy());
    }
  }
  if (!world.repository().head()) {
    say("next: make a first commit; a plan needs one to take policy from");
  } else {
    say("next: rgx plan \"replace OLD_NAME with NEW_NAME under FOLDER\"");
  }
  return ExitCode::done;
}

}  // namespace

ExitCode run_init(Session& session, const InitOptions& options) {
  const auto done = Command(session, options).run();
  return done ? *done : report(session, done.error());
}

}  // namespace rgx::cli
