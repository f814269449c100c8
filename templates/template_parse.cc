#include "base/ids.h"
#include "base/text.h"
#include "base/yaml/mapping_reader.h"
#include "templates/describe.h"
#include "templates/parameter_constraints.h"
#include "templates/parameter_types.h"
#include "templates/syntax.h"
#include "templates/template.h"
#include "templates/template_check.h"
#include "templates/template_read.h"

#include <algorithm>
#include <array>
#include <span>

// Text of a template file -> Template. Format: docs/formats/template.md

namespace rgx::templates {
namespace {

using yaml::MappingReader;
using yaml::Mistakes;

constexpr std::size_t kParametersMax = 64;
constexpr std::size_t kFactsMax = 64;
constexpr std::size_t kUtterancesMax = 200;  // of one language
constexpr std::size_t kUtteranceBytesMax = 256;
constexpr std::size_t kSummaryBytesMax = 256;
constexpr std::int64_t kItemsMax = 10000;

// Keys of the format that this version does not support: an error, never ignored.
constexpr std::array<std::string_view, 1> kReservedTop = {"include"};
constexpr std::array<std::string_view, 1> kReservedParameter = {"secret"};

/// A name as a key of a mapping, or a mistake.
void check_name(std::string_view kind, const yaml::Member& member, Mistakes& mistakes) {
  if (!is_name(member.key)) {
    mistakes.add("template.bad_name", member.key_place,
                 quoted(member.key) + " is no name for a " + std::string(kind),
                 "use up to 64 of `a-z`, `0-9`, `_`, `-`, with a letter first");
  }
}

void read_default(MappingReader& reader, Parameter& parameter) {
  const yaml::Node* node = reader.node("default");
  if (parameter.required == (node != nullptr)) {
    reader.mistakes().add("template.bad_parameter", parameter.place,
                          "parameter `" + parameter.name +
                              (parameter.required ? "` is required and has a default"
                                                  : "` is neither required nor has a default"),
                          "write either `required: true` or `default:`");
  }
  if (node == nullptr) {
    return;
  }
  Json value = yaml::to_json(*node);
  const bool is_list =
      parameter.type == ParameterType::list || parameter.type == ParameterType::command;
  if (is_list && !value.is_array()) {
    reader.mistakes().add(
        "parameter.type", node->place,
        "the default of `" + parameter.name + "` is " + described(value) + ", not a list",
        "write `[...]`");
    return;
  }
  auto checked = check_argument(parameter, value);
  if (!checked) {
    const Diagnostic& first = checked.error().first();
    reader.mistakes().add(first.code, node->place, "in a default: " + first.message, first.remedy);
    return;
  }
  parameter.fallback = std::move(*checked);
}

void read_values(MappingReader& reader, Parameter& parameter) {
  const bool is_enum =
      parameter.type == ParameterType::enumeration || parameter.of == ParameterType::enumeration;
  if (const auto values = reader.strings("values")) {
    for (const MappingReader::Text& text : *values) {
      if (std::ranges::find(parameter.values, text.value) != parameter.values.end()) {
        reader.mistakes().add("template.bad_parameter", text.place,
                              "the value " + quoted(text.value) + " is listed twice", "remove one");
      }
      parameter.values.push_back(text.value);
    }
  }
  if (is_enum == parameter.values.empty()) {
    reader.mistakes().add(
        "template.bad_parameter", parameter.place,
        "parameter `" + parameter.name +
            (is_enum ? "` is an enum without `values`" : "` has `values` but is no enum"),
        "`values` lists what an enum may be");
  }
}

Parameter read_parameter(const yaml::Member& member, Mistakes& mistakes) {
  Parameter parameter;
  parameter.name = member.key;
  parameter.place = member.key_place;
  check_name("parameter", member, mistakes);
  MappingReader reader(*member.value, "parameter `" + member.key + "`", mistakes);
  const auto types = parameter_type_names();
  if (reader.required_node("type") != nullptr) {
    if (const auto type = reader.word("type", types)) {
      parameter.type = static_cast<ParameterType>(*type);
    }
  }
  if (const auto of = reader.word("of", types)) {
    parameter.of = static_cast<ParameterType>(*of);
  }
  const bool nested = parameter.of == ParameterType::list || parameter.of == ParameterType::command;
  if ((parameter.type == ParameterType::list) != parameter.of.has_value() || nested) {
    mistakes.add("template.bad_parameter", parameter.place,
                 "parameter `" + parameter.name +
                     (nested ? "` is a list of lists" : "` needs `of` exactly when it is a list"),
                 "write `{type: list, of: path}`");
  }
  parameter.required = reader.boolean("required").value_or(false);
  parameter.description = reader.required_string("description");
  read_values(reader, parameter);
  read_constraints(reader, parameter);
  read_default(reader, parameter);
  refuse_reserved(reader, kReservedParameter);
  reader.finish();
  return parameter;
}

Fact read_fact(const yaml::Member& member, Mistakes& mistakes) {
  Fact fact;
  fact.name = member.key;
  fact.place = member.key_place;
  check_name("fact", member, mistakes);
  MappingReader reader(*member.value, "fact `" + member.key + "`", mistakes);
  fact.probe = reader.required_string("probe");
  fact.with.kind = yaml::Node::Kind::mapping;
  fact.with.place = member.key_place;
  if (const yaml::Node* with = reader.mapping("with")) {
    fact.with = *with;
  }
  fact.items_max = reader.integer("items_max", 1, kItemsMax).value_or(fact.items_max);
  reader.finish();
  return fact;
}

bool is_language(std::string_view tag) {
  return tag.size() >= 2 && tag.size() <= 16 && std::ranges::all_of(tag, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
         });
}

void read_utterances(const yaml::Node& node, Template& source, Mistakes& mistakes) {
  MappingReader reader(node, "utterances", mistakes);
  for (const yaml::Member& member : node.members) {
    if (!is_language(member.key)) {
      mistakes.add("template.bad_utterance", member.key_place,
                   quoted(member.key) + " is no language tag", "write `en:` or `zh:`");
    }
    std::vector<std::string> patterns;
    for (const MappingReader::Text& text :
         reader.strings(member.key).value_or(std::vector<MappingReader::Text>{})) {
      const bool bad = text.value.empty() || text.value.size() > kUtteranceBytesMax ||
                       find_deceptive(text.value).has_value();
      auto slots = slots_of(text.value);
      if (bad || !slots) {
        mistakes.add(
            "template.bad_utterance", text.place,
            bad ? "an utterance is 1 to 256 bytes on one line" : slots.error().first().message,
            "write `replace {from} with {to}`");
        continue;
      }
      for (const std::string& slot : *slots) {
        if (source.find_parameter(slot) == nullptr) {
          std::vector<std::string> names;
          for (const Parameter& parameter : source.parameters) {
            names.push_back(parameter.name);
          }
          mistakes.add("template.bad_utterance", text.place,
                       "the slot " + quoted("{" + slot + "}") + " is no parameter",
                       suggestion(slot, names, "declare it under `parameters`"));
        }
      }
      patterns.push_back(text.value);
    }
    if (patterns.size() > kUtterancesMax) {
      mistakes.add("template.too_many", member.key_place, "more than 200 utterances of a language",
                   "remove some");
    }
    source.utterances[member.key] = std::move(patterns);
  }
  reader.finish();
}

template <class Item, class Read>
void read_members(const yaml::Node* node, std::size_t count_max, std::string_view kind,
                  std::vector<Item>& items, Mistakes& mistakes, Read read) {
  if (node == nullptr) {
    return;
  }
  for (const yaml::Member& member : node->members) {
    items.push_back(read(member, mistakes));
  }
  if (items.size() > count_max) {
    mistakes.add("template.too_many", node->place,
                 "more than " + std::to_string(count_max) + " " + std::string(kind),
                 "split the template");
  }
}

void read_header(MappingReader& reader, Template& source) {
  reader.schema("rgx.template/v1");
  source.name = reader.required_string("name");
  if (reader.has("name") && !is_name(source.name)) {
    reader.mistakes().add("template.bad_name", reader.place_of("name"),
                          quoted(source.name) + " is no name for a template",
                          "use up to 64 of `a-z`, `0-9`, `_`, `-`, with a letter first");
  }
  source.version = reader.required_string("version");
  if (reader.has("version") && !is_version(source.version)) {
    reader.mistakes().add("template.bad_version", reader.place_of("version"),
                          quoted(source.version) + " is no version", "write `\"1.0.0\"`");
  }
  source.summary = reader.required_string("summary");
  if (source.summary.size() > kSummaryBytesMax || find_deceptive(source.summary)) {
    reader.mistakes().add("template.bad_summary", reader.place_of("summary"),
                          "the summary is no single line of at most 256 bytes", "shorten it");
  }
}

}  // namespace

Result<Template> parse_template(std::string_view text, std::string_view file, ToolChoice tools) {
  RGX_TRY(const yaml::Node root, yaml::parse(text, file));
  Mistakes mistakes;
  Template source;
  source.file = file;
  source.digest = digest_bytes(text);
  MappingReader reader(root, "template", mistakes);
  read_header(reader, source);
  read_members(reader.mapping("parameters"), kParametersMax, "parameters", source.parameters,
               mistakes, read_parameter);
  read_members(reader.mapping("facts"), kFactsMax, "facts", source.facts, mistakes, read_fact);
  if (const yaml::Node* utterances = reader.mapping("utterances")) {
    read_utterances(*utterances, source, mistakes);
  }
  read_steps(reader, source);
  read_phases(reader, source);
  read_acceptance(reader, source);
  read_workspace(reader, source);
  refuse_reserved(reader, kReservedTop);
  reader.finish();
  check_template(source, tools, mistakes);
  if (!mistakes.empty()) {
    return fail(std::move(mistakes).error());
  }
  return source;
}

}  // namespace rgx::templates
