#include "cli/exit_code.h"

#include <gtest/gtest.h>

#include <csignal>
#include <set>

namespace rgx::cli {
namespace {

int number(ExitCode code) {
  return static_cast<int>(code);
}

TEST(ExitCode, RowsAscendAndHaveWords) {
  int before = -1;
  std::set<std::string_view> names;
  for (const ExitCodeRow& row : exit_codes()) {
    EXPECT_LT(before, number(row.code));
    before = number(row.code);
    EXPECT_FALSE(row.meaning.empty());
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
  EXPECT_EQ(exit_codes().size(), 14U);
}

TEST(ExitCode, OfEachKindOfError) {
  EXPECT_EQ(number(exit_code(ErrorKind::usage)), 2);
  EXPECT_EQ(number(exit_code(ErrorKind::environment)), 7);
  EXPECT_EQ(number(exit_code(ErrorKind::drift)), 8);
  EXPECT_EQ(number(exit_code(ErrorKind::evidence)), 4);
  EXPECT_EQ(number(exit_code(ErrorKind::failed)), 1);
  EXPECT_EQ(number(exit_code(ErrorKind::internal)), 70);
}

TEST(ExitCode, OfEachVerdict) {
  EXPECT_EQ(number(exit_code(audit::VerdictKind::verified)), 0);
  EXPECT_EQ(number(exit_code(audit::VerdictKind::tampered)), 4);
  EXPECT_EQ(number(exit_code(audit::VerdictKind::inconclusive)), 9);
  EXPECT_EQ(number(exit_code(audit::VerdictKind::torn)), 10);
}

TEST(ExitCode, OfEachEndOfARun) {
  EXPECT_EQ(number(exit_code(engine::RunState::succeeded, 0)), 0);
  EXPECT_EQ(number(exit_code(engine::RunState::failed, 0)), 1);
  EXPECT_EQ(number(exit_code(engine::RunState::denied, 0)), 3);
  EXPECT_EQ(number(exit_code(engine::RunState::budget_exhausted, 0)), 5);
  EXPECT_EQ(number(exit_code(engine::RunState::drifted, 0)), 8);
  EXPECT_EQ(number(exit_code(engine::RunState::interrupted, SIGINT)), 130);
  EXPECT_EQ(number(exit_code(engine::RunState::interrupted, SIGTERM)), 143);
  EXPECT_EQ(number(exit_code(engine::RunState::interrupted, SIGHUP)), 143);
}

TEST(ExitCode, OfEachDecision) {
  EXPECT_EQ(number(exit_code(policy::Effect::allow)), 0);
  EXPECT_EQ(number(exit_code(policy::Effect::require_approval)), 6);
  EXPECT_EQ(number(exit_code(policy::Effect::deny)), 3);
}

TEST(ExitCode, OfARefusalPrefersDenialOverBudget) {
  policy::Refusal refusal;
  refusal.over_budget.push_back({.field = "steps", .needed = 2, .allowed = 1});
  EXPECT_EQ(number(exit_code(refusal)), 5);
  refusal.denied.emplace(StepId("a"), policy::Decision{});
  EXPECT_EQ(number(exit_code(refusal)), 3);
}

TEST(ExitCode, ThreeBeatsFiveBeatsOne) {
  EXPECT_EQ(worse(ExitCode::over_budget, ExitCode::denied), ExitCode::denied);
  EXPECT_EQ(worse(ExitCode::failed, ExitCode::over_budget), ExitCode::over_budget);
  EXPECT_EQ(worse(ExitCode::failed, ExitCode::denied), ExitCode::denied);
  for (const ExitCodeRow& row : exit_codes()) {
    EXPECT_EQ(worse(row.code, ExitCode::done), row.code);
    for (const ExitCodeRow& other : exit_codes()) {
      EXPECT_EQ(worse(row.code, other.code), worse(other.code, row.code));
    }
  }
}

}  // namespace
}  // namespace rgx::cli
