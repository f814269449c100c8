#include "cli/world.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <utility>

#include "audit/storage_posix.h"
#include "base/text.h"
#include "engine/posix_world.h"
#include "engine/state_store.h"

namespace rgx::cli {

struct World::Ports {
  std::string root;
  std::string reader;
  std::unique_ptr<Clock> clock;
  std::unique_ptr<Entropy> entropy;
  std::unique_ptr<engine::Sandbox> sandbox;
  std::unique_ptr<engine::ProcessRunner> processes;
  std::unique_ptr<RepositoryView> repository;
  std::unique_ptr<engine::Workspace> workspace;
  std::unique_ptr<engine::StateStore> state;
  std::unique_ptr<engine::Worktrees> worktrees;
};

World::World(std::unique_ptr<Ports> ports) : ports_(std::move(ports)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Result<World> World::open(const std::string& start, const std::string& state_home) {
  auto ports = std::make_unique<Ports>();
  ports->sandbox = engine::real_sandbox();
  ports->processes = engine::real_process_runner(*ports->sandbox);
  RGX_TRY(engine::OpenRepository opened, engine::open_repository(start, *ports->processes));
  ports->reader =
      opened.why_program.empty() ? opened.reader : opened.reader + ": " + opened.why_program;
  ports->root = std::move(opened.root);
  ports->repository = std::move(opened.view);
  RGX_TRY(ports->workspace, engine::open_workspace(ports->root));
  RGX_TRY(ports->state, engine::open_state_store(state_home, ports->root));
  RGX_TRY(std::string folder, engine::worktrees_path(state_home, ports->root));
  ports->worktrees = engine::open_worktrees(ports->root, std::move(folder), *ports->processes);
  ports->clock = engine::real_clock();
  ports->entropy = engine::real_entropy();
  return World(std::move(ports));
}

const std::string& World::root() const {
  return ports_->root;
}
const std::string& World::repository_reader() const {
  return ports_->reader;
}
engine::ProcessRunner& World::processes() {
  return *ports_->processes;
}
Clock& World::clock() {
  return *ports_->clock;
}
Entropy& World::entropy() {
  return *ports_->entropy;
}
RepositoryView& World::repository() {
  return *ports_->repository;
}
engine::Workspace& World::workspace() {
  return *ports_->workspace;
}
engine::StateStore& World::state() {
  return *ports_->state;
}

engine::RunPorts World::run_ports(engine::Observer& observer) {
  return {.clock = *ports_->clock,
          .entropy = *ports_->entropy,
          .workspace = *ports_->workspace,
          .repository = *ports_->repository,
          .processes = *ports_->processes,
          .sandbox = *ports_->sandbox,
          .state = *ports_->state,
          .observer = observer,
          .worktrees = ports_->worktrees.get()};
}

Result<engine::OpenBase> World::base(const std::string& commit) {
  return engine::open_base(commit, *ports_->repository, *ports_->workspace);
}

std::unique_ptr<Clock> make_clock() {
  return engine::real_clock();
}
std::unique_ptr<Entropy> make_entropy() {
  return engine::real_entropy();
}

Result<std::unique_ptr<audit::Storage>> open_ledger_file(const std::string& path) {
  return audit::open_storage(path, audit::OpenMode::read);
}

audit::LedgerWriter::Environment this_process() {
  utsname names = {};
  std::string host = "unknown";
  if (::uname(&names) == 0) {
    host = printable(names.nodename);
  }
  return {.host = std::move(host), .pid = ::getpid()};
}

}  // namespace rgx::cli
