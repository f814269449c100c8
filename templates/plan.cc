#include "templates/plan.h"

#include "base/json_reader.h"
#include "templates/describe.h"
#include "templates/parameter_types.h"

#include <algorithm>
#include <array>

// Plan <-> JSON, in the shape of docs/formats/plan.md.

namespace rgx::templates {
namespace {

constexpr std::string_view kPlanSchema = "rgx.plan/v1";

Json texts(const std::vector<std::string>& items) {
  return Json::array_of(items);
}

Json to_json(const Pin& pin) {
  Json value = Json::object({{"path", pin.path}});
  if (pin.after) {
    value.set("after", pin.after->text());
  } else {
    value.set("digest", pin.digest.to_string());
  }
  return value;
}

Json to_json(const Provenance& provenance) {
  Json value = Json::object();
  for (const auto& [axis, origins] : provenance) {
    value.set(to_string(axis), origins.to_json());
  }
  return value;
}

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
  [[nodiscard]] Plan plan(const Json& value);
  [[nodiscard]] Status finish() {
    if (mistakes_.empty()) {
      return {};
    }
    return fail(Error{ErrorKind::usage, std::move(mistakes_)});
  }

 private:
  void digest(ObjectReader& reader, std::string_view key, Digest& into);
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
  take(reader);
  return step;
}

Plan PlanReader::plan(const Json& value) {
  ObjectReader reader(value, "plan");
  reader.schema(kPlanSchema);
  Plan plan;
  plan.intent = reader.string("intent");
  {
    ObjectReader from(reader.value("template"), "plan.template");
    plan.from.name = from.string("name");
    plan.from.version = from.string("version");
    digest(from, "digest", plan.from.digest);
    take(from);
  }
  plan.parameters = Json(reader.object("parameters"));
  for (const auto& [name, parameter] : plan.parameters.as_object()) {
    ObjectReader member(parameter, "plan.parameters." + name);
    if (!is_type(member.string("type"))) {
      member.mistake("plan.bad_value", "type", "is no type of a parameter");
    }
    static_cast<void>(member.value("value"));
    static_cast<void>(origins(member, "origins", member.value("origins")));
    take(member);
  }
  plan.facts = Json(reader.object("facts"));
  for (const auto& [name, fact] : plan.facts.as_object()) {
    ObjectReader member(fact, "plan.facts." + name);
    static_cast<void>(member.string("probe"));
    static_cast<void>(member.object("with"));
    static_cast<void>(member.value("value"));
    take(member);
  }
  plan.workspace = reader.string("workspace");
  if (plan.workspace != "in_place") {
    reader.mistake("plan.bad_value", "workspace", "is not `in_place`");
  }
  std::size_t index = 0;
  for (const Json& item : reader.array("steps")) {
    plan.steps.push_back(step(item, "plan.steps[" + std::to_string(index++) + "]"));
  }
  take(reader);
  return plan;
}

}  // namespace

Json to_json(const Step& step) {
  Json needs = Json::array();
  for (const StepId& need : step.needs) {
    needs.push(need.text());
  }
  Json pins = Json::array();
  for (const Pin& pin : step.pins) {
    pins.push(to_json(pin));
  }
  Json value = Json::object({{"id", step.id.text()},
                             {"use", step.tool.use},
                             {"with", step.tool.with},
                             {"needs", std::move(needs)},
                             {"pins", std::move(pins)},
                             {"provenance", to_json(step.provenance)},
                             {"idempotent", step.idempotent},
                             {"on_interrupted", to_string(step.on_interrupted)}});
  if (step.tool.read) {
    value.set("read", texts(*step.tool.read));
  }
  if (step.tool.write) {
    value.set("write", texts(*step.tool.write));
  }
  if (step.tool.hosts) {
    value.set("hosts", texts(*step.tool.hosts));
  }
  if (step.timeout_ms) {
    value.set("timeout_ms", *step.timeout_ms);
  }
  return value;
}

Json to_json(const Plan& plan) {
  Json steps = Json::array();
  for (const Step& step : plan.steps) {
    steps.push(to_json(step));
  }
  return Json::object({{"schema", kPlanSchema},
                       {"intent", plan.intent},
                       {"template", Json::object({{"name", plan.from.name},
                                                  {"version", plan.from.version},
                                                  {"digest", plan.from.digest.to_string()}})},
                       {"parameters", plan.parameters},
                       {"facts", plan.facts},
                       {"workspace", plan.workspace},
                       {"steps", std::move(steps)}});
}

Result<Plan> plan_from_json(const Json& value) {
  PlanReader reader;
  Plan plan = reader.plan(value);
  RGX_TRY_STATUS(reader.finish());
  return plan;
}

const Step* SealedPlan::find(const StepId& id) const {
  const auto found = std::ranges::find(plan_.steps, id, &Step::id);
  return found == plan_.steps.end() ? nullptr : &*found;
}

}  // namespace rgx::templates
