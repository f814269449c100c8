#include "base/ids.h"
#include "base/text.h"
#include "templates/describe.h"
#include "templates/template_read.h"

#include <algorithm>
#include <array>

// `steps`, `phases`, `acceptance` and `workspace` of a template file.

namespace rgx::templates {
namespace {

using yaml::MappingReader;
using yaml::Mistakes;

constexpr std::size_t kStepsMax = 256;
constexpr std::size_t kPhasesMax = 64;
constexpr std::size_t kGateMessageBytesMax = 4096;
constexpr std::int64_t kTimeoutMsMax = 7LL * 24 * 3600 * 1000;
constexpr std::int64_t kBackoffMsDefault = 1000;
constexpr std::array<std::string_view, 2> kReservedStep = {"items_max", "repair"};

std::optional<yaml::Node> read_node(MappingReader& reader, std::string_view key) {
  const yaml::Node* node = reader.node(key);
  return node == nullptr ? std::nullopt : std::optional(*node);
}

StepGate read_gate(const yaml::Node& node, const std::string& what, Mistakes& mistakes) {
  MappingReader reader(node, "`gate` of " + what, mistakes);
  StepGate gate;
  gate.count = reader.integer("count", 1, kGateCountMax).value_or(gate.count);
  gate.group = reader.string("group").value_or("");
  if (!gate.group.empty() && !is_name(gate.group)) {
    mistakes.add("template.bad_name", reader.place_of("group"),
                 quoted(gate.group) + " is no name for a group",
                 "name a group of approvers of the policy");
  }
  gate.self = reader.boolean("self").value_or(false);
  gate.message = reader.string("message").value_or("");
  if (gate.message.size() > kGateMessageBytesMax || find_deceptive(gate.message)) {
    mistakes.add("template.bad_option", reader.place_of("message"),
                 "the message of a gate is no single line of at most 4096 bytes", "shorten it");
  }
  reader.finish();
  return gate;
}

Retry read_retry(const yaml::Node& node, const std::string& what, Mistakes& mistakes) {
  MappingReader reader(node, "`retry` of " + what, mistakes);
  Retry retry;
  static_cast<void>(reader.required_node("attempts_max"));
  retry.attempts_max = reader.integer("attempts_max", 2, kAttemptsMax).value_or(2);
  retry.backoff_ms = reader.integer("backoff_ms", 0, kBackoffMsMax).value_or(kBackoffMsDefault);
  retry.reasons = {"transient"};
  if (const auto reasons = reader.strings("reasons")) {
    retry.reasons.clear();
    for (const MappingReader::Text& reason : *reasons) {
      const std::vector<std::string> known(kRetryReasons.begin(), kRetryReasons.end());
      if (std::ranges::find(known, reason.value) == known.end()) {
        mistakes.add("yaml.bad_value", reason.place,
                     quoted(reason.value) + " is no reason to try again",
                     suggestion(reason.value, known, "write `[transient]`"));
      }
      retry.reasons.push_back(reason.value);
    }
    std::ranges::sort(retry.reasons);
    retry.reasons.erase(std::ranges::unique(retry.reasons).begin(), retry.reasons.end());
    if (retry.reasons.empty()) {
      mistakes.add("template.bad_option", reader.place_of("reasons"), "`reasons` names no reason",
                   "leave it out for `[transient]`");
    }
  }
  reader.finish();
  return retry;
}

void read_budget(const yaml::Node& node, const std::string& what, StepTemplate& step,
                 Mistakes& mistakes) {
  MappingReader reader(node, "`budget` of " + what, mistakes);
  for (const std::string_view name : kStepBudgetNames) {
    if (const auto bound = reader.integer(name, 0, Json::kIntegerMax)) {
      step.budget[std::string(name)] = *bound;
    }
  }
  reader.finish();
}

/// What a check may say as well as a step.
void read_use(MappingReader& reader, const std::string& what, StepTemplate& step) {
  step.with.kind = yaml::Node::Kind::mapping;
  step.with.place = step.place;
  if (const yaml::Node* with = reader.mapping("with")) {
    step.with = *with;
  }
  step.when = read_node(reader, "when");
  step.read = read_node(reader, "read");
  step.write = read_node(reader, "write");
  step.hosts = read_node(reader, "hosts");
  step.timeout_ms = reader.integer("timeout_ms", 1, kTimeoutMsMax);
  if (const auto risk = reader.word("risk", kRiskNames)) {
    step.risk = kRiskNames.at(*risk);
  }
  if (const yaml::Node* budget = reader.mapping("budget")) {
    read_budget(*budget, what, step, reader.mistakes());
  }
}

/// A step is a tool use or another template's steps.
void read_kind(MappingReader& reader, StepTemplate& step) {
  if (!reader.has("include")) {
    step.use = reader.required_string("use");
    return;
  }
  step.include = reader.required_string("include");
  static_cast<void>(reader.node("use"));  // reported below
  static constexpr std::array<std::string_view, 11> kOnlyOfTools = {
      "budget", "for_each", "gate", "hosts", "idempotent", "on_interrupted",
      "read",   "retry",    "risk", "use",   "write"};
  for (const std::string_view key : kOnlyOfTools) {
    if (reader.has(key)) {
      reader.mistakes().add("template.bad_include", reader.place_of(key),
                            "a step with `include` has no `" + std::string(key) + "`",
                            "an include takes `id`, `with`, `needs`, `when` and `phase`");
    }
  }
}

StepTemplate read_step(const yaml::Node& node, std::size_t index, Mistakes& mistakes) {
  StepTemplate step;
  step.place = node.place;
  const std::string what = "step " + std::to_string(index + 1);
  MappingReader reader(node, what, mistakes);
  step.id = reader.required_string("id");
  if (reader.has("id")) {
    step.place = reader.place_of("id");
    if (!is_name(step.id) || step.id == "acceptance") {
      mistakes.add("template.bad_name", step.place, quoted(step.id) + " is no name for a step",
                   "use up to 64 of `a-z`, `0-9`, `_`, `-`, with a letter first");
    }
  }
  read_kind(reader, step);
  read_use(reader, what, step);
  if (const auto needs = reader.strings("needs")) {
    for (const MappingReader::Text& need : *needs) {
      step.needs.push_back(need.value);
    }
  }
  step.for_each = read_node(reader, "for_each");
  step.phase = reader.string("phase");
  step.idempotent = reader.boolean("idempotent");
  static constexpr std::array<std::string_view, 3> kChoices = {"rerun", "check", "ask"};
  if (const auto choice = reader.word("on_interrupted", kChoices)) {
    step.on_interrupted = static_cast<OnInterrupted>(*choice);
  }
  if (const yaml::Node* gate = reader.mapping("gate")) {
    step.gate = read_gate(*gate, what, mistakes);
  }
  if (const yaml::Node* retry = reader.mapping("retry")) {
    step.retry = read_retry(*retry, what, mistakes);
  }
  refuse_reserved(reader, kReservedStep);
  reader.finish();
  return step;
}

/// A check of `acceptance` or of a phase: it has no id of its own.
StepTemplate read_check(const yaml::Node& node, const std::string& id, Mistakes& mistakes) {
  StepTemplate step;
  step.place = node.place;
  step.id = id;
  MappingReader reader(node, "check `" + id + "`", mistakes);
  step.use = reader.required_string("use");
  if (reader.has("use")) {
    step.place = reader.place_of("use");
    const bool checks = step.use.starts_with("check.") || step.use == "human.approve";
    if (!checks && !step.use.empty()) {
      mistakes.add("template.bad_check", step.place,
                   quoted(step.use) + " neither checks nor asks a person",
                   "use a tool `check.*` or `human.approve`");
    }
  }
  read_use(reader, "check `" + id + "`", step);
  reader.finish();
  return step;
}

std::vector<StepTemplate> read_checks(MappingReader& reader, std::string_view key,
                                      const std::string& prefix) {
  std::vector<StepTemplate> checks;
  const yaml::Node* list = reader.sequence(key);
  if (list == nullptr) {
    return checks;
  }
  if (list->items.empty() || list->items.size() > kStepsMax) {
    reader.mistakes().add(
        list->items.empty() ? "template.no_steps" : "template.too_many", list->place,
        "`" + std::string(key) +
            (list->items.empty() ? "` has no check" : "` has more than 256 checks"),
        list->items.empty() ? "leave it out" : "split the template");
  }
  for (const auto& item : list->items) {
    checks.push_back(read_check(*item, prefix + "[" + std::to_string(checks.size() + 1) + "]",
                                reader.mistakes()));
  }
  return checks;
}

Phase read_phase(const yaml::Node& node, Mistakes& mistakes) {
  Phase phase;
  phase.place = node.place;
  if (node.kind == yaml::Node::Kind::string) {
    phase.name = node.text;
  } else {
    MappingReader reader(node, "phase", mistakes);
    phase.name = reader.required_string("name");
    phase.exit = read_checks(reader, "exit", phase.name + ".exit");
    reader.finish();
  }
  if (!phase.name.empty() && !is_name(phase.name)) {
    mistakes.add("template.bad_name", phase.place, quoted(phase.name) + " is no name for a phase",
                 "use up to 64 of `a-z`, `0-9`, `_`, `-`, with a letter first");
  }
  return phase;
}

void check_phase_names(const Template& source, Mistakes& mistakes) {
  std::vector<std::string> names;
  for (const Phase& phase : source.phases) {
    if (std::ranges::find(names, phase.name) != names.end()) {
      mistakes.add("template.bad_phase", phase.place,
                   "the phase " + quoted(phase.name) + " is there twice", "remove one");
    }
    names.push_back(phase.name);
  }
  for (const StepTemplate& step : source.steps) {
    if (step.phase && std::ranges::find(names, *step.phase) == names.end()) {
      mistakes.add("template.bad_phase", step.place,
                   "step `" + step.id + "` is of the phase " + quoted(*step.phase) +
                       ", which is not declared",
                   suggestion(*step.phase, names, "declare it under `phases`"));
    } else if (!step.phase && !names.empty()) {
      mistakes.add("template.bad_phase", step.place, "step `" + step.id + "` is of no phase",
                   "name one of `phases`: in a template with phases every step has one");
    }
  }
}

}  // namespace

void refuse_reserved(MappingReader& reader, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (reader.node(key) != nullptr) {
      reader.mistakes().add("template.unsupported_key", reader.place_of(key),
                            "`" + std::string(key) + "` is not supported by this version of rgx",
                            "leave it out; docs/formats/template.md lists what is supported");
    }
  }
}

void read_steps(MappingReader& reader, Template& source) {
  static_cast<void>(reader.required_node("steps"));
  const yaml::Node* steps = reader.sequence("steps");
  if (steps == nullptr) {
    return;
  }
  if (steps->items.empty() || steps->items.size() > kStepsMax) {
    reader.mistakes().add(steps->items.empty() ? "template.no_steps" : "template.too_many",
                          steps->place,
                          steps->items.empty() ? "a template needs a step" : "more than 256 steps",
                          steps->items.empty() ? "add one under `steps`" : "split the template");
  }
  for (std::size_t index = 0; index < steps->items.size(); ++index) {
    source.steps.push_back(read_step(*steps->items[index], index, reader.mistakes()));
  }
}

void read_phases(MappingReader& reader, Template& source) {
  if (const yaml::Node* phases = reader.sequence("phases")) {
    if (phases->items.empty() || phases->items.size() > kPhasesMax) {
      reader.mistakes().add("template.bad_phase", phases->place,
                            "`phases` has none, or more than 64", "name 1 to 64 phases in order");
    }
    for (const auto& item : phases->items) {
      source.phases.push_back(read_phase(*item, reader.mistakes()));
    }
  }
  check_phase_names(source, reader.mistakes());
}

void read_acceptance(MappingReader& reader, Template& source) {
  source.acceptance = read_checks(reader, "acceptance", "acceptance");
}

void read_workspace(MappingReader& reader, Template& source) {
  if (const auto choice = reader.word("workspace", kWorkspaceNames)) {
    source.workspace = kWorkspaceNames.at(*choice);
  }
}

}  // namespace rgx::templates
