#include <algorithm>
#include <set>

#include "base/text.h"
#include "policy/host.h"
#include "policy/loading.h"

// Rules, risk levels and gates. Format: docs/formats/policy.md

namespace rgx::policy::loading {

using templates::Axis;
using templates::Origin;
using templates::OriginSet;

namespace {

constexpr std::array<std::string_view, 4> kReservedOfRule = {"mode", "until", "methods",
                                                             "url_paths"};
constexpr std::array<std::string_view, 2> kReservedOfDemand = {"ttl_ms", "quorum"};
constexpr std::array<std::string_view, 1> kGateEffects = {"deny"};

bool is_variable_pattern(std::string_view text) {
  if (text.ends_with('*')) {
    text.remove_suffix(1);
  }
  const auto is_word = [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_';
  };
  return !text.empty() && !(text.front() >= '0' && text.front() <= '9') &&
         std::ranges::all_of(text, is_word);
}

void check_argv(const Texts& words, Mistakes& mistakes) {
  for (std::size_t index = 0; index < words.size(); ++index) {
    const MappingReader::Text& word = words[index];
    if (word.value == "**" && index + 1 < words.size()) {
      mistakes.add("policy.argv_pattern", word.place, "`**` stands before other words of `argv`",
                   "use `*` for one word, and `**` only at the end");
    } else if (word.value.empty() && index == 0) {
      mistakes.add("policy.argv_pattern", word.place, "`argv` starts with an empty word",
                   "name the program first");
    } else if (find_deceptive(word.value)) {
      mistakes.add("policy.text", word.place,
                   "`argv` has a control or invisible character: `" + printable(word.value) + "`",
                   "remove the character");
    }
  }
}

std::optional<ArgvPattern> read_argv(MappingReader& reader) {
  const auto words = list(reader, "argv", Emptiness::refused);
  if (!words) {
    return std::nullopt;
  }
  within(words->size(), kArgvWordsMax, reader.place_of("argv"), "`argv` of " + reader.what(),
         reader.mistakes());
  check_argv(*words, reader.mistakes());
  ArgvPattern pattern;
  for (const MappingReader::Text& word : *words) {
    pattern.tokens.push_back(word.value);
  }
  return pattern;
}

std::optional<std::vector<Glob>> read_globs(MappingReader& reader, std::string_view key) {
  const auto texts = list(reader, key, Emptiness::refused);
  return texts ? std::optional(globs(*texts, reader.mistakes())) : std::nullopt;
}

std::vector<std::string> hosts(const Texts& texts, Mistakes& mistakes) {
  std::vector<std::string> all;
  for (const MappingReader::Text& text : texts) {
    if (!is_host_pattern(text.value)) {
      mistakes.add(
          "policy.host_pattern", text.place, "`" + printable(text.value) + "` is no host pattern",
          "write `api.example.org:443` or `*.example.org:443`: lower case, a name and a port");
    }
    all.push_back(text.value);
  }
  return all;
}

std::vector<std::string> refs(const Texts& texts, Mistakes& mistakes) {
  std::vector<std::string> all;
  for (const Glob& glob : globs(texts, mistakes)) {
    all.push_back(glob.pattern());
  }
  return all;
}

std::optional<OriginSet> read_origins(MappingReader& reader, std::string_view axis) {
  const auto texts = list(reader, axis, Emptiness::refused);
  if (!texts) {
    return std::nullopt;
  }
  OriginSet origins;
  for (const MappingReader::Text& text : *texts) {
    const auto found = std::ranges::find(templates::kOriginNames, text.value);
    if (found == templates::kOriginNames.end()) {
      reader.mistakes().add("yaml.bad_value", text.place,
                            "`" + printable(text.value) + "` is no origin",
                            suggest(text.value, templates::kOriginNames,
                                    "use human, template, repository, model, network"));
    } else {
      origins.add(static_cast<Origin>(found - templates::kOriginNames.begin()));
    }
  }
  return origins;
}

std::map<Axis, OriginSet> read_provenance(MappingReader& reader) {
  std::map<Axis, OriginSet> all;
  const yaml::Node* node = reader.mapping("provenance");
  if (node == nullptr) {
    return all;
  }
  MappingReader axes(*node, "`provenance` of " + reader.what(), reader.mistakes());
  for (std::size_t index = 0; index < templates::kAxisNames.size(); ++index) {
    if (const auto origins = read_origins(axes, templates::kAxisNames[index])) {
      all.emplace(static_cast<Axis>(index), *origins);
    }
  }
  axes.finish();
  if (node->members.empty()) {
    reader.mistakes().add("policy.empty_list", node->place,
                          "`provenance` of " + reader.what() + " names no axis",
                          "name an axis, as in `{write: [human]}`, or remove the key");
  }
  return all;
}

std::vector<Risk> read_risk_levels(MappingReader& reader) {
  std::vector<Risk> levels;
  const auto texts = list(reader, "risk", Emptiness::refused);
  for (const MappingReader::Text& text : texts.value_or(Texts{})) {
    const auto found = std::ranges::find(kRiskNames, text.value);
    if (found == kRiskNames.end()) {
      reader.mistakes().add("yaml.bad_value", text.place,
                            "`" + printable(text.value) + "` is no risk level",
                            suggest(text.value, kRiskNames, "use low, medium, high, critical"));
    } else {
      levels.push_back(static_cast<Risk>(found - kRiskNames.begin()));
    }
  }
  return levels;
}

/// An allow rule starts a program, and programs are named by their entry in `programs`.
void check_program_name(MappingReader& reader, const Rule& rule) {
  if (rule.effect != Effect::allow || !rule.when.argv || rule.when.argv->tokens.empty()) {
    return;
  }
  const std::string& program = rule.when.argv->tokens.front();
  if (program == "*" || program == "**" || program.find('/') != std::string::npos) {
    reader.mistakes().add("policy.argv_pattern", reader.place_of("argv"),
                          "`argv` of " + reader.what() + " starts with `" + printable(program) +
                              "`, which is no name of a program",
                          "start with a name from `programs`");
  }
}

void read_approval(MappingReader& reader, Rule& rule) {
  const yaml::Node* node = reader.mapping("approval");
  if (node == nullptr) {
    return;
  }
  MappingReader demand(*node, "`approval` of " + reader.what(), reader.mistakes());
  rule.approval = read_demand(demand, 1);
  demand.finish();
  if (rule.effect != Effect::require_approval) {
    reader.mistakes().add("policy.approval_effect", reader.place_of("approval"),
                          reader.what() + " has `approval` but does not ask for one",
                          "write `effect: require_approval`, or remove `approval`");
  }
}

void read_examples(MappingReader& reader, std::size_t rule, std::vector<Example>& examples) {
  for (const bool matches : {true, false}) {
    const std::string_view key = matches ? "match" : "not_match";
    const yaml::Node* node = reader.sequence(key);
    if (node == nullptr ||
        !within(node->items.size(), kExamplesMax, node->place,
                "`" + std::string(key) + "` of " + reader.what(), reader.mistakes())) {
      continue;
    }
    for (const auto& item : node->items) {
      examples.push_back({rule, matches, item.get()});
    }
  }
}

Rule read_rule(const yaml::Node& node, Policy& policy, Mistakes& mistakes,
               std::vector<Example>& examples) {
  const yaml::Member* named = node.find("id");
  const std::string what = named != nullptr && named->value->kind == yaml::Node::Kind::string
                               ? "rule `" + printable(named->value->text) + "`"
                               : "a rule";
  MappingReader reader(node, what, mistakes);
  Rule rule;
  rule.place = node.place;
  rule.layer = policy.layer;
  rule.id = required_name(reader, "id");
  static_cast<void>(reader.required_node("effect"));
  if (const auto effect = reader.word("effect", kEffectNames)) {
    rule.effect = static_cast<Effect>(*effect);
  }
  rule.when = read_matchers(reader);
  rule.when.risk = read_risk_levels(reader);
  check_program_name(reader, rule);
  read_approval(reader, rule);
  rule.hard = reader.boolean("hard").value_or(false);
  if (rule.hard && rule.effect == Effect::allow) {
    mistakes.add("policy.hard_effect", reader.place_of("hard"),
                 what + " allows, and `hard` is for rules that deny or ask", "remove `hard`");
  }
  rule.why = required_text(reader, "why");
  rule.remedy = required_text(reader, "remedy");
  read_examples(reader, policy.rules.size(), examples);
  refuse_reserved(reader, kReservedOfRule);
  reader.finish();
  return rule;
}

bool names_something(const Matchers& when) {
  return !when.tools.empty() || when.argv || when.read || when.write || when.refs || when.hosts ||
         when.env || !when.provenance.empty() || when.analysis;
}

}  // namespace

std::vector<std::string> variables(const Texts& texts, Mistakes& mistakes) {
  std::vector<std::string> all;
  for (const MappingReader::Text& text : texts) {
    if (!is_variable_pattern(text.value)) {
      mistakes.add("policy.env_pattern", text.place,
                   "`" + printable(text.value) + "` is no pattern for a variable",
                   "write a name like `CTEST_*`: letters, digits and `_`, `*` only at the end");
    }
    all.push_back(text.value);
  }
  return all;
}

Matchers read_matchers(MappingReader& reader) {
  Mistakes& mistakes = reader.mistakes();
  Matchers when;
  if (const auto tools = list(reader, "tool", Emptiness::refused, MappingReader::OneIsList::yes)) {
    when.tools = tool_patterns(*tools, mistakes);
  }
  when.argv = read_argv(reader);
  when.read = read_globs(reader, "read");
  when.write = read_globs(reader, "write");
  if (const auto texts = list(reader, "refs", Emptiness::refused)) {
    when.refs = refs(*texts, mistakes);
  }
  if (const auto texts = list(reader, "hosts", Emptiness::refused)) {
    when.hosts = hosts(*texts, mistakes);
  }
  if (const auto texts = list(reader, "env", Emptiness::refused)) {
    when.env = variables(*texts, mistakes);
  }
  when.provenance = read_provenance(reader);
  if (const auto analysis = reader.word("analysis", kAnalysisNames)) {
    when.analysis = static_cast<Analysis>(*analysis);
  }
  return when;
}

ApprovalDemand read_demand(MappingReader& reader, std::int64_t count_min) {
  ApprovalDemand demand;
  demand.count = reader.integer("count", count_min, kApprovalsMax).value_or(1);
  if (reader.has("group")) {
    demand.group = required_name(reader, "group");
  }
  demand.self = reader.boolean("self").value_or(false);
  refuse_reserved(reader, kReservedOfDemand);
  return demand;
}

void read_rules(MappingReader& file, Policy& policy, std::vector<Example>& examples) {
  const yaml::Node* node = file.sequence("rules");
  if (node == nullptr ||
      !within(node->items.size(), kEntriesMax, node->place, "`rules`", file.mistakes())) {
    return;
  }
  std::map<std::string, Place> seen;
  for (const auto& item : node->items) {
    Rule rule = read_rule(*item, policy, file.mistakes(), examples);
    const auto [first, is_new] = seen.emplace(rule.id, rule.place);
    if (!is_new && !rule.id.empty()) {
      file.mistakes().add(
          "policy.duplicate_rule", rule.place,
          "rule `" + printable(rule.id) + "` stands twice, first at " + to_string(first->second),
          "give each rule an id of its own");
    }
    policy.rules.push_back(std::move(rule));
  }
}

void read_risk(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.mapping("risk");
  if (node == nullptr) {
    return;
  }
  MappingReader risk(*node, "`risk`", file.mistakes());
  if (const auto level = risk.word("default", kRiskNames)) {
    policy.risk_default = static_cast<Risk>(*level);
  }
  const yaml::Node* levels = risk.sequence("levels");
  if (levels != nullptr &&
      within(levels->items.size(), kEntriesMax, levels->place, "`risk.levels`", file.mistakes())) {
    for (const auto& item : levels->items) {
      MappingReader reader(*item, "a level of `risk`", file.mistakes());
      RiskRule rule;
      rule.place = item->place;
      static_cast<void>(reader.required_node("level"));
      if (const auto level = reader.word("level", kRiskNames)) {
        rule.level = static_cast<Risk>(*level);
      }
      rule.when = read_matchers(reader);
      reader.finish();
      if (item->kind == yaml::Node::Kind::mapping && !names_something(rule.when) &&
          item->members.size() <= 1) {
        file.mistakes().add("policy.empty_list", item->place,
                            "a level of `risk` names nothing to look at",
                            "add `tool`, `write` or another matcher, or use `default`");
      }
      policy.risk_rules.push_back(std::move(rule));
    }
  }
  risk.finish();
}

void read_gates(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.mapping("gates");
  if (node == nullptr) {
    return;
  }
  MappingReader gates(*node, "`gates`", file.mistakes());
  for (std::size_t index = 0; index < kRiskNames.size(); ++index) {
    const yaml::Node* item = gates.mapping(kRiskNames[index]);
    if (item == nullptr) {
      continue;
    }
    MappingReader reader(*item, "gate `" + std::string(kRiskNames[index]) + "`", file.mistakes());
    Gate gate;
    gate.place = gates.place_of(kRiskNames[index]);
    const bool denies = reader.word("effect", kGateEffects).has_value();
    const bool counts = reader.has("count");
    const ApprovalDemand demand = read_demand(reader, 0);
    reader.finish();
    if (denies == counts || (denies && item->members.size() > 1)) {
      file.mistakes().add("policy.gate", item->place,
                          "gate `" + std::string(kRiskNames[index]) +
                              "` must either deny or say how many approvals it needs",
                          "write `{effect: deny}`, or `{count: 0}` for nothing");
    }
    if (denies) {
      gate.effect = Effect::deny;
    } else {
      gate.approval = demand;
    }
    policy.gates.emplace(static_cast<Risk>(index), std::move(gate));
  }
  gates.finish();
}

}  // namespace rgx::policy::loading
