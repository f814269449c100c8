#include "cli/progress.h"
#include "tests/support/golden.h"
#include "tests/unit/cli/progress_scenario.h"
#include "tests/unit/cli/progress_screen_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::cli {
namespace {

using test::RecordingSink;
using test::Scenario;

ProgressSettings plain(Wording wording = Wording::terse, LogHost host = LogHost::other) {
  return {.mode = ProgressMode::plain,
          .symbols = Symbols::ascii,
          .colour = Colour::off,
          .wording = wording,
          .host = host,
          .fence = host == LogHost::other ? "" : "a secret of the test"};
}

std::string painted(const Scenario& run, const ProgressSettings& settings) {
  RecordingSink sink;
  const auto painter = make_painter(settings, sink);
  for (const ProgressEvent& event : run.events()) {
    painter->on(event);
    painter->tick(event.at_ms);
  }
  painter->finish();
  return sink.all();
}

/// A run with every kind of end.
Scenario mixed_run() {
  Scenario run;
  run.announce({.run = "r-81c000c0ffee",
                .plan = "sha256:77d000000000000000000000000000000000000000000000000000000000a1f4",
                .admission = {},
                .steps = {test::planned("s1", "search.text", "zlib in **"),
                          test::planned("s2", "exec", "ctest -j2", "", {"s1"}),
                          test::planned("s3", "exec", "curl 例え.jp", "", {"s1"}),
                          test::planned("s4", "git.commit", "Replace zlib", "", {"s2", "s3"}),
                          test::planned("s5", "check.tests", "ctest", "", {"s4"}),
                          test::planned("s6", "exec", "sleep 600", "", {"s1"}),
                          test::planned("s7", "git.branch", "release", "", {"s1"}),
                          test::planned("s8", "exec", "make docs", "", {"s1"})}});
  run.at(100).start("s1").at(440).end("s1", StepEnd::succeeded, "14 matches", "", 340);
  run.at(500).start("s2").start("s6").start("s8");
  run.at(600).end("s3", StepEnd::refused, "denied by net.egress#7",
                  "rule net.egress#7 (policy.yaml:31)\nremedy: ask security@example.org\n", 0);
  run.at(700).ask("s7", "repo.push#3", "1 of release-managers", "rgx approve r-81c000c0ffee s7");
  run.at(12'600)
      .output("s2", 4000)
      .end("s2", StepEnd::failed, "exit status 8",
           "\x1b[31mtests/record_test.cc:88: expected 5, got 4\x1b[0m\n\n98% tests passed\n",
           12'100);
  run.end("s4", StepEnd::skipped).end("s5", StepEnd::skipped);
  run.at(40'000).interrupt(Interruption::finish_running);
  run.at(41'000).interrupt(Interruption::stop_running);
  run.at(41'500).end("s8", StepEnd::cancelled, "stopped by a signal", "", 41'000);
  run.at(600'600).end("s6", StepEnd::timed_out, "after 600 s", "", 600'100);
  run.at(601'000).finish(RunEnd::failed, 1,
                         "4 files were changed and are kept\nundo it with `rgx rollback last`");
  return run;
}

TEST(PlainPainter, ARunWithEveryKindOfEnd) {
  rgx::test::expect_golden("progress/mixed-plain.txt", painted(mixed_run(), plain()));
}
TEST(PlainPainter, TheSameReadAloud) {
  rgx::test::expect_golden("progress/mixed-accessible.txt",
                           painted(mixed_run(), plain(Wording::sentences)));
}
TEST(PlainPainter, TheSameOnGithub) {
  rgx::test::expect_golden("progress/mixed-github.txt",
                           painted(mixed_run(), plain(Wording::terse, LogHost::github)));
}
TEST(PlainPainter, TheSameOnBuildkite) {
  rgx::test::expect_golden("progress/mixed-buildkite.txt",
                           painted(mixed_run(), plain(Wording::terse, LogHost::buildkite)));
}

TEST(PlainPainter, HostileTextIsMadeVisible) {
  Scenario run = test::hostile_run();
  run.finish(RunEnd::failed, 1, "done \x1b[2J");
  rgx::test::expect_golden("progress/hostile-plain.txt", painted(run, plain()));
}

TEST(PlainPainter, GithubObeysNothingThatAStepPrinted) {
  Scenario run;
  run.announce({.run = "r-1",
                .plan = {},
                .admission = {},
                .steps = {test::planned("::warning::name", "exec", "##[warning]title")}});
  run.end("::warning::name", StepEnd::failed, "::add-mask::a\n%0Ab",
          "::set-output name=a::b\n##[error]evil\n::stop-commands::x\n::x::\n");
  run.finish(RunEnd::failed, 1, "::error::summary");
  const std::string text = painted(run, plain(Wording::terse, LogHost::github));
  // What the runner would obey: lines with a command while commands are on.
  std::vector<std::string> obeyed;
  std::string stopped_by;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (!stopped_by.empty()) {
      if (line == "::" + stopped_by + "::") {
        stopped_by.clear();
      }
    } else if (line.starts_with("::stop-commands::")) {
      stopped_by = line.substr(17);
      EXPECT_GE(stopped_by.size(), 32U);
    } else if (line.starts_with("::") || line.find("##[") != std::string::npos) {
      obeyed.push_back(line);
    }
  }
  EXPECT_EQ(stopped_by, "") << "commands stay off for what comes after rgx";
  EXPECT_EQ(obeyed, (std::vector<std::string>{
                        "::group::output of ::warning::name", "::endgroup::",
                        "::error title=step %3A%3Awarning%3A%3Aname::::add-mask::a\\n%250Ab"}));
}

TEST(PlainPainter, GithubWithoutASecretIsLikeElsewhere) {
  ProgressSettings settings = plain(Wording::terse, LogHost::github);
  settings.fence.clear();
  EXPECT_EQ(painted(mixed_run(), settings), painted(mixed_run(), plain()));
}

TEST(PlainPainter, ASignOfLifeEvery30SecondsOfSilence) {
  RecordingSink sink;
  const auto painter = make_painter(plain(), sink);
  Scenario run;
  run.announce(
      {.run = "r-1", .plan = {}, .admission = {}, .steps = {test::planned("s", "exec", "x")}});
  run.start("s");
  for (const ProgressEvent& event : run.events()) {
    painter->on(event);
  }
  std::vector<std::int64_t> beats;
  std::size_t before = sink.writes.size();
  for (std::int64_t now = 0; now <= 600'000; now += 100) {
    painter->tick(now);
    if (sink.writes.size() > before) {
      beats.push_back(now);
      before = sink.writes.size();
    }
  }
  // As often in the tenth minute as in the first.
  ASSERT_EQ(beats.size(), 20U);
  for (std::size_t i = 0; i < beats.size(); ++i) {
    EXPECT_EQ(beats[i], 30'000 * static_cast<std::int64_t>(i + 1));
  }
  EXPECT_EQ(sink.writes.back(), "...   10m00s: 0/1 ok, 1 running; s exec x 10m00s, quiet 10m00s\n");
}

TEST(PlainPainter, ALineEndsTheSilence) {
  RecordingSink sink;
  const auto painter = make_painter(plain(), sink);
  Scenario run;
  run.announce({.run = "r-1",
                .plan = {},
                .admission = {},
                .steps = {test::planned("a", "exec", "x"), test::planned("b", "exec", "x")}});
  run.start("a").start("b").at(20'000).end("a", StepEnd::succeeded);
  for (const ProgressEvent& event : run.events()) {
    painter->on(event);
  }
  const std::size_t before = sink.writes.size();
  painter->tick(49'900);
  EXPECT_EQ(sink.writes.size(), before);
  painter->tick(50'000);
  EXPECT_EQ(sink.writes.size(), before + 1);
}

TEST(PlainPainter, SkippedStepsAreOneLineAndNotOneEach) {
  Scenario run;
  std::vector<PlannedStep> steps = {test::planned("cause", "exec", "make")};
  for (int i = 0; i < 118; ++i) {
    steps.push_back(test::planned("s" + std::to_string(i), "exec", "x", "",
                                  {i == 0 ? "cause" : "s" + std::to_string(i - 1)}));
  }
  run.announce({.run = "r-1", .plan = {}, .admission = {}, .steps = std::move(steps)});
  run.end("cause", StepEnd::failed, "exit status 1");
  for (int i = 117; i >= 0; --i) {  // in whatever order the engine tells of them
    run.end("s" + std::to_string(i), StepEnd::skipped);
  }
  run.finish(RunEnd::failed, 1, "");
  EXPECT_EQ(painted(run, plain()),
            "rgx   run r-1: 119 steps\n"
            "FAIL  cause exec make: exit status 1 (1s)\n"
            "      118 steps skipped because of it\n"
            "rgx   run r-1 failed: 0/119 ok, 1 FAILED, 118 skipped (0s)\n");
}

TEST(PlainPainter, AThousandFailuresDoNotHideTheFirst) {
  Scenario run;
  std::vector<PlannedStep> steps;
  for (int i = 0; i < 1000; ++i) {
    steps.push_back(test::planned("s" + std::to_string(i), "exec", "x"));
  }
  run.announce({.run = "r-1", .plan = {}, .admission = {}, .steps = std::move(steps)});
  for (int i = 0; i < 1000; ++i) {
    run.end("s" + std::to_string(i), StepEnd::failed, "no");
  }
  run.finish(RunEnd::failed, 1, "see `rgx show last`");
  const std::string text = painted(run, plain());
  EXPECT_TRUE(
      text.ends_with("      980 more failed or denied\n"
                     "rgx   run r-1 failed: 0/1000 ok, 1000 FAILED (0s)\n"
                     "see `rgx show last`\n"))
      << text.substr(text.size() - 400);
  const std::size_t last_words = text.rfind("FAIL  s0 exec x: no (1s) - first cause");
  ASSERT_NE(last_words, std::string::npos);
  EXPECT_LT(std::count(text.begin() + static_cast<std::ptrdiff_t>(last_words), text.end(), '\n'),
            25);
}

TEST(PlainPainter, AStreamThatBreaksOffIsSaidToHaveStopped) {
  Scenario run;
  run.announce(
      {.run = "r-1", .plan = {}, .admission = {}, .steps = {test::planned("s", "exec", "x")}});
  run.start("s");
  EXPECT_EQ(painted(run, plain()),
            "rgx   run r-1: 1 step\n"
            "rgx   run r-1 stopped without a result: 0/1 ok, 1 left (0s)\n");
}

TEST(PlainPainter, ARunThatNeverStartedSaysOnlyWhy) {
  Scenario run;
  run.finish(RunEnd::denied, 3, "denied by rule x");
  EXPECT_EQ(painted(run, plain()), "denied by rule x\n");
}

TEST(PlainPainter, ColoursTheWordOnly) {
  ProgressSettings settings = plain();
  settings.colour = Colour::on;
  Scenario run;
  run.announce(
      {.run = "r-1", .plan = {}, .admission = {}, .steps = {test::planned("s", "exec", "x")}});
  run.end("s", StepEnd::failed, "no");
  EXPECT_NE(painted(run, settings).find("\x1b[31mFAIL\x1b[0m  s exec x: no (1s)\n"),
            std::string::npos);
}

TEST(SilentPainter, SaysNothing) {
  ProgressSettings settings = plain();
  settings.mode = ProgressMode::none;
  EXPECT_EQ(painted(mixed_run(), settings), "");
}

}  // namespace
}  // namespace rgx::cli
