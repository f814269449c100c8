#include "policy/facts.h"

#include <algorithm>

#include "base/json_reader.h"
#include "base/path.h"
#include "base/text.h"

// Facts and requests as JSON. Format: docs/formats/decision.md

namespace rgx::policy {

using templates::Axis;
using templates::OriginSet;
using templates::Provenance;

namespace {

constexpr std::string_view kFactsSchema = "rgx.facts/v1";

Json paths_json(const std::vector<PathFact>& paths) {
  Json all = Json::array();
  for (const PathFact& path : paths) {
    Json item = Json::object({{"path", path.path}});
    if (path.resolved) {
      item.set("resolved", *path.resolved);
    }
    all.push(std::move(item));
  }
  return all;
}

Json flag_json(const FlagFact& flag) {
  return Json::object({{"program", flag.program}, {"argument", flag.argument}});
}

Json grammar_json(const GrammarFact& grammar) {
  Json all = Json::object({{"programs", Json::array_of(grammar.programs)}});
  if (grammar.refused) {
    all.set("refused", flag_json(*grammar.refused));
  }
  if (grammar.runs) {
    all.set("runs", flag_json(*grammar.runs));
  }
  return all;
}

Json provenance_json(const Provenance& provenance) {
  Json all = Json::object();
  for (const auto& [axis, origins] : provenance) {
    all.set(templates::to_string(axis), origins.to_json());
  }
  return all;
}

void check_path(ObjectReader& reader, std::string_view key, const std::string& path) {
  const auto normal = normal_path(path);
  if (!normal || *normal != path) {
    reader.mistake("facts.path", key, "is not a path in normal form");
  }
}

std::vector<PathFact> read_paths(ObjectReader& parent, std::string_view key,
                                 std::vector<Diagnostic>& mistakes) {
  std::vector<PathFact> all;
  std::size_t index = 0;
  for (const Json& item : parent.array(key)) {
    ObjectReader reader(item, parent.name(key) + "[" + std::to_string(index++) + "]");
    PathFact path;
    path.path = reader.string("path");
    path.resolved = reader.optional_string("resolved");
    check_path(reader, "path", path.path);
    if (path.resolved) {
      check_path(reader, "resolved", *path.resolved);
    }
    if (auto status = reader.finish(); !status) {
      const auto& found = status.error().diagnostics;
      mistakes.insert(mistakes.end(), found.begin(), found.end());
    }
    all.push_back(std::move(path));
  }
  if (!std::ranges::is_sorted(all) || std::ranges::adjacent_find(all) != all.end()) {
    parent.mistake("facts.order", key, "is not sorted and unique");
  }
  return all;
}

std::optional<Axis> find_axis(std::string_view name) {
  const auto found = std::ranges::find(templates::kAxisNames, name);
  return found == templates::kAxisNames.end()
             ? std::nullopt
             : std::optional(static_cast<Axis>(found - templates::kAxisNames.begin()));
}

Provenance read_provenance(ObjectReader& reader, std::string_view key, const Json& value) {
  Provenance all;
  if (!value.is_object()) {
    reader.mistake("json.type", key, "is no object of axes");
    return all;
  }
  for (const auto& [name, list] : value.as_object()) {
    const auto axis = find_axis(name);
    const auto origins = OriginSet::from_json(list);
    if (!axis) {
      const auto near = nearest(name, templates::kAxisNames);
      reader.mistake("provenance.axis", key,
                     "has the axis `" + printable(name) + "`, which does not exist" +
                         (near ? "; did you mean `" + *near + "`" : std::string()));
    } else if (!origins || origins->empty()) {
      reader.mistake("provenance.syntax", key,
                     "says of `" + name +
                         "`: " + (origins ? "no origin at all" : origins.error().first().message));
    } else {
      all.emplace(*axis, *origins);
    }
  }
  return all;
}

std::vector<std::string> sorted_strings(ObjectReader& reader, std::string_view key) {
  std::vector<std::string> all = reader.strings(key);
  if (!std::ranges::is_sorted(all) || std::ranges::adjacent_find(all) != all.end()) {
    reader.mistake("facts.order", key, "is not sorted and unique");
  }
  return all;
}

/// Strings of an optional array, with mistakes recorded.
std::optional<std::vector<std::string>> optional_strings(ObjectReader& reader,
                                                         std::string_view key) {
  if (reader.optional_value(key) == nullptr) {
    return std::nullopt;
  }
  return reader.strings(key);
}

/// Commands of a script, with mistakes recorded.
std::optional<std::vector<std::vector<std::string>>> read_commands(ObjectReader& reader) {
  const Json* list = reader.optional_value("commands");
  if (list == nullptr) {
    return std::nullopt;
  }
  std::vector<std::vector<std::string>> commands;
  bool fits = list->is_array();
  for (std::size_t index = 0; fits && index < list->as_array().size(); ++index) {
    const Json& words = list->as_array()[index];
    fits = words.is_array() && std::ranges::all_of(words.as_array(), &Json::is_string);
    commands.emplace_back();
    for (std::size_t word = 0; fits && word < words.as_array().size(); ++word) {
      commands.back().push_back(words.as_array()[word].as_string());
    }
  }
  if (!fits) {
    reader.mistake("json.type", "commands", "is no array of arrays of strings");
  }
  return commands;
}

void add_mistakes(ObjectReader& reader, std::vector<Diagnostic>& mistakes) {
  if (auto status = reader.finish(); !status) {
    const auto& found = status.error().diagnostics;
    mistakes.insert(mistakes.end(), found.begin(), found.end());
  }
}

std::optional<FlagFact> read_flag(ObjectReader& parent, std::string_view key,
                                  std::vector<Diagnostic>& mistakes) {
  const Json* value = parent.optional_value(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  ObjectReader reader(*value, parent.name(key));
  FlagFact flag{reader.string("program"), reader.string("argument")};
  add_mistakes(reader, mistakes);
  return flag;
}

GrammarFact read_grammar(const Json& value, const std::string& what,
                         std::vector<Diagnostic>& mistakes) {
  ObjectReader reader(value, what);
  GrammarFact grammar;
  grammar.programs = sorted_strings(reader, "programs");
  grammar.refused = read_flag(reader, "refused", mistakes);
  grammar.runs = read_flag(reader, "runs", mistakes);
  add_mistakes(reader, mistakes);
  return grammar;
}

ProgramFact read_program(const Json& value, const std::string& what,
                         std::vector<Diagnostic>& mistakes) {
  ObjectReader reader(value, what);
  ProgramFact program;
  program.name = reader.string("name");
  program.path = reader.optional_string("path");
  if (const auto text = reader.optional_string("digest")) {
    const auto digest = Digest::parse(*text);
    if (digest) {
      program.digest = *digest;
    } else {
      reader.mistake("digest.syntax", "digest", "is no digest");
    }
  }
  add_mistakes(reader, mistakes);
  return program;
}

}  // namespace

Json to_json(const Facts& facts) {
  Json all = Json::object({{"schema", kFactsSchema},
                           {"tool", facts.tool},
                           {"contract_version", facts.contract_version},
                           {"reads", paths_json(facts.reads)},
                           {"writes", paths_json(facts.writes)},
                           {"refs", Json::array_of(facts.refs)},
                           {"hosts", Json::array_of(facts.hosts)},
                           {"env", Json::array_of(facts.env)},
                           {"provenance", provenance_json(facts.provenance)},
                           {"analysis", kAnalysisNames[static_cast<std::size_t>(facts.analysis)]}});
  if (facts.argv) {
    all.set("argv", Json::array_of(*facts.argv));
  }
  if (facts.program) {
    Json program = Json::object({{"name", facts.program->name}});
    if (facts.program->path) {
      program.set("path", *facts.program->path);
    }
    if (facts.program->digest) {
      program.set("digest", facts.program->digest->to_string());
    }
    all.set("program", std::move(program));
  }
  if (facts.commands) {
    Json commands = Json::array();
    for (const std::vector<std::string>& command : *facts.commands) {
      commands.push(Json::array_of(command));
    }
    all.set("commands", std::move(commands));
  }
  if (facts.unreadable) {
    all.set("unreadable", *facts.unreadable);
  }
  if (facts.grammar != GrammarFact{}) {
    all.set("grammar", grammar_json(facts.grammar));
  }
  return all;
}

Result<Facts> facts_from_json(const Json& value) {
  ObjectReader reader(value, "facts");
  std::vector<Diagnostic> inner;
  reader.schema(kFactsSchema);
  Facts facts;
  facts.tool = reader.string("tool");
  facts.contract_version =
      static_cast<std::uint32_t>(reader.integer("contract_version", 1, 1 << 20));
  facts.argv = optional_strings(reader, "argv");
  if (const Json* program = reader.optional_value("program")) {
    facts.program = read_program(*program, reader.name("program"), inner);
  }
  facts.commands = read_commands(reader);
  facts.unreadable = reader.optional_string("unreadable");
  if (const Json* grammar = reader.optional_value("grammar")) {
    facts.grammar = read_grammar(*grammar, reader.name("grammar"), inner);
  }
  facts.reads = read_paths(reader, "reads", inner);
  facts.writes = read_paths(reader, "writes", inner);
  facts.refs = sorted_strings(reader, "refs");
  facts.hosts = sorted_strings(reader, "hosts");
  facts.env = sorted_strings(reader, "env");
  facts.provenance = read_provenance(reader, "provenance", reader.value("provenance"));
  const std::string analysis = reader.string("analysis");
  if (analysis == kAnalysisNames[1]) {
    facts.analysis = Analysis::partial;
  } else if (analysis != kAnalysisNames[0]) {
    reader.mistake("json.type", "analysis", "is neither `full` nor `partial`");
  }
  if (facts.argv.has_value() != facts.program.has_value()) {
    reader.mistake("json.type", "program", "stands with `argv`, and only with it");
  }
  Status status = reader.finish();
  if (!status) {
    inner.insert(inner.begin(), status.error().diagnostics.begin(),
                 status.error().diagnostics.end());
  }
  if (!inner.empty()) {
    return fail(Error{ErrorKind::usage, std::move(inner)});
  }
  return facts;
}

Result<Request> request_from_json(const Json& value, std::string_view what) {
  ObjectReader reader(value, std::string(what));
  Request request;
  request.tool.use = reader.string("use");
  if (const Json* with = reader.optional_value("with")) {
    request.tool.with = *with;
  }
  request.tool.read = optional_strings(reader, "read");
  request.tool.write = optional_strings(reader, "write");
  request.tool.hosts = optional_strings(reader, "hosts");
  if (const Json* provenance = reader.optional_value("provenance")) {
    request.provenance = read_provenance(reader, "provenance", *provenance);
  }
  RGX_TRY_STATUS(reader.finish());
  return request;
}

}  // namespace rgx::policy
