#pragma once

#include <string>
#include <vector>

#include "engine/sandbox.h"
#include "engine/workspace.h"
#include "policy/facts.h"

// What a program may see and write, made from the facts that were decided. Private to the package.

namespace rgx::engine {

/// Absolute folders and files of the system that every program may read and execute.
[[nodiscard]] const std::vector<std::string>& system_view();

struct ExecView {
  SandboxSpec sandbox;
  std::vector<std::string> made;  ///< folders that were made so that they could be granted
};

/// Grants of a step. The kernel grants places, not patterns: a write or read is `P/**`, `**`, or
/// one path that exists; other patterns are exec.grant_unsupported, never widened. Missing folders
/// of `P/**` that may be written are made. `**` for writing leaves out `.git` and every other
/// protected name at the root, and what does not exist there yet.
[[nodiscard]] Result<ExecView> make_exec_view(const policy::Facts& facts,
                                              const std::string& scratch, Workspace& workspace);

}  // namespace rgx::engine
