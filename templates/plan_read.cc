#include "base/json_reader.h"
#include "templates/describe.h"
#include "templates/parameter_types.h"
#include "templates/plan.h"

#include <algorithm>
#include <array>

// JSON -> plan, in the shape of docs/formats/plan.md; every mistake at once.

namespace rgx::templates {
namespace {

constexpr std::string_view kPlanSchema = "rgx.plan/v1";

bool is_type(std::string_view text) {
  constexpr std::string_view kList = "list of ";
  if (text.starts_with(kList)) {
    text.remove_prefix(kList.size());
  }
  return std::ranges::find(parameter_type_names(), text) != parameter_type_names().end();
}

/// Collects the mistakes of nested readers, so that all are reported at once.
class PlanReader {
 public:
  void take(ObjectReader& reader) {
    if (auto status = reader.finish(); !status) {
      auto& found = status.error().diagnostics;
      mistakes_.insert(mistakes_.end(), found.begin(), found.end());
    }
  }
  [[nodiscard]] Pin pin(const Json& value, const std::string& what);
  [[nodiscard]] Step step(const Json& value, const std::string& what);
  [[nodiscard]] std::vector<Step> steps(const Json::Array& items, const std::string& what);
  [[nodiscard]] Plan plan(const Json& value);
  [[nodiscard]] Status finish() {
    if (mistakes_.empty()) {
      return {};
    }
    return fail(Error{ErrorKind::usage, std::move(mistakes_)});
  }

 private:
  void digest(ObjectReader& reader, std::string_view key, Digest& into);
  [[nodiscard]] TemplateReference source(const Json& value, const std::string& what);
  [[nodiscard]] StepGate gate(const Json& value, const std::string& what);
  [[nodiscard]] Retry retry(const Json& value, const std::string& what);
  void budget(ObjectReader& reader, std::map<std::string, std::int64_t>& into);
  void options(ObjectReader& reader, const std::string& what, Step& step);
  void parameters(const Json& value);
  void facts(const Json& value);
  void additions(ObjectReader& reader, Plan& plan);
  void provenance(ObjectReader& reader, Provenance& into);
  [[nodiscard]] std::optional<OriginSet> origins(ObjectReader& reader, std::string_view key,
                                                 const Json& value);
  [[nodiscard]] std::optional<std::vector<std::string>> declaration(ObjectReader& reader,
                                                                    std::string_view key);

  std::vector<Diagnostic> mistakes_;
};

void PlanReader::digest(ObjectReader& reader, std::string_view key, Digest& into) {
  const auto parsed = Digest::parse(reader.string(key));
  if (parsed) {
    into = *parsed;
  } else {
    reader.mistake("plan.bad_digest", key, parsed.error().first().message);
  }
}

Pin PlanReader::pin(const Json& value, const std::string& what) {
  ObjectReader reader(value, what);
  Pin pin;
  pin.path = reader.string("path");
  const Json* bytes = value.find("digest");
  if (const auto after = reader.optional_string("after")) {
    pin.after = StepId(*after);
    if (bytes != nullptr) {
      reader.mistake("plan.bad_pin", "after", "a pin has both `after` and `digest`");
      static_cast<void>(reader.optional_string("digest"));
    }
  } else {
    digest(reader, "digest", pin.digest);
  }
  take(reader);
  return pin;
}

std::optional<std::vector<std::string>> PlanReader::declaration(ObjectReader& reader,
                                                                std::string_view key) {
  return reader.optional_value(key) == nullptr ? std::nullopt : std::optional(reader.strings(key));
}

void PlanReader::provenance(ObjectReader& reader, Provenance& into) {
  for (const auto& [name, value] : reader.object("provenance")) {
    const auto axis = std::ranges::find(kAxisNames, name);
    if (axis == kAxisNames.end()) {
      reader.mistake("plan.bad_provenance", "provenance", quoted(name) + " is no axis");
    } else if (const auto found = origins(reader, "provenance", value)) {
      into[static_cast<Axis>(axis - kAxisNames.begin())] = *found;
    }
  }
}

std::optional<OriginSet> PlanReader::origins(ObjectReader& reader, std::string_view key,
                                             const Json& value) {
  const auto found = OriginSet::from_json(value);
  if (!found) {
    reader.mistake("plan.bad_provenance", key, found.error().first().message);
    return std::nullopt;
  }
  if (found->empty() || found->to_json() != value) {
    reader.mistake("plan.bad_provenance", key, "origins are missing or not in their order");
    return std::nullopt;
  }
  return *found;
}

Step PlanReader::step(const Json& value, const std::string& what) {
  ObjectReader reader(value, what);
  Step step;
  step.id = StepId(reader.string("id"));
  step.tool.use = reader.string("use");
  step.tool.with = Json(reader.object("with"));
  step.tool.read = declaration(reader, "read");
  step.tool.write = declaration(reader, "write");
  step.tool.hosts = declaration(reader, "hosts");
  for (std::string& need : reader.strings("needs")) {
    step.needs.emplace_back(std::move(need));
  }
  std::size_t index = 0;
  for (const Json& item : reader.array("pins")) {
    step.pins.push_back(pin(item, what + ".pins[" + std::to_string(index++) + "]"));
  }
  provenance(reader, step.provenance);
  step.timeout_ms = reader.optional_integer("timeout_ms", 1);
  step.idempotent = reader.boolean("idempotent");
  const std::string choice = reader.string("on_interrupted");
  static constexpr std::array kChoices = {OnInterrupted::rerun, OnInterrupted::check,
                                          OnInterrupted::ask};
  const auto found =
      std::ranges::find(kChoices, choice, [](OnInterrupted known) { return to_string(known); });
  if (found != kChoices.end()) {
    step.on_interrupted = *found;
  } else {
    reader.mistake("plan.bad_value", "on_interrupted", "is not `rerun`, `check` or `ask`");
  }
  options(reader, what, step);
  take(reader);
  return step;
}

StepGate PlanReader::gate(const Json& value, const std::string& what) {
  ObjectReader reader(value, what);
  StepGate gate;
  gate.count = reader.integer("count", 1, kGateCountMax);
  gate.group = reader.string("group");
  gate.self = reader.boolean("self");
  gate.message = reader.string("message");
  take(reader);
  return gate;
}

Retry PlanReader::retry(const Json& value, const std::string& what) {
  ObjectReader reader(value, what);
  Retry retry;
  retry.attempts_max = reader.integer("attempts_max", 2, kAttemptsMax);
  retry.backoff_ms = reader.integer("backoff_ms", 0, kBackoffMsMax);
  retry.reasons = reader.strings("reasons");
  take(reader);
  return retry;
}

void PlanReader::budget(ObjectReader& reader, std::map<std::string, std::int64_t>& into) {
  for (const auto& [name, bound] : reader.object("budget")) {
    if (!bound.is_integer() || bound.as_integer() < 0) {
      reader.mistake("plan.bad_value", "budget", quoted(name) + " is no integer from 0");
    } else {
      into[name] = bound.as_integer();
    }
  }
}

void PlanReader::options(ObjectReader& reader, const std::string& what, Step& step) {
  step.phase = reader.optional_string("phase");
  step.risk = reader.optional_string("risk");
  if (const Json* value = reader.optional_value("gate")) {
    step.gate = gate(*value, what + ".gate");
  }
  if (reader.optional_value("budget") != nullptr) {
    budget(reader, step.budget);
    if (step.budget.empty()) {
      reader.mistake("plan.bad_value", "budget", "has no bound");
    }
  }
  if (const Json* value = reader.optional_value("retry")) {
    step.retry = retry(*value, what + ".retry");
  }
  if (const Json* value = reader.optional_value("when")) {
    step.when = *value;
  }
}

std::vector<Step> PlanReader::steps(const Json::Array& items, const std::string& what) {
  std::vector<Step> all;
  for (const Json& item : items) {
    all.push_back(step(item, what + "[" + std::to_string(all.size()) + "]"));
  }
  return all;
}

TemplateReference PlanReader::source(const Json& value, const std::string& what) {
  ObjectReader reader(value, what);
  TemplateReference from;
  from.name = reader.string("name");
  from.version = reader.string("version");
  digest(reader, "digest", from.digest);
  take(reader);
  return from;
}

void PlanReader::parameters(const Json& value) {
  for (const auto& [name, parameter] : value.as_object()) {
    ObjectReader member(parameter, "plan.parameters." + name);
    if (!is_type(member.string("type"))) {
      member.mistake("plan.bad_value", "type", "is no type of a parameter");
    }
    static_cast<void>(member.value("value"));
    static_cast<void>(origins(member, "origins", member.value("origins")));
    take(member);
  }
}

void PlanReader::facts(const Json& value) {
  for (const auto& [name, fact] : value.as_object()) {
    ObjectReader member(fact, "plan.facts." + name);
    static_cast<void>(member.string("probe"));
    static_cast<void>(member.object("with"));
    static_cast<void>(member.value("value"));
    take(member);
  }
}

/// Members that are absent where a plan does not use them; never there and empty.
void PlanReader::additions(ObjectReader& reader, Plan& plan) {
  const auto list = [&reader](std::string_view key) -> const Json::Array* {
    if (reader.optional_value(key) == nullptr) {
      return nullptr;
    }
    const Json::Array& items = reader.array(key);
    if (items.empty()) {
      reader.mistake("plan.bad_value", key, "is empty");
    }
    return &items;
  };
  if (const auto* items = list("acceptance")) {
    plan.acceptance = steps(*items, "plan.acceptance");
  }
  if (const auto* items = list("includes")) {
    for (const Json& item : *items) {
      plan.includes.push_back(
          source(item, "plan.includes[" + std::to_string(plan.includes.size()) + "]"));
    }
  }
  if (list("phases") != nullptr) {
    plan.phases = reader.strings("phases");
  }
}

Plan PlanReader::plan(const Json& value) {
  ObjectReader reader(value, "plan");
  reader.schema(kPlanSchema);
  Plan plan;
  plan.intent = reader.string("intent");
  plan.from = source(reader.value("template"), "plan.template");
  plan.parameters = Json(reader.object("parameters"));
  parameters(plan.parameters);
  plan.facts = Json(reader.object("facts"));
  facts(plan.facts);
  plan.workspace = reader.string("workspace");
  if (std::ranges::find(kWorkspaceNames, plan.workspace) == kWorkspaceNames.end()) {
    reader.mistake("plan.bad_value", "workspace", "is not `in_place` or `worktree`");
  }
  plan.steps = steps(reader.array("steps"), "plan.steps");
  additions(reader, plan);
  take(reader);
  return plan;
}

}  // namespace

Result<Plan> plan_from_json(const Json& value) {
  PlanReader reader;
  Plan plan = reader.plan(value);
  RGX_TRY_STATUS(reader.finish());
  return plan;
}

}  // namespace rgx::templates
