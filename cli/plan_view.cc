#include "cli/plan_view.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/canonical.h"
#include "base/text.h"
#include "cli/display_width.h"
#include "cli/plan_picture.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kNeedsShown = 3;
constexpr std::size_t kValueBytesShown = 200;
constexpr std::size_t kColumnMax = 40;
constexpr std::size_t kTogether = 12;      // longer runs of steps that are alike are folded
constexpr std::size_t kFoldsShown = 100;   // of what is allowed
constexpr std::size_t kAlarmsShown = 200;  // of everything

std::string pad(std::string text, std::size_t width) {
  const std::size_t cells = display_width(text);
  if (cells < width) {
    text.append(width - cells, ' ');
  }
  return text;
}

std::string value_text(const Json& value) {
  if (value.is_string()) {
    return shortened(printable(value.as_string()), kValueBytesShown);
  }
  if (value.is_array()) {
    std::vector<std::string> items;
    for (const Json& item : value.as_array()) {
      items.push_back(value_text(item));
    }
    return shortened(join(items, " "), kValueBytesShown);
  }
  return shortened(printable(canonical(value)), kValueBytesShown);
}

std::string parameters_text(const Json& parameters) {
  std::vector<std::string> parts;
  for (const auto& [name, parameter] : parameters.as_object()) {
    if (const Json* value = parameter.find("value")) {
      parts.push_back(name + "=" + value_text(*value));
    }
  }
  return join(parts, "  ");
}

// `search.text: 3 paths`: lists by their size, since the steps name their items.
std::string fact_text(const Json& fact) {
  const Json* probe = fact.find("probe");
  std::string text = probe != nullptr && probe->is_string() ? probe->as_string() : "";
  const Json* value = fact.find("value");
  if (value == nullptr || !value->is_object()) {
    return value == nullptr ? text : text + ": " + value_text(*value);
  }
  std::vector<std::string> parts;
  for (const auto& [member, content] : value->as_object()) {
    const bool is_command = member.ends_with("argv");
    if (content.is_array() && !is_command) {
      parts.push_back(member + " " + std::to_string(content.as_array().size()));
    } else {
      parts.push_back(member + " " + value_text(content));
    }
  }
  return text + ": " + join(parts, ", ");
}

Tone tone_of(policy::Effect effect) {
  switch (effect) {
    case policy::Effect::allow:
      return Tone::good;
    case policy::Effect::require_approval:
      return Tone::careful;
    case policy::Effect::deny:
      return Tone::bad;
  }
  return Tone::plain;
}

std::size_t column_width(const std::vector<std::string>& cells) {
  std::size_t width = 0;
  for (const std::string& cell : cells) {
    width = std::max(width, display_width(cell));
  }
  return std::min(width, kColumnMax);
}

// What a row has under it: the rule with risk and cost, who must agree, what comes first.
std::vector<std::string> notes_of(const PlanFold& fold) {
  const PlanRow& row = fold.first();
  std::vector<std::string> notes;
  notes.push_back((row.rules.empty() ? "" : "rule " + row.rules + "; ") +
                  std::string(policy::to_string(row.risk)) + " risk; at most " + cost_text(fold));
  if (!row.gate.empty()) {
    notes.push_back("gate " + row.gate);
  }
  if (fold.is_folded()) {
    std::vector<std::string> ids;
    for (const PlanRow* one : fold.rows) {
      ids.push_back(one->id);
    }
    notes.push_back(some_of(ids, kNeedsShown));
  }
  if (!row.needs.empty()) {
    notes.push_back("after " + some_of(row.needs, kNeedsShown));
  }
  return notes;
}

// The lines of folds: in plan order under their phases, and no more than fit; what policy denies or
// a person must look at is never what is left out.
std::string steps_text(const std::vector<PlanRow>& rows, Colour colour) {
  const std::vector<PlanFold> folds = fold_rows(rows, kTogether);
  std::vector<std::string> names;
  std::vector<std::string> tools;
  for (const PlanFold& fold : folds) {
    names.push_back(fold.name());
    tools.push_back(fold.first().tool);
  }
  const std::size_t name_width = column_width(names);
  const std::size_t tool_width = column_width(tools);
  std::string out;
  std::string phase;
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const PlanRow& row = folds[i].first();
    const bool is_calm = row.effect == policy::Effect::allow && row.risk < policy::Risk::high;
    if (shown >= (is_calm ? kFoldsShown : kAlarmsShown)) {
      left_out += folds[i].rows.size();
      continue;
    }
    ++shown;
    if (row.phase != phase) {
      phase = row.phase;
      out += (phase.empty() ? "" : paint(colour, Tone::strong, phase)) + '\n';
    }
    out += "  " + paint(colour, tone_of(row.effect), pad(std::string(effect_word(row.effect)), 5)) +
           "  " + pad(names[i], name_width) + "  " + pad(tools[i], tool_width) +
           (folds[i].is_folded() ? "" : "  " + row.does) + '\n';
    for (const std::string& note : notes_of(folds[i])) {
      out += "         " + paint(colour, Tone::faint, note) + '\n';
    }
  }
  if (left_out != 0) {
    out += "  and " + counted(static_cast<std::int64_t>(left_out), "step") +
           " more; `--format json` has all of them\n";
  }
  return out;
}

std::string line(std::string_view name, std::string_view value) {
  return pad(std::string(name), 18) + std::string(value) + '\n';
}

}  // namespace

std::string shortened(std::string text, std::size_t bytes_max) {
  if (text.size() > bytes_max) {
    std::size_t end = bytes_max;
    // Not in the middle of a character.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
      --end;
    }
    text = text.substr(0, end) + "...";
  }
  return text;
}

std::string duration_text(std::int64_t ms) {
  constexpr std::int64_t kSecond = 1000;
  constexpr std::int64_t kMinute = 60 * kSecond;
  if (ms < kSecond) {
    return std::to_string(ms) + " ms";
  }
  if (ms < 2 * kMinute) {
    return std::to_string(ms / kSecond) + '.' + std::to_string(ms % kSecond / 100) + " s";
  }
  return std::to_string(ms / kMinute) + " min";
}

std::string budget_text(const policy::RunBudget& budget) {
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t n, std::string_view word) {
    if (n != 0) {
      parts.push_back(counted(n, word));
    }
  };
  add(budget.steps, "step");
  if (budget.files_changed != 0) {
    parts.push_back(counted(budget.files_changed, "file") + " changed");
  }
  if (budget.bytes_written != 0) {
    parts.push_back(counted(budget.bytes_written, "byte") + " written");
  }
  if (budget.processes != 0) {
    parts.push_back(std::to_string(budget.processes) +
                    (budget.processes == 1 ? " process" : " processes"));
  }
  add(budget.model_calls, "model call");
  add(budget.agents, "agent");
  add(budget.tokens, "token");
  if (budget.cost_usd_micros != 0) {
    parts.push_back(std::to_string(budget.cost_usd_micros) + " micro-dollars");
  }
  if (budget.wall_ms != 0) {
    parts.push_back(duration_text(budget.wall_ms));
  }
  return parts.empty() ? "nothing" : join(parts, ", ");
}

std::string plan_view(const Prepared& prepared, Colour colour) {
  const templates::Plan& plan = prepared.plan.plan();
  const PlanPicture picture = make_picture(prepared);
  std::string out;
  if (!picture.intent.empty()) {
    out += line("intent", picture.intent);
  }
  out += line("template", picture.template_text);
  out += line("parameters", parameters_text(plan.parameters));
  for (const auto& [name, fact] : plan.facts.as_object()) {
    out += line("fact " + name, fact_text(fact));
  }
  for (const std::string& layer : picture.policies) {
    out += line("policy", layer);
  }
  if (plan.workspace != "in_place") {
    out += line("workspace", plan.workspace + " on " + prepared.layers.base_revision.substr(0, 12));
  }
  const auto count = static_cast<std::int64_t>(picture.rows.size());
  out += '\n' + paint(colour, Tone::strong, counted(count, "step")) + ": " +
         effects_summary(picture.rows) + "; risk: " + risks_summary(picture.rows) + '\n' +
         steps_text(picture.rows, colour) + '\n';
  out += line("worst case", budget_text(picture.worst_case));
  out += line("plan digest", picture.plan_digest);
  if (!picture.admission_digest.empty()) {
    out += line("admission digest", picture.admission_digest);
  }
  return out;
}

std::string refusal_view(const policy::Refusal& refusal) {
  std::string out;
  for (const auto& [step, decision] : refusal.denied) {
    out += "step " + printable(step.text()) + "\n";
    const std::string description = policy::describe(decision);
    for (const std::string_view text : split(description, '\n')) {
      if (!text.empty()) {
        out += "  " + std::string(text) + '\n';
      }
    }
  }
  for (const policy::Refusal::OverBudget& over : refusal.over_budget) {
    out += "budget `" + over.field + "`: the plan may need " + std::to_string(over.needed) +
           ", allowed are " + std::to_string(over.allowed) + '\n';
  }
  if (!refusal.over_budget.empty()) {
    out += "  narrow the intent, or raise `budgets.run` in every layer that lowers it\n";
  }
  while (out.ends_with('\n')) {
    out.pop_back();
  }
  return out;
}

std::string approvals_view(const std::map<StepId, policy::Decision>& decisions) {
  std::vector<std::string> lines;
  for (const auto& [step, decision] : decisions) {
    if (decision.effect == policy::Effect::require_approval) {
      lines.push_back("step " + printable(step.text()) + " needs approval: rule " +
                      rules_text(decision));
    }
  }
  return join(lines, "\n");
}

}  // namespace rgx::cli
