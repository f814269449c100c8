#include "cli/prepare.h"

#include <utility>

#include "base/text.h"
#include "cli/files.h"
#include "cli/template_files.h"
#include "engine/resolve.h"
#include "policy/step_decision.h"
#include "templates/seal.h"

namespace rgx::cli {
namespace {

bool is_template_path(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".yaml");
}

Result<std::multimap<std::string, std::string>> parse_set(const std::vector<std::string>& pairs) {
  std::multimap<std::string, std::string> set;
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::usage, "usage.set",
                  "`--set " + printable(pair) + "` is not of the form KEY=VALUE",
                  "write `--set NAME=VALUE`, with a parameter of the template as NAME");
    }
    set.emplace(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return set;
}

}  // namespace

Result<SealAnswer> compile_and_seal(const CompileOptions& options, World& world) {
  RGX_TRY(std::vector<templates::Template> known, load_catalog());
  planner::CompileRequest request;
  request.intent = options.intent;
  request.template_name = options.template_name;
  RGX_TRY(request.set, parse_set(options.set));
  if (request.template_name && is_template_path(*request.template_name)) {
    RGX_TRY(request.template_name, add_template_file(*request.template_name, known));
  }
  for (templates::Template& source : known) {
    if (options.worktree) {
      source.workspace = "worktree";
    }
  }
  const auto compile = [&](RepositoryView& repository) -> Result<SealAnswer> {
    RGX_TRY(planner::CompileAnswer answer, planner::compile(request, known, repository));
    if (auto* question = std::get_if<planner::Question>(&answer)) {
      return SealAnswer(std::move(*question));
    }
    auto& compiled = std::get<planner::Compiled>(answer);
    RGX_TRY(templates::SealedPlan plan, templates::seal(std::move(compiled.draft)));
    return SealAnswer(std::move(plan));
  };
  if (!options.worktree) {
    RGX_TRY(SealAnswer answer, compile(world.repository()));
    const auto* plan = std::get_if<templates::SealedPlan>(&answer);
    if (plan == nullptr || !is_for_worktree(*plan)) {
      return answer;
    }
  }
  // What is not committed is not in a worktree: the plan is for the files of a commit.
  RGX_TRY(const std::string commit,
          options.base ? world.repository().commit_id(*options.base) : world.repository().head());
  RGX_TRY(const engine::OpenBase base, world.base(commit));
  return compile(*base.view);
}

Result<templates::SealedPlan> read_plan_file(const std::string& file) {
  RGX_TRY(const std::string bytes,
          read_file({.path = file, .bytes_max = templates::kPlanBytesMax + 4096}));
  return templates::read_sealed_plan(bytes, file);
}

Result<Prepared> admit_under_policy(templates::SealedPlan plan, const CompileOptions& options,
                                    const Paths& paths, World& world) {
  const LayerSources sources{.org_file = std::string(kOrgPolicy),
                             .user_file = paths.user_policy(),
                             .trust_file = paths.trusted_policies(),
                             .run_file = options.policy_file,
                             .base = options.base};
  RGX_TRY(LoadedLayers layers, load_layers(sources, world.repository(), world.workspace()));
  policy::AdmissionInput input;
  input.base_revision = layers.base_revision;
  input.now_unix_ms = world.clock().now_unix_ms();
  std::shared_ptr<engine::OpenBase> base;
  if (is_for_worktree(plan)) {
    RGX_TRY(engine::OpenBase opened, world.base(layers.base_revision));
    base = std::make_shared<engine::OpenBase>(std::move(opened));
  }
  RGX_TRY(input.facts,
          engine::resolve_plan(plan, layers.policy, base ? *base->workspace : world.workspace()));
  RGX_TRY(policy::Admission admission, policy::admit(plan, layers.policy, input));
  std::map<StepId, policy::Decision> decisions;
  if (const auto* admitted = std::get_if<policy::AdmittedPlan>(&admission)) {
    decisions = admitted->decisions();
  } else {
    // A refusal holds the denied steps; the others are shown as well.
    decisions = std::get<policy::Refusal>(admission).denied;
    for (const std::vector<templates::Step>* steps :
         {&plan.plan().steps, &plan.plan().acceptance}) {
      for (const templates::Step& step : *steps) {
        if (const auto facts = input.facts.find(step.id); facts != input.facts.end()) {
          decisions.try_emplace(
              step.id, policy::decide_step(layers.policy, step, facts->second, input.now_unix_ms));
        }
      }
    }
  }
  return Prepared{.plan = std::move(plan),
                  .layers = std::move(layers),
                  .decisions = std::move(decisions),
                  .admission = std::move(admission),
                  .base = std::move(base)};
}

CompileOptions options_again(const engine::StoredRun& stored,
                             const std::optional<std::string>& policy_file) {
  CompileOptions options;
  options.policy_file = policy_file;
  if (is_for_worktree(stored.plan) && !stored.base_revision.empty()) {
    options.base = stored.base_revision;
  }
  return options;
}

Result<std::vector<std::string>> find_drift(const templates::SealedPlan& plan,
                                            engine::Workspace& workspace) {
  std::map<std::string, std::string> changed;
  for (const templates::Step& step : plan.plan().steps) {
    for (const templates::Pin& pin : step.pins) {
      if (pin.after || changed.contains(pin.path)) {
        continue;
      }
      RGX_TRY(const std::optional<engine::FileState> state, workspace.state(pin.path));
      if (!state) {
        changed.emplace(pin.path, "is gone");
      } else if (state->digest != pin.digest) {
        changed.emplace(pin.path, "has changed");
      }
    }
  }
  std::vector<std::string> lines;
  for (const auto& [path, what] : changed) {
    lines.push_back("`" + printable(path) + "` " + what + " since the plan was compiled");
  }
  return lines;
}

}  // namespace rgx::cli
