#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/canonical.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/history.h"
#include "cli/paths.h"
#include "cli/world.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kTypeColumn = 16;

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

// What a member says in one line; nothing where it is not there.
std::string member(const Json& object, std::string_view key) {
  const Json* value = object.find(key);
  if (value == nullptr || value->is_null()) {
    return {};
  }
  return printable(value->is_string() ? value->as_string() : canonical(*value));
}

std::string nested(const Json& object, std::string_view key, std::string_view inner) {
  const Json* value = object.find(key);
  return value == nullptr ? std::string() : member(*value, inner);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) {
    if (!part.empty()) {
      out += (out.empty() ? "" : "  ") + part;
    }
  }
  return out;
}

std::string labelled(std::string_view label, const std::string& text) {
  return text.empty() ? text : std::string(label) + " " + text;
}

std::string changed_text(const Json& body) {
  const Json* changed = body.find("changed");
  std::string out;
  if (changed != nullptr && changed->is_array()) {
    for (const Json& change : changed->as_array()) {
      out += (out.empty() ? "changed " : ", ") + member(change, "path");
    }
  }
  return out;
}

std::string rules_text(const Json& body) {
  const Json* decision = body.find("decision");
  const Json* rules = decision != nullptr ? decision->find("rules") : nullptr;
  std::string out;
  if (rules != nullptr && rules->is_array()) {
    for (const Json& rule : rules->as_array()) {
      out += (out.empty() ? "" : ", ") + member(rule, "rule") + " (" + member(rule, "place") + ")";
    }
  }
  return labelled("by", out);
}

std::string layers_text(const Json& body) {
  const Json* layers = body.find("policy_layers");
  std::string out;
  if (layers != nullptr && layers->is_array()) {
    for (const Json& layer : layers->as_array()) {
      out +=
          (out.empty() ? "policy " : ", ") + member(layer, "layer") + " " + member(layer, "name");
    }
  }
  return out;
}

std::string describe(const audit::Record& record) {
  const Json& body = record.body;
  using enum audit::RecordType;
  switch (record.type) {
    case genesis:
      return joined({labelled("plan", member(body, "plan_digest")),
                     labelled("rgx", member(body, "rgx_version"))});
    case admission:
      return joined({labelled("admission", member(body, "admission_digest")), layers_text(body)});
    case step_intent:
      return joined({member(body, "step"), member(body, "tool"),
                     nested(body, "decision", "decision"), rules_text(body)});
    case step_outcome:
      return joined({member(body, "step"), member(body, "state"), changed_text(body),
                     labelled("exit status", member(body, "exit_code")),
                     labelled("error", nested(body, "error", "message"))});
    case step_refused:
      return joined({member(body, "step"), labelled("because of", member(body, "because")),
                     rules_text(body), member(body, "message")});
    case step_skipped:
      return joined({member(body, "step"), labelled("because", member(body, "because"))});
    case run_interrupted:
      return member(body, "because");
    case run_sealed:
      return joined({member(body, "state"), labelled("exit code", member(body, "exit_code")),
                     labelled("after", member(body, "records") + " records")});
    case approval:
    case policy_changed:
    case run_suspended:
    case recovery:
    case epoch_closed:
    case key_rotated:
    case checkpoint:
    case index_genesis:
    case run_started:
    case run_finished:
    case run_refused:
    case run_rolled_back:
    case pruned:
      return printable(canonical(body));
  }
  return {};
}

std::string pad(std::string text, std::size_t width) {
  text.append(text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

std::string view(const Ledger& ledger) {
  std::string out = "run " + ledger.run.text() + "\n";
  for (const audit::Record& record : ledger.records) {
    out += pad(std::to_string(record.seq), 5) + member(record.env, "time") + "  " +
           pad(std::string(audit::to_string(record.type)), kTypeColumn) + describe(record) + '\n';
  }
  return out;
}

Json to_json(const Ledger& ledger) {
  Json records = Json::array();
  for (const audit::Record& record : ledger.records) {
    records.push(Json::object({{"seq", record.seq},
                               {"type", audit::to_string(record.type)},
                               {"body", record.body},
                               {"env", record.env}}));
  }
  return Json::object({{"schema", "rgx.show/v1"},
                       {"run", ledger.run.text()},
                       {"log_id", ledger.verdict.log_id},
                       {"whole", ledger.verdict.integrity.state == audit::PropertyState::holds},
                       {"records", std::move(records)}});
}

Result<ExitCode> show(Session& session, const ShowOptions& options) {
  RGX_TRY(const Paths paths, find_paths(session.environment));
  RGX_TRY(World world, World::open(".", paths.state_home));
  RGX_TRY(const Ledger ledger, read_ledger(options, world));
  session.output.result(options.json ? canonical(to_json(ledger)) + '\n' : view(ledger));
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
