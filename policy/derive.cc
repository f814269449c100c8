#include <algorithm>

#include "policy/facts.h"
#include "policy/shell_text.h"
#include "policy/wrapper.h"

// Lexical facts of a step. Format: docs/formats/decision.md, section "Facts"

namespace rgx::policy {

using templates::Axis;
using templates::InputType;
using templates::ToolInput;
using templates::ToolUse;

namespace {

std::vector<PathFact> path_facts(const std::vector<std::string>& paths) {
  std::vector<PathFact> facts;
  for (const std::string& path : paths) {
    facts.push_back({path, std::nullopt});
  }
  std::ranges::sort(facts);
  facts.erase(std::ranges::unique(facts).begin(), facts.end());
  return facts;
}

void sort_unique(std::vector<std::string>& items) {
  std::ranges::sort(items);
  items.erase(std::ranges::unique(items).begin(), items.end());
}

/// Declared reads and writes hold a program to them, but not what a program starts in turn.
bool is_partial(const templates::Effects& effects, const Facts& facts) {
  return !effects.complete || facts.unreadable || (facts.argv && is_wrapper(*facts.argv)) ||
         (facts.commands && std::ranges::any_of(*facts.commands, is_wrapper));
}

void read_script(const ToolUse& use, Facts& facts) {
  const Json* script = use.with.find("script");
  if (use.use != "shell" || script == nullptr) {
    return;
  }
  ShellReading reading = read_shell_text(script->as_string());
  facts.commands = std::move(reading.commands);
  if (!facts.commands) {
    facts.unreadable = std::move(reading.problem);
  }
}

Result<Facts> facts_of(const ToolUse& use, const templates::Provenance& provenance) {
  RGX_TRY(templates::Effects effects, templates::effects_of(use));
  const templates::ToolContract* contract = templates::find_tool(use.use);
  Facts facts;
  facts.tool = use.use;
  facts.contract_version = contract->version;
  read_script(use, facts);
  facts.argv = effects.argv;
  facts.analysis = is_partial(effects, facts) ? Analysis::partial : Analysis::full;
  if (facts.argv) {
    facts.program = ProgramFact{facts.argv->front(), std::nullopt, std::nullopt};
  }
  facts.reads = path_facts(effects.reads);
  facts.writes = path_facts(effects.writes);
  facts.refs = std::move(effects.refs);
  facts.hosts = std::move(effects.hosts);
  facts.env = std::move(effects.env);
  sort_unique(facts.refs);
  sort_unique(facts.hosts);
  sort_unique(facts.env);
  facts.provenance = provenance;
  return facts;
}

/// Any valid value of an input on which no decision depends.
Json stand_in(InputType type) {
  switch (type) {
    case InputType::edits:
      return Json::array({Json::object({{"text", "?"}, {"to", ""}})});
    case InputType::integer:
      return {0};
    case InputType::schema:
    case InputType::environment:
      return Json::object();
    case InputType::string:
    case InputType::path:
    case InputType::paths:
    case InputType::argv:
    case InputType::identifier:
    case InputType::url:
      return {"?"};
  }
  return {};
}

/// The request with inputs that carry only content filled in where they are left out.
ToolUse completed(const ToolUse& given) {
  ToolUse use = given;
  const templates::ToolContract* contract = templates::find_tool(use.use);
  if (contract == nullptr || !use.with.is_object()) {
    return use;  // the contract's own check says what is wrong
  }
  for (const ToolInput& input : contract->inputs) {
    if (input.required && input.axis == Axis::content && use.with.find(input.name) == nullptr) {
      use.with.set(input.name, stand_in(input.type));
    }
  }
  const bool searches = use.with.find("word") != nullptr || use.with.find("text") != nullptr ||
                        use.with.find("pattern") != nullptr;
  if (use.use == "search.text" && !searches) {
    use.with.set("text", "?");
  }
  return use;
}

}  // namespace

Result<Facts> derive(const Request& request) {
  return facts_of(completed(request.tool), request.provenance);
}

Result<Facts> derive(const templates::Step& step) {
  return facts_of(step.tool, step.provenance);
}

}  // namespace rgx::policy
