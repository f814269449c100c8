#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

// Acceptance: the checks of a plan, after its steps and apart from them.

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::edit_step;
using rgx::test::EngineWorld;
using rgx::test::exec_step;
using rgx::test::ScriptedProcess;
using Verdict = AcceptanceReport::Verdict;
using Lines = std::vector<std::string>;

templates::Step check(int number, std::string_view tool, Json with) {
  templates::Step step;
  step.id = StepId("acceptance[" + std::to_string(number) + "]");
  step.tool.use = tool;
  step.tool.with = std::move(with);
  step.idempotent = true;
  return step;
}

templates::Step test_check(int number) {
  templates::Step step =
      check(number, "check.tests", Json::object({{"argv", Json::array_of({"true", "tests"})}}));
  step.tool.read = {"**"};
  step.tool.write = {"build/**"};
  return step;
}

templates::Step paths_check(int number, const std::string& allowed) {
  return check(number, "check.paths", Json::object({{"changed_only", Json::array_of({allowed})}}));
}

struct World : EngineWorld {
  World() { workspace.put("src/a.c", "old").put("tests/a.c", "old"); }
  Result<RunReport> judge(const std::string& path, std::vector<templates::Step> checks) {
    return run(admit({edit_step("edit", path)}, std::move(checks)));
  }
};

TEST(Judge, AcceptsWhatPassesItsChecks) {
  World world;
  const auto report = world.judge("src/a.c", {test_check(1), paths_check(2, "src")});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  ASSERT_TRUE(report->acceptance);
  EXPECT_EQ(report->acceptance->verdict, Verdict::accepted);
  EXPECT_EQ(world.story(report->run),
            (Lines{"step_intent edit", "step_outcome edit succeeded", "step_intent acceptance[1]",
                   "step_outcome acceptance[1] succeeded", "step_intent acceptance[2]",
                   "step_outcome acceptance[2] succeeded", "run_sealed succeeded"}));
  EXPECT_EQ(world.verify(report->run).kind, audit::VerdictKind::verified);
  const auto records = world.records(report->run);
  const Json& told = *records.back().body.find("acceptance");
  EXPECT_EQ(told.find("verdict")->as_string(), "accepted");
  const auto cited =
      static_cast<std::size_t>(told.find("checks")->as_array()[0].find("record")->as_integer());
  EXPECT_EQ(records.at(cited).body.find("step")->as_string(), "acceptance[1]");
  EXPECT_EQ(world.state.scratch_open, 0U);
}

TEST(Judge, RunsProgramsInACopyAndLetsThemReadTheOriginal) {
  World world;
  ASSERT_TRUE(accepted(world.judge("src/a.c", {test_check(1)})));
  ASSERT_EQ(world.workspace.copies.size(), 1U);
  const std::string copy = world.workspace.copies[0].to;
  const auto specs = world.processes.specs();
  ASSERT_EQ(specs.size(), 1U);
  EXPECT_EQ(specs[0].cwd, copy);
  for (const std::string& path : specs[0].sandbox.write_below) {
    EXPECT_FALSE(path.starts_with(world.workspace.root())) << path;
  }
  const auto& reads = specs[0].sandbox.read_below;
  EXPECT_NE(std::ranges::find(reads, world.workspace.root()), reads.end());
  EXPECT_EQ(world.workspace.kind("build").value(), EntryKind::missing);
}

TEST(Judge, LeavesOutWhatAnotherProgramOfTheRunMayHaveWritten) {
  World world;
  ASSERT_TRUE(accepted(world.run(
      world.admit({exec_step("agent", {"true", "agent"}, {}, {"build/**"})}, {test_check(1)}))));
  ASSERT_EQ(world.workspace.copies[0].left_out.size(), 1U);
  EXPECT_EQ(world.workspace.copies[0].left_out[0].pattern(), "build/**");
  ASSERT_TRUE(accepted(world.run(
      world.admit({exec_step("tests", {"true", "tests"}, {}, {"build/**"})}, {test_check(1)}))));
  EXPECT_TRUE(world.workspace.copies[1].left_out.empty());
  EXPECT_EQ(world.workspace.copies[1].kept.size(), 1U);
}

TEST(Judge, RefusesWhatFailsACheckAndCarriesOutTheOthers) {
  World world;
  world.processes.on("true tests", ScriptedProcess::exit_with(1));
  const auto report = world.judge("src/a.c", {test_check(1), paths_check(2, "src")});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_EQ(report->acceptance->verdict, Verdict::refused);
  EXPECT_EQ(report->acceptance->checks[0].state, StepState::failed);
  EXPECT_EQ(report->acceptance->checks[1].state, StepState::succeeded);
  EXPECT_EQ(exit_code(report->state), 1);
}

TEST(Judge, AsksAPersonWhereTheTestsWereChanged) {
  World world;
  const auto report = world.judge("tests/a.c", {test_check(1)});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::waiting);
  EXPECT_EQ(report->acceptance->verdict, Verdict::needs_review);
  EXPECT_EQ(report->acceptance->changed_judge, (Lines{"tests/a.c"}));
  EXPECT_EQ(exit_code(report->state), 6);
  ASSERT_EQ(report->waiting.size(), 1U);
  EXPECT_EQ(report->waiting[0].step, StepId("acceptance"));
  EXPECT_EQ(report->waiting[0].need, "1 approver");
  EXPECT_EQ(world.verify(report->run).kind, audit::VerdictKind::inconclusive);
  EXPECT_EQ(world.index_records().back().type, audit::RecordType::run_started);
  const audit::Record last = world.records(report->run).back();
  EXPECT_EQ(last.type, audit::RecordType::run_suspended);
  const Json& found = *last.body.find("acceptance");
  EXPECT_EQ(found.find("changed_judge")->as_array()[0].find("path")->as_string(), "tests/a.c");
}

TEST(Judge, ReliesOnTestsOnlyWhereItRunsThem) {
  World world;
  const auto report = world.judge("tests/a.c", {paths_check(1, "tests")});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(report->acceptance->verdict, Verdict::accepted);
  EXPECT_TRUE(report->acceptance->changed_judge.empty());
}

TEST(Judge, LetsChangedTestsPassWherePolicySaysSo) {
  World world;
  rgx::test::PolicyText text;
  text.concurrency = "{process: 2}\nacceptance: {changed_judge: allow}";
  world.policy = rgx::test::make_policy(text);
  const auto report = world.judge("tests/a.c", {test_check(1)});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(report->acceptance->changed_judge, (Lines{"tests/a.c"}));
}

TEST(Judge, DoesNotJudgeARunThatFailed) {
  World world;
  world.processes.on("false", ScriptedProcess::exit_with(1));
  const auto report = world.run(world.admit({exec_step("work", {"false"})}, {test_check(1)}));
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_FALSE(report->acceptance);
  EXPECT_EQ(world.story(report->run).at(2), "step_skipped acceptance[1] the run did not succeed");
}

TEST(Judge, InterruptedBeforeItEndedIsNoSuccess) {
  World world;
  world.processes.on("true tests", ScriptedProcess::exit_with(0),
                     [&world](const CancelFlag&) { world.interruption.finish.store(true); });
  const auto report = world.judge("src/a.c", {test_check(1), paths_check(2, "src")});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::interrupted);
  EXPECT_EQ(report->acceptance->verdict, Verdict::refused);
  EXPECT_EQ(report->acceptance->checks[1].state, StepState::skipped);
}

}  // namespace
}  // namespace rgx::engine
