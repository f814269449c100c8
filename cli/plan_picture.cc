#include "cli/plan_picture.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "cli/plan_view.h"
#include "templates/tool.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kDoesBytesShown = 200;

std::string does_text(const templates::Step& step) {
  const auto effects = templates::effects_of(step.tool);
  if (!effects) {
    return {};
  }
  if (const auto& argv = effects->argv) {
    return shortened(printable(shell_words(*argv)), kDoesBytesShown);
  }
  std::vector<std::string> parts;
  if (!effects->writes.empty()) {
    parts.push_back("writes " + printable(join(effects->writes, " ")));
  } else if (!effects->reads.empty()) {
    parts.push_back("reads " + printable(join(effects->reads, " ")));
  }
  if (!effects->hosts.empty()) {
    parts.push_back("connects to " + printable(join(effects->hosts, " ")));
  }
  return shortened(join(parts, ", "), kDoesBytesShown);
}

std::string demand_text(std::int64_t count, const std::string& group, bool self) {
  std::string text = std::to_string(count) + " of ";
  text += group.empty() ? (count == 1 ? "any approver" : "the approvers") : printable(group);
  return text + (self ? ", you count" : "");
}

std::string gate_text(const templates::Step& step, const policy::Decision* decision) {
  std::vector<std::string> parts;
  if (decision != nullptr) {
    for (const policy::ApprovalDemand& demand : decision->approvals) {
      parts.push_back(demand_text(demand.count, demand.group, demand.self));
    }
  }
  if (const auto& gate = step.gate) {
    const std::string text = demand_text(gate->count, gate->group, gate->self);
    if (std::ranges::find(parts, text) == parts.end()) {
      parts.push_back(text);
    }
    if (!gate->message.empty()) {
      parts.push_back("asks: " + shortened(printable(gate->message), kDoesBytesShown));
    }
  }
  return join(parts, "; ");
}

// A step may raise the level that policy gives, never lower it.
policy::Risk risk_of(const templates::Step& step, const policy::Decision* decision) {
  policy::Risk risk = decision != nullptr ? decision->risk : policy::Risk::low;
  for (const policy::Risk level :
       {policy::Risk::low, policy::Risk::medium, policy::Risk::high, policy::Risk::critical}) {
    if (step.risk && policy::to_string(level) == *step.risk) {
      risk = std::max(risk, level);
    }
  }
  return risk;
}

PlanRow make_row(const templates::Step& step, const Prepared& prepared, std::string phase) {
  const auto found = prepared.decisions.find(step.id);
  const policy::Decision* decision = found == prepared.decisions.end() ? nullptr : &found->second;
  PlanRow row;
  row.id = printable(step.id.text());
  if (const std::size_t bracket = row.id.find('['); bracket != std::string::npos) {
    row.group = row.id.substr(0, bracket);
  }
  row.phase = std::move(phase);
  row.tool = printable(step.tool.use);
  row.does = does_text(step);
  row.risk = risk_of(step, decision);
  row.gate = gate_text(step, decision);
  row.effect = decision == nullptr ? policy::Effect::allow : decision->effect;
  if (row.effect == policy::Effect::allow && step.gate) {
    row.effect = policy::Effect::require_approval;
  }
  row.rules = decision == nullptr ? std::string() : rules_text(*decision);
  row.cost = policy::worst_case(step, prepared.layers.policy);
  row.cost.steps = 0;  // that it is one step is known
  for (const StepId& need : step.needs) {
    row.needs.push_back(printable(need.text()));
  }
  return row;
}

void add(policy::RunBudget& sum, const policy::RunBudget& one) {
  for (const policy::BudgetField& field : policy::kRunBudgetFields) {
    sum.*field.member += one.*field.member;
  }
}

bool is_alike(const PlanRow& a, const PlanRow& b) {
  const auto key = [](const PlanRow& row) {
    return std::tie(row.group, row.phase, row.tool, row.effect, row.risk, row.rules, row.gate);
  };
  return !a.group.empty() && key(a) == key(b);
}

}  // namespace

std::string PlanFold::name() const {
  return is_folded() ? first().group + "[...] (" + std::to_string(rows.size()) + " steps)"
                     : first().id;
}

PlanPicture make_picture(const Prepared& prepared) {
  const templates::Plan& plan = prepared.plan.plan();
  PlanPicture picture;
  picture.intent = printable(plan.intent);
  picture.template_text = printable(plan.from.name) + " " + printable(plan.from.version);
  for (const policy::Policy& layer : prepared.layers.policy.layers()) {
    picture.policies.push_back(std::string(policy::to_string(layer.layer)) + "  " +
                               printable(layer.name) + "  (" + printable(layer.file) + ")");
  }
  for (const templates::Step& step : plan.steps) {
    picture.rows.push_back(make_row(step, prepared, printable(step.phase.value_or(""))));
  }
  for (const templates::Step& step : plan.acceptance) {
    picture.rows.push_back(make_row(step, prepared, "acceptance"));
    picture.rows.back().group.clear();
  }
  const policy::AdmittedPlan* admitted = prepared.admitted();
  if (admitted != nullptr) {
    picture.worst_case = admitted->worst_case();
    picture.admission_digest = admitted->digest().to_string();
  } else {
    for (const PlanRow& row : picture.rows) {
      add(picture.worst_case, row.cost);
    }
    picture.worst_case.wall_ms = 0;  // no sum, either
    picture.worst_case.steps = static_cast<std::int64_t>(picture.rows.size());
  }
  picture.plan_digest = prepared.plan.digest().to_string();
  picture.base_revision = printable(prepared.layers.base_revision);
  return picture;
}

std::vector<PlanFold> fold_rows(const std::vector<PlanRow>& rows, std::size_t together_max) {
  std::vector<PlanFold> folds;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::size_t end = begin + 1;
    while (end < rows.size() && is_alike(rows[begin], rows[end])) {
      ++end;
    }
    const bool fold = end - begin > together_max;
    for (std::size_t i = begin; i < end; ++i) {
      if (i == begin || !fold) {
        folds.emplace_back();
      }
      folds.back().rows.push_back(&rows[i]);
      // Steps may wait for each other or not: how long all of them take is no sum.
      const std::int64_t wall_ms = std::max(folds.back().cost.wall_ms, rows[i].cost.wall_ms);
      add(folds.back().cost, rows[i].cost);
      folds.back().cost.wall_ms = wall_ms;
    }
    begin = end;
  }
  return folds;
}

std::string effects_summary(const std::vector<PlanRow>& rows) {
  std::vector<std::string> parts;
  for (const policy::Effect effect :
       {policy::Effect::deny, policy::Effect::require_approval, policy::Effect::allow}) {
    const auto n = std::ranges::count(rows, effect, &PlanRow::effect);
    if (n != 0) {
      parts.push_back(std::to_string(n) + ' ' + std::string(effect_word(effect)));
    }
  }
  return join(parts, ", ");
}

std::string risks_summary(const std::vector<PlanRow>& rows) {
  std::vector<std::string> parts;
  for (const policy::Risk risk :
       {policy::Risk::critical, policy::Risk::high, policy::Risk::medium, policy::Risk::low}) {
    const auto n = std::ranges::count(rows, risk, &PlanRow::risk);
    if (n != 0) {
      parts.push_back(std::to_string(n) + ' ' + std::string(policy::to_string(risk)));
    }
  }
  return join(parts, ", ");
}

std::string cost_text(const PlanFold& fold) {
  policy::RunBudget cost = fold.cost;
  const std::int64_t wall_ms = std::exchange(cost.wall_ms, 0);
  std::vector<std::string> parts;
  if (cost != policy::RunBudget()) {
    parts.push_back(budget_text(cost));
  }
  if (wall_ms != 0) {
    parts.push_back(duration_text(wall_ms) + (fold.is_folded() ? " each" : ""));
  }
  return parts.empty() ? "nothing" : join(parts, ", ");
}

std::string_view effect_word(policy::Effect effect) {
  switch (effect) {
    case policy::Effect::allow:
      return "allow";
    case policy::Effect::require_approval:
      return "ask";
    case policy::Effect::deny:
      return "deny";
  }
  RGX_CHECK(false);
}

std::string rules_text(const policy::Decision& decision) {
  if (decision.deciding.empty()) {
    return "default deny";
  }
  std::vector<std::string> parts;
  for (const policy::RuleHit& hit : decision.deciding) {
    const std::string place = to_string(hit.place);
    parts.push_back(printable(hit.rule) + (place.empty() ? "" : " (" + place + ")"));
  }
  return join(parts, ", ");
}

std::string some_of(const std::vector<std::string>& names, std::size_t shown_max) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), shown_max); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > shown_max) {
    text += " and " + std::to_string(names.size() - shown_max) + " more";
  }
  return text;
}

}  // namespace rgx::cli
