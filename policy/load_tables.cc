#include <algorithm>

#include "base/clock.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/loading.h"

// Everything of a policy file but its rules. Format: docs/formats/policy.md

namespace rgx::policy::loading {

namespace {

constexpr std::array<std::string_view, 5> kStepBudgetFields = {
    "wall_ms", "tokens", "cost_usd_micros", "files_changed", "bytes_written"};
constexpr std::array<std::string_view, 4> kClasses = {"file", "model", "network", "process"};
constexpr std::array<std::string_view, 2> kReservedOfBudget = {"lines_changed", "memory_bytes"};
constexpr std::array<std::string_view, 2> kReservedOfDelegation = {"refs", "hosts"};
constexpr std::array<std::string_view, 5> kReservedOfProgram = {"sha256", "owner", "flags",
                                                                "operands", "wrapper"};
constexpr std::array<std::string_view, 6> kReservedOfException = {"argv", "refs", "hosts",
                                                                  "env",  "tool", "id"};
/// Where a repository's policy may name programs: folders that only the system's owner writes.
constexpr std::array<std::string_view, 4> kSystemFolders = {"/usr/", "/bin/", "/sbin/", "/opt/"};
constexpr std::size_t kProgramNameMax = 64;
constexpr std::string_view kKeyPrefix = "ed25519:";
constexpr std::size_t kKeyCharactersMin = 8;
constexpr std::size_t kKeyCharactersMax = 128;
constexpr std::int64_t kDayMs = 24LL * 60 * 60 * 1000;

bool is_letter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

bool is_program_name(std::string_view name) {
  constexpr std::string_view kOthers = "._+-";
  return !name.empty() && name.size() <= kProgramNameMax &&
         (is_letter(name.front()) || is_digit(name.front()) || name.front() == '_') &&
         std::ranges::all_of(name, [&](char byte) {
           return is_letter(byte) || is_digit(byte) || kOthers.find(byte) != kOthers.npos;
         });
}

bool is_program_path(const std::string& path) {
  if (path.size() < 2 || path.front() != '/') {
    return false;
  }
  const std::string prefixed = "abs:" + path;
  const auto normal = normal_path(prefixed);
  return normal.has_value() && *normal == prefixed;
}

void check_program_path(const MappingReader::Text& path, Layer layer, const std::string& what,
                        Mistakes& mistakes) {
  if (!is_program_path(path.value)) {
    mistakes.add("policy.program_path", path.place,
                 "`" + printable(path.value) + "` of " + what + " is no absolute, normal path",
                 "write a path like `/usr/bin/ctest`");
    return;
  }
  const bool system = std::ranges::any_of(
      kSystemFolders, [&](std::string_view folder) { return path.value.starts_with(folder); });
  if (layer == Layer::repository && !system) {
    mistakes.add(
        "policy.program_path", path.place,
        "a policy of layer `repository` may not name the program `" + printable(path.value) + "`",
        "use one below /usr, /bin, /sbin or /opt, or name it in the user's policy");
  }
}

bool is_key(std::string_view text) {
  constexpr std::string_view kOthers = "+/=.";
  if (!text.starts_with(kKeyPrefix)) {
    return false;
  }
  text.remove_prefix(kKeyPrefix.size());
  return text.size() >= kKeyCharactersMin && text.size() <= kKeyCharactersMax &&
         std::ranges::all_of(text, [&](char byte) {
           return is_letter(byte) || is_digit(byte) || kOthers.find(byte) != kOthers.npos;
         });
}

void read_fields(MappingReader& reader, std::span<const std::string_view> fields,
                 std::map<std::string, std::int64_t>& values) {
  for (const std::string_view field : fields) {
    if (const auto value = reader.integer(field, 0, Json::kIntegerMax)) {
      values.emplace(field, *value);
    }
  }
  refuse_reserved(reader, kReservedOfBudget);
  reader.finish();
}

std::vector<Glob> read_globs(MappingReader& reader, std::string_view key, Emptiness emptiness) {
  const auto texts = list(reader, key, emptiness);
  return texts ? globs(*texts, reader.mistakes()) : std::vector<Glob>();
}

std::int64_t read_expiry(MappingReader& reader) {
  constexpr std::size_t kDateSize = 10;
  const std::string date = required_text(reader, "expires");
  if (date.empty()) {
    return 0;
  }
  const auto start = parse_time(date);
  if (date.size() != kDateSize || !start) {
    reader.mistakes().add("policy.expires", reader.place_of("expires"),
                          "`" + printable(date) + "` is no date", "write it as `2027-01-31`");
    return 0;
  }
  return *start + kDayMs;
}

void check_excepted_rule(MappingReader& reader, const Policy& policy, const Exception& exception) {
  Mistakes& mistakes = reader.mistakes();
  if (exception.rule_layer != policy.layer || exception.rule.empty()) {
    return;  // a rule of another file is looked up when the layers are stacked
  }
  const auto rule = std::ranges::find(policy.rules, exception.rule, &Rule::id);
  if (rule == policy.rules.end()) {
    std::vector<std::string_view> known;
    for (const Rule& other : policy.rules) {
      known.push_back(other.id);
    }
    mistakes.add("policy.unknown_rule", reader.place_of("rule"),
                 "there is no rule `" + printable(exception.rule) + "`",
                 suggest(exception.rule, known, "name a rule of this file, or add its `layer`"));
    return;
  }
  if (rule->hard) {
    mistakes.add("policy.exception_hard", reader.place_of("rule"),
                 "rule `" + rule->id + "` is hard: nothing excepts it",
                 "remove the exception, or change the rule with its owner");
  }
  if (rule->effect == Effect::allow) {
    mistakes.add("policy.exception_scope", reader.place_of("rule"),
                 "rule `" + rule->id + "` allows, and exceptions are for rules that deny or ask",
                 "name the rule that is in the way");
    return;
  }
  for (const std::string_view axis : {"read", "write"}) {
    const bool rule_names =
        axis == "read" ? rule->when.read.has_value() : rule->when.write.has_value();
    if (reader.has(axis) && !rule_names) {
      mistakes.add("policy.exception_scope", reader.place_of(axis),
                   "rule `" + rule->id + "` does not look at `" + std::string(axis) + "`",
                   "remove `" + std::string(axis) + "`: it would lift nothing");
    }
  }
}

void read_exception(const yaml::Node& node, Policy& policy, Mistakes& mistakes) {
  MappingReader reader(node, "an exception", mistakes);
  Exception exception;
  exception.place = node.place;
  exception.layer = policy.layer;
  exception.rule_layer = policy.layer;
  exception.rule = required_name(reader, "rule");
  if (const auto layer = reader.word("layer", kLayerNames)) {
    exception.rule_layer = static_cast<Layer>(*layer);
    if (exception.rule_layer < policy.layer) {
      mistakes.add("policy.exception_layer", reader.place_of("layer"),
                   "layer `" + std::string(to_string(policy.layer)) +
                       "` may not except a rule of layer `" +
                       std::string(to_string(exception.rule_layer)) + "`",
                   "ask the owner of that layer for the exception");
    }
  }
  exception.read = read_globs(reader, "read", Emptiness::refused);
  exception.write = read_globs(reader, "write", Emptiness::refused);
  exception.owner = required_text(reader, "owner");
  exception.ticket = required_text(reader, "ticket");
  exception.reason = required_text(reader, "reason");
  exception.expires_unix_ms = read_expiry(reader);
  refuse_reserved(reader, kReservedOfException);
  check_excepted_rule(reader, policy, exception);
  if (node.kind == yaml::Node::Kind::mapping && !reader.has("read") && !reader.has("write")) {
    mistakes.add("policy.exception_scope", node.place,
                 "an exception from rule `" + printable(exception.rule) + "` selects nothing",
                 "name the paths under `read` or `write`");
  }
  reader.finish();
  policy.exceptions.push_back(std::move(exception));
}

}  // namespace

void read_exceptions(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.sequence("exceptions");
  if (node == nullptr ||
      !within(node->items.size(), kEntriesMax, node->place, "`exceptions`", file.mistakes())) {
    return;
  }
  for (const auto& item : node->items) {
    read_exception(*item, policy, file.mistakes());
  }
}

void read_delegations(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.sequence("delegate");
  if (node == nullptr ||
      !within(node->items.size(), kDelegationsMax, node->place, "`delegate`", file.mistakes())) {
    return;
  }
  for (const auto& item : node->items) {
    MappingReader reader(*item, "a delegation", file.mistakes());
    Delegation delegation;
    delegation.place = item->place;
    static_cast<void>(reader.required_node("to"));
    if (const auto layer = reader.word("to", kLayerNames)) {
      delegation.to = static_cast<Layer>(*layer);
      if (delegation.to <= policy.layer) {
        file.mistakes().add("policy.delegation_layer", reader.place_of("to"),
                            "layer `" + std::string(to_string(policy.layer)) +
                                "` cannot delegate to layer `" +
                                std::string(to_string(delegation.to)) + "`",
                            "name a layer below: the order is org, user, repository, run");
      }
    }
    static_cast<void>(reader.required_node("tool"));
    if (const auto tools =
            list(reader, "tool", Emptiness::refused, MappingReader::OneIsList::yes)) {
      delegation.tools = tool_patterns(*tools, file.mistakes());
    }
    for (const MappingReader::Text& program :
         list(reader, "programs", Emptiness::allowed).value_or(Texts{})) {
      if (!is_program_name(program.value)) {
        file.mistakes().add("policy.name", program.place,
                            "`" + printable(program.value) + "` is no name of a program",
                            "write the name that argv starts with, such as `ctest`");
      }
      delegation.programs.push_back(program.value);
    }
    delegation.read = read_globs(reader, "read", Emptiness::allowed);
    delegation.write = read_globs(reader, "write", Emptiness::allowed);
    if (const auto names = list(reader, "env", Emptiness::allowed)) {
      delegation.env = variables(*names, file.mistakes());
    }
    refuse_reserved(reader, kReservedOfDelegation);
    reader.finish();
    policy.delegations.push_back(std::move(delegation));
  }
}

void read_programs(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.mapping("programs");
  if (node == nullptr ||
      !within(node->members.size(), kProgramsMax, node->place, "`programs`", file.mistakes())) {
    return;
  }
  Mistakes& mistakes = file.mistakes();
  for (const yaml::Member& member : node->members) {
    const std::string what = "program `" + printable(member.key) + "`";
    if (!is_program_name(member.key)) {
      mistakes.add(
          "policy.name", member.key_place,
          "`" + printable(member.key) + "` is no name of a program",
          "write the name that argv starts with, such as `ctest`, and its path under `paths`");
    }
    MappingReader reader(*member.value, what, mistakes);
    Program program;
    program.name = member.key;
    program.place = member.key_place;
    static_cast<void>(reader.required_node("paths"));
    const auto paths = list(reader, "paths", Emptiness::refused);
    if (paths) {
      within(paths->size(), kProgramPathsMax, reader.place_of("paths"), "`paths` of " + what,
             mistakes);
      for (const MappingReader::Text& path : *paths) {
        check_program_path(path, policy.layer, what, mistakes);
        program.paths.push_back(path.value);
      }
    }
    if (const yaml::Node* grammar = reader.node("grammar")) {
      program.has_grammar = grammar->kind == yaml::Node::Kind::string && grammar->text == "shipped";
      if (!program.has_grammar) {
        mistakes.add("policy.unsupported_key", grammar->place,
                     "`grammar` of " + what + " is not supported by this version",
                     "write `grammar: shipped`, or remove it");
      }
    }
    refuse_reserved(reader, kReservedOfProgram);
    reader.finish();
    policy.programs.emplace(member.key, std::move(program));
  }
}

void read_approvers(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.sequence("approvers");
  if (node == nullptr ||
      !within(node->items.size(), kApproversMax, node->place, "`approvers`", file.mistakes())) {
    return;
  }
  Mistakes& mistakes = file.mistakes();
  if (policy.layer > Layer::user) {
    mistakes.add("policy.approver_layer", file.place_of("approvers"),
                 "layer `" + std::string(to_string(policy.layer)) + "` may not list approvers",
                 "list them in the policy of layer `org` or `user`");
  }
  for (const auto& item : node->items) {
    MappingReader reader(*item, "an approver", mistakes);
    Approver approver;
    approver.place = item->place;
    approver.name = required_name(reader, "name");
    approver.public_key = required_text(reader, "public_key");
    if (!approver.public_key.empty() && !is_key(approver.public_key)) {
      mistakes.add("policy.approver_key", reader.place_of("public_key"),
                   "`" + printable(approver.public_key) + "` is no public key",
                   "write `ed25519:` and the base64 that `openssl pkey -pubout` prints");
    }
    for (const MappingReader::Text& group :
         list(reader, "groups", Emptiness::allowed).value_or(Texts{})) {
      check_text(group.value, group.place, "a group", mistakes);
      approver.groups.push_back(group.value);
    }
    reader.finish();
    if (!approver.name.empty() && std::ranges::find(policy.approvers, approver.name,
                                                    &Approver::name) != policy.approvers.end()) {
      mistakes.add("policy.duplicate_approver", item->place,
                   "approver `" + printable(approver.name) + "` stands twice",
                   "give each approver one entry");
    }
    policy.approvers.push_back(std::move(approver));
  }
}

void read_budgets(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.mapping("budgets");
  if (node == nullptr) {
    return;
  }
  MappingReader budgets(*node, "`budgets`", file.mistakes());
  if (const yaml::Node* run = budgets.mapping("run")) {
    std::vector<std::string_view> fields;
    for (const BudgetField& field : kRunBudgetFields) {
      fields.push_back(field.name);
    }
    MappingReader reader(*run, "`budgets.run`", file.mistakes());
    read_fields(reader, fields, policy.run_budget);
  }
  if (const yaml::Node* step = budgets.mapping("step")) {
    MappingReader reader(*step, "`budgets.step`", file.mistakes());
    read_fields(reader, kStepBudgetFields, policy.step_budget);
  }
  budgets.finish();
}

void read_concurrency(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.mapping("concurrency");
  if (node == nullptr) {
    return;
  }
  MappingReader reader(*node, "`concurrency`", file.mistakes());
  for (const std::string_view name : kClasses) {
    if (const auto slots = reader.integer(name, 1, kSlotsMax)) {
      policy.concurrency.emplace(name, *slots);
    }
  }
  reader.finish();
}

void read_require_checks(MappingReader& file, Policy& policy) {
  const yaml::Node* node = file.sequence("require_checks");
  if (node == nullptr || !within(node->items.size(), kRequireChecksMax, node->place,
                                 "`require_checks`", file.mistakes())) {
    return;
  }
  for (const auto& item : node->items) {
    MappingReader reader(*item, "a required check", file.mistakes());
    static_cast<void>(reader.required_node("tool"));
    static_cast<void>(reader.required_node("checks"));
    std::vector<std::string> tools;
    if (const auto texts =
            list(reader, "tool", Emptiness::refused, MappingReader::OneIsList::yes)) {
      tools = tool_patterns(*texts, file.mistakes());
    }
    const auto checks = list(reader, "checks", Emptiness::refused);
    for (const MappingReader::Text& check : checks.value_or(Texts{})) {
      if (!check.value.starts_with("check.") || templates::find_tool(check.value) == nullptr) {
        file.mistakes().add("policy.unknown_check", check.place,
                            "`" + printable(check.value) + "` is no check",
                            "name a tool that starts with `check.`, such as `check.tests`");
      }
      for (const std::string& tool : tools) {
        policy.require_checks[tool].push_back(check.value);
      }
    }
    reader.finish();
  }
}

}  // namespace rgx::policy::loading
