#include "templates/seal_options.h"

#include "base/canonical.h"
#include "base/text.h"
#include "templates/condition_domain.h"
#include "templates/describe.h"
#include "templates/step_output.h"
#include "templates/syntax.h"

#include <algorithm>
#include <set>

namespace rgx::templates {
namespace {

constexpr std::string_view kRemedy = "compile the plan again";
constexpr std::size_t kAcceptanceMax = 256;
constexpr std::size_t kPhasesMax = 64;
constexpr std::size_t kIncludesMax = 256;
constexpr std::size_t kConditionsMax = 256;  // different ones that are tried out

template <class List>
bool is_one_of(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

template <class List>
bool is_sorted_and_unique(const List& list) {
  return std::ranges::adjacent_find(list, std::greater_equal<>{}) == list.end();
}

class OptionChecker {
 public:
  OptionChecker(const Plan& plan, const AddMistake& add) : plan_(plan), add_(add) {}

  void check_includes();
  void check_phases();
  void check_step(const Step& step);
  void check_acceptance();

 private:
  void bad(const Step& step, std::string_view code, const std::string& problem) {
    add_(code, "step " + quoted(step.id.text()) + " " + problem, kRemedy);
  }
  void check_gate(const Step& step, const StepGate& gate);
  void check_retry(const Step& step, const Retry& retry);
  void check_open_inputs(const Step& step);

  const Plan& plan_;
  const AddMistake& add_;
};

void OptionChecker::check_includes() {
  std::vector<std::string> names;
  for (const TemplateReference& source : plan_.includes) {
    names.push_back(source.name);
    if (!is_name(source.name) || !is_version(source.version)) {
      add_("plan.bad_template", "the plan does not name a template it includes and its version",
           kRemedy);
    }
  }
  if (!is_sorted_and_unique(names) || names.size() > kIncludesMax) {
    add_("plan.not_normal", "the included templates are not sorted, or more than 256", kRemedy);
  }
}

void OptionChecker::check_phases() {
  const std::set<std::string> unique(plan_.phases.begin(), plan_.phases.end());
  if (unique.size() != plan_.phases.size() || plan_.phases.size() > kPhasesMax ||
      !std::ranges::all_of(plan_.phases, [](const std::string& name) { return is_name(name); })) {
    add_("plan.bad_phase", "the phases are not at most 64 different names", kRemedy);
  }
}

void OptionChecker::check_gate(const Step& step, const StepGate& gate) {
  if (gate.count < 1 || gate.count > kGateCountMax ||
      (!gate.group.empty() && !is_name(gate.group)) || gate.message.size() > kStringBytesMax ||
      find_deceptive(gate.message)) {
    bad(step, "plan.bad_option", "has a gate without a count, a group or a message of one line");
  }
}

void OptionChecker::check_retry(const Step& step, const Retry& retry) {
  const bool known = std::ranges::all_of(
      retry.reasons, [](const std::string& reason) { return is_one_of(kRetryReasons, reason); });
  if (retry.attempts_max < 2 || retry.attempts_max > kAttemptsMax || retry.backoff_ms < 0 ||
      retry.backoff_ms > kBackoffMsMax || retry.reasons.empty() || !known ||
      !is_sorted_and_unique(retry.reasons)) {
    bad(step, "plan.bad_option", "has a retry beyond 2 to 10 attempts for known reasons");
  }
}

void OptionChecker::check_step(const Step& step) {
  if (step.phase ? !is_one_of(plan_.phases, *step.phase) : !plan_.phases.empty()) {
    bad(step, "plan.bad_phase",
        step.phase ? "is of the phase " + quoted(*step.phase) + ", which the plan does not name"
                   : "is of no phase of the plan");
  }
  if (step.gate) {
    check_gate(step, *step.gate);
  }
  if (step.retry) {
    check_retry(step, *step.retry);
  }
  if (step.risk && !is_one_of(kRiskNames, *step.risk)) {
    bad(step, "plan.bad_option", "has the unknown risk " + quoted(*step.risk));
  }
  for (const auto& [name, bound] : step.budget) {
    if (!is_one_of(kStepBudgetNames, name) || bound < 0) {
      bad(step, "plan.bad_option", "has a bound of " + quoted(name) + ", which is no budget");
    }
  }
  if (step.when) {
    if (const Status shaped = check_condition(*step.when); !shaped) {
      const Diagnostic& first = shaped.error().first();
      bad(step, first.code, "cannot decide whether it runs: " + first.message);
    } else if (outputs_in(*step.when).empty()) {
      bad(step, "plan.bad_condition", "has a condition that no run can change");
    }
  }
}

void OptionChecker::check_acceptance() {
  if (plan_.acceptance.size() > kAcceptanceMax) {
    add_("plan.too_many_steps", "the plan has more than 256 checks under `acceptance`",
         "put checks together");
  }
  std::size_t number = 0;
  for (const Step& step : plan_.acceptance) {
    if (step.id.text() != "acceptance[" + std::to_string(++number) + "]") {
      bad(step, "plan.bad_id", "is not number " + std::to_string(number) + " of `acceptance`");
    }
    if (!step.tool.use.starts_with("check.") && step.tool.use != "human.approve") {
      bad(step, "plan.bad_acceptance",
          "uses " + quoted(step.tool.use) + ", which neither checks nor asks a person");
    }
    const bool plain = step.needs.empty() && step.pins.empty() && !step.phase && !step.gate &&
                       !step.retry && !step.when && outputs_in(step.tool.with).empty();
    if (!plain) {
      bad(step, "plan.bad_acceptance",
          "has needs, pins, a phase, a gate, a retry, a condition or an output of a run");
    }
    if (step.risk && !is_one_of(kRiskNames, *step.risk)) {
      bad(step, "plan.bad_option", "has the unknown risk " + quoted(*step.risk));
    }
    for (const auto& [name, bound] : step.budget) {
      if (!is_one_of(kStepBudgetNames, name) || bound < 0) {
        bad(step, "plan.bad_option", "has a bound of " + quoted(name) + ", which is no budget");
      }
    }
  }
}

class OrderChecker {
 public:
  OrderChecker(const Plan& plan, const std::map<StepId, std::uint32_t>& index_of, StepGraph& graph,
               const AddMistake& add)
      : plan_(plan),
        index_of_(index_of),
        graph_(graph),
        add_(add) {}

  void check_outputs(std::uint32_t index);
  void check_condition_can_hold(const Step& step);
  void check_phase_order();

 private:
  void check_output(std::uint32_t index, const OutputReference& reference);

  const Plan& plan_;
  const std::map<StepId, std::uint32_t>& index_of_;
  StepGraph& graph_;
  const AddMistake& add_;
  std::set<std::string> asked_;  // conditions
};

void OrderChecker::check_output(std::uint32_t index, const OutputReference& reference) {
  const std::string what = "step " + quoted(plan_.steps[index].id.text()) + " uses `" +
                           printable(reference.member) + "` of " + quoted(reference.step.text());
  const auto source = index_of_.find(reference.step);
  if (source == index_of_.end()) {
    add_("plan.unknown_output", what + ", which is no step", kRemedy);
    return;
  }
  const ToolContract* tool = find_tool(plan_.steps[source->second].tool.use);
  if (tool == nullptr || !output_shape(*tool, reference.member)) {
    add_("plan.unknown_output", what + ", which has no such output",
         "docs/formats/plan.md lists the outputs of every tool");
    return;
  }
  if (!graph_.comes_after(index, source->second)) {
    add_("plan.unordered_output", what + " without an order between them",
         "let the step name the other under `needs`");
  }
}

void OrderChecker::check_outputs(std::uint32_t index) {
  const Step& step = plan_.steps[index];
  std::set<OutputReference> used;
  for (const OutputReference& reference : outputs_in(step.tool.with)) {
    used.insert(reference);
  }
  if (step.when) {
    for (const OutputReference& reference : outputs_in(*step.when)) {
      used.insert(reference);
    }
  }
  for (const OutputReference& reference : used) {
    check_output(index, reference);
  }
}

void OrderChecker::check_condition_can_hold(const Step& step) {
  // Instances of one step ask the same; and a plan is no place to search for hours.
  if (!step.when || asked_.size() >= kConditionsMax ||
      !asked_.insert(canonical(*step.when)).second) {
    return;
  }
  const auto domain_of = [this](const OutputReference& reference) {
    const auto source = index_of_.find(reference.step);
    const ToolContract* tool =
        source == index_of_.end() ? nullptr : find_tool(plan_.steps[source->second].tool.use);
    return Domain{
        tool == nullptr ? Shape::any : output_shape(*tool, reference.member).value_or(Shape::any),
        std::nullopt};
  };
  if (can_hold(*step.when, domain_of) == Satisfiable::never) {
    add_("plan.never_true",
         "the condition of step " + quoted(step.id.text()) + " can never hold: it never runs",
         "correct the condition, or leave the step out");
  }
}

void OrderChecker::check_phase_order() {
  std::vector<std::vector<std::uint32_t>> members(plan_.phases.size());
  for (std::uint32_t index = 0; index < plan_.steps.size(); ++index) {
    const auto found = std::ranges::find(plan_.phases, plan_.steps[index].phase.value_or(""));
    if (found != plan_.phases.end()) {
      members[static_cast<std::size_t>(found - plan_.phases.begin())].push_back(index);
    }
  }
  const std::vector<std::uint32_t>* before = nullptr;  // of the last phase that has steps
  for (const std::vector<std::uint32_t>& phase : members) {
    if (phase.empty()) {
      continue;
    }
    for (const std::uint32_t index : phase) {
      for (const std::uint32_t earlier :
           before != nullptr ? *before : std::vector<std::uint32_t>{}) {
        if (!graph_.comes_after(index, earlier)) {
          add_("plan.bad_phase",
               "step " + quoted(plan_.steps[index].id.text()) + " does not come after " +
                   quoted(plan_.steps[earlier].id.text()) + " of the phase before",
               kRemedy);
          return;
        }
      }
    }
    before = &phase;
  }
}

}  // namespace

void check_options(const Plan& plan, const AddMistake& add) {
  OptionChecker checker(plan, add);
  checker.check_includes();
  checker.check_phases();
  for (const Step& step : plan.steps) {
    checker.check_step(step);
  }
  checker.check_acceptance();
}

void check_ordered_options(const Plan& plan, const std::map<StepId, std::uint32_t>& index_of,
                           StepGraph& graph, const AddMistake& add) {
  OrderChecker checker(plan, index_of, graph, add);
  for (std::uint32_t index = 0; index < plan.steps.size(); ++index) {
    checker.check_outputs(index);
    checker.check_condition_can_hold(plan.steps[index]);
  }
  checker.check_phase_order();
}

}  // namespace rgx::templates
