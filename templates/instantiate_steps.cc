#include "templates/instantiate_steps.h"

#include "base/check.h"
#include "templates/describe.h"
#include "templates/expression.h"
#include "templates/lowering.h"
#include "templates/plan_access.h"
#include "templates/step_graph.h"
#include "templates/step_id.h"
#include "templates/step_output.h"
#include "templates/tool_effects.h"
#include "templates/when.h"

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

/// All instances of one step of a template.
struct Instances {
  std::vector<StepId> ids;  ///< empty for a group, and when no item or condition let any be
};

class Instantiation {
 public:
  explicit Instantiation(const TemplateUse& use) : use_(use), lowered_(lower(use)) {
    for (std::size_t index = 0; index < lowered_.size(); ++index) {
      index_of_.emplace(lowered_[index].id, static_cast<std::uint32_t>(index));
    }
  }

  [[nodiscard]] Result<ExpandedSteps> expand_all();

 private:
  [[nodiscard]] Status expand_step(const LoweredStep& lowered);
  [[nodiscard]] Status expand_items(const LoweredStep& lowered, const Value& list,
                                    const std::vector<StepId>& needs);
  [[nodiscard]] Status add_instance(const LoweredStep& lowered, const Value* item,
                                    const std::vector<StepId>& needs);
  [[nodiscard]] Result<When> when_of(const LoweredStep& lowered, const Value* item);
  [[nodiscard]] Result<Step> instance(const LoweredStep& lowered, const Value* item);
  [[nodiscard]] Result<ToolUse> tool_use(const LoweredStep& lowered, const Scope& scope,
                                         Provenance& provenance);
  [[nodiscard]] Result<std::vector<Step>> acceptance();
  [[nodiscard]] Status check_counts(const LoweredStep& lowered, std::size_t items,
                                    std::size_t needs);
  [[nodiscard]] Status check_work() const;
  [[nodiscard]] Result<std::optional<std::vector<std::string>>> declaration(
      const LoweredStep& lowered, Axis axis, const std::optional<yaml::Node>& node,
      const Scope& scope, Provenance& provenance);
  [[nodiscard]] std::vector<StepId> needs_of(const LoweredStep& lowered) const;
  void collect_needs(const LoweredStep& lowered, std::set<StepId>& needs,
                     std::set<std::string>& seen) const;
  [[nodiscard]] const LoweredStep& lowered_step(const std::string& id) const;
  [[nodiscard]] OutputSource output_source(const std::string& id) const;
  void add_pins();

  const TemplateUse& use_;
  std::vector<LoweredStep> lowered_;
  std::map<std::string, std::uint32_t, std::less<>> index_of_;  // of lowered steps
  std::map<std::string, Instances, std::less<>> instances_;
  std::set<std::string> left_out_;  // lowered steps whose condition does not hold
  std::vector<Step> steps_;
  std::map<StepId, std::size_t> made_;  // position in steps_
  std::size_t needs_count_ = 0;
  std::size_t bytes_ = 0;
};

const LoweredStep& Instantiation::lowered_step(const std::string& id) const {
  const auto found = index_of_.find(id);
  RGX_CHECK(found != index_of_.end());  // parse_template checked every need
  return lowered_[found->second];
}

void Instantiation::collect_needs(const LoweredStep& lowered, std::set<StepId>& needs,
                                  std::set<std::string>& seen) const {
  for (const std::string& need : lowered.needs) {
    if (!seen.insert(need).second) {
      continue;
    }
    const Instances& instances = instances_.find(need)->second;
    needs.insert(instances.ids.begin(), instances.ids.end());
    if (instances.ids.empty()) {
      // The step vanished; what it waited for still comes first.
      collect_needs(lowered_step(need), needs, seen);
    }
  }
}

/// What a tool leaves comes from what it looked at, or from whom it asked.
OriginSet origins_of_output(const Step& step) {
  OriginSet origins = Origin::repository;
  if (step.tool.use == "llm.generate" || step.tool.use == "agent.run") {
    origins = Origin::model;
  } else if (step.tool.use == "http.get") {
    origins = Origin::network;
  } else if (step.tool.use == "human.approve") {
    origins = Origin::human;
  }
  for (const auto& [axis, of_axis] : step.provenance) {
    origins.add(of_axis);
  }
  return origins;
}

OutputSource Instantiation::output_source(const std::string& id) const {
  const Instances& instances = instances_.find(id)->second;
  if (instances.ids.empty()) {
    return OutputSource{StepId(), Origin::template_};
  }
  const StepId& step = instances.ids.front();
  return OutputSource{step, origins_of_output(steps_[made_.at(step)])};
}

std::vector<StepId> Instantiation::needs_of(const LoweredStep& lowered) const {
  std::set<StepId> needs;
  std::set<std::string> seen;
  collect_needs(lowered, needs, seen);
  return {needs.begin(), needs.end()};
}

Result<std::optional<std::vector<std::string>>> Instantiation::declaration(
    const LoweredStep& lowered, Axis axis, const std::optional<yaml::Node>& node,
    const Scope& scope, Provenance& provenance) {
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
                "`" + std::string(to_string(axis)) + "` of step `" + lowered.id + "` is " +
                    described(value.json) + ", not a list of texts",
                "write `[...]` or refer to a list", node->place);
  }
  provenance[axis].add(value.origins);
  return items;
}

Result<ToolUse> Instantiation::tool_use(const LoweredStep& lowered, const Scope& scope,
                                        Provenance& provenance) {
  const StepTemplate& step = *lowered.step;
  const ToolContract* tool = find_tool(step.use);
  RGX_CHECK(tool != nullptr);
  ToolUse use;
  use.use = step.use;
  for (const yaml::Member& member : step.with.members) {
    RGX_TRY(Value value, expand(*member.value, scope));
    const auto input = std::ranges::find(tool->inputs, member.key, &ToolInput::name);
    RGX_CHECK(input != tool->inputs.end());
    provenance[input->axis].add(value.origins);
    if (input->also_read) {
      provenance[Axis::read].add(value.origins);
    }
    use.with.set(member.key, std::move(value.json));
  }
  RGX_TRY(use.read, declaration(lowered, Axis::read, step.read, scope, provenance));
  RGX_TRY(use.write, declaration(lowered, Axis::write, step.write, scope, provenance));
  RGX_TRY(use.hosts, declaration(lowered, Axis::hosts, step.hosts, scope, provenance));
  return use;
}

Result<Step> Instantiation::instance(const LoweredStep& lowered, const Value* item) {
  const StepTemplate& step = *lowered.step;
  const OutputSources outputs = [this, &lowered](const std::string& name) {
    return output_source(lowered.prefix + name);
  };
  const Scope scope{lowered.use->arguments, lowered.use->facts, item, &outputs};
  Step made;
  made.id = item == nullptr ? StepId(lowered.id) : instance_id(lowered.id, item->json);
  RGX_TRY(const ToolUse use, tool_use(lowered, scope, made.provenance));
  RGX_TRY(made.tool, normal_use(use, "step `" + made.id.text() + "`", step.place));
  made.timeout_ms = step.timeout_ms;
  made.idempotent = step.idempotent.value_or(find_tool(step.use)->idempotent);
  made.on_interrupted = step.on_interrupted;
  made.phase = lowered.phase;
  made.gate = step.gate;
  made.risk = step.risk;
  made.budget = step.budget;
  made.retry = step.retry;
  return made;
}

Status Instantiation::check_counts(const LoweredStep& lowered, std::size_t items,
                                   std::size_t needs) {
  const StepTemplate& step = *lowered.step;
  const std::string_view remedy = "narrow the scope, or split the work into several plans";
  const Place place = step.for_each ? step.for_each->place : step.place;
  if (items > kPlanStepsMax - std::min(kPlanStepsMax, steps_.size())) {
    return fail(ErrorKind::usage, "template.too_many_items",
                step.for_each ? "`for_each` of step `" + lowered.id + "` has " +
                                    std::to_string(items) + " items; a plan has at most 10000 steps"
                              : "with step `" + lowered.id + "` the plan has more than 10000 steps",
                remedy, place);
  }
  needs_count_ += items * needs;
  if (needs_count_ > kPlanNeedsMax) {
    return fail(ErrorKind::usage, "plan.too_many_needs",
                "with step `" + lowered.id + "` the steps have more than 1000000 needs together",
                "put a step between the two groups", place);
  }
  return {};
}

/// The conditions of the steps that include it, and its own.
Result<When> Instantiation::when_of(const LoweredStep& lowered, const Value* item) {
  When when{true, Json()};
  const auto add = [&](const yaml::Node& node, const TemplateUse& use, const std::string& prefix,
                       const Value* of_item) -> Status {
    const OutputSources outputs = [&](const std::string& name) {
      return output_source(prefix + name);
    };
    RGX_TRY(When next, expand_when(node, Scope{use.arguments, use.facts, of_item, &outputs}));
    when = both(std::move(when), std::move(next));
    return {};
  };
  for (const OuterWhen& outer : lowered.conditions) {
    RGX_TRY_STATUS(add(*outer.node, *outer.use, outer.prefix, nullptr));
  }
  if (lowered.step->when) {
    RGX_TRY_STATUS(add(*lowered.step->when, *lowered.use, lowered.prefix, item));
  }
  return when;
}

Status Instantiation::add_instance(const LoweredStep& lowered, const Value* item,
                                   const std::vector<StepId>& needs) {
  RGX_TRY(When when, when_of(lowered, item));
  if (when.decided && !*when.decided) {
    if (item == nullptr) {
      left_out_.insert(lowered.id);
    }
    return {};
  }
  RGX_TRY(Step made, instance(lowered, item));
  if (!when.decided) {
    made.when = std::move(when.condition);
  }
  made.needs = needs;
  bytes_ += size_of(made);
  if (bytes_ > kPlanBytesMax) {
    return fail(ErrorKind::usage, "plan.too_large",
                "with step `" + made.id.text() + "` the plan is larger than 64 MiB",
                "narrow the scope, or split the work into several plans", lowered.step->place);
  }
  instances_[lowered.id].ids.push_back(made.id);
  made_.emplace(made.id, steps_.size());
  steps_.push_back(std::move(made));
  return {};
}

Status Instantiation::expand_items(const LoweredStep& lowered, const Value& list,
                                   const std::vector<StepId>& needs) {
  RGX_TRY_STATUS(check_counts(lowered, list.json.as_array().size(), needs.size()));
  for (const Json& json : list.json.as_array()) {
    const Value item{json, list.origins};
    RGX_TRY_STATUS(add_instance(lowered, &item, needs));
  }
  if (!list.json.as_array().empty() && instances_[lowered.id].ids.empty()) {
    left_out_.insert(lowered.id);
  }
  return {};
}

Status Instantiation::expand_step(const LoweredStep& lowered) {
  instances_[lowered.id];
  if (lowered.step == nullptr) {
    return {};  // a group: whoever needs it needs what it needs
  }
  const StepTemplate& step = *lowered.step;
  const std::vector<StepId> needs = needs_of(lowered);
  if (!step.for_each) {
    RGX_TRY_STATUS(check_counts(lowered, 1, needs.size()));
    return add_instance(lowered, nullptr, needs);
  }
  RGX_TRY(const Value list,
          expand(*step.for_each, Scope{lowered.use->arguments, lowered.use->facts}));
  if (!list.json.is_array()) {
    return fail(
        ErrorKind::usage, "expression.type",
        "`for_each` of step `" + lowered.id + "` is " + described(list.json) + ", not a list",
        "refer to a list", step.for_each->place);
  }
  return expand_items(lowered, list, needs);
}

void add_digests(const TemplateUse& use, std::map<std::string, Digest, std::less<>>& digests) {
  for (const auto& [name, fact] : use.facts) {
    digests.insert(fact.pins.begin(), fact.pins.end());
  }
  for (const auto& [id, inner] : use.includes) {
    add_digests(inner, digests);
  }
}

void Instantiation::add_pins() {
  std::map<std::string, Digest, std::less<>> digests;
  add_digests(use_, digests);
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

/// Nothing to do is said, not planned.
Status Instantiation::check_work() const {
  bool repeats = false;
  bool all_empty = true;
  for (const LoweredStep& lowered : lowered_) {
    if (lowered.step != nullptr && lowered.step->for_each && !left_out_.contains(lowered.id)) {
      repeats = true;
      all_empty = all_empty && instances_.find(lowered.id)->second.ids.empty();
    }
  }
  const std::string name = "template `" + use_.source->name + "` finds nothing to do: ";
  if (repeats && all_empty) {
    return fail(ErrorKind::usage, "instantiate.nothing_to_do", name + "every `for_each` is empty",
                "check the names and the scope in the intent");
  }
  if (steps_.empty()) {
    return fail(ErrorKind::usage, "instantiate.nothing_to_do",
                name + "the condition of no step holds",
                "check the values in the intent, and what the project has");
  }
  return {};
}

/// Checks that run after all steps; they are judged by nothing that a run brings.
Result<std::vector<Step>> Instantiation::acceptance() {
  std::vector<Step> checks;
  for (const StepTemplate& check : use_.source->acceptance) {
    LoweredStep lowered;
    lowered.id = "acceptance[" + std::to_string(checks.size() + 1) + "]";
    lowered.step = &check;
    lowered.use = &use_;
    RGX_TRY(const When when, when_of(lowered, nullptr));
    RGX_CHECK(when.decided.has_value());  // parse_template allows no output here
    if (*when.decided) {
      RGX_TRY(Step made, instance(lowered, nullptr));
      checks.push_back(std::move(made));
    }
  }
  return checks;
}

Result<ExpandedSteps> Instantiation::expand_all() {
  std::vector<std::string_view> names;
  std::vector<std::vector<std::uint32_t>> needs;
  for (const LoweredStep& lowered : lowered_) {
    names.push_back(lowered.id);
    std::set<std::uint32_t> unique;
    for (const std::string& need : lowered.needs) {
      const auto found = index_of_.find(need);
      RGX_CHECK(found != index_of_.end());
      unique.insert(found->second);
    }
    needs.emplace_back(unique.begin(), unique.end());
  }
  // What a step needs is expanded before it, so that its instances are known.
  const StepGraph graph(std::move(names), std::move(needs));
  RGX_CHECK(!graph.has_cycle());
  for (const std::uint32_t index : graph.order()) {
    RGX_TRY_STATUS(expand_step(lowered_[index]));
  }
  RGX_TRY_STATUS(check_work());
  RGX_TRY(std::vector<Step> checks, acceptance());
  add_pins();
  return ExpandedSteps{std::move(steps_), std::move(checks)};
}

}  // namespace

Result<ExpandedSteps> expand_steps(const TemplateUse& use) {
  return Instantiation(use).expand_all();
}

}  // namespace rgx::templates
