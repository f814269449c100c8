#include "base/text.h"
#include "cli/progress.h"
#include "cli/progress_frame.h"
#include "tests/support/golden.h"
#include "tests/unit/cli/progress_scenario.h"
#include "tests/unit/cli/progress_screen_model.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::cli {
namespace {

using test::RecordingSink;
using test::Scenario;
using test::ScreenModel;
using test::Widths;

const ProgressSettings kLive = {.mode = ProgressMode::live,
                                .symbols = Symbols::unicode,
                                .colour = Colour::off,
                                .wording = Wording::terse,
                                .host = LogHost::other,
                                .fence = {}};

class LivePainter : public testing::Test {
 protected:
  void feed(const Scenario& run) {
    for (const ProgressEvent& event : run.events()) {
      painter->on(event);
    }
  }
  std::size_t writes() const { return sink.writes.size(); }

  RecordingSink sink;
  std::unique_ptr<ProgressPainter> painter = make_painter(kLive, sink);
};

Scenario two_steps() {
  Scenario run;
  run.announce({.run = "r-1",
                .plan = {},
                .admission = {},
                .steps = {test::planned("a", "exec", "make"),
                          test::planned("b", "exec", "ctest", "", {"a"})}});
  return run;
}

TEST_F(LivePainter, PaintsNothingInTheFirstHalfSecond) {
  feed(two_steps().at(0).start("a"));
  for (std::int64_t now = 0; now < 500; now += 50) {
    painter->tick(now);
  }
  EXPECT_EQ(writes(), 0U);
  painter->tick(500);
  EXPECT_EQ(writes(), 1U);
}

TEST_F(LivePainter, ARunThatEndsBeforeThatShowsItsLastWordsOnly) {
  feed(two_steps()
           .start("a")
           .at(40)
           .end("a", StepEnd::succeeded)
           .start("b")
           .end("b", StepEnd::succeeded)
           .finish(RunEnd::succeeded, 0, "2 files changed"));
  painter->tick(100);
  painter->finish();
  ScreenModel screen({}, Widths::graphemes);
  screen.write(sink.all());
  EXPECT_EQ(screen.text(), "rgx   run r-1 succeeded: 2/2 ok (0s)\n2 files changed\n");
}

TEST_F(LivePainter, PaintsAtMostTenTimesASecondAndOnlyWhatIsNew) {
  feed(two_steps().start("a"));
  std::int64_t bytes = 0;
  for (std::int64_t now = 500; now < 1500; now += 10) {
    Scenario more;
    more.at(now).output("a", ++bytes * 1000);
    feed(more);
    painter->tick(now);
  }
  EXPECT_LE(writes(), 10U);
  EXPECT_GE(writes(), 9U);
  const std::size_t before = writes();
  for (std::int64_t now = 1500; now < 1999; now += 10) {
    painter->tick(now);
  }
  EXPECT_LE(writes() - before, 1U) << "the same picture was written again";
}

TEST_F(LivePainter, TheClockGoesOnWithoutEvents) {
  feed(two_steps().start("a"));
  for (std::int64_t now = 1000; now <= 10'000; now += 100) {
    painter->tick(now);
  }
  EXPECT_EQ(writes(), 10U);
  EXPECT_NE(sink.writes.back().find("quiet 10s"), std::string::npos);
}

TEST_F(LivePainter, OneWriteAFrameThatLeavesTheTerminalAsFound) {
  feed(test::small_run());
  ScreenModel screen({}, Widths::graphemes);
  for (std::int64_t now = 72'000; now < 75'000; now += 100) {
    painter->tick(now);
  }
  ASSERT_GE(writes(), 3U);
  for (const std::string& frame : sink.writes) {
    EXPECT_TRUE(frame.starts_with("\x1b[?2026h")) << printable(frame.substr(0, 20));
    EXPECT_TRUE(frame.ends_with("\x1b[?2026l"));
    screen.write(frame);
    EXPECT_TRUE(screen.is_as_found());
  }
  EXPECT_EQ(screen.complaints(), std::vector<std::string>());
}

TEST_F(LivePainter, TheScreenShowsTheFrameAndTheCursorIsBelow) {
  const Scenario run = test::small_run();
  feed(run);
  ScreenModel screen({}, Widths::graphemes);
  painter->tick(72'000);
  painter->tick(73'000);
  for (const std::string& frame : sink.writes) {
    screen.write(frame);
  }
  const Frame frame = draw_frame(run.view(), {}, Symbols::unicode, 73'000);
  EXPECT_EQ(screen.text(), to_text(frame));
  EXPECT_EQ(screen.cursor_row(), frame.size());
}

TEST_F(LivePainter, AFrameThatShrinksLeavesNothingBehind) {
  feed(test::small_run());
  painter->tick(72'000);
  Scenario rest;
  rest.at(73'000).start("s8");
  for (const std::string_view step : {"s7", "s8", "s9", "s10", "s11", "s12"}) {
    rest.end(std::string(step), StepEnd::succeeded);
  }
  feed(rest);
  painter->tick(74'000);
  ScreenModel screen({}, Widths::graphemes);
  screen.write(sink.all());
  const std::string text = screen.text();
  EXPECT_NE(text.find("12/12 ok"), std::string::npos) << text;
  EXPECT_EQ(text.find("wait"), std::string::npos) << text;
}

TEST_F(LivePainter, FailuresGoIntoTheScrollbackAtOnce) {
  feed(two_steps().start("a"));
  painter->tick(1000);
  Scenario failure;
  failure.at(1500)
      .end("a", StepEnd::failed, "exit status 2", "one\ntwo\n")
      .end("b", StepEnd::skipped);
  feed(failure);
  painter->tick(1600);
  ScreenModel screen({.rows = 12, .columns = 60}, Widths::graphemes);
  screen.write(sink.all());
  EXPECT_TRUE(screen.text().starts_with(
      "FAIL  a exec make: exit status 2 (1s)\n      | one\n      | two\nrgx run r-1\n"))
      << screen.text();
}

TEST_F(LivePainter, TheFirstCauseIsAmongTheLastWords) {
  Scenario run = test::large_run();
  run.at(843'000).finish(RunEnd::waiting, 6, "approve, then `rgx resume r-81c000c0ffee`");
  feed(run);
  painter->finish();
  ScreenModel screen({.rows = 24, .columns = 100}, Widths::graphemes);
  screen.write(sink.all());
  EXPECT_TRUE(screen.is_as_found());
  rgx::test::expect_golden("progress/large-live-end.txt", screen.text());
}

TEST_F(LivePainter, AStuckTerminalGetsNoMoreFrames) {
  feed(two_steps().start("a"));
  painter->tick(1000);
  ASSERT_EQ(writes(), 1U);
  sink.stuck = true;
  for (std::int64_t now = 1100; now < 60'000; now += 100) {
    painter->tick(now);
  }
  EXPECT_EQ(writes(), 1U);
  sink.stuck = false;
  painter->tick(60'000);
  EXPECT_EQ(writes(), 2U);
}

TEST_F(LivePainter, DoesNotPaintOverWhatMayHaveMoved) {
  feed(two_steps().start("a"));
  painter->tick(1000);
  painter->tick(2000);
  EXPECT_NE(sink.writes.back().find("\x1b[5A"), std::string::npos);
  sink.continued = true;
  painter->tick(3000);
  EXPECT_EQ(sink.writes.back().find("A\r"), std::string::npos) << "over the shell's text";
  sink.terminal = {.rows = 24, .columns = 60};
  painter->tick(4000);
  EXPECT_EQ(sink.writes.back().find("A\r"), std::string::npos) << "over a wrapped frame";
  painter->tick(5000);
  EXPECT_NE(sink.writes.back().find("A\r"), std::string::npos);
}

TEST_F(LivePainter, HostileTextReachesNoTerminal) {
  Scenario run = test::hostile_run();
  feed(run);
  painter->tick(130'000);
  painter->finish();
  ScreenModel screen({}, Widths::graphemes);
  screen.write(sink.all());
  EXPECT_EQ(screen.complaints(), std::vector<std::string>());
  EXPECT_TRUE(screen.is_as_found());
}

class ColumnsOnAnyTerminal : public testing::TestWithParam<Widths> {};

TEST_P(ColumnsOnAnyTerminal, StayInPlaceBesideWideText) {
  RecordingSink sink;
  const auto painter = make_painter(kLive, sink);
  Scenario run;
  run.announce({.run = "r-1",
                .plan = {},
                .admission = {},
                .steps = {test::planned("ascii", "exec", "plain"),
                          test::planned("chinese", "exec", "依赖清单 生成"),
                          test::planned("emoji", "exec", "🚀👍🏽❤ ok"),
                          test::planned("korean", "exec", "빌드 목록 빌드 목록")}});
  run.start("ascii").start("chinese").start("emoji").start("korean");
  for (const ProgressEvent& event : run.events()) {
    painter->on(event);
  }
  painter->tick(5000);
  ScreenModel screen({}, GetParam());
  screen.write(sink.all());
  EXPECT_EQ(screen.complaints(), std::vector<std::string>());
  std::vector<int> columns;
  for (std::size_t line = 0; line < screen.lines().size(); ++line) {
    if (const int column = screen.column_of(line, "quiet"); column >= 0) {
      columns.push_back(column);
    }
  }
  EXPECT_EQ(columns, std::vector<int>(4, columns.empty() ? -1 : columns.front()));
  EXPECT_GT(columns.front(), 40);
}

INSTANTIATE_TEST_SUITE_P(LivePainter, ColumnsOnAnyTerminal,
                         testing::Values(Widths::graphemes, Widths::code_points, Widths::narrow));

}  // namespace
}  // namespace rgx::cli
