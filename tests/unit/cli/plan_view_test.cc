#include "cli/plan_view.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

TEST(PlanView, DurationsHaveTheUnitThatFits) {
  EXPECT_EQ(duration_text(0), "0 ms");
  EXPECT_EQ(duration_text(999), "999 ms");
  EXPECT_EQ(duration_text(1234), "1.2 s");
  EXPECT_EQ(duration_text(119999), "119.9 s");
  EXPECT_EQ(duration_text(1800000), "30 min");
}

TEST(PlanView, BudgetsLeaveOutWhatIsZero) {
  EXPECT_EQ(budget_text({}), "nothing");
  policy::RunBudget budget;
  budget.steps = 1;
  budget.files_changed = 2;
  budget.processes = 3;
  budget.wall_ms = 5000;
  EXPECT_EQ(budget_text(budget), "1 step, 2 files changed, 3 processes, 5.0 s");
}

policy::Decision denial() {
  policy::Decision decision;
  decision.effect = policy::Effect::deny;
  decision.remedy = "leave it out";
  decision.deciding.push_back({.rule = "frozen-for-the-audit-of-this-year",
                               .effect = policy::Effect::deny,
                               .layer = policy::Layer::run,
                               .place = Place{"frozen.yaml", 7, 5},
                               .why = "it is frozen",
                               .remedy = "leave it out"});
  return decision;
}

TEST(PlanView, ARefusalNamesStepRulePlaceAndRemedy) {
  policy::Refusal refusal;
  refusal.denied.emplace(StepId("edit[src/a.c]"), denial());
  const std::string text = refusal_view(refusal);
  EXPECT_EQ(text.find("step edit[src/a.c]\n  deny"), 0U) << text;
  for (const std::string_view part :
       {"frozen.yaml:7:5", "frozen-for-the-audit-of-this-year", "it is frozen", "leave it out"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(PlanView, ARefusalNamesTheBudgetThatIsTooSmall) {
  policy::Refusal refusal;
  refusal.over_budget.push_back({.field = "files_changed", .needed = 5, .allowed = 1});
  EXPECT_NE(
      refusal_view(refusal).find("budget `files_changed`: the plan may need 5, allowed are 1"),
      std::string::npos);
}

TEST(PlanView, ApprovalsNameStepAndRule) {
  std::map<StepId, policy::Decision> decisions;
  EXPECT_EQ(approvals_view(decisions), "");
  policy::Decision decision = denial();
  decision.effect = policy::Effect::require_approval;
  decisions.emplace(StepId("a"), decision);
  EXPECT_EQ(approvals_view(decisions),
            "step a needs approval: rule frozen-for-the-audit-of-this-year (frozen.yaml:7:5)");
}

}  // namespace
}  // namespace rgx::cli
