#include <unistd.h>

#include <string>
#include <utility>

#include "base/canonical.h"
#include "cli/commands.h"
#include "cli/execute.h"
#include "cli/history.h"
#include "cli/keys.h"
#include "cli/plan_view.h"
#include "cli/quiet_observer.h"
#include "cli/run_report.h"
#include "engine/question.h"

namespace rgx::cli {
namespace {

// The run was killed between its seal and the commit that the seal announces.
Result<ExitCode> finish(Session& session, const ResumeOptions& options,
                        const engine::StoredRun& stored, World& world,
                        const engine::RunIdentity& identity, const RunId& run) {
  QuietObserver nobody;
  RGX_TRY(const engine::WorktreeReport worktree,
          engine::finish_worktree(stored.plan, world.run_ports(nobody), identity, run));
  if (options.json) {
    session.output.result(canonical(Json::object({{"schema", "rgx.run/v1"},
                                                  {"exit_code", 0},
                                                  {"run", run.text()},
                                                  {"state", "succeeded"},
                                                  {"worktree", worktree_json(worktree)}})) +
                          '\n');
  } else {
    session.output.result("run " + run.text() + "  succeeded\n" + worktree_text(worktree, run));
  }
  return ExitCode::done;
}

Result<ExitCode> resume(Session& session, const ResumeOptions& options) {
  RGX_TRY(const ProgressSettings progress,
          resolve_progress(options.progress, session.environment, ::isatty(STDERR_FILENO) == 1));
  RGX_TRY(const Paths paths, find_paths(session.environment));
  RGX_TRY(World world, World::open(".", paths.state_home));
  RGX_TRY_STATUS(check_keys_outside(paths, world.root()));
  RGX_TRY(const engine::RunIdentity identity, load_identity(paths));
  RGX_TRY(const History history, read_history(world.state(), identity.root_key));
  RGX_TRY(const RunId run, find_run(options.run, history, world.state()));
  RGX_TRY(engine::StoredRun stored, engine::read_stored_run(world.state(), run, identity.root_key));
  if (stored.sealed && is_for_worktree(stored.plan)) {
    return finish(session, options, stored, world, identity, run);
  }
  if (stored.sealed) {
    return fail(ErrorKind::usage, "resume.finished", "run " + run.text() + " has ended",
                "`rgx show " + run.text() + "` says how; start a new run to do more");
  }
  if (const HistoryEntry* entry = history.find(run); entry && !entry->rolled_back.empty()) {
    return fail(ErrorKind::usage, "resume.rolled_back",
                "what run " + run.text() + " changed was given back", "start a new run");
  }
  const CompileOptions compile = options_again(stored, options.policy_file);
  RGX_TRY(const Prepared prepared,
          admit_under_policy(std::move(stored.plan), compile, paths, world));
  for (const std::string& notice : prepared.layers.notices) {
    session.output.say(Tone::careful, notice);
  }
  if (const policy::Refusal* refusal = prepared.refusal()) {
    session.output.say(refusal_view(*refusal));
    session.output.say("policy has changed and does not let run " + run.text() + " go on");
    return exit_code(*refusal);
  }
  return execute(session, prepared, world, paths,
                 {.progress = progress, .json = options.json, .resumed = run});
}

}  // namespace

ExitCode run_resume(Session& session, const ResumeOptions& options) {
  const auto done = resume(session, options);
  return done ? *done : report(session, done.error());
}

}  // namespace rgx::cli
