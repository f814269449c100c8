#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/workspace.h"
#include "policy/decision.h"
#include "templates/plan.h"

namespace rgx::engine {

/// Adds to lexical facts what needs the machine: where paths lead after symbolic links, and for
/// programs the absolute path (first existing candidate of the policy's table, owned by root or
/// the user, not writable by others, outside the workspace) and the digest of its bytes.
/// A program that is not found stays unresolved: a run does not start with it (run.no_program).
[[nodiscard]] Result<policy::Facts> resolve(policy::Facts facts, const policy::PolicySet& policy,
                                            Workspace& workspace);

/// derive + resolve for every step of a plan, and every check of its acceptance.
[[nodiscard]] Result<std::map<StepId, policy::Facts>> resolve_plan(
    const templates::SealedPlan& plan, const policy::PolicySet& policy, Workspace& workspace);

}  // namespace rgx::engine
