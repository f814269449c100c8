#include "cli/ledger_text.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/canonical.h"
#include "base/text.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kTypeColumn = 16;
constexpr std::size_t kShown = 20;  // of what did not succeed, and of paths

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
                     labelled("workspace", member(body, "workspace")),
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
                     labelled("after", member(body, "records") + " records"),
                     labelled("judge", nested(body, "acceptance", "verdict")),
                     labelled("branch", nested(body, "worktree", "branch"))});
    case run_suspended:
      return joined({member(body, "because"), labelled("waits", member(body, "steps"))});
    case approval:
    case policy_changed:
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

std::string line(std::string_view name, const std::string& value) {
  return pad(std::string(name), 10) + value + '\n';
}

Tone tone_of(std::string_view state) {
  return state == "succeeded" ? Tone::good : state == "waiting" ? Tone::careful : Tone::bad;
}

// What the last record that says so makes of the run.
std::string state_of(const std::vector<audit::Record>& records) {
  std::string state = "unfinished";
  for (const audit::Record& record : records) {
    if (record.type == audit::RecordType::run_sealed) {
      state = member(record.body, "state");
    } else if (record.type == audit::RecordType::run_suspended) {
      state = "waiting";
    } else if (state == "waiting") {
      state = "unfinished";
    }
  }
  return state;
}

std::string first_few(const std::set<std::string>& names) {
  std::string out;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown == kShown) {
      return out + " and " + std::to_string(names.size() - shown) + " more";
    }
    out += (shown == 0 ? "" : "  ") + name;
    ++shown;
  }
  return out;
}

}  // namespace

std::string record_line(const audit::Record& record) {
  return pad(std::to_string(record.seq), 5) + member(record.env, "time") + "  " +
         pad(std::string(audit::to_string(record.type)), kTypeColumn) + describe(record) + '\n';
}

std::string ledger_summary(const std::vector<audit::Record>& records, Colour colour) {
  std::map<std::string, std::string> last;  // step -> state, as its last record says
  std::map<std::string, std::string> why;
  std::set<std::string> changed;
  for (const audit::Record& record : records) {
    using enum audit::RecordType;
    const std::string step = member(record.body, "step");
    if (record.type == step_outcome) {
      last[step] = member(record.body, "state");
      why[step] = nested(record.body, "error", "message");
      const Json* changes = record.body.find("changed");
      if (changes != nullptr && changes->is_array()) {
        for (const Json& change : changes->as_array()) {
          changed.insert(member(change, "path"));
        }
      }
    } else if (record.type == step_refused) {
      last[step] = "refused";
      why[step] = joined({member(record.body, "because"), rules_text(record.body)});
    } else if (record.type == step_skipped) {
      last[step] = "skipped";
    } else if (record.type == step_intent) {
      last[step] = "started";
    }
  }
  std::map<std::string, std::size_t> counts;
  std::string trouble;
  std::size_t troubles = 0;
  for (const auto& [step, state] : last) {
    ++counts[state];
    if (state != "succeeded" && state != "skipped" && ++troubles <= kShown) {
      trouble += line("", joined({state, step, why[step]}));
    }
  }
  if (troubles > kShown) {
    trouble += line("", "and " + std::to_string(troubles - kShown) + " more");
  }
  std::string steps;
  for (const auto& [state, count] : counts) {
    steps += (steps.empty() ? "" : ", ") + std::to_string(count) + ' ' + state;
  }
  const std::string state = state_of(records);
  return line("state", paint(colour, tone_of(state), state)) + trouble +
         line("steps", steps.empty() ? "none" : steps) +
         line("changed", changed.empty() ? "nothing" : first_few(changed));
}

}  // namespace rgx::cli
