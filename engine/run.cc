#include "engine/run.h"

#include "base/text.h"
#include "engine/run_index.h"
#include "engine/run_loop.h"
#include "engine/run_records.h"
#include "engine/tool.h"

namespace rgx::engine {

namespace {

Status check_step(const templates::Step& step, const policy::AdmittedPlan& plan) {
  if (find_tool_implementation(step.tool.use) == nullptr) {
    return fail(ErrorKind::usage, "run.no_tool",
                "step `" + printable(step.id.text()) + "` uses `" + printable(step.tool.use) +
                    "`, which this version does not run",
                "use a template whose tools are among those of `rgx template check`");
  }
  const auto& program = plan.decision(step.id).facts.program;
  if (program && (!program->path || !program->digest)) {
    return fail(ErrorKind::environment, "run.no_program",
                "the program `" + printable(program->name) +
                    "` is not on this machine where policy looks for it, or cannot be trusted "
                    "there",
                "install it for all users, or correct `programs` of the policy");
  }
  return {};
}

/// What this machine and this build must have before anything is recorded.
Status check_fitness(const policy::AdmittedPlan& plan, RunPorts& ports) {
  if (plan.policy().sandbox() == policy::SandboxDemand::required &&
      ports.sandbox.strength() == SandboxStrength::none) {
    return fail(ErrorKind::environment, "run.sandbox_too_weak",
                "policy requires a sandbox and this kernel gives none",
                "run on a kernel with Landlock enabled (5.13 or later)");
  }
  if (plan.plan().plan().workspace != "in_place" && ports.worktrees == nullptr) {
    return fail(ErrorKind::usage, "run.workspace",
                "plans for the workspace `" + printable(plan.plan().plan().workspace) +
                    "` cannot be run here",
                "compile the plan for the workspace in place");
  }
  for (const std::vector<templates::Step>* steps :
       {&plan.plan().plan().steps, &plan.plan().plan().acceptance}) {
    for (const templates::Step& step : *steps) {
      RGX_TRY_STATUS(check_step(step, plan));
    }
  }
  return {};
}

/// The worktree of the run. Before its first step there is nothing in it that could be lost, so
/// that what a killed process left half made is made anew.
Result<Worktree> find_worktree(const policy::AdmittedPlan& plan, Worktrees& worktrees,
                               const OpenRun& opened) {
  const bool begun = opened.stands && !opened.stands->steps.empty();
  return begun ? worktrees.open(opened.run) : worktrees.make(opened.run, plan.base_revision());
}

Result<RunReport> carry_out(const policy::AdmittedPlan& plan, RunPorts& ports,
                            const Interruption& interruption, OpenRun opened) {
  if (plan.plan().plan().workspace == "in_place") {
    return Run(plan, ports, interruption, std::move(opened), std::nullopt).execute();
  }
  RGX_TRY(const Worktree worktree, find_worktree(plan, *ports.worktrees, opened));
  RGX_TRY_STATUS(remove_temporaries(*worktree.workspace, plan.plan().plan()));
  RunPorts inside{.clock = ports.clock,
                  .entropy = ports.entropy,
                  .workspace = *worktree.workspace,
                  .repository = *worktree.repository,
                  .processes = ports.processes,
                  .sandbox = ports.sandbox,
                  .state = ports.state,
                  .observer = ports.observer,
                  .worktrees = ports.worktrees};
  WorktreeReport report;
  report.base = plan.base_revision();
  report.branch = branch_of(opened.run);
  report.path = worktree.path;
  return Run(plan, inside, interruption, std::move(opened), std::move(report)).execute();
}

}  // namespace

std::string_view to_string(RunState state) {
  switch (state) {
    case RunState::succeeded:
      return "succeeded";
    case RunState::failed:
      return "failed";
    case RunState::denied:
      return "denied";
    case RunState::budget_exhausted:
      return "budget_exhausted";
    case RunState::drifted:
      return "drifted";
    case RunState::interrupted:
      return "interrupted";
    case RunState::waiting:
      return "waiting";
  }
  return "failed";
}

int exit_code(RunState state) {
  switch (state) {
    case RunState::succeeded:
      return 0;
    case RunState::failed:
      return 1;
    case RunState::denied:
      return 3;
    case RunState::budget_exhausted:
      return 5;
    case RunState::drifted:
      return 8;
    case RunState::interrupted:
      return 130;
    case RunState::waiting:
      return 6;
  }
  return 1;
}

Result<RunReport> run(const policy::AdmittedPlan& plan, RunPorts ports, const RunIdentity& identity,
                      const Interruption& interruption) {
  RGX_TRY_STATUS(check_fitness(plan, ports));
  RGX_TRY(OpenRun opened, begin_run(plan, ports, identity));
  return carry_out(plan, ports, interruption, std::move(opened));
}

Result<RunReport> resume(const policy::AdmittedPlan& plan, RunPorts ports,
                         const RunIdentity& identity, const Interruption& interruption,
                         const RunId& id) {
  RGX_TRY_STATUS(check_fitness(plan, ports));
  RGX_TRY(OpenRun opened, continue_run(plan, ports, identity, id));
  return carry_out(plan, ports, interruption, std::move(opened));
}

Result<audit::RecordReference> record_refusal(const templates::SealedPlan& plan,
                                              const policy::Refusal& refusal, RunPorts ports,
                                              const RunIdentity& identity) {
  RGX_TRY(OpenIndex index, open_index(ports, identity));
  RGX_TRY(const std::string log_id, audit::new_log_id(ports.entropy));
  RGX_TRY(const auto reference,
          index.writer.append(audit::RecordType::run_refused,
                              refusal_body(RunId("r-" + log_id.substr(0, 12)), plan, refusal)));
  RGX_TRY_STATUS(index.writer.commit());
  return reference;
}

}  // namespace rgx::engine
