#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "cli/paths.h"
#include "cli/policy_layers.h"
#include "cli/world.h"
#include "engine/question.h"
#include "planner/compile.h"
#include "policy/admission.h"
#include "templates/plan.h"

// The way from an intent to an admission, the same for `plan` and `run`.

namespace rgx::cli {

/// A sealed plan under the policy of this moment.
struct Prepared {
  templates::SealedPlan plan;
  LoadedLayers layers;
  std::map<StepId, policy::Decision> decisions;  ///< of every step, in a refused plan too
  policy::Admission admission;
  std::shared_ptr<engine::OpenBase> base;  ///< what a plan for a worktree was decided on

  [[nodiscard]] const policy::AdmittedPlan* admitted() const {
    return std::get_if<policy::AdmittedPlan>(&admission);
  }
  [[nodiscard]] const policy::Refusal* refusal() const {
    return std::get_if<policy::Refusal>(&admission);
  }
};

using SealAnswer = std::variant<templates::SealedPlan, planner::Question>;

/// Compiles and seals (usage errors of `--set` and `--template` included).
[[nodiscard]] Result<SealAnswer> compile_and_seal(const CompileOptions& options, World& world);

/// A plan file, as `rgx plan --out` wrote it.
[[nodiscard]] Result<templates::SealedPlan> read_plan_file(const std::string& file);

/// Reads the policy layers, looks at the machine, and decides every step.
[[nodiscard]] Result<Prepared> admit_under_policy(templates::SealedPlan plan,
                                                  const CompileOptions& options, const Paths& paths,
                                                  World& world);

/// How a stored run is admitted again: a worktree stays on the commit that it began with.
[[nodiscard]] CompileOptions options_again(const engine::StoredRun& stored,
                                           const std::optional<std::string>& policy_file);

/// Files that are not what the plan was compiled for, one line each; empty = no drift.
[[nodiscard]] Result<std::vector<std::string>> find_drift(const templates::SealedPlan& plan,
                                                          engine::Workspace& workspace);

[[nodiscard]] inline bool is_for_worktree(const templates::SealedPlan& plan) {
  return plan.plan().workspace != "in_place";
}

}  // namespace rgx::cli
