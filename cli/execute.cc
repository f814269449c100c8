#include "cli/execute.h"

#include <unistd.h>

#include <array>
#include <string>
#include <utility>

#include "base/canonical.h"
#include "base/digest.h"
#include "cli/keys.h"
#include "cli/progress_observer.h"
#include "cli/progress_sink.h"
#include "cli/run_report.h"
#include "cli/signal_watch.h"
#include "engine/state_store.h"

namespace rgx::cli {
namespace {

// What keeps the output of steps from being taken for commands by the host of a log.
Status make_fence(Entropy& entropy, ProgressSettings& progress) {
  std::array<std::uint8_t, 16> secret{};
  RGX_TRY_STATUS(entropy.fill(secret));
  progress.fence = to_hex(secret);
  return {};
}

}  // namespace

Result<ExitCode> execute(Session& session, const Prepared& prepared, World& world,
                         const Paths& paths, Execution execution) {
  RGX_TRY(const engine::RunIdentity identity, load_identity(paths));
  RGX_TRY_STATUS(make_fence(world.entropy(), execution.progress));
  SignalWatch watch;
  const auto sink = open_progress_sink(STDERR_FILENO, execution.progress.mode == ProgressMode::live
                                                          ? SinkUse::terminal
                                                          : SinkUse::lines);
  const auto painter = make_painter(execution.progress, *sink);
  ProgressObserver progress(*painter,
                            {.clock = world.clock(), .interruption = &watch.interruption()},
                            announce(prepared.plan, prepared.admitted()->digest()));
  const policy::AdmittedPlan& plan = *prepared.admitted();
  const auto done = execution.resumed ? engine::resume(plan, world.run_ports(progress), identity,
                                                       watch.interruption(), *execution.resumed)
                                      : engine::run(plan, world.run_ports(progress), identity,
                                                    watch.interruption());
  if (!done) {
    progress.close({.end = RunEnd::aborted,
                    .exit_code = static_cast<int>(exit_code(done.error().kind)),
                    .summary = {}});
    return fail(done.error());
  }
  const engine::RunReport& report = *done;
  const ExitCode code = exit_code(report.state, watch.signal());
  for (const std::string& note : report.notes) {
    session.output.say(Tone::careful, note);
  }
  // The report follows on standard output, so there is no summary to add.
  progress.close(
      {.end = run_end(report.state), .exit_code = static_cast<int>(code), .summary = {}});
  const std::string ledger = engine::ledger_path(paths.state_home, world.root(), report.run);
  session.output.result(execution.json
                            ? canonical(report_json(report, prepared, ledger, code)) + '\n'
                            : report_text(report, ledger, session.output.result_colour()));
  return code;
}

}  // namespace rgx::cli
