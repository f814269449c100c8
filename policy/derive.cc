#include <algorithm>

#include "policy/command.h"
#include "policy/facts.h"
#include "policy/shell_text.h"

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

using Commands = std::vector<Argv>;

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append(Commands& to, const Commands& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// What several commands do together.
void add_reading(CommandReading& all, const CommandReading& one) {
  append(all.reads, one.reads);
  append(all.writes, one.writes);
  append(all.commands, one.commands);
  append(all.programs, one.programs);
  all.refused = all.refused ? all.refused : one.refused;
  all.runs = all.runs ? all.runs : one.runs;
  all.complete = all.complete && one.complete;
  all.hides_command = all.hides_command || one.hides_command;
}

CommandReading read_script(const std::string& script, const CommandPlace& place, Facts& facts) {
  ShellReading text = read_shell_text(script);
  CommandReading all;
  if (!text.commands) {
    facts.unreadable = std::move(text.problem);
    all.complete = false;
    return all;
  }
  std::vector<std::string> output;
  for (std::size_t index = 0; index < text.commands->size(); ++index) {
    CommandPlace at = place;
    at.input = text.piped[index] ? output : std::vector<std::string>();
    const Argv& command = (*text.commands)[index];
    CommandReading one = read_command(command, at);
    output = std::move(one.output);
    all.unwrapped = all.unwrapped || one.unwrapped;
    one.commands.insert(one.commands.begin(), command);
    add_reading(all, one);
  }
  return all;
}

/// The commands of a step that starts programs; nothing for other steps.
std::optional<CommandReading> read_commands(const ToolUse& use, Facts& facts) {
  CommandPlace place;
  if (const Json* folder = use.with.find("cwd")) {
    place.folder = folder->as_string();
  }
  if (facts.argv) {
    return read_command(*facts.argv, place);
  }
  const Json* script = use.with.find("script");
  if (use.use != "shell" || script == nullptr) {
    return std::nullopt;
  }
  return read_script(script->as_string(), place, facts);
}

/// Declared reads and writes hold a program to them, but not what a program starts in turn. What is
/// not declared follows from the arguments, as far as the grammars of the programs tell.
void add_commands(const ToolUse& use, templates::Effects& effects, Facts& facts) {
  auto reading = read_commands(use, facts);
  if (!reading) {
    facts.analysis = effects.complete ? Analysis::full : Analysis::partial;
    return;
  }
  const bool declared = effects.complete;
  // A step that writes says where, so that what it replaces is kept first.
  const bool known = reading->complete && (use.use == "shell" || reading->writes.empty());
  const bool full = !facts.unreadable && !reading->hides_command && (declared || known);
  facts.analysis = full ? Analysis::full : Analysis::partial;
  if (!declared) {
    append(effects.reads, reading->reads);
    append(effects.writes, reading->writes);
  }
  if (full && (!declared || reading->unwrapped)) {
    facts.grammar.programs = std::move(reading->programs);
    sort_unique(facts.grammar.programs);
  }
  facts.grammar.refused = std::move(reading->refused);
  facts.grammar.runs = std::move(reading->runs);
  if (!reading->commands.empty()) {
    facts.commands = std::move(reading->commands);
  }
}

Result<Facts> facts_of(const ToolUse& use, const templates::Provenance& provenance) {
  RGX_TRY(templates::Effects effects, templates::effects_of(use));
  const templates::ToolContract* contract = templates::find_tool(use.use);
  Facts facts;
  facts.tool = use.use;
  facts.contract_version = contract->version;
  facts.argv = effects.argv;
  add_commands(use, effects, facts);
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
