#include "cli/history.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/text.h"
#include "engine/question.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kIdsShown = 5;

// Bodies are read leniently here: what does not fit is the verifier's to report.
std::string text_of(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  return value != nullptr && value->is_string() ? value->as_string() : std::string();
}

HistoryEntry* find_log(std::vector<HistoryEntry>& entries, const std::string& log_id) {
  for (HistoryEntry& entry : entries) {
    if (entry.log_id == log_id && !log_id.empty()) {
      return &entry;
    }
  }
  return nullptr;
}

void take_finish(std::vector<HistoryEntry>& entries, const audit::Record& record) {
  HistoryEntry* entry = find_log(entries, text_of(record.body, "log_id"));
  if (entry == nullptr) {
    return;
  }
  entry->state = text_of(record.body, "state");
  entry->finished = text_of(record.env, "time");
  if (const auto root = Digest::parse(text_of(record.body, "root"))) {
    entry->root = *root;
  }
  const Json* records = record.body.find("records");
  if (records != nullptr && records->is_integer() && records->as_integer() >= 0) {
    entry->records = static_cast<std::uint64_t>(records->as_integer());
  }
}

void take_run(std::vector<HistoryEntry>& entries, const audit::Record& record) {
  if (record.type == audit::RecordType::run_finished) {
    take_finish(entries, record);
    return;
  }
  if (record.type == audit::RecordType::run_rolled_back) {
    HistoryEntry* entry = find_log(entries, text_of(record.body, "log_id"));
    if (entry != nullptr && text_of(record.body, "state") == "finished") {
      entry->rolled_back = text_of(record.env, "time");
    }
    return;
  }
  const bool refused = record.type == audit::RecordType::run_refused;
  if (!refused && record.type != audit::RecordType::run_started) {
    return;
  }
  HistoryEntry entry{.run = RunId(text_of(record.body, "run")),
                     .log_id = refused ? std::string() : text_of(record.body, "log_id"),
                     .state = refused ? "refused" : "unfinished",
                     .started = text_of(record.env, "time"),
                     .finished = {},
                     .rolled_back = {},
                     .plan_digest = text_of(record.body, "plan_digest"),
                     .root = {},
                     .records = {},
                     .start_seq = record.seq,
                     .start_leaf = audit::leaf_hash(audit::record_bytes(record))};
  if (refused) {
    entry.finished = entry.started;
  }
  entries.push_back(std::move(entry));
}

}  // namespace

const HistoryEntry* History::find(const RunId& run) const {
  for (const HistoryEntry& entry : entries) {
    if (entry.run == run && !entry.log_id.empty()) {
      return &entry;
    }
  }
  return nullptr;
}

Result<History> read_history(engine::StateStore& state, const std::optional<audit::RootKey>& key) {
  History history;
  // Listed first: a run that starts meanwhile is in the index before it has a folder.
  RGX_TRY(const std::vector<RunId> stored, state.runs());
  RGX_TRY(const bool has_index, state.has_index());
  if (!has_index) {
    return history;
  }
  RGX_TRY(const auto storage, state.open_index(audit::OpenMode::read));
  RGX_TRY(history.verdict,
          audit::verify_ledger(*storage,
                               {.root_key = key, .on_record = [&](const audit::Record& record) {
                                  if (record.type == audit::RecordType::index_genesis) {
                                    history.repository = text_of(record.body, "repository");
                                  }
                                  take_run(history.entries, record);
                                }}));
  for (HistoryEntry& entry : history.entries) {
    if (entry.state == "unfinished" && engine::is_suspended(state, entry.run)) {
      entry.state = "waiting";
    }
  }
  history.other_key = key && history.verdict->genesis &&
                      history.verdict->integrity.state != audit::PropertyState::fails &&
                      history.verdict->authenticity.state == audit::PropertyState::unknown;
  const bool is_whole = history.verdict->kind != audit::VerdictKind::tampered;
  if (is_whole && !history.other_key) {
    std::ranges::copy_if(stored, std::back_inserter(history.unlisted),
                         [&](const RunId& run) { return history.find(run) == nullptr; });
  }
  return history;
}

Result<RunId> find_run(std::string_view text, const History& history, engine::StateStore& state) {
  RGX_TRY(const std::vector<RunId> stored, state.runs());
  std::set<RunId> known(stored.begin(), stored.end());
  std::optional<RunId> last;
  for (const HistoryEntry& entry : history.entries) {
    if (!entry.log_id.empty()) {
      known.insert(entry.run);
      last = entry.run;
    }
  }
  if (known.empty()) {
    return fail(ErrorKind::usage, "run.none", "this repository has no runs yet",
                "`rgx run` makes one; `rgx verify FILE` verifies a ledger from elsewhere");
  }
  const bool damaged = history.verdict && history.verdict->kind == audit::VerdictKind::tampered;
  if (text == "last") {
    if (damaged) {
      return fail(
          ErrorKind::evidence, "run.index_damaged",
          "the index of this repository is damaged, so nobody can say which run is the last",
          "name the run by its id, like " + known.begin()->text());
    }
    if (!history.verdict) {
      RGX_TRY_STATUS(engine::check_index_is_there(state));
    }
    if (history.other_key && history.verdict) {
      return fail(
          ErrorKind::usage, "run.other_key",
          "which run is the last cannot be told: the index of this repository is " +
              history.verdict->authenticity.note,
          "name its key with `--key-file`, or the run by its id, like " + known.begin()->text());
    }
    if (!history.unlisted.empty()) {
      return fail(ErrorKind::evidence, "run.index_damaged",
                  "the index of this repository does not tell of run " +
                      history.unlisted.front().text() + ", so nobody can say which run is the last",
                  "name the run by its id");
    }
    if (!last) {
      return fail(ErrorKind::usage, "run.none", "the index of this repository names no run",
                  "name the run by its id: " + known.begin()->text());
    }
    return *last;
  }
  if (text.empty()) {  // a variable of a script that was never set, say
    return fail(ErrorKind::usage, "run.unknown", "an empty name is no run",
                "name a run by its id or the start of one, or say `last`");
  }
  std::vector<std::string> matches;
  for (const RunId& run : known) {
    if (run.text() == text) {
      return run;
    }
    if (run.text().starts_with(text) || run.text().substr(2).starts_with(text)) {
      matches.push_back(run.text());
    }
  }
  if (matches.size() == 1) {
    return RunId(matches.front());
  }
  if (matches.empty()) {
    return fail(ErrorKind::usage, "run.unknown", "there is no run `" + printable(text) + "`",
                "`rgx runs` lists the runs of this repository");
  }
  const std::size_t total = matches.size();
  matches.resize(std::min(total, kIdsShown));
  return fail(ErrorKind::usage, "run.ambiguous",
              "`" + printable(text) + "` is the start of " + std::to_string(total) + " run ids",
              "write more of it: " + join(matches, ", "));
}

}  // namespace rgx::cli
