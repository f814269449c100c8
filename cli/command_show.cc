#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/canonical.h"
#include "cli/commands.h"
#include "cli/history.h"
#include "cli/ledger_follow.h"
#include "cli/ledger_text.h"
#include "cli/paths.h"
#include "cli/world.h"
#include "engine/state_store.h"

namespace rgx::cli {
namespace {

struct Ledger {
  RunId run;
  std::vector<audit::Record> records;  // those before the first damage
  audit::Verdict verdict;
};

Result<Ledger> read_ledger(const ShowOptions& options, World& world) {
  RGX_TRY(const History history, read_history(world.state(), std::nullopt));
  Ledger ledger;
  RGX_TRY(ledger.run, find_run(options.run, history, world.state()));
  RGX_TRY(const auto storage, world.state().open_run(ledger.run, audit::OpenMode::read));
  RGX_TRY(ledger.verdict,
          audit::verify_ledger(
              *storage, {.root_key = std::nullopt, .on_record = [&](const audit::Record& record) {
                           ledger.records.push_back(record);
                         }}));
  return ledger;
}

std::string view(const Ledger& ledger, Colour colour) {
  std::string out =
      "run " + ledger.run.text() + "\n" + ledger_summary(ledger.records, colour) + '\n';
  for (const audit::Record& record : ledger.records) {
    out += record_line(record);
  }
  return out;
}

Json record_json(const audit::Record& record) {
  return Json::object({{"seq", record.seq},
                       {"type", audit::to_string(record.type)},
                       {"body", record.body},
                       {"env", record.env}});
}

Json to_json(const Ledger& ledger) {
  Json records = Json::array();
  for (const audit::Record& record : ledger.records) {
    records.push(record_json(record));
  }
  return Json::object({{"schema", "rgx.show/v1"},
                       {"run", ledger.run.text()},
                       {"log_id", ledger.verdict.log_id},
                       {"whole", ledger.verdict.integrity.state == audit::PropertyState::holds},
                       {"records", std::move(records)}});
}

// Prints records as they come, from the file that another process writes.
Result<ExitCode> follow(Session& session, const ShowOptions& options, const Paths& paths,
                        World& world) {
  RGX_TRY(const History history, read_history(world.state(), std::nullopt));
  RGX_TRY(const RunId run, find_run(options.run, history, world.state()));
  RGX_TRY(const auto storage, world.state().open_run(run, audit::OpenMode::read));
  LedgerFollower follower(*storage, engine::ledger_path(paths.state_home, world.root(), run));
  std::vector<audit::Record> seen;
  FollowEnd end = FollowEnd::none;
  while (end == FollowEnd::none) {
    RGX_TRY(const std::vector<audit::Record> fresh, follower.take());
    for (const audit::Record& record : fresh) {
      session.output.result(options.json ? canonical(record_json(record)) + '\n'
                                         : record_line(record));
      seen.push_back(record);
    }
    RGX_TRY_STATUS(session.output.finish());
    if (session.output.reader_is_gone()) {
      return ExitCode::done;
    }
    end = follower.end();
    if (end == FollowEnd::none) {
      follower.wait();
    }
  }
  if (!options.json) {
    session.output.result('\n' + ledger_summary(seen, session.output.result_colour()));
  }
  if (end == FollowEnd::damaged) {
    session.output.say("the ledger is damaged; `rgx verify " + run.text() + "` says where");
    return ExitCode::evidence;
  }
  if (end == FollowEnd::writer_gone) {
    session.output.say(Tone::careful,
                       "who wrote this ledger is gone, and there is no seal: the run did not end");
  }
  session.output.say("next: rgx verify " + run.text());
  return ExitCode::done;
}

Result<ExitCode> show(Session& session, const ShowOptions& options) {
  RGX_TRY(const Paths paths, find_paths(session.environment));
  RGX_TRY(World world, World::open(".", paths.state_home));
  if (options.follow) {
    return follow(session, options, paths, world);
  }
  RGX_TRY(const Ledger ledger, read_ledger(options, world));
  session.output.result(options.json ? canonical(to_json(ledger)) + '\n'
                                     : view(ledger, session.output.result_colour()));
  if (ledger.verdict.kind == audit::VerdictKind::tampered) {
    session.output.say("the ledger is damaged; what is shown is what stands before the damage");
    session.output.say("  rgx verify " + ledger.run.text() + " says where");
    return ExitCode::evidence;
  }
  if (!options.json) {
    session.output.say("next: rgx verify " + ledger.run.text());
  }
  return ExitCode::done;
}

}  // namespace

ExitCode run_show(Session& session, const ShowOptions& options) {
  const auto done = show(session, options);
  return done ? *done : report(session, done.error());
}

}  // namespace rgx::cli
