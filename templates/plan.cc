#include "templates/plan.h"

#include <algorithm>

// Plan -> JSON, in the shape of docs/formats/plan.md.

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

Json to_json(const TemplateReference& source) {
  return Json::object(
      {{"name", source.name}, {"version", source.version}, {"digest", source.digest.to_string()}});
}

Json to_json(const StepGate& gate) {
  return Json::object({{"count", gate.count},
                       {"group", gate.group},
                       {"self", gate.self},
                       {"message", gate.message}});
}

Json to_json(const Retry& retry) {
  return Json::object({{"attempts_max", retry.attempts_max},
                       {"backoff_ms", retry.backoff_ms},
                       {"reasons", texts(retry.reasons)}});
}

/// What most steps do not have is absent, so that plans without it keep their bytes.
void add_options(const Step& step, Json& value) {
  if (step.phase) {
    value.set("phase", *step.phase);
  }
  if (step.gate) {
    value.set("gate", to_json(*step.gate));
  }
  if (step.risk) {
    value.set("risk", *step.risk);
  }
  if (!step.budget.empty()) {
    Json budget = Json::object();
    for (const auto& [name, bound] : step.budget) {
      budget.set(name, bound);
    }
    value.set("budget", std::move(budget));
  }
  if (step.retry) {
    value.set("retry", to_json(*step.retry));
  }
  if (step.when) {
    value.set("when", *step.when);
  }
}

Json to_json(const std::vector<Step>& steps) {
  Json list = Json::array();
  for (const Step& step : steps) {
    list.push(templates::to_json(step));
  }
  return list;
}

Json to_json(const Provenance& provenance) {
  Json value = Json::object();
  for (const auto& [axis, origins] : provenance) {
    value.set(to_string(axis), origins.to_json());
  }
  return value;
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
  add_options(step, value);
  return value;
}

Json to_json(const Plan& plan) {
  Json value = Json::object({{"schema", kPlanSchema},
                             {"intent", plan.intent},
                             {"template", to_json(plan.from)},
                             {"parameters", plan.parameters},
                             {"facts", plan.facts},
                             {"workspace", plan.workspace},
                             {"steps", to_json(plan.steps)}});
  if (!plan.acceptance.empty()) {
    value.set("acceptance", to_json(plan.acceptance));
  }
  if (!plan.includes.empty()) {
    Json includes = Json::array();
    for (const TemplateReference& source : plan.includes) {
      includes.push(to_json(source));
    }
    value.set("includes", std::move(includes));
  }
  if (!plan.phases.empty()) {
    value.set("phases", texts(plan.phases));
  }
  return value;
}

const Step* SealedPlan::find(const StepId& id) const {
  for (const std::vector<Step>* steps : {&plan_.steps, &plan_.acceptance}) {
    const auto found = std::ranges::find(*steps, id, &Step::id);
    if (found != steps->end()) {
      return &*found;
    }
  }
  return nullptr;
}

}  // namespace rgx::templates
