#include "base/canonical.h"
#include "base/text.h"
#include "cli/progress.h"
#include "cli/progress_event.h"
#include "tests/support/error_matchers.h"
#include "tests/support/golden.h"
#include "tests/unit/cli/progress_scenario.h"
#include "tests/unit/cli/progress_screen_model.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::cli {
namespace {

using test::RecordingSink;
using test::Scenario;

const ProgressSettings kJson = {.mode = ProgressMode::json,
                                .symbols = Symbols::ascii,
                                .colour = Colour::off,
                                .wording = Wording::terse,
                                .host = LogHost::other,
                                .fence = {}};

std::string painted(const Scenario& run) {
  RecordingSink sink;
  const auto painter = make_painter(kJson, sink);
  for (const ProgressEvent& event : run.events()) {
    painter->on(event);
    painter->tick(event.at_ms);
  }
  painter->finish();
  return sink.all();
}

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  EXPECT_TRUE(text.ends_with('\n'));
  for (const std::string_view line :
       split(std::string_view(text).substr(0, text.size() - 1), '\n')) {
    const auto parsed = parse_json(line);
    EXPECT_TRUE(rgx::test::accepted(parsed)) << line;
    lines.push_back(parsed.value_or(Json()));
  }
  return lines;
}

std::string type_of(const Json& line) {
  return line.find("type")->as_string();
}

std::vector<Scenario> runs() {
  Scenario ended = test::small_run();
  ended.finish(RunEnd::waiting, 6, "approve it");
  Scenario large = test::large_run();
  large.finish(RunEnd::failed, 1, "");
  return {ended, large, test::huge_run(), test::hostile_run()};
}

TEST(JsonPainter, ASmallRun) {
  Scenario run = test::small_run();
  run.at(73'000).interrupt(Interruption::finish_running);
  run.at(80'000).end("s7", StepEnd::failed, "exit status 8", "three\nlines\nhere\n", 49'000);
  run.end("s9", StepEnd::succeeded).end("s10", StepEnd::cancelled);
  run.at(80'100).finish(RunEnd::waiting, 6, "approve s8");
  rgx::test::expect_golden("progress/small.jsonl", painted(run));
}

TEST(JsonPainter, BeginsWithItsVersionAndEndsWithTheRun) {
  for (const Scenario& run : runs()) {
    const std::vector<Json> lines = lines_of(painted(run));
    EXPECT_EQ(canonical(lines.front()), R"({"type":"stream","v":"1.0"})");
    EXPECT_EQ(type_of(lines[1]), "run_start");
    EXPECT_EQ(type_of(lines.back()), "run_end");
    EXPECT_TRUE(lines.back().find("exit_code")->is_integer());
  }
}

TEST(JsonPainter, EveryAnnouncedStepEndsExactlyOnce) {
  for (const Scenario& run : runs()) {
    std::map<std::string, int> ends;
    for (const Json& line : lines_of(painted(run))) {
      if (type_of(line) == "run_start") {
        for (const Json& step : line.find("steps")->as_array()) {
          ends[step.find("id")->as_string()] = 0;
        }
      } else if (type_of(line) == "step_end") {
        const auto known = ends.find(line.find("step")->as_string());
        ASSERT_NE(known, ends.end());
        ++known->second;
      }
    }
    EXPECT_FALSE(ends.empty());
    for (const auto& [step, count] : ends) {
      EXPECT_EQ(count, 1) << step;
    }
  }
}

TEST(JsonPainter, TimeNeverGoesBack) {
  Scenario run = test::small_run();
  run.at(10).output("s7", 5);  // a clock that somebody broke
  std::int64_t last = 0;
  for (const Json& line : lines_of(painted(run))) {
    if (const Json* at = line.find("at_ms")) {
      EXPECT_GE(at->as_integer(), last);
      last = at->as_integer();
    }
  }
}

TEST(JsonPainter, TellsOfOutputAtMostOnceASecondAndForgetsNone) {
  RecordingSink sink;
  const auto painter = make_painter(kJson, sink);
  Scenario run;
  run.announce(
      {.run = "r-1", .plan = {}, .admission = {}, .steps = {test::planned("s", "exec", "x")}});
  run.start("s");
  for (std::int64_t now = 0; now < 10'000; now += 10) {
    run.at(now).output("s", 7);
  }
  run.end("s", StepEnd::succeeded).finish(RunEnd::succeeded, 0, "");
  for (const ProgressEvent& event : run.events()) {
    painter->on(event);
    painter->tick(event.at_ms);
  }
  std::int64_t bytes = 0;
  int count = 0;
  for (const Json& line : lines_of(sink.all())) {
    if (type_of(line) == "step_output") {
      bytes += line.find("bytes")->as_integer();
      ++count;
    }
  }
  EXPECT_EQ(bytes, 7000);
  EXPECT_LE(count, 11);
  EXPECT_GE(count, 10);
}

TEST(JsonPainter, ARunThatNeverStartedHasAnEnd) {
  EXPECT_EQ(painted(Scenario()),
            "{\"type\":\"stream\",\"v\":\"1.0\"}\n"
            "{\"at_ms\":0,\"exit_code\":70,\"state\":\"aborted\",\"summary\":\"\",\"type\":"
            "\"run_end\"}\n");
}

TEST(JsonPainter, ReadBackTheStreamPaintsTheSame) {
  Scenario run = test::small_run();
  run.at(90'000).end("s7", StepEnd::succeeded).finish(RunEnd::waiting, 6, "x");
  const std::string stream = painted(run);
  Scenario again;
  for (const Json& line : lines_of(stream)) {
    if (type_of(line) != "stream") {
      const auto event = progress_event_from_json(line);
      ASSERT_TRUE(rgx::test::accepted(event));
      again.at(event->at_ms).add(event->body);
    }
  }
  EXPECT_EQ(painted(again), stream);
}

TEST(ProgressEvent, ComesBackFromJson) {
  std::vector<ProgressBody> bodies = {
      RunAnnounced{.run = "r",
                   .plan = "p",
                   .admission = "",
                   .steps = {test::planned("a", "exec", "t", "p", {}),
                             test::planned("依赖", "exec", "t", "", {"a"})}},
      RunAnnounced{.run = "r", .plan = "", .admission = "", .steps = {}, .done_before = 9},
      StepStarted{.step = "a"},
      StepOutput{.step = "a", .bytes = Json::kIntegerMax},
      StepWaiting{.step = "a", .rule = "r", .need = "n", .how = "h"},
      BudgetChanged{.meters = {{.name = "tokens", .spent = 1, .reserved = 2, .limit = 3}}}};
  for (const StepEnd end :
       {StepEnd::succeeded, StepEnd::failed, StepEnd::timed_out, StepEnd::refused, StepEnd::skipped,
        StepEnd::cancelled, StepEnd::unfinished}) {
    bodies.emplace_back(
        StepFinished{.step = "a", .end = end, .summary = "s", .detail = "d\ne", .wall_ms = 5});
  }
  for (const RunEnd end :
       {RunEnd::succeeded, RunEnd::failed, RunEnd::denied, RunEnd::budget_exhausted,
        RunEnd::drifted, RunEnd::waiting, RunEnd::interrupted, RunEnd::aborted}) {
    bodies.emplace_back(RunFinished{.end = end, .exit_code = 143, .summary = "s"});
  }
  for (const Interruption how : {Interruption::finish_running, Interruption::stop_running}) {
    bodies.emplace_back(RunInterrupted{.how = how});
  }
  for (const ProgressBody& body : bodies) {
    for (const std::optional<std::uint64_t> record : {std::optional<std::uint64_t>(), {7}}) {
      const ProgressEvent event{.at_ms = 12, .record = record, .body = body};
      const auto back = progress_event_from_json(to_json(event));
      ASSERT_TRUE(rgx::test::accepted(back)) << canonical(to_json(event));
      EXPECT_EQ(*back, event) << canonical(to_json(event));
    }
  }
}

TEST(ProgressEvent, BytesThatAreNoTextAreEscaped) {
  const Json line = to_json({.at_ms = 0,
                             .record = {},
                             .body = StepFinished{.step = "a",
                                                  .end = StepEnd::failed,
                                                  .summary = "\xff",
                                                  .detail = "one\n\xfe two\n",
                                                  .wall_ms = 0}});
  EXPECT_EQ(line.find("summary")->as_string(), "\\xff");
  EXPECT_EQ(line.find("detail")->as_string(), "one\n\\xfe two\n");
}

TEST(ProgressEvent, RefusesWhatIsNoEvent) {
  struct Case {
    std::string_view text;
    std::string_view code;
    std::string_view message;
  };
  const std::vector<Case> cases = {
      {R"([])", "json.type", "event"},
      {R"({"at_ms":1})", "json.missing_member", "event.type"},
      {R"({"at_ms":1,"type":"step_explode"})", "progress.unknown_word", "`step_explode`"},
      {R"({"at_ms":-1,"type":"step_start","step":"a"})", "json.range", "at_ms"},
      {R"({"at_ms":1,"type":"step_start","step":"a","colour":"red"})", "json.unknown_member",
       "colour"},
      {R"({"at_ms":1,"type":"step_start"})", "json.missing_member", "step"},
      {R"({"at_ms":1,"type":"interrupted","how":"softly"})", "progress.unknown_word", "`softly`"},
      {R"({"at_ms":1,"type":"run_end","state":"failed","exit_code":256,"summary":""})",
       "json.range", "exit_code"},
      {R"({"at_ms":1,"type":"budget","meters":[{"name":"a","spent":1,"reserved":0}]})",
       "json.missing_member", "meters[0].limit"},
      {R"({"at_ms":1,"type":"run_start","run":"r","plan":"","admission":"","steps":[7]})",
       "json.type", "steps[0]"},
  };
  for (const Case& each : cases) {
    const auto value = parse_json(each.text);
    ASSERT_TRUE(rgx::test::accepted(value)) << each.text;
    EXPECT_TRUE(rgx::test::refused(progress_event_from_json(*value), each.code, each.message))
        << each.text;
  }
}

}  // namespace
}  // namespace rgx::cli
