#include "templates/instantiate.h"

#include "base/check.h"
#include "base/text.h"
#include "templates/describe.h"
#include "templates/expression.h"
#include "templates/plan_access.h"
#include "templates/plan_keys.h"
#include "templates/step_graph.h"
#include "templates/step_id.h"
#include "templates/tool_effects.h"

#include <algorithm>
#include <set>
#include <utility>

namespace rgx::templates {
namespace {

/// At least the bytes of a value's text, without quotes: enough to bound a plan while it grows.
std::size_t size_of(const Json& value) {
  std::size_t bytes = 1;
  if (value.is_string()) {
    bytes += value.as_string().size();
  } else if (value.is_array()) {
    for (const Json& item : value.as_array()) {
      bytes += size_of(item);
    }
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) {
      bytes += key.size() + size_of(member);
    }
  }
  return bytes;
}

std::size_t size_of(const Step& step) {
  std::size_t bytes = step.id.text().size() + size_of(step.tool.with);
  for (const StepId& need : step.needs) {
    bytes += need.text().size();
  }
  for (const auto* list : {&step.tool.read, &step.tool.write, &step.tool.hosts}) {
    for (const std::string& item : list->value_or(std::vector<std::string>{})) {
      bytes += item.size();
    }
  }
  return bytes;
}

/// All instances of one step of the template.
struct Instances {
  std::vector<StepId> ids;  ///< empty when its for_each had no items
};

class Instantiation {
 public:
  Instantiation(const Template& source, const Arguments& arguments, const FactValues& facts)
      : source_(source),
        arguments_(arguments),
        facts_(facts) {}

  [[nodiscard]] Result<std::vector<Step>> steps();

 private:
  [[nodiscard]] Status expand_step(const StepTemplate& step);
  [[nodiscard]] Result<Step> instance(const StepTemplate& step, const Value* item);
  [[nodiscard]] Status check_counts(const StepTemplate& step, std::size_t items, std::size_t needs);
  [[nodiscard]] Result<std::optional<std::vector<std::string>>> declaration(
      const StepTemplate& step, Axis axis, const std::optional<yaml::Node>& node,
      const Scope& scope, Provenance& provenance);
  [[nodiscard]] std::vector<StepId> needs_of(const StepTemplate& step) const;
  void collect_needs(const StepTemplate& step, std::set<StepId>& needs,
                     std::set<std::string>& seen) const;
  [[nodiscard]] const StepTemplate& step_template(const std::string& id) const;
  void add_pins();

  const Template& source_;
  const Arguments& arguments_;
  const FactValues& facts_;
  std::map<std::string, Instances, std::less<>> instances_;
  std::vector<Step> steps_;
  std::size_t needs_count_ = 0;
  std::size_t bytes_ = 0;
};

const StepTemplate& Instantiation::step_template(const std::string& id) const {
  const auto found = std::ranges::find(source_.steps, id, &StepTemplate::id);
  RGX_CHECK(found != source_.steps.end());  // parse_template checked every need
  return *found;
}

void Instantiation::collect_needs(const StepTemplate& step, std::set<StepId>& needs,
                                  std::set<std::string>& seen) const {
  for (const std::string& need : step.needs) {
    if (!seen.insert(need).second) {
      continue;
    }
    const Instances& instances = instances_.find(need)->second;
    needs.insert(instances.ids.begin(), instances.ids.end());
    if (instances.ids.empty()) {
      // The step vanished; what it waited for still comes first.
      collect_needs(step_template(need), needs, seen);
    }
  }
}

std::vector<StepId> Instantiation::needs_of(const StepTemplate& step) const {
  std::set<StepId> needs;
  std::set<std::string> seen;
  collect_needs(step, needs, seen);
  return {needs.begin(), needs.end()};
}

Result<std::optional<std::vector<std::string>>> Instantiation::declaration(
    const StepTemplate& step, Axis axis, const std::optional<yaml::Node>& node, const Scope& scope,
    Provenance& provenance) {
  if (!node) {
    return std::nullopt;
  }
  RGX_TRY(const Value value, expand(*node, scope));
  std::vector<std::string> items;
  bool texts = value.json.is_array();
  for (const Json& item : texts ? value.json.as_array() : Json::Array{}) {
    texts = texts && item.is_string();
    items.push_back(item.is_string() ? item.as_string() : std::string());
  }
  if (!texts) {
    return fail(ErrorKind::usage, "expression.type",
                "`" + std::string(to_string(axis)) + "` of step `" + step.id + "` is " +
                    described(value.json) + ", not a list of texts",
                "write `[...]` or refer to a list", node->place);
  }
  provenance[axis].add(value.origins);
  return items;
}

Result<Step> Instantiation::instance(const StepTemplate& step, const Value* item) {
  const Scope scope{arguments_, facts_, item};
  Step made;
  made.id = item == nullptr ? StepId(step.id) : instance_id(step.id, item->json);
  const ToolContract* tool = find_tool(step.use);
  RGX_CHECK(tool != nullptr);
  ToolUse use;
  use.use = step.use;
  for (const yaml::Member& member : step.with.members) {
    RGX_TRY(Value value, expand(*member.value, scope));
    const auto input = std::ranges::find(tool->inputs, member.key, &ToolInput::name);
    RGX_CHECK(input != tool->inputs.end());
    made.provenance[input->axis].add(value.origins);
    if (input->also_read) {
      made.provenance[Axis::read].add(value.origins);
    }
    use.with.set(member.key, std::move(value.json));
  }
  RGX_TRY(use.read, declaration(step, Axis::read, step.read, scope, made.provenance));
  RGX_TRY(use.write, declaration(step, Axis::write, step.write, scope, made.provenance));
  RGX_TRY(use.hosts, declaration(step, Axis::hosts, step.hosts, scope, made.provenance));
  RGX_TRY(made.tool, normal_use(use, "step `" + made.id.text() + "`", step.place));
  made.timeout_ms = step.timeout_ms;
  made.idempotent = step.idempotent.value_or(tool->idempotent);
  made.on_interrupted = step.on_interrupted;
  return made;
}

Status Instantiation::check_counts(const StepTemplate& step, std::size_t items, std::size_t needs) {
  const std::string_view remedy = "narrow the scope, or split the work into several plans";
  const Place place = step.for_each ? step.for_each->place : step.place;
  if (items > kPlanStepsMax - std::min(kPlanStepsMax, steps_.size())) {
    return fail(ErrorKind::usage, "template.too_many_items",
                "`for_each` of step `" + step.id + "` has " + std::to_string(items) +
                    " items; a plan has at most 10000 steps",
                remedy, place);
  }
  needs_count_ += items * needs;
  if (needs_count_ > kPlanNeedsMax) {
    return fail(ErrorKind::usage, "plan.too_many_needs",
                "with step `" + step.id + "` the steps have more than 1000000 needs together",
                "put a step between the two groups", place);
  }
  return {};
}

Status Instantiation::expand_step(const StepTemplate& step) {
  Instances& instances = instances_[step.id];
  const std::vector<StepId> needs = needs_of(step);
  const auto add = [&](const Value* item) -> Status {
    RGX_TRY(Step made, instance(step, item));
    made.needs = needs;
    bytes_ += size_of(made);
    if (bytes_ > kPlanBytesMax) {
      return fail(ErrorKind::usage, "plan.too_large",
                  "with step `" + made.id.text() + "` the plan is larger than 64 MiB",
                  "narrow the scope, or split the work into several plans", step.place);
    }
    instances.ids.push_back(made.id);
    steps_.push_back(std::move(made));
    return {};
  };
  if (!step.for_each) {
    RGX_TRY_STATUS(check_counts(step, 1, needs.size()));
    return add(nullptr);
  }
  RGX_TRY(const Value list, expand(*step.for_each, Scope{arguments_, facts_, nullptr}));
  if (!list.json.is_array()) {
    return fail(ErrorKind::usage, "expression.type",
                "`for_each` of step `" + step.id + "` is " + described(list.json) + ", not a list",
                "refer to a list", step.for_each->place);
  }
  RGX_TRY_STATUS(check_counts(step, list.json.as_array().size(), needs.size()));
  for (const Json& json : list.json.as_array()) {
    const Value item{json, list.origins};
    RGX_TRY_STATUS(add(&item));
  }
  return {};
}

void Instantiation::add_pins() {
  std::map<std::string, Digest, std::less<>> digests;
  for (const auto& [name, fact] : facts_) {
    digests.insert(fact.pins.begin(), fact.pins.end());
  }
  std::map<StepId, std::uint32_t> index_of;
  std::vector<std::string_view> names;
  std::vector<Effects> effects;
  for (std::uint32_t index = 0; index < steps_.size(); ++index) {
    if (!index_of.emplace(steps_[index].id, index).second) {
      return;  // seal() reports it
    }
    names.push_back(steps_[index].id.text());
    effects.push_back(effects_of_normal(steps_[index].tool));
  }
  std::vector<std::vector<std::uint32_t>> needs(steps_.size());
  for (std::uint32_t index = 0; index < steps_.size(); ++index) {
    for (const StepId& need : steps_[index].needs) {
      needs[index].push_back(index_of.at(need));
    }
  }
  StepGraph graph(std::move(names), std::move(needs));
  const AccessIndex accesses(effects);
  for (std::uint32_t index = 0; index < steps_.size(); ++index) {
    for (const std::string& path : known_files(steps_[index].tool)) {
      if (const auto writer = last_writer_before(accesses, graph, index, path)) {
        steps_[index].pins.push_back(Pin{path, Digest{}, steps_[*writer].id});
      } else if (const auto digest = digests.find(path); digest != digests.end()) {
        steps_[index].pins.push_back(Pin{path, digest->second, std::nullopt});
      }
    }
  }
}

Result<std::vector<Step>> Instantiation::steps() {
  std::vector<std::string_view> names;
  std::vector<std::vector<std::uint32_t>> needs;
  for (const StepTemplate& step : source_.steps) {
    names.push_back(step.id);
    std::set<std::uint32_t> unique;
    for (const std::string& need : step.needs) {
      unique.insert(static_cast<std::uint32_t>(&step_template(need) - source_.steps.data()));
    }
    needs.emplace_back(unique.begin(), unique.end());
  }
  // What a step needs is expanded before it, so that its instances are known.
  const StepGraph graph(std::move(names), std::move(needs));
  RGX_CHECK(!graph.has_cycle());
  for (const std::uint32_t index : graph.order()) {
    RGX_TRY_STATUS(expand_step(source_.steps[index]));
  }
  const bool repeats = std::ranges::any_of(
      source_.steps, [](const StepTemplate& step) { return step.for_each.has_value(); });
  const bool all_empty = std::ranges::all_of(source_.steps, [this](const StepTemplate& step) {
    return !step.for_each || instances_.find(step.id)->second.ids.empty();
  });
  if (repeats && all_empty) {
    return fail(ErrorKind::usage, "instantiate.nothing_to_do",
                "template `" + source_.name + "` finds nothing to do: every `for_each` is empty",
                "check the names and the scope in the intent");
  }
  add_pins();
  return std::move(steps_);
}

Json parameters_json(const Template& source, const Arguments& arguments) {
  Json all = Json::object();
  for (const auto& [name, value] : arguments) {
    const Parameter* parameter = source.find_parameter(name);
    RGX_CHECK(parameter != nullptr);
    std::string type(to_string(parameter->type));
    if (parameter->of) {
      type += " of " + std::string(to_string(*parameter->of));
    }
    all.set(name, Json::object({{"type", std::move(type)},
                                {"value", value.json},
                                {"origins", value.origins.to_json()}}));
  }
  return all;
}

Json facts_json(const FactValues& facts) {
  Json all = Json::object();
  for (const auto& [name, fact] : facts) {
    all.set(name,
            Json::object({{"probe", fact.probe}, {"with", fact.with}, {"value", fact.value.json}}));
  }
  return all;
}

}  // namespace

Result<Arguments> bind_arguments(const Template& source, const Arguments& given) {
  std::vector<Diagnostic> mistakes;
  const auto add = [&mistakes](std::string_view code, const std::string& message,
                               std::string_view remedy) {
    mistakes.push_back(make_error(ErrorKind::usage, code, message, remedy).first());
  };
  std::vector<std::string> names;
  for (const Parameter& parameter : source.parameters) {
    names.push_back(parameter.name);
  }
  for (const auto& [name, value] : given) {
    if (source.find_parameter(name) == nullptr) {
      add("argument.unknown", "template `" + source.name + "` has no parameter " + quoted(name),
          suggestion(name, names, "its parameters are " + rgx::join(names, ", ")));
    }
  }
  Arguments bound;
  for (const Parameter& parameter : source.parameters) {
    const auto argument = given.find(parameter.name);
    if (argument != given.end()) {
      auto checked = check_argument(parameter, argument->second.json);
      if (checked) {
        bound[parameter.name] = Value{std::move(*checked), argument->second.origins};
      } else {
        const auto& found = checked.error().diagnostics;
        mistakes.insert(mistakes.end(), found.begin(), found.end());
      }
    } else if (parameter.fallback) {
      bound[parameter.name] = Value{*parameter.fallback, Origin::template_};
    } else {
      add("argument.missing", "parameter `" + parameter.name + "` has no value",
          "give " + parameter.description + ": `--set " + parameter.name + "=VALUE`");
    }
  }
  if (!mistakes.empty()) {
    return fail(Error{ErrorKind::usage, std::move(mistakes)});
  }
  return bound;
}

Result<Value> expand_probe_inputs(const Fact& fact, const Arguments& arguments) {
  static const FactValues kNoFacts;
  return expand(fact.with, Scope{arguments, kNoFacts, nullptr});
}

Result<Draft> instantiate(const Template& source, const std::string& intent,
                          const Arguments& arguments, const FactValues& facts) {
  RGX_TRY(std::vector<Step> steps, Instantiation(source, arguments, facts).steps());
  Plan plan;
  plan.intent = intent;
  plan.from = TemplateReference{source.name, source.version, source.digest};
  plan.parameters = parameters_json(source, arguments);
  plan.facts = facts_json(facts);
  plan.steps = std::move(steps);
  return DraftKey::make(std::move(plan));
}

}  // namespace rgx::templates
