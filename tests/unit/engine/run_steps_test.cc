#include <gtest/gtest.h>

#include <algorithm>

#include "engine/retry.h"
#include "engine/run_records.h"
#include "templates/step_output.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

// Conditions, outputs of earlier steps in inputs, and further attempts.

namespace rgx::engine {
namespace {

using audit::RecordType;
using audit::VerdictKind;
using rgx::test::accepted;
using rgx::test::edit_step;
using rgx::test::EngineWorld;
using rgx::test::exec_step;
using rgx::test::pin_after;
using rgx::test::pin_bytes;
using rgx::test::ScriptedProcess;
using rgx::test::search_step;
using rgx::test::state_of;

using Lines = std::vector<std::string>;

Json output(const std::string& step, const std::string& member) {
  return Json::object({{"$output", Json::object({{"step", step}, {"member", member}})}});
}

Json equals(Json left, Json right) {
  return Json::object({{"equals", Json::array({std::move(left), std::move(right)})}});
}

templates::Step when(templates::Step step, Json condition) {
  step.when = std::move(condition);
  return step;
}

templates::Step retried(templates::Step step, std::int64_t attempts_max, Lines reasons,
                        std::int64_t backoff_ms = 0) {
  step.retry = templates::Retry{attempts_max, backoff_ms, std::move(reasons)};
  return step;
}

templates::Step pinned(templates::Step step, templates::Pin pin) {
  step.pins.push_back(std::move(pin));
  return step;
}

/// The program ends with these codes, one after the other; then with the last one.
void ends_with(EngineWorld& world, const std::string& command, std::vector<int> codes) {
  const int code = codes.front();
  if (codes.size() > 1) {
    codes.erase(codes.begin());
  }
  world.processes.on(
      command, ScriptedProcess::exit_with(code),
      [&world, command, codes](const CancelFlag&) { ends_with(world, command, codes); });
}

TEST(RunCondition, OfASkippedStepIsNeitherFailureNorSuccess) {
  EngineWorld world;
  world.repository.track("docs/a.md", "nothing here");
  const Json found = Json::object({{"not", equals(output("find", "count"), 0)}});
  const auto report = world.run({search_step("find", "old", {"docs"}),
                                 when(exec_step("tests", {"true"}, {"find"}), found),
                                 exec_step("after", {"true"}, {"tests"})});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(state_of(*report, "tests"), StepState::skipped);
  EXPECT_EQ(state_of(*report, "after"), StepState::succeeded);
  EXPECT_EQ(world.story(report->run),
            (Lines{"step_intent find", "step_outcome find succeeded",
                   "step_skipped tests its condition does not hold", "step_intent after",
                   "step_outcome after succeeded", "run_sealed succeeded"}));
  EXPECT_EQ(world.processes.specs().size(), 1U);
  EXPECT_EQ(world.verify(report->run).kind, VerdictKind::verified);
}

TEST(RunCondition, ThatHoldsLetsTheStepRun) {
  EngineWorld world;
  const auto report =
      world.run({exec_step("first", {"true"}), when(exec_step("second", {"true", "2"}, {"first"}),
                                                    equals(output("first", "exit_code"), 0))});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(state_of(*report, "second"), StepState::succeeded);
}

TEST(RunCondition, OutputOfASkippedStepIsNothing) {
  EngineWorld world;
  const auto report =
      world.run({exec_step("a", {"true", "a"}),
                 when(exec_step("b", {"true", "b"}, {"a"}), equals(output("a", "exit_code"), 1)),
                 when(exec_step("c", {"true", "c"}, {"b"}),
                      Json::object({{"empty", output("b", "exit_code")}}))});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(state_of(*report, "b"), StepState::skipped);
  EXPECT_EQ(state_of(*report, "c"), StepState::succeeded);
}

TEST(RunCondition, FilesThatASkippedStepWouldWriteAreStillPinned) {
  for (const bool drifts : {false, true}) {
    EngineWorld world;
    world.workspace.put("a.c", "old");
    world.processes.on("true", ScriptedProcess::exit_with(0), [&](const CancelFlag&) {
      if (drifts) {
        world.workspace.put("a.c", "old, but changed by someone");
      }
    });
    const auto report = world.run(
        {exec_step("first", {"true"}),
         pinned(when(edit_step("edit", "a.c", {"first"}), equals(output("first", "exit_code"), 1)),
                pin_bytes("a.c", "old")),
         pinned(edit_step("again", "a.c", {"edit"}), pin_after("a.c", "edit"))});
    ASSERT_TRUE(accepted(report));
    EXPECT_EQ(state_of(*report, "edit"), StepState::skipped);
    EXPECT_EQ(report->state, drifts ? RunState::drifted : RunState::succeeded);
  }
}

TEST(RunOutputs, AreInTheStepBeforeItsIntent) {
  EngineWorld world;
  world.workspace.put("docs/a.md", "old old");
  world.repository.track("docs/a.md", "old old");
  templates::Step second = search_step("second", "x", {"docs"}, {"find"});
  second.tool.with.set("word",
                       Json::object({{"$text", Json::array({"n", output("find", "count")})}}));
  const auto report = world.run({search_step("find", "old", {"docs"}), second});
  ASSERT_TRUE(accepted(report));
  ASSERT_EQ(report->state, RunState::succeeded);
  templates::Step closed = second;
  closed.tool.with.set("word", "n2");
  for (const audit::Record& record : world.records(report->run)) {
    const Json* step = record.body.find("step");
    if (record.type == RecordType::step_intent && step->as_string() == "second") {
      EXPECT_EQ(*record.body.find("inputs_digest"), Json(inputs_digest(closed, {}).to_string()));
    }
  }
}

TEST(RunOutputs, ThatAreMissingFailTheStep) {
  EngineWorld world;
  templates::Step second = search_step("second", "x", {"docs"}, {"first"});
  second.tool.with.set(
      "word", Json::object({{"$text", Json::array({"n", output("first", "tests.failed")})}}));
  const auto report = world.run({exec_step("first", {"true"}), second});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_EQ(state_of(*report, "second"), StepState::refused);
  EXPECT_EQ(world.verify(report->run).kind, VerdictKind::verified);
}

TEST(RunRetry, TriesAgainAndChargesEveryAttempt) {
  EngineWorld world;
  ends_with(world, "true", {75, 75, 0});
  const auto report = world.run({retried(exec_step("flaky", {"true"}), 3, {"transient"}),
                                 exec_step("after", {"true", "x"}, {"flaky"})});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(report->spent.processes, 4);
  EXPECT_EQ(world.story(report->run),
            (Lines{"step_intent flaky", "step_outcome flaky failed", "step_intent flaky",
                   "step_outcome flaky failed", "step_intent flaky", "step_outcome flaky succeeded",
                   "step_intent after", "step_outcome after succeeded", "run_sealed succeeded"}));
  std::vector<std::int64_t> attempts;
  for (const audit::Record& record : world.records(report->run)) {
    if (const Json* attempt = record.body.find("attempt")) {
      attempts.push_back(attempt->as_integer());
    }
  }
  EXPECT_EQ(attempts, (std::vector<std::int64_t>{1, 1, 2, 2, 3, 3, 1, 1}));
  EXPECT_EQ(world.verify(report->run).kind, VerdictKind::verified);
}

TEST(RunRetry, EndsWithTheLastAttempt) {
  EngineWorld world;
  ends_with(world, "true", {75});
  const auto report = world.run({retried(exec_step("flaky", {"true"}), 2, {"transient"}),
                                 exec_step("after", {"true", "x"}, {"flaky"})});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_EQ(state_of(*report, "flaky"), StepState::failed);
  EXPECT_EQ(state_of(*report, "after"), StepState::skipped);
  EXPECT_EQ(report->spent.processes, 2);
}

TEST(RunRetry, PermanentFailureIsNotTransient) {
  EngineWorld world;
  ends_with(world, "true", {1, 0});
  const auto once = world.run({retried(exec_step("tests", {"true"}), 3, {"transient"})});
  ASSERT_TRUE(accepted(once));
  EXPECT_EQ(once->state, RunState::failed);
  EXPECT_EQ(once->spent.processes, 1);
  ends_with(world, "true", {1, 0});
  const auto twice = world.run({retried(exec_step("tests", {"true"}), 3, {"failed"})});
  ASSERT_TRUE(accepted(twice));
  EXPECT_EQ(twice->state, RunState::succeeded);
}

TEST(RunRetry, OthersRunWhileOneWaits) {
  EngineWorld world;
  ends_with(world, "true", {75, 0});
  const auto report =
      world.run({retried(exec_step("a", {"true"}), 2, {"transient"}, 40),
                 exec_step("b", {"true", "b"}), exec_step("c", {"true", "c"}, {"b"})});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  const Lines story = world.story(report->run);
  EXPECT_LT(std::ranges::find(story, "step_outcome c succeeded"),
            std::ranges::find(story, "step_outcome a succeeded"));
}

TEST(RunRetry, StopsWhenTheRunIsToEnd) {
  EngineWorld world;
  world.processes.on("true", ScriptedProcess::exit_with(75),
                     [&](const CancelFlag&) { world.interruption.finish.store(true); });
  const auto report = world.run({retried(exec_step("flaky", {"true"}), 5, {"transient"}, 60000)});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(state_of(*report, "flaky"), StepState::failed);
  EXPECT_EQ(report->spent.processes, 1);
}

TEST(RunRetry, DoesNotWaitBeyondTheTimeOfTheRun) {
  EngineWorld world;
  ends_with(world, "true", {75, 0});
  const auto report = world.run({retried(exec_step("flaky", {"true"}), 5, {"transient"}, 3600000)});
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_EQ(report->spent.processes, 1);
}

TEST(RunRetry, EveryAttemptIsInTheWorstCase) {
  EngineWorld world;
  const auto plan = world.admit({retried(exec_step("flaky", {"true"}), 3, {"transient"})});
  EXPECT_EQ(plan.worst_case().processes, 3);
  EXPECT_EQ(plan.worst_case().steps, 3);
}

TEST(RetryDelay, DoublesWithJitterThatCanBeToldAgain) {
  const templates::Step step = retried(exec_step("flaky", {"true"}), 10, {"failed"}, 100);
  Outcome failed;
  failed.state = StepState::failed;
  std::int64_t pause = 100;
  for (std::int64_t attempt = 1; attempt < 10; ++attempt) {
    const auto delay = retry_delay_ms(step, attempt, failed, "seed");
    ASSERT_TRUE(delay.has_value());
    EXPECT_GE(*delay, pause);
    EXPECT_LE(*delay, pause + pause / 4);
    EXPECT_EQ(delay, retry_delay_ms(step, attempt, failed, "seed"));
    pause *= 2;
  }
  EXPECT_FALSE(retry_delay_ms(step, 10, failed, "seed").has_value());
  EXPECT_NE(retry_delay_ms(step, 9, failed, "seed"), retry_delay_ms(step, 9, failed, "other"));
}

TEST(RetryDelay, IsNoneForWhatMustNotRunTwice) {
  templates::Step step = retried(exec_step("write", {"true"}), 3, {"failed", "timed_out"});
  Outcome outcome;
  outcome.state = StepState::failed;
  outcome.changed.push_back(Change{"a.c", std::nullopt, digest_bytes("x")});
  step.idempotent = false;
  EXPECT_FALSE(retry_delay_ms(step, 1, outcome, "").has_value());
  step.idempotent = true;
  EXPECT_TRUE(retry_delay_ms(step, 1, outcome, "").has_value());
  outcome.state = StepState::cancelled;
  EXPECT_FALSE(retry_delay_ms(step, 1, outcome, "").has_value());
  outcome.state = StepState::timed_out;
  EXPECT_TRUE(retry_delay_ms(step, 1, outcome, "").has_value());
}

TEST(RetryReason, TellsTransientFromPermanent) {
  Outcome outcome;
  outcome.state = StepState::failed;
  outcome.exit_code = 1;
  EXPECT_EQ(retry_reason(outcome), "failed");
  outcome.exit_code = 75;
  EXPECT_EQ(retry_reason(outcome), "transient");
  outcome = failed_outcome(make_error(ErrorKind::environment, "process.not_started", "m", "r"));
  EXPECT_EQ(retry_reason(outcome), "transient");
  outcome = failed_outcome(make_error(ErrorKind::drift, "workspace.changed", "m", "r"));
  EXPECT_EQ(retry_reason(outcome), std::nullopt);
  outcome = Outcome();
  outcome.state = StepState::succeeded;
  EXPECT_EQ(retry_reason(outcome), std::nullopt);
}

}  // namespace
}  // namespace rgx::engine
