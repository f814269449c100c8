#include "policy/step_decision.h"

#include <algorithm>

#include "base/check.h"
#include "policy/prepared.h"

namespace rgx::policy {

namespace {

std::optional<Risk> risk_of(const templates::Step& step) {
  if (!step.risk) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(kRiskNames, *step.risk);
  RGX_CHECK(found != kRiskNames.end());  // sealing has checked it
  return static_cast<Risk>(found - kRiskNames.begin());
}

bool has_approvers(const PolicySet& policy) {
  return std::ranges::any_of(policy.layers(),
                             [](const Policy& layer) { return !layer.approvers.empty(); });
}

std::optional<AskedByStep> asked_by(const PolicySet& policy, const templates::Step& step) {
  const bool human = step.tool.use == "human.approve";
  if (!step.gate && !human) {
    return std::nullopt;
  }
  AskedByStep asked;
  asked.rule = human ? "rgx.human_approve" : "rgx.step_gate";
  asked.why = human ? "the step is a question to people" : "the plan asks people before this step";
  if (step.gate) {
    asked.demand = {.count = step.gate->count, .group = step.gate->group, .self = step.gate->self};
  } else {
    // Where nobody else may answer, the requester may: else nobody could.
    asked.demand.self = !has_approvers(policy);
  }
  return asked;
}

}  // namespace

Decision decide_step(const PolicySet& policy, const templates::Step& step, const Facts& facts,
                     std::int64_t now_unix_ms) {
  return decide(
      policy, facts,
      {.now_unix_ms = now_unix_ms, .risk_min = risk_of(step), .asked = asked_by(policy, step)});
}

std::vector<ApprovalDemand> review_demands(const PolicySet& policy) {
  std::vector<ApprovalDemand> demands;
  for (const Policy& layer : policy.layers()) {
    const auto found = layer.gates.find(Risk::high);
    if (found == layer.gates.end()) {
      continue;
    }
    const Gate& gate = found->second;
    if (gate.effect == Effect::deny) {
      demands.emplace_back();  // not for the requester alone to say
    } else if (gate.approval && gate.approval->count > 0) {
      demands.push_back(*gate.approval);
    }
  }
  std::ranges::sort(demands);
  const auto twice = std::ranges::unique(demands);
  demands.erase(twice.begin(), twice.end());
  if (demands.empty()) {
    demands.push_back({.count = 1, .group = {}, .self = !has_approvers(policy)});
  }
  return demands;
}

std::optional<std::int64_t> step_limit(const PolicySet& policy, const templates::Step& step,
                                       const std::string& field) {
  const std::optional<std::int64_t> of_layers = step_limit(policy, field);
  const auto own = step.budget.find(field);
  if (own == step.budget.end()) {
    return of_layers;
  }
  return of_layers ? std::min(*of_layers, own->second) : own->second;
}

std::int64_t step_wall_ms(const PolicySet& policy, const templates::Step& step) {
  return std::min(policy.step_wall_ms(),
                  step_limit(policy, step, "wall_ms").value_or(policy.step_wall_ms()));
}

}  // namespace rgx::policy
