#include "templates/lowering.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace rgx::templates {
namespace {

/// What a template inherits from the step that includes it.
struct Outer {
  std::string prefix;
  std::vector<std::string> needs;
  std::optional<std::string> phase;
  std::vector<OuterWhen> conditions;
};

class Lowering {
 public:
  /// Returns the ids that nothing else in `use` needs: who needs all of it needs those.
  std::vector<std::string> add(const TemplateUse& use, const Outer& outer);
  [[nodiscard]] std::vector<LoweredStep> take() { return std::move(steps_); }

 private:
  struct Stage {
    std::vector<std::string> before;  ///< what its first steps need
    std::set<std::string> members;    ///< ids of its steps, in the template
  };
  void add_step(const TemplateUse& use, const Outer& outer, const StepTemplate& step,
                const Stage& stage);
  void add_include(const TemplateUse& use, const Outer& outer, LoweredStep group);
  std::vector<std::string> add_exit(const TemplateUse& use, const Outer& outer, const Phase& phase,
                                    std::vector<std::string> needs);
  std::vector<std::string> add_stage(const TemplateUse& use, const Outer& outer,
                                     const std::optional<std::string>& phase,
                                     std::vector<std::string> before);

  std::vector<LoweredStep> steps_;
};

void Lowering::add_include(const TemplateUse& use, const Outer& outer, LoweredStep group) {
  const StepTemplate& step = *group.step;
  group.step = nullptr;
  if (const auto inner = use.includes.find(step.id); inner != use.includes.end()) {
    Outer next{group.id + ".", group.needs, group.phase, group.conditions};
    if (step.when) {
      next.conditions.push_back(OuterWhen{&*step.when, &use, outer.prefix});
    }
    group.needs = add(inner->second, next);
  }
  steps_.push_back(std::move(group));
}

void Lowering::add_step(const TemplateUse& use, const Outer& outer, const StepTemplate& step,
                        const Stage& stage) {
  LoweredStep lowered;
  lowered.id = outer.prefix + step.id;
  lowered.step = &step;
  lowered.use = &use;
  lowered.prefix = outer.prefix;
  lowered.phase = outer.phase ? outer.phase : step.phase;
  lowered.conditions = outer.conditions;
  bool first = true;
  for (const std::string& need : step.needs) {
    lowered.needs.push_back(outer.prefix + need);
    first = first && !stage.members.contains(need);
  }
  if (first) {
    lowered.needs.insert(lowered.needs.end(), stage.before.begin(), stage.before.end());
  }
  if (step.include.empty()) {
    steps_.push_back(std::move(lowered));
  } else {
    add_include(use, outer, std::move(lowered));
  }
}

/// The checks at the end of a phase, one after the other; returns what the next phase needs.
std::vector<std::string> Lowering::add_exit(const TemplateUse& use, const Outer& outer,
                                            const Phase& phase, std::vector<std::string> needs) {
  for (const StepTemplate& check : phase.exit) {
    LoweredStep lowered;
    lowered.id = outer.prefix + check.id;
    lowered.step = &check;
    lowered.use = &use;
    lowered.prefix = outer.prefix;
    lowered.phase = outer.phase ? *outer.phase : phase.name;
    lowered.conditions = outer.conditions;
    lowered.needs = std::move(needs);
    needs = {lowered.id};
    steps_.push_back(std::move(lowered));
  }
  return needs;
}

/// The steps of one phase, or all of a template without phases; returns those that no other of
/// them needs, or `before` when there are none.
std::vector<std::string> Lowering::add_stage(const TemplateUse& use, const Outer& outer,
                                             const std::optional<std::string>& phase,
                                             std::vector<std::string> before) {
  Stage stage{std::move(before), {}};
  std::set<std::string> needed;
  for (const StepTemplate& step : use.source->steps) {
    if (step.phase == phase) {
      stage.members.insert(step.id);
      needed.insert(step.needs.begin(), step.needs.end());
    }
  }
  std::vector<std::string> last;
  for (const StepTemplate& step : use.source->steps) {
    if (step.phase != phase) {
      continue;
    }
    add_step(use, outer, step, stage);
    if (!needed.contains(step.id)) {
      last.push_back(outer.prefix + step.id);
    }
  }
  return last.empty() ? stage.before : last;
}

std::vector<std::string> Lowering::add(const TemplateUse& use, const Outer& outer) {
  if (use.source->phases.empty()) {
    return add_stage(use, outer, std::nullopt, outer.needs);
  }
  std::vector<std::string> before = outer.needs;
  for (const Phase& phase : use.source->phases) {
    before = add_exit(use, outer, phase, add_stage(use, outer, phase.name, std::move(before)));
    // A group between two phases, so that the template's needs stay few.
    LoweredStep end;
    end.id = outer.prefix + "@" + phase.name;  // no name has an `@`
    end.needs = std::move(before);
    before = {end.id};
    steps_.push_back(std::move(end));
  }
  return before;
}

}  // namespace

std::vector<LoweredStep> lower(const TemplateUse& use) {
  Lowering lowering;
  lowering.add(use, Outer{});
  return lowering.take();
}

}  // namespace rgx::templates
