#include "engine/gate.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "engine/resolve.h"
#include "policy/step_decision.h"

namespace rgx::engine {

namespace {

Refused refusal(const Error& error) {
  Refused refused;
  refused.because =
      error.kind == ErrorKind::drift ? Refused::Because::drift : Refused::Because::environment;
  refused.message = error.first().message;
  refused.detail = error.first().remedy;
  return refused;
}

Refused drift(std::string message) {
  return {Refused::Because::drift, std::move(message),
          "compile the plan again and look at the difference", std::nullopt};
}

Refused over_step_budget(const std::string& field, std::int64_t needed, std::int64_t allowed) {
  return {Refused::Because::budget,
          "the step takes " + std::to_string(needed) + " of `" + field + "`, and may take " +
              std::to_string(allowed),
          "raise `budgets.step." + field + "` of the policy or the step's own budget",
          std::nullopt};
}

Refused over_budget(const std::string& field) {
  return {Refused::Because::budget, "the run's budget of `" + field + "` is used up",
          "raise `budgets.run." + field + "` of the policy, or split the plan", std::nullopt};
}

}  // namespace

std::string_view to_string(Refused::Because because) {
  switch (because) {
    case Refused::Because::policy:
      return "policy";
    case Refused::Because::approval:
      return "approval";
    case Refused::Because::budget:
      return "budget";
    case Refused::Because::drift:
      return "drift";
    case Refused::Because::environment:
      return "environment";
  }
  return "policy";
}

std::optional<Refused> Gate::check_pins(const templates::Step& step) {
  if (const Status pinned = pins_.check(step, ports_.workspace); !pinned) {
    return refusal(pinned.error());
  }
  return std::nullopt;
}

/// Decides once more, on the facts as they are now. They must be those that were admitted: a path
/// that leads elsewhere or another program is drift, not a new question.
std::optional<Refused> Gate::check_permission(const GateInput& input, Admitted& out) {
  policy::Decision& decision = out.decision;
  auto facts = policy::derive(input.step);
  if (facts) {
    facts = resolve(std::move(*facts), plan_.policy(), ports_.workspace);
  }
  if (!facts) {
    return refusal(facts.error());
  }
  const policy::Decision& admitted = plan_.decision(input.step.id);
  decision = policy::decide_step(plan_.policy(), input.step, *facts, input.now_unix_ms);
  if (decision.effect == policy::Effect::deny) {
    return Refused{Refused::Because::policy, "policy denies the step", policy::describe(decision),
                   decision};
  }
  if (*facts != admitted.facts) {
    return drift(facts->program != admitted.facts.program
                     ? "the program is not the one that was admitted"
                     : "a path of the step leads elsewhere than when it was admitted");
  }
  return check_approvals(input, out);
}

/// Those asked for when the plan was admitted, and those asked for now.
std::optional<Refused> Gate::check_approvals(const GateInput& input, Admitted& out) {
  const policy::Decision& admitted = plan_.decision(input.step.id);
  std::vector<policy::ApprovalDemand> demands = admitted.approvals;
  demands.insert(demands.end(), out.decision.approvals.begin(), out.decision.approvals.end());
  if (demands.empty()) {
    return std::nullopt;
  }
  ApprovalBook::InForce given = book_.in_force(input.step.id, input.now_unix_ms);
  const ApprovalRules rules{.policy = plan_.policy(), .demands = demands, .requester = requester_};
  if (!meets(given.keys, rules)) {
    return Refused{Refused::Because::approval, "the step lacks an approval that is in force",
                   policy::describe(out.decision), out.decision};
  }
  out.approvals = std::move(given.records);
  return std::nullopt;
}

std::optional<Refused> Gate::prepare(Admitted& admitted, const GateInput& input) {
  const PrepareAction implementation = find_tool_implementation(input.step.tool.use);
  RGX_CHECK(implementation != nullptr);  // looked at before the run started
  const std::int64_t limit = policy::step_wall_ms(plan_.policy(), input.step);
  const std::int64_t timeout_ms = std::min({input.step.timeout_ms.value_or(limit), limit,
                                            std::max<std::int64_t>(input.remaining_ms, 1)});
  const ToolRequest request{.step = input.step,
                            .facts = admitted.decision.facts,
                            .expected = admitted.pins,
                            .run = run_,
                            .index = input.index,
                            .timeout_ms = std::max<std::int64_t>(timeout_ms, 1),
                            .ports = input.judged != nullptr ? *input.judged : ports_,
                            .changes = &pins_.changes(),
                            .judged_root = input.judged != nullptr
                                               ? std::optional(ports_.workspace.root())
                                               : std::nullopt};
  auto action = implementation(request);
  if (action) {
    admitted.action = std::move(*action);
    return std::nullopt;
  }
  if (action.error().kind == ErrorKind::drift) {
    return refusal(action.error());
  }
  admitted.failure = action.error();
  return std::nullopt;
}

std::optional<Refused> Gate::reserve(Admitted& admitted, const GateInput& input) {
  if (input.remaining_ms <= 0) {
    return over_budget("wall_ms");
  }
  policy::RunBudget amount = policy::worst_case(input.step, plan_.policy());
  if (admitted.action) {
    // Where the step knows better what it takes, that is reserved, not a guess.
    const policy::RunBudget needs = admitted.action->needs();
    for (const policy::BudgetField& field : policy::kRunBudgetFields) {
      amount.*field.member = std::max(amount.*field.member, needs.*field.member);
    }
  }
  for (const policy::BudgetField& field : policy::kRunBudgetFields) {
    const std::string name(field.name);
    const auto allowed = policy::step_limit(plan_.policy(), input.step, name);
    if (allowed && name != "wall_ms" && amount.*field.member > *allowed) {
      return over_step_budget(name, amount.*field.member, *allowed);
    }
  }
  amount.wall_ms = 0;  // a deadline: steps in parallel do not add up
  if (const std::string field = budget_.reserve(amount); !field.empty()) {
    return over_budget(field);
  }
  admitted.reserved = amount;
  return std::nullopt;
}

std::variant<Admitted, Refused> Gate::pass(const GateInput& input) {
  Admitted admitted;
  if (auto refused = check_pins(input.step)) {
    return std::move(*refused);
  }
  if (auto refused = check_permission(input, admitted)) {
    return std::move(*refused);
  }
  admitted.pins = pins_.expected(input.step);
  if (auto refused = prepare(admitted, input)) {
    return std::move(*refused);
  }
  if (auto refused = reserve(admitted, input)) {
    return std::move(*refused);
  }
  return admitted;
}

}  // namespace rgx::engine
