#include "cli/plan_view.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/canonical.h"
#include "base/text.h"
#include "templates/tool.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kNeedsShown = 3;
constexpr std::size_t kValueBytesShown = 200;
constexpr std::size_t kColumnMax = 40;

std::string pad(std::string text, std::size_t width) {
  if (text.size() < width) {
    text.append(width - text.size(), ' ');
  }
  return text;
}

std::string shortened(std::string text) {
  if (text.size() > kValueBytesShown) {
    std::size_t end = kValueBytesShown;
    // Not in the middle of a character.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
      --end;
    }
    text = text.substr(0, end) + "...";
  }
  return text;
}

std::string value_text(const Json& value) {
  if (value.is_string()) {
    return shortened(printable(value.as_string()));
  }
  if (value.is_array()) {
    std::vector<std::string> items;
    for (const Json& item : value.as_array()) {
      items.push_back(value_text(item));
    }
    return shortened(join(items, " "));
  }
  return shortened(printable(canonical(value)));
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

std::string does_text(const templates::Step& step) {
  const auto effects = templates::effects_of(step.tool);
  if (!effects) {
    return {};
  }
  if (const auto& argv = effects->argv) {
    return printable(shell_words(*argv));
  }
  std::vector<std::string> parts;
  if (!effects->writes.empty()) {
    parts.push_back("writes " + printable(join(effects->writes, " ")));
  } else if (!effects->reads.empty()) {
    parts.push_back("reads " + printable(join(effects->reads, " ")));
  }
  if (!effects->hosts.empty()) {
    parts.push_back("connects to " + printable(join(effects->hosts, " ")));
  }
  return shortened(join(parts, ", "));
}

std::string rules_text(const policy::Decision& decision) {
  if (decision.deciding.empty()) {
    return "default deny";
  }
  std::vector<std::string> parts;
  for (const policy::RuleHit& hit : decision.deciding) {
    const std::string place = to_string(hit.place);
    parts.push_back(printable(hit.rule) + (place.empty() ? "" : " (" + place + ")"));
  }
  return join(parts, ", ");
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

std::string needs_text(const std::vector<StepId>& needs) {
  std::string text;
  for (std::size_t i = 0; i < std::min(needs.size(), kNeedsShown); ++i) {
    text += (i == 0 ? "" : ", ") + printable(needs[i].text());
  }
  if (needs.size() > kNeedsShown) {
    text += " and " + std::to_string(needs.size() - kNeedsShown) + " more";
  }
  return text;
}

std::size_t column_width(const std::vector<std::string>& cells) {
  std::size_t width = 0;
  for (const std::string& cell : cells) {
    width = std::max(width, cell.size());
  }
  return std::min(width, kColumnMax);
}

std::string steps_text(const Prepared& prepared, Colour colour) {
  const std::vector<templates::Step>& steps = prepared.plan.plan().steps;
  std::vector<std::string> names;
  std::vector<std::string> tools;
  std::vector<std::string> effects;
  for (const templates::Step& step : steps) {
    names.push_back(printable(step.id.text()));
    tools.push_back(step.tool.use);
    effects.push_back(does_text(step));
  }
  const std::size_t name_width = column_width(names);
  const std::size_t tool_width = column_width(tools);
  std::string out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const policy::Decision& decision = prepared.decisions.at(steps[i].id);
    const std::string word(policy::to_string(decision.effect));
    out += "  " + paint(colour, tone_of(decision.effect), pad(word, 5)) + "  " +
           pad(names[i], name_width) + "  " + pad(tools[i], tool_width) + "  " + effects[i] + '\n';
    out += "         " + paint(colour, Tone::faint, "rule " + rules_text(decision)) + '\n';
    if (!steps[i].needs.empty()) {
      out += "         " + paint(colour, Tone::faint, "after " + needs_text(steps[i].needs)) + '\n';
    }
  }
  return out;
}

std::string line(std::string_view name, std::string_view value) {
  return pad(std::string(name), 18) + std::string(value) + '\n';
}

policy::RunBudget sum_of_worst_cases(const Prepared& prepared) {
  policy::RunBudget sum;
  for (const templates::Step& step : prepared.plan.plan().steps) {
    const policy::RunBudget one = policy::worst_case(step, prepared.layers.policy);
    sum.steps += one.steps;
    sum.files_changed += one.files_changed;
    sum.processes += one.processes;
  }
  return sum;
}

}  // namespace

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
  std::string out;
  if (!plan.intent.empty()) {
    out += line("intent", printable(plan.intent));
  }
  out += line("template", printable(plan.from.name) + " " + printable(plan.from.version));
  out += line("parameters", parameters_text(plan.parameters));
  for (const auto& [name, fact] : plan.facts.as_object()) {
    out += line("fact " + name, fact_text(fact));
  }
  for (const policy::Policy& layer : prepared.layers.policy.layers()) {
    out += line("policy", std::string(policy::to_string(layer.layer)) + "  " +
                              printable(layer.name) + "  (" + printable(layer.file) + ")");
  }
  out +=
      '\n' +
      paint(colour, Tone::strong, counted(static_cast<std::int64_t>(plan.steps.size()), "step")) +
      '\n' + steps_text(prepared, colour) + '\n';
  const policy::AdmittedPlan* admitted = prepared.admitted();
  out += line("worst case", admitted != nullptr ? budget_text(admitted->worst_case())
                                                : budget_text(sum_of_worst_cases(prepared)));
  out += line("plan digest", prepared.plan.digest().to_string());
  if (admitted != nullptr) {
    out += line("admission digest", admitted->digest().to_string());
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
