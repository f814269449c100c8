#include <optional>
#include <string>
#include <utility>

#include "base/canonical.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/history.h"
#include "cli/paths.h"
#include "cli/world.h"

namespace rgx::cli {
namespace {

Json to_json(const HistoryEntry& entry) {
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? Json() : Json(text);
  };
  return Json::object({{"run", entry.run.text()},
                       {"log_id", text_or_null(entry.log_id)},
                       {"state", entry.state},
                       {"started", text_or_null(entry.started)},
                       {"finished", text_or_null(entry.finished)},
                       {"rolled_back", text_or_null(entry.rolled_back)},
                       {"plan_digest", text_or_null(entry.plan_digest)},
                       {"records", entry.records ? Json(*entry.records) : Json()},
                       {"root", entry.root ? Json(entry.root->to_string()) : Json()}});
}

std::string pad(std::string text, std::size_t width) {
  text.append(text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

std::string table(const History& history) {
  std::string out = pad("RUN", 16) + pad("STATE", 26) + pad("STARTED", 26) + "PLAN\n";
  for (const HistoryEntry& entry : history.entries) {
    const std::string undone = entry.rolled_back.empty() ? "" : ", undone";
    out += pad(printable(entry.run.text()), 16) + pad(printable(entry.state) + undone, 26) +
           pad(printable(entry.started), 26) + printable(entry.plan_digest).substr(0, 19) + '\n';
  }
  return out;
}

Result<ExitCode> runs(Session& session, const RunsOptions& options) {
  RGX_TRY(const Paths paths, find_paths(session.environment));
  RGX_TRY(World world, World::open(".", paths.state_home));
  RGX_TRY(const History history, read_history(world.state(), std::nullopt));
  if (!history.verdict) {
    RGX_TRY_STATUS(engine::check_index_is_there(world.state()));
  }
  const bool damaged = history.verdict && history.verdict->kind == audit::VerdictKind::tampered;
  if (options.json) {
    Json list = Json::array();
    for (const HistoryEntry& entry : history.entries) {
      list.push(to_json(entry));
    }
    session.output.result(
        canonical(Json::object({{"schema", "rgx.runs/v1"}, {"runs", std::move(list)}})) + '\n');
  } else if (history.entries.empty() && history.unlisted.empty()) {
    session.output.say("this repository has no runs yet; `rgx run` makes one");
  } else if (!history.entries.empty()) {
    session.output.result(table(history));
  }
  if (damaged) {
    session.output.say("the index of this repository is damaged, so runs may be missing here");
    session.output.say("  " + printable(history.verdict->integrity.note));
    return ExitCode::evidence;
  }
  if (!history.repository.empty() && history.repository != printable(world.root())) {
    session.output.say("the index in this repository's state is that of `" +
                       printable(history.repository) + "`");
    session.output.say("  move the state directory away as a whole");
    return ExitCode::evidence;
  }
  if (!history.unlisted.empty()) {
    session.output.say("the index of this repository does not tell of " +
                       counted(static_cast<std::int64_t>(history.unlisted.size()), "stored run") +
                       ", such as " + history.unlisted.front().text() + ": it was cut off");
    session.output.say("  restore `index.jsonl` of the state directory from a copy");
    return ExitCode::evidence;
  }
  if (!history.entries.empty() && !options.json) {
    session.output.say("next: rgx show last, or rgx verify last");
  }
  return ExitCode::done;
}

}  // namespace

ExitCode run_runs(Session& session, const RunsOptions& options) {
  const auto done = runs(session, options);
  return done ? *done : report(session, done.error());
}

}  // namespace rgx::cli
