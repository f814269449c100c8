#include "policy/admission.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "policy/prepared.h"
#include "policy/step_decision.h"

// Format: docs/formats/admission.md

namespace rgx::policy {

/// The only maker of admitted plans.
class AdmitKey {
 public:
  static AdmittedPlan make(const templates::SealedPlan& plan, const PolicySet& policy,
                           std::string base_revision, std::map<StepId, Decision> decisions,
                           const RunBudget& worst);
};

namespace {

constexpr std::string_view kSchema = "rgx.admission/v1";

Json layers_json(const PolicySet& policy) {
  Json all = Json::array();
  for (const Policy& layer : policy.layers()) {
    all.push(Json::object({{"layer", to_string(layer.layer)},
                           {"name", layer.name},
                           {"digest", layer.digest.to_string()}}));
  }
  return all;
}

Json programs_json(const std::map<StepId, Decision>& decisions) {
  // Sorted by name, path and digest: by the canonical order of their texts.
  std::set<std::array<std::string, 3>> programs;
  for (const auto& [step, decision] : decisions) {
    if (const auto& program = decision.facts.program) {
      programs.insert({program->name, program->path.value_or(""),
                       program->digest ? program->digest->to_string() : ""});
    }
  }
  Json all = Json::array();
  for (const auto& [name, path, digest] : programs) {
    Json item = Json::object({{"name", name}});
    if (!path.empty()) {
      item.set("path", path);
    }
    if (!digest.empty()) {
      item.set("digest", digest);
    }
    all.push(std::move(item));
  }
  return all;
}

Json step_json(const Decision& decision) {
  Json rules = Json::array();
  for (const RuleHit& hit : decision.deciding) {
    rules.push(Json::object({{"layer", to_string(hit.layer)}, {"rule", hit.rule}}));
  }
  Json approvals = Json::array();
  for (const ApprovalDemand& demand : decision.approvals) {
    approvals.push(to_json(demand));
  }
  return Json::object({{"decision", to_string(decision.effect)},
                       {"risk", to_string(decision.risk)},
                       {"rules", std::move(rules)},
                       {"approvals", std::move(approvals)},
                       {"exceptions", Json::array_of(decision.exceptions)},
                       {"facts", to_json(decision.facts)}});
}

Json covers_json(const templates::SealedPlan& plan, const PolicySet& policy,
                 const std::string& base_revision, const std::map<StepId, Decision>& decisions) {
  Json steps = Json::object();
  for (const auto& [step, decision] : decisions) {
    steps.set(step.text(), step_json(decision));
  }
  return Json::object({{"schema", kSchema},
                       {"plan", plan.digest().to_string()},
                       {"layers", layers_json(policy)},
                       {"base_revision", base_revision},
                       {"programs", programs_json(decisions)},
                       {"steps", std::move(steps)}});
}

using Ancestors = std::map<StepId, std::set<StepId>>;

/// Steps that each step depends on, directly or not; steps stand in topological order.
Ancestors ancestors_of(const templates::Plan& plan) {
  Ancestors all;
  for (const templates::Step& step : plan.steps) {
    std::set<StepId>& above = all[step.id];
    for (const StepId& need : step.needs) {
      above.insert(need);
      above.insert(all[need].begin(), all[need].end());
    }
  }
  return all;
}

/// First check that `require_checks` asks of the step and that no step before it makes.
std::optional<std::string> missing_check(const templates::Step& step,
                                         const std::set<std::string>& done,
                                         const PolicySet& policy) {
  for (const Policy& layer : policy.layers()) {
    for (const auto& [pattern, checks] : layer.require_checks) {
      if (!templates::tool_matches(pattern, step.tool.use)) {
        continue;
      }
      for (const std::string& check : checks) {
        if (!done.contains(check)) {
          return check;
        }
      }
    }
  }
  return std::nullopt;
}

void deny_missing_check(const std::string& check, Decision& decision) {
  const RuleHit hit{"rgx.require_checks",
                    Effect::deny,
                    Layer::org,
                    Place{std::string(kBuiltInPlace), 0, 0},
                    "`" + decision.facts.tool + "` needs a step `" + check + "` before it",
                    "add a step that uses `" + check + "` and let this one need it"};
  if (decision.effect != Effect::deny) {
    decision.deciding.clear();
  }
  decision.effect = Effect::deny;
  decision.approvals.clear();
  decision.deciding.push_back(hit);
  decision.matched.push_back(hit);
  decision.remedy = decision.deciding.front().remedy;
}

void require_checks(const templates::Plan& plan, const PolicySet& policy,
                    std::map<StepId, Decision>& decisions) {
  const bool asked = std::ranges::any_of(
      policy.layers(), [](const Policy& layer) { return !layer.require_checks.empty(); });
  if (!asked) {
    return;
  }
  const Ancestors ancestors = ancestors_of(plan);
  std::map<StepId, std::string> tools;
  for (const templates::Step& step : plan.steps) {
    tools.emplace(step.id, step.tool.use);
  }
  for (const templates::Step& step : plan.steps) {
    std::set<std::string> done;
    for (const StepId& above : ancestors.at(step.id)) {
      done.insert(tools.at(above));
    }
    if (const auto check = missing_check(step, done, policy)) {
      deny_missing_check(*check, decisions.at(step.id));
    }
  }
}

/// Sum that stays at the largest value where it would not fit, and so over any budget.
std::int64_t saturating_add(std::int64_t left, std::int64_t right) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(left, right, &sum) ? Json::kIntegerMax
                                                   : std::min(sum, Json::kIntegerMax);
}

RunBudget worst_case_of(const templates::Plan& plan, const PolicySet& policy) {
  RunBudget total;
  for (const std::vector<templates::Step>* steps : {&plan.steps, &plan.acceptance}) {
    for (const templates::Step& step : *steps) {
      const RunBudget worst = worst_case(step, policy);
      // Every attempt is charged.
      for (std::int64_t left = step.retry ? step.retry->attempts_max : 1; left > 0; --left) {
        for (const BudgetField& field : kRunBudgetFields) {
          total.*field.member = saturating_add(total.*field.member, worst.*field.member);
        }
      }
    }
  }
  total.wall_ms = std::min(total.wall_ms, policy.budget().wall_ms);
  return total;
}

/// No wildcard: what is escaped (`a\[1].c`) is part of a name.
bool names_one_path(std::string_view pattern) {
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] == '*' || pattern[at] == '?' || pattern[at] == '[') {
      return false;
    }
    if (pattern[at] == '\\') {
      ++at;
    }
  }
  return true;
}

std::int64_t bytes_written(const templates::Step& step, const PolicySet& policy,
                           const templates::Effects& effects) {
  if (step.tool.use == "file.write") {
    const Json* content = step.tool.with.find("content");
    if (content != nullptr && !content->is_string()) {
      return templates::kInputTextBytesMax;  // an output of another step: known at the gate
    }
    return content == nullptr ? 0 : static_cast<std::int64_t>(content->as_string().size());
  }
  return effects.writes.empty() ? 0 : step_limit(policy, step, "bytes_written").value_or(0);
}

std::int64_t files_changed(const templates::Step& step, const PolicySet& policy,
                           const templates::Effects& effects) {
  const auto single = std::ranges::count_if(effects.writes, names_one_path);
  const bool patterns = static_cast<std::size_t>(single) < effects.writes.size();
  return single + (patterns ? step_limit(policy, step, "files_changed").value_or(0) : 0);
}

}  // namespace

AdmittedPlan AdmitKey::make(const templates::SealedPlan& plan, const PolicySet& policy,
                            std::string base_revision, std::map<StepId, Decision> decisions,
                            const RunBudget& worst) {
  AdmittedPlan admitted(plan, policy);
  admitted.base_revision_ = std::move(base_revision);
  admitted.decisions_ = std::move(decisions);
  admitted.worst_case_ = worst;
  admitted.digest_ =
      digest_of(kSchema, covers_json(plan, policy, admitted.base_revision_, admitted.decisions_));
  return admitted;
}

const Decision& AdmittedPlan::decision(const StepId& step) const {
  const auto found = decisions_.find(step);
  RGX_CHECK(found != decisions_.end());
  return found->second;
}

Json AdmittedPlan::describe() const {
  return Json::object({{"covers", covers_json(plan_, policy_, base_revision_, decisions_)},
                       {"digest", digest_.to_string()},
                       {"worst_case", to_json(worst_case_)}});
}

Json to_json(const Refusal& refusal) {
  Json denied = Json::object();
  for (const auto& [step, decision] : refusal.denied) {
    denied.set(step.text(), to_json(decision));
  }
  Json over = Json::array();
  for (const Refusal::OverBudget& item : refusal.over_budget) {
    over.push(
        Json::object({{"field", item.field}, {"needed", item.needed}, {"allowed", item.allowed}}));
  }
  return Json::object({{"schema", "rgx.refusal/v1"},
                       {"denied", std::move(denied)},
                       {"over_budget", std::move(over)}});
}

Result<Admission> admit(const templates::SealedPlan& plan, const PolicySet& policy,
                        const AdmissionInput& input) {
  RGX_CHECK(input.facts.size() == plan.plan().steps.size() + plan.plan().acceptance.size());
  std::map<StepId, Decision> decisions;
  for (const std::vector<templates::Step>* steps : {&plan.plan().steps, &plan.plan().acceptance}) {
    for (const templates::Step& step : *steps) {
      const auto facts = input.facts.find(step.id);
      RGX_CHECK(facts != input.facts.end());
      decisions.emplace(step.id, decide_step(policy, step, facts->second, input.now_unix_ms));
    }
  }
  require_checks(plan.plan(), policy, decisions);
  Refusal refusal;
  for (const auto& [step, decision] : decisions) {
    if (decision.effect == Effect::deny) {
      refusal.denied.emplace(step, decision);
    }
  }
  const RunBudget worst = worst_case_of(plan.plan(), policy);
  for (const BudgetField& field : kRunBudgetFields) {
    if (worst.*field.member > policy.budget().*field.member) {
      refusal.over_budget.push_back(
          {std::string(field.name), worst.*field.member, policy.budget().*field.member});
    }
  }
  if (!refusal.denied.empty() || !refusal.over_budget.empty()) {
    return Admission(std::move(refusal));
  }
  return Admission(AdmitKey::make(plan, policy, input.base_revision, std::move(decisions), worst));
}

RunBudget worst_case(const templates::Step& step, const PolicySet& policy) {
  const auto effects = templates::effects_of(step.tool);
  RGX_CHECK(effects.has_value());  // sealing has checked the step's inputs
  // A check writes to a copy that is thrown away (docs/acceptance.md).
  const bool check = step.id.text().starts_with("acceptance[");
  const bool agent = step.tool.use == "agent.run";
  const bool model = agent || step.tool.use == "llm.generate";
  RunBudget worst;
  worst.steps = 1;
  worst.tokens =
      std::min(effects->tokens_max, step_limit(policy, step, "tokens").value_or(Json::kIntegerMax));
  worst.model_calls = model ? 1 : 0;
  worst.agents = agent ? 1 : 0;
  worst.processes = effects->starts_process ? 1 : 0;
  worst.files_changed = check ? 0 : files_changed(step, policy, *effects);
  worst.bytes_written = check ? 0 : bytes_written(step, policy, *effects);
  worst.cost_usd_micros = model ? step_limit(policy, step, "cost_usd_micros").value_or(0) : 0;
  const std::int64_t bound = step_wall_ms(policy, step);
  worst.wall_ms = std::min(step.timeout_ms.value_or(bound), bound);
  return worst;
}

}  // namespace rgx::policy
