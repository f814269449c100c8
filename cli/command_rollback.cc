#include <string>
#include <utility>

#include "base/canonical.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/history.h"
#include "cli/keys.h"
#include "cli/paths.h"
#include "cli/quiet_observer.h"
#include "cli/world.h"
#include "engine/rollback.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kLinesShown = 20;

void say_lines(Output& output, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < lines.size() && i < kLinesShown; ++i) {
    output.say("  " + lines[i]);
  }
  if (lines.size() > kLinesShown) {
    output.say("  and " + std::to_string(lines.size() - kLinesShown) + " more");
  }
}

void say_not_covered(Output& output, const engine::RollbackReport& report) {
  if (report.not_covered.empty()) {
    return;
  }
  output.say("of what these programs wrote, files that git ignores are not given back:");
  std::vector<std::string> lines;
  for (const std::string& line : report.not_covered) {
    lines.push_back(printable(line));
  }
  say_lines(output, lines);
}

Json to_json(const engine::RollbackReport& report, ExitCode code) {
  Json restored = Json::array();
  for (const std::string& path : report.restored) {
    restored.push(json_text(path));
  }
  const bool done = report.changed_since.empty();
  return Json::object({{"schema", "rgx.rollback/v1"},
                       {"run", report.run.text()},
                       {"state", done ? "rolled_back" : "changed_since"},
                       {"exit_code", static_cast<int>(code)},
                       {"restored", std::move(restored)},
                       {"branch", report.branch.empty() ? Json() : Json(report.branch)},
                       {"changed_since", Json::array_of(report.changed_since)},
                       {"not_covered", Json::array_of(report.not_covered)},
                       {"record", done ? Json(report.record) : Json()}});
}

std::string text(const engine::RollbackReport& report) {
  std::string out = "run " + report.run.text() + " rolled back: ";
  if (!report.branch.empty()) {
    return out + "its worktree and the branch " + report.branch + " are gone\n";
  }
  if (report.restored.empty()) {
    return out + "every file is as it was before\n";
  }
  out += std::to_string(report.restored.size()) +
         (report.restored.size() == 1 ? " file" : " files") + " given back\n";
  std::size_t shown = 0;
  for (const std::string& path : report.restored) {
    if (shown++ == kLinesShown) {
      return out + "  and " + std::to_string(report.restored.size() - kLinesShown) + " more\n";
    }
    out += "  " + printable(path) + '\n';
  }
  return out;
}

Result<ExitCode> rollback(Session& session, const RollbackOptions& options) {
  RGX_TRY(const Paths paths, find_paths(session.environment));
  RGX_TRY(World world, World::open(".", paths.state_home));
  RGX_TRY_STATUS(check_keys_outside(paths, world.root()));
  RGX_TRY(const engine::RunIdentity identity, load_identity(paths));
  RGX_TRY(const History history, read_history(world.state(), identity.root_key));
  RGX_TRY(const RunId run, find_run(options.run, history, world.state()));
  QuietObserver nobody;
  RGX_TRY(const engine::RollbackReport report,
          engine::roll_back(world.run_ports(nobody), identity, run));
  const ExitCode code = report.changed_since.empty() ? ExitCode::done : ExitCode::drift;
  if (options.json) {
    session.output.result(canonical(to_json(report, code)) + '\n');
  }
  if (code == ExitCode::drift) {
    say_lines(session.output, report.changed_since);
    session.output.say(make_error(
        ErrorKind::drift, "rollback.changed_since",
        "files are not as run " + run.text() + " left them; nothing was given back",
        report.plan_workspace == "worktree"
            ? "put what you want to keep somewhere else; `git worktree list` says where it is"
            : "put what you want to keep somewhere else, or restore single files with `git "
              "checkout`"));
    return code;
  }
  if (!options.json) {
    session.output.result(text(report));
  }
  say_not_covered(session.output, report);
  if (!options.json) {
    session.output.say(report.branch.empty() ? "next: git status" : "next: rgx runs");
  }
  return code;
}

}  // namespace

ExitCode run_rollback(Session& session, const RollbackOptions& options) {
  const auto done = rollback(session, options);
  return done ? *done : report(session, done.error());
}

}  // namespace rgx::cli
