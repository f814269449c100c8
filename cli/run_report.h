#pragma once

#include <string>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/prepare.h"
#include "engine/run.h"

// What a run did, for people and as JSON.

namespace rgx::cli {

/// What is left of a run in a worktree, and what to do with it.
[[nodiscard]] std::string worktree_text(const engine::WorktreeReport& worktree, const RunId& run);
[[nodiscard]] Json worktree_json(const engine::WorktreeReport& worktree);

/// What changed, what it cost, what did not succeed, where the evidence is, what to do next.
[[nodiscard]] std::string report_text(const engine::RunReport& report,
                                      const std::string& ledger_path, Colour colour);

/// `rgx.run/v1`.
[[nodiscard]] Json report_json(const engine::RunReport& report, const Prepared& prepared,
                               const std::string& ledger_path, ExitCode exit_code);

/// `rgx.run/v1` of a plan that did not start: refused, over budget, or waiting for people.
[[nodiscard]] Json stopped_json(const Prepared& prepared, std::string_view state,
                                ExitCode exit_code);

}  // namespace rgx::cli
