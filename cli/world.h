#pragma once

#include <memory>
#include <string>

#include "audit/ledger_writer.h"
#include "audit/storage.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "base/repository_view.h"
#include "base/result.h"
#include "engine/observer.h"
#include "engine/run.h"
#include "engine/worktrees.h"

// The real world behind the ports. Nothing else in the program makes a real port.

namespace rgx::cli {

class World {
 public:
  /// The git work tree at or above `start`, with its workspace and its state below `state_home`.
  [[nodiscard]] static Result<World> open(const std::string& start, const std::string& state_home);

  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  [[nodiscard]] const std::string& root() const;  ///< canonical absolute path of the work tree
  /// What reads the repository: `libgit2`, or the program git and why libgit2 will not do.
  [[nodiscard]] const std::string& repository_reader() const;
  [[nodiscard]] engine::ProcessRunner& processes();
  [[nodiscard]] Clock& clock();
  [[nodiscard]] Entropy& entropy();
  [[nodiscard]] RepositoryView& repository();
  [[nodiscard]] engine::Workspace& workspace();
  [[nodiscard]] engine::StateStore& state();
  /// A commit, for plans that run in a worktree; needs this world.
  [[nodiscard]] Result<engine::OpenBase> base(const std::string& commit);
  [[nodiscard]] engine::RunPorts run_ports(engine::Observer& observer);

 private:
  struct Ports;
  explicit World(std::unique_ptr<Ports> ports);
  std::unique_ptr<Ports> ports_;
};

/// Ports that need no repository.
[[nodiscard]] std::unique_ptr<Clock> make_clock();
[[nodiscard]] std::unique_ptr<Entropy> make_entropy();
[[nodiscard]] Result<std::unique_ptr<audit::Storage>> open_ledger_file(const std::string& path);
/// Name of this machine and id of this process, as records hold them.
[[nodiscard]] audit::LedgerWriter::Environment this_process();

}  // namespace rgx::cli
