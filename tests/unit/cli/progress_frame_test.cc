#include "cli/progress_frame.h"

#include "base/text.h"
#include "cli/display_width.h"
#include "tests/support/golden.h"
#include "tests/unit/cli/progress_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rgx::cli {
namespace {

using test::Scenario;

std::string picture(const Scenario& run, TerminalSize size, Symbols symbols = Symbols::unicode) {
  return to_text(draw_frame(run.view(), size, symbols, run.now_ms()));
}

void expect_frame(const Scenario& run, TerminalSize size, std::string_view name,
                  Symbols symbols = Symbols::unicode) {
  rgx::test::expect_golden("progress/" + std::string(name), picture(run, size, symbols));
}

constexpr TerminalSize kUsual = {.rows = 24, .columns = 80};
constexpr TerminalSize kSmall = {.rows = 10, .columns = 40};
constexpr TerminalSize kWide = {.rows = 50, .columns = 200};

TEST(DrawFrame, SmallRun80x24) {
  expect_frame(test::small_run(), kUsual, "small-80x24.txt");
}
TEST(DrawFrame, SmallRun40x10) {
  expect_frame(test::small_run(), kSmall, "small-40x10.txt");
}
TEST(DrawFrame, SmallRun200x50) {
  expect_frame(test::small_run(), kWide, "small-200x50.txt");
}
TEST(DrawFrame, SmallRunInAscii) {
  expect_frame(test::small_run(), kUsual, "small-80x24-ascii.txt", Symbols::ascii);
}
TEST(DrawFrame, ThousandSteps80x24) {
  expect_frame(test::large_run(), kUsual, "large-80x24.txt");
}
TEST(DrawFrame, ThousandSteps40x10) {
  expect_frame(test::large_run(), kSmall, "large-40x10.txt");
}
TEST(DrawFrame, ThousandSteps200x50) {
  expect_frame(test::large_run(), kWide, "large-200x50.txt");
}
TEST(DrawFrame, TenThousandSteps80x24) {
  expect_frame(test::huge_run(), kUsual, "huge-80x24.txt");
}
TEST(DrawFrame, HostileText80x24) {
  expect_frame(test::hostile_run(), kUsual, "hostile-80x24.txt");
}
TEST(DrawFrame, HostileText200x50) {
  expect_frame(test::hostile_run(), kWide, "hostile-200x50.txt");
}
TEST(DrawFrame, Interrupted) {
  Scenario run = test::small_run();
  run.at(73'000).interrupt(Interruption::finish_running);
  expect_frame(run, kUsual, "interrupted-80x24.txt");
}
TEST(DrawFrame, BeforeTheFirstStep) {
  Scenario run;
  run.announce({.run = "r-1",
                .plan = {},
                .admission = {},
                .steps = {test::planned("a", "exec", "true"),
                          test::planned("b", "exec", "true", "", {"a"})}});
  run.at(700);
  expect_frame(run, kUsual, "first-80x24.txt");
}

std::vector<std::pair<std::string, Scenario>> all_runs() {
  return {{"small", test::small_run()},
          {"large", test::large_run()},
          {"huge", test::huge_run()},
          {"hostile", test::hostile_run()}};
}

TEST(DrawFrame, NeverTallerOrWiderThanTheTerminalHasRoomFor) {
  for (const auto& [name, run] : all_runs()) {
    const RunView view = run.view();
    for (std::size_t rows = 1; rows <= 30; ++rows) {
      for (const std::size_t columns : {1U, 20U, 21U, 33U, 40U, 59U, 71U, 80U, 91U, 120U, 200U}) {
        const Frame frame =
            draw_frame(view, {.rows = rows, .columns = columns}, Symbols::unicode, run.now_ms());
        const std::size_t rows_max = std::max<std::size_t>(rows, 2) - 1;
        ASSERT_LE(frame.size(), std::min(rows_max, kFrameRowsMax)) << name << " " << rows;
        ASSERT_FALSE(frame.empty());
        for (const FrameLine& line : frame) {
          std::size_t end = 0;
          for (const FrameCell& cell : line) {
            ASSERT_GE(cell.column, end)
                << name << " " << rows << "x" << columns << ": overlap at `" << cell.text << "`";
            end = cell.column + display_width(cell.text);
          }
          ASSERT_LT(end, std::max<std::size_t>(columns, 20))
              << name << " " << rows << "x" << columns;
        }
      }
    }
  }
}

TEST(DrawFrame, HoldsNothingThatATerminalObeys) {
  for (const TerminalSize size : {kUsual, kSmall, kWide}) {
    const std::string text = picture(test::hostile_run(), size);
    EXPECT_TRUE(is_utf8(text));
    for (const std::string_view line : split(text, '\n')) {
      EXPECT_FALSE(find_deceptive(line)) << printable(line);
      EXPECT_EQ(line.find('\t'), std::string_view::npos);
    }
  }
}

TEST(DrawFrame, AgesWithoutEvents) {
  const Scenario run = test::small_run();
  const RunView view = run.view();
  const std::string before = to_text(draw_frame(view, kUsual, Symbols::unicode, 72'000));
  const std::string after = to_text(draw_frame(view, kUsual, Symbols::unicode, 73'000));
  EXPECT_NE(before.find("1m12s"), std::string::npos);
  EXPECT_NE(after.find("1m13s"), std::string::npos);
  EXPECT_NE(after.find("quiet 4s"), std::string::npos) << after;
}

TEST(DrawFrame, WhatNeedsAPersonComesFirstThenFailures) {
  const std::string text = picture(test::large_run(), kUsual);
  std::size_t last = 0;
  for (const std::string_view row : {"\n ? ASK ", "\n ✗ FAIL", "\n ! DENY", "\n ▸ run "}) {
    const std::size_t at = text.find(row);
    ASSERT_NE(at, std::string::npos) << row << "\n" << text;
    EXPECT_GT(at, last) << row;
    last = at;
  }
}

TEST(DrawFrame, TheLongestSilentStepComesFirst) {
  Scenario run;
  run.announce({.run = "r-1",
                .plan = {},
                .admission = {},
                .steps = {test::planned("a", "exec", "x"), test::planned("b", "exec", "x"),
                          test::planned("c", "exec", "x")}});
  run.start("a").start("b").start("c");
  run.at(50'000).output("a", 1);
  run.at(60'000).output("c", 1);
  run.at(100'000);
  const std::string text = picture(run, kUsual);
  EXPECT_LT(text.find("run  b"), text.find("run  a"));
  EXPECT_LT(text.find("run  a"), text.find("run  c"));
  EXPECT_NE(text.find("quiet 1m40s!"), std::string::npos) << text;
}

TEST(DrawFrame, TheCommandThatApprovesIsWrappedButNeverCut) {
  Scenario run;
  run.announce(
      {.run = "r-1", .plan = {}, .admission = {}, .steps = {test::planned("s", "exec", "x")}});
  run.ask("s", "r#1", "", "rgx approve r-000000000000 deploy-to-production");
  std::string text = picture(run, {.rows = 24, .columns = 40});
  EXPECT_NE(text.find("        rgx approve r-000000000000\n        deploy-to-production\n"),
            std::string::npos)
      << text;
}

TEST(DrawFrame, TellsWhatItDoesNotShow) {
  Scenario run;
  std::vector<PlannedStep> steps;
  for (int i = 0; i < 40; ++i) {
    steps.push_back(test::planned("s" + std::to_string(i), "exec", "x"));
  }
  run.announce({.run = "r-1", .plan = {}, .admission = {}, .steps = std::move(steps)});
  for (int i = 0; i < 12; ++i) {
    run.start("s" + std::to_string(i));
  }
  for (int i = 12; i < 20; ++i) {
    run.end("s" + std::to_string(i), StepEnd::failed);
  }
  const std::string text = picture(run, kUsual);
  EXPECT_NE(text.find("5 more FAILED, 4 more running, 19 more waiting"), std::string::npos) << text;
}

TEST(ToTerminal, LeavesTheModesAsTheyWere) {
  const Frame frame = draw_frame(test::small_run().view(), kUsual, Symbols::unicode, 72'000);
  const std::string bytes = to_terminal(frame, {.lines_before = 3, .above = {"note"}});
  for (const auto& [on, off] :
       {std::pair("\x1b[?7l", "\x1b[?7h"), std::pair("\x1b[?25l", "\x1b[?25h"),
        std::pair("\x1b[?2026h", "\x1b[?2026l")}) {
    ASSERT_NE(bytes.find(on), std::string::npos);
    ASSERT_NE(bytes.rfind(off), std::string::npos);
    EXPECT_LT(bytes.rfind(on), bytes.rfind(off));
  }
}

TEST(ToTerminal, NoColourMeansNone) {
  const Frame frame = draw_frame(test::large_run().view(), kUsual, Symbols::unicode, 842'000);
  const std::string off = to_terminal(frame, {});
  const std::string on = to_terminal(frame, {.lines_before = 0, .above = {}, .colour = Colour::on});
  EXPECT_EQ(off.find("\x1b[0m"), std::string::npos);
  EXPECT_EQ(off.find("\x1b[31m"), std::string::npos);
  EXPECT_NE(on.find("\x1b[31mFAIL\x1b[0m"), std::string::npos);
}

}  // namespace
}  // namespace rgx::cli
