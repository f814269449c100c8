#include "cli/progress_view.h"

#include "tests/unit/cli/progress_scenario.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rgx::cli {
namespace {

ProgressEvent event(std::int64_t at_ms, ProgressBody body) {
  return {.at_ms = at_ms, .record = {}, .body = std::move(body)};
}

RunView three_steps() {
  RunView view;
  EXPECT_EQ(
      view.apply(event(0, RunAnnounced{.run = "r-1",
                                       .plan = {},
                                       .admission = {},
                                       .steps = {test::planned("a", "exec", "x", "one"),
                                                 test::planned("b", "exec", "x", "two", {"a"}),
                                                 test::planned("c", "exec", "x", "two", {"b"})}}))
          .size(),
      1U);
  return view;
}

StepFinished ended(std::string step, StepEnd end) {
  return {.step = std::move(step), .end = end, .summary = {}, .detail = {}, .wall_ms = 0};
}

TEST(RunView, TakesNothingThatContradictsTheStream) {
  RunView view;
  EXPECT_TRUE(view.apply(event(0, StepStarted{.step = "a"})).empty()) << "before the announcement";
  view = three_steps();
  EXPECT_TRUE(view.apply(event(0, RunAnnounced{})).empty()) << "a second announcement";
  EXPECT_TRUE(view.apply(event(0, StepStarted{.step = "nobody"})).empty());
  EXPECT_TRUE(view.apply(event(0, StepOutput{.step = "a", .bytes = 1})).empty()) << "not running";
  EXPECT_EQ(view.apply(event(0, StepStarted{.step = "a"})).size(), 1U);
  EXPECT_TRUE(view.apply(event(0, StepStarted{.step = "a"})).empty()) << "a second start";
  EXPECT_TRUE(view.apply(event(0, StepOutput{.step = "a", .bytes = -1})).empty());
  EXPECT_EQ(view.apply(event(0, ended("a", StepEnd::succeeded))).size(), 1U);
  EXPECT_TRUE(view.apply(event(0, ended("a", StepEnd::failed))).empty()) << "a second end";
  EXPECT_TRUE(view.apply(event(0, StepStarted{.step = "a"})).empty()) << "a start after the end";
  EXPECT_EQ(view.apply(event(0, RunFinished{})).size(), 3U);
  EXPECT_TRUE(view.apply(event(0, RunFinished{})).empty()) << "a second end of the run";
  EXPECT_EQ(view.tally(), (Tally{.succeeded = 1, .unfinished = 2}));
}

TEST(RunView, TheEndOfTheRunEndsItsStepsFirst) {
  RunView view = three_steps();
  static_cast<void>(view.apply(event(5, StepStarted{.step = "a"})));
  const std::vector<ProgressEvent> effects = view.apply(event(9, RunFinished{}));
  ASSERT_EQ(effects.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto* end = std::get_if<StepFinished>(&effects[i].body);
    ASSERT_NE(end, nullptr);
    EXPECT_EQ(end->end, StepEnd::unfinished);
    EXPECT_EQ(effects[i].at_ms, 9);
  }
  EXPECT_TRUE(std::holds_alternative<RunFinished>(effects.back().body));
}

TEST(RunView, RepeatedIdsAreOneStep) {
  RunView view;
  static_cast<void>(view.apply(event(0, RunAnnounced{.run = "r-1",
                                                     .plan = {},
                                                     .admission = {},
                                                     .steps = {test::planned("a", "exec", "x"),
                                                               test::planned("a", "exec", "y")}})));
  EXPECT_EQ(view.steps().size(), 1U);
  EXPECT_EQ(view.tally().total(), 1U);
}

TEST(RunView, CountsStayWholeInTheLongRun) {
  const RunView view = test::large_run().view();
  EXPECT_EQ(view.tally().total(), 1000U);
  Tally sum;
  for (const StepGroup& group : view.groups()) {
    EXPECT_GT(group.tally.total(), 0U);
    sum.succeeded += group.tally.succeeded;
    sum.failed += group.tally.failed;
    sum.refused += group.tally.refused;
    sum.skipped += group.tally.skipped;
    sum.running += group.tally.running;
    sum.asking += group.tally.asking;
    sum.waiting += group.tally.waiting;
  }
  EXPECT_EQ(sum, view.tally());
  Tally counted;
  for (const StepView& step : view.steps()) {
    ++counted.of(step);
  }
  EXPECT_EQ(counted, view.tally());
}

TEST(RunView, GroupsByFanOutThenByPhase) {
  RunView view;
  static_cast<void>(
      view.apply(event(0, RunAnnounced{.run = "r-1",
                                       .plan = {},
                                       .admission = {},
                                       .steps = {test::planned("edit[a.c]", "file.edit", ""),
                                                 test::planned("edit[b.c]", "file.edit", ""),
                                                 test::planned("lint[a.c]", "exec", ""),
                                                 test::planned("build", "exec", "", "verify"),
                                                 test::planned("test", "exec", "", "verify"),
                                                 test::planned("[odd]", "exec", "")}})));
  std::vector<std::string> names;
  for (const StepGroup& group : view.groups()) {
    names.push_back(group.name + " " + std::to_string(group.tally.total()));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"edit[*] 2", "other 2", "verify 2"}));
}

TEST(RunView, ThePhaseIsTheEarliestThatIsNotOver) {
  RunView view = three_steps();
  EXPECT_EQ(view.phases()[view.phase()], "one");
  static_cast<void>(view.apply(event(1, ended("b", StepEnd::succeeded))));
  EXPECT_EQ(view.phases()[view.phase()], "one");
  static_cast<void>(view.apply(event(2, ended("a", StepEnd::succeeded))));
  EXPECT_EQ(view.phases()[view.phase()], "two");
  static_cast<void>(view.apply(event(3, ended("c", StepEnd::succeeded))));
  EXPECT_EQ(view.phases()[view.phase()], "two");
}

TEST(RunView, FollowsASkipToItsCauseButNotPastWhatRan) {
  RunView view;
  static_cast<void>(view.apply(event(
      0,
      RunAnnounced{
          .run = "r-1",
          .plan = {},
          .admission = {},
          .steps = {test::planned("a", "exec", ""), test::planned("b", "exec", "", "", {"a"}),
                    test::planned("c", "exec", "", "", {"b"}),
                    test::planned("d", "exec", "", "", {"c", "x"}), test::planned("x", "exec", ""),
                    test::planned("e", "exec", "", "", {"x"})}})));
  for (const auto& [step, end] :
       std::vector<std::pair<std::string, StepEnd>>{{"a", StepEnd::failed},
                                                    {"d", StepEnd::skipped},
                                                    {"c", StepEnd::skipped},
                                                    {"b", StepEnd::skipped},
                                                    {"x", StepEnd::succeeded},
                                                    {"e", StepEnd::skipped}}) {
    static_cast<void>(view.apply(event(0, ended(step, end))));
  }
  EXPECT_EQ(view.skipped_because_of(*view.find("a")), 3U);
  EXPECT_EQ(view.troubles(), std::vector<std::size_t>{0});
}

TEST(RunView, AnApprovedStepAsksNoMore) {
  RunView view = three_steps();
  static_cast<void>(
      view.apply(event(1, StepWaiting{.step = "a", .rule = "r", .need = "", .how = ""})));
  EXPECT_EQ(view.asking().size(), 1U);
  static_cast<void>(view.apply(event(2, StepStarted{.step = "a"})));
  EXPECT_TRUE(view.asking().empty());
  EXPECT_EQ(view.running().size(), 1U);
  EXPECT_EQ(view.steps()[0].asks, StepWaiting{});
}

TEST(RunView, ReadsAClockThatGoesBackAsStanding) {
  RunView view = three_steps();
  static_cast<void>(view.apply(event(100, StepStarted{.step = "a"})));
  const auto effects = view.apply(event(50, StepOutput{.step = "a", .bytes = 1}));
  ASSERT_EQ(effects.size(), 1U);
  EXPECT_EQ(effects.front().at_ms, 100);
}

}  // namespace
}  // namespace rgx::cli
