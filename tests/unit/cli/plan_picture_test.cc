#include "cli/plan_picture.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

PlanRow row(const std::string& id, const std::string& group) {
  PlanRow row;
  row.id = id;
  row.group = group;
  row.tool = "file.edit";
  row.effect = policy::Effect::allow;
  row.risk = policy::Risk::low;
  row.cost.files_changed = 1;
  row.cost.wall_ms = 900000;
  return row;
}

std::vector<PlanRow> edits(std::size_t n) {
  std::vector<PlanRow> rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.push_back(row("edit[" + std::to_string(i) + "]", "edit"));
  }
  return rows;
}

TEST(PlanPicture, AThousandStepsOfOneForEachAreOneFold) {
  std::vector<PlanRow> rows = edits(1000);
  rows.push_back(row("tests", ""));
  const std::vector<PlanFold> folds = fold_rows(rows, 12);
  ASSERT_EQ(folds.size(), 2U);
  EXPECT_EQ(folds[0].name(), "edit[...] (1000 steps)");
  EXPECT_EQ(cost_text(folds[0]), "1000 files changed, 15 min each");
  EXPECT_EQ(folds[1].name(), "tests");
  EXPECT_EQ(cost_text(folds[1]), "1 file changed, 15 min");
}

TEST(PlanPicture, AFewStepsStayApart) {
  EXPECT_EQ(fold_rows(edits(12), 12).size(), 12U);
  EXPECT_EQ(fold_rows(edits(13), 12).size(), 1U);
}

TEST(PlanPicture, StepsThatStandAloneAreNeverFolded) {
  EXPECT_EQ(fold_rows({row("a", ""), row("b", ""), row("c", "")}, 1).size(), 3U);
}

TEST(PlanPicture, WhatPolicyTreatsOtherwiseIsNotHiddenInAFold) {
  std::vector<PlanRow> rows = edits(100);
  rows[50].effect = policy::Effect::deny;
  const std::vector<PlanFold> folds = fold_rows(rows, 12);
  ASSERT_EQ(folds.size(), 3U);
  EXPECT_EQ(folds[1].name(), "edit[50]");
  rows[50].effect = policy::Effect::allow;
  rows[50].risk = policy::Risk::critical;
  EXPECT_EQ(fold_rows(rows, 12).size(), 3U);
}

TEST(PlanPicture, SummariesNameTheWorstFirst) {
  std::vector<PlanRow> rows = edits(3);
  rows[2].effect = policy::Effect::require_approval;
  rows[2].risk = policy::Risk::high;
  EXPECT_EQ(effects_summary(rows), "1 ask, 2 allow");
  EXPECT_EQ(risks_summary(rows), "1 high, 2 low");
}

TEST(PlanPicture, NamesAreCutWithACount) {
  EXPECT_EQ(some_of({}, 2), "");
  EXPECT_EQ(some_of({"a", "b"}, 2), "a, b");
  EXPECT_EQ(some_of({"a", "b", "c", "d"}, 2), "a, b and 2 more");
}

}  // namespace
}  // namespace rgx::cli
