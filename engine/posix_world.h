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
struct OpenRepository {
  std::string root;         ///< canonical absolute path of the work tree
  std::string reader;       ///< `libgit2`, or the program: `/usr/bin/git 2.39.5`
  std::string why_program;  ///< why libgit2 will not do; empty when it does
  std::unique_ptr<RepositoryView> view;
};
/// The git repository at or above `start`, with no configuration but its own: through libgit2, or
/// through the program git where libgit2 cannot read it. `processes` must outlive the view.
/// Errors: repository.none, repository.bare, repository.broken, repository.too_large,
/// repository.foreign_owner, repository.elsewhere, repository.needs_git, repository.git_too_old;
/// repository.no_commits only when HEAD is asked for.
[[nodiscard]] Result<OpenRepository> open_repository(const std::string& start,
                                                     ProcessRunner& processes);

}  // namespace rgx::engine
