#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/repository_view.h"
#include "engine/process.h"
#include "engine/sandbox.h"
#include "engine/workspace.h"

// Makers of the real ports; called from cli/world.cc only.

namespace rgx::engine {

[[nodiscard]] std::unique_ptr<Clock> real_clock();
[[nodiscard]] std::unique_ptr<Entropy> real_entropy();
/// Holds a descriptor of `root` from now on (workspace.missing, workspace.io).
[[nodiscard]] Result<std::unique_ptr<Workspace>> open_workspace(const std::string& root);
[[nodiscard]] std::unique_ptr<Sandbox> real_sandbox();
[[nodiscard]] std::unique_ptr<ProcessRunner> real_process_runner(Sandbox& sandbox);
/// The git repository at or above `start`, through libgit2 with no configuration but the
/// repository's own (repository.none, repository.bare, repository.foreign_owner,
/// repository.no_commits only when HEAD is asked for, repository.unsupported).
struct OpenRepository {
  std::string root;  ///< canonical absolute path of the work tree
  std::unique_ptr<RepositoryView> view;
};
[[nodiscard]] Result<OpenRepository> open_repository(const std::string& start);

}  // namespace rgx::engine
