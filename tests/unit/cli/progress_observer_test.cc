#include "cli/progress_observer.h"

#include "engine/budget.h"
#include "tests/unit/cli/progress_scenario.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace rgx::cli {
namespace {

/// A clock that several threads may ask.
class SharedClock final : public Clock {
 public:
  std::int64_t now_unix_ms() override { return 0; }
  std::int64_t monotonic_ms() override { return now_ms.load(); }

  std::atomic<std::int64_t> now_ms{5'000'000};
};

/// Keeps what it is told, and lets the test wait for ticks.
class RecordingPainter final : public ProgressPainter {
 public:
  void on(const ProgressEvent& event) override {
    const std::scoped_lock lock(mutex_);
    events_.push_back(event);
    changed_.notify_all();
  }
  void tick(std::int64_t now_ms) override {
    const std::scoped_lock lock(mutex_);
    ticks_.push_back(now_ms);
    changed_.notify_all();
  }
  void finish() override {
    const std::scoped_lock lock(mutex_);
    ++finishes_;
  }

  void wait_for_ticks(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, count] { return ticks_.size() >= count; });
  }
  void wait_for_events(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, count] { return events_.size() >= count; });
  }
  std::vector<ProgressEvent> events() {
    const std::scoped_lock lock(mutex_);
    return events_;
  }
  std::int64_t last_tick() {
    const std::scoped_lock lock(mutex_);
    return ticks_.back();
  }
  int finishes() {
    const std::scoped_lock lock(mutex_);
    return finishes_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ProgressEvent> events_;
  std::vector<std::int64_t> ticks_;
  int finishes_ = 0;
};

RunAnnounced plan_of_two() {
  return {.run = {},
          .plan = "sha256:00",
          .admission = {},
          .steps = {test::planned("a", "exec", "make"),
                    test::planned("b[x y]", "git.commit", "x", "", {"a"})}};
}

engine::StepEvent step_event(std::string id, engine::StepState state) {
  engine::StepEvent event;
  event.step = StepId(std::move(id));
  event.state = state;
  event.summary = "said";
  event.detail = "in detail";
  event.wall_ms = 12;
  return event;
}

TEST(ProgressObserver, ARunThatGoesOnAnnouncesWhatIsLeft) {
  SharedClock clock;
  RecordingPainter painter;
  ProgressObserver observer(painter, {.clock = clock}, plan_of_two());
  observer.steps_restored({StepId("a")});
  observer.run_started(RunId("r-1"), 2);
  observer.close({.end = RunEnd::succeeded, .exit_code = 0, .summary = ""});
  const RunAnnounced left = {.run = "r-1",
                             .plan = "sha256:00",
                             .admission = {},
                             .steps = {test::planned("b[x y]", "git.commit", "x")},
                             .done_before = 1};
  const std::vector<ProgressEvent> events = painter.events();
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.front().body, ProgressBody(left));
}

TEST(ProgressObserver, TellsThePainterInOrderWithTheTimeOfTheCall) {
  SharedClock clock;
  RecordingPainter painter;
  ProgressObserver observer(painter, {.clock = clock}, plan_of_two());
  observer.run_started(RunId("r-1"), 2);
  clock.now_ms += 40;
  engine::StepEvent start = step_event("a", engine::StepState::succeeded);
  start.record = 17;
  observer.step_started(start);
  clock.now_ms += 60;
  observer.step_output(StepId("a"), 100);
  observer.step_output(StepId("a"), 11);
  observer.step_finished(step_event("a", engine::StepState::timed_out));
  observer.run_finished(RunId("r-1"));
  observer.close({.end = RunEnd::failed, .exit_code = 1, .summary = "no"});

  RunAnnounced announced = plan_of_two();
  announced.run = "r-1";
  const std::vector<ProgressEvent> expected = {
      {.at_ms = 0, .record = {}, .body = announced},
      {.at_ms = 40, .record = 17, .body = StepStarted{.step = "a"}},
      {.at_ms = 100, .record = {}, .body = StepOutput{.step = "a", .bytes = 111}},
      {.at_ms = 100,
       .record = {},
       .body = StepFinished{.step = "a",
                            .end = StepEnd::timed_out,
                            .summary = "said",
                            .detail = "in detail",
                            .wall_ms = 12}},
      {.at_ms = 100,
       .record = {},
       .body = RunFinished{.end = RunEnd::failed, .exit_code = 1, .summary = "no"}}};
  // A tick between the two calls would tell of the output in two parts; the sum is what counts.
  std::vector<ProgressEvent> seen;
  for (const ProgressEvent& event : painter.events()) {
    auto* before = seen.empty() ? nullptr : std::get_if<StepOutput>(&seen.back().body);
    const auto* output = std::get_if<StepOutput>(&event.body);
    if (before != nullptr && output != nullptr) {
      before->bytes += output->bytes;
    } else {
      seen.push_back(event);
    }
  }
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(painter.finishes(), 1);
}

TEST(ProgressObserver, EveryStateOfTheEngineHasItsEnd) {
  using engine::StepState;
  SharedClock clock;
  RecordingPainter painter;
  ProgressObserver observer(painter, {.clock = clock}, plan_of_two());
  const std::vector<std::pair<StepState, StepEnd>> states = {
      {StepState::succeeded, StepEnd::succeeded}, {StepState::failed, StepEnd::failed},
      {StepState::timed_out, StepEnd::timed_out}, {StepState::cancelled, StepEnd::cancelled},
      {StepState::refused, StepEnd::refused},     {StepState::skipped, StepEnd::skipped}};
  for (const auto& [state, end] : states) {
    observer.step_finished(step_event("a", state));
  }
  observer.close({});
  const std::vector<ProgressEvent> events = painter.events();
  ASSERT_EQ(events.size(), states.size() + 1);
  for (std::size_t i = 0; i < states.size(); ++i) {
    EXPECT_EQ(std::get<StepFinished>(events[i].body).end, states[i].second);
  }
}

TEST(ProgressObserver, TicksWithoutEvents) {
  SharedClock clock;
  RecordingPainter painter;
  ProgressObserver observer(painter, {.clock = clock}, plan_of_two());
  painter.wait_for_ticks(1);
  clock.now_ms += 30'000;
  painter.wait_for_ticks(4);
  EXPECT_EQ(painter.last_tick(), 30'000);
  EXPECT_TRUE(painter.events().empty());
}

TEST(ProgressObserver, AStreamThatNobodyClosedIsAborted) {
  SharedClock clock;
  RecordingPainter painter;
  {
    ProgressObserver observer(painter, {.clock = clock}, plan_of_two());
    observer.run_started(RunId("r-1"), 2);
  }
  const std::vector<ProgressEvent> events = painter.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(std::get<RunFinished>(events.back().body).end, RunEnd::aborted);
  EXPECT_EQ(painter.finishes(), 1);
}

TEST(ProgressObserver, ClosingTwiceIsClosingOnce) {
  SharedClock clock;
  RecordingPainter painter;
  ProgressObserver observer(painter, {.clock = clock}, plan_of_two());
  observer.close({.end = RunEnd::succeeded, .exit_code = 0, .summary = {}});
  observer.close({.end = RunEnd::failed, .exit_code = 1, .summary = {}});
  EXPECT_EQ(painter.events().size(), 1U);
  EXPECT_EQ(painter.finishes(), 1);
}

TEST(ProgressObserver, SaysHowToApprove) {
  SharedClock clock;
  RecordingPainter painter;
  ProgressObserver observer(painter, {.clock = clock}, plan_of_two());
  observer.run_started(RunId("r-1"), 2);
  observer.step_waiting({.step = StepId("b[x y]"), .rule = "git#1", .need = "1 of admins"});
  observer.close({});
  EXPECT_EQ(std::get<StepWaiting>(painter.events()[1].body),
            (StepWaiting{.step = "b[x y]",
                         .rule = "git#1",
                         .need = "1 of admins",
                         .how = "rgx approve r-1 \"b[x y]\""}));
}

TEST(ProgressObserver, SeesAnInterruptionInItsTwoSteps) {
  SharedClock clock;
  RecordingPainter painter;
  engine::Interruption interruption;
  ProgressObserver observer(painter, {.clock = clock, .interruption = &interruption},
                            plan_of_two());
  interruption.finish.store(true);
  painter.wait_for_events(1);
  interruption.stop.store(true);
  painter.wait_for_events(2);
  painter.wait_for_ticks(5);
  observer.close({});
  const std::vector<ProgressEvent> events = painter.events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(std::get<RunInterrupted>(events[0].body).how, Interruption::finish_running);
  EXPECT_EQ(std::get<RunInterrupted>(events[1].body).how, Interruption::stop_running);
}

TEST(ProgressObserver, TakesOutputFromManyThreadsAndLosesNone) {
  SharedClock clock;
  RecordingPainter painter;
  ProgressObserver observer(painter, {.clock = clock}, plan_of_two());
  observer.run_started(RunId("r-1"), 2);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&observer, i] {
      for (int n = 0; n < 1000; ++n) {
        observer.step_output(StepId(i % 2 == 0 ? "a" : "b"), 1);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  observer.close({});
  std::map<std::string, std::int64_t> bytes;
  for (const ProgressEvent& event : painter.events()) {
    if (const auto* output = std::get_if<StepOutput>(&event.body)) {
      bytes[output->step] += output->bytes;
    }
  }
  EXPECT_EQ(bytes, (std::map<std::string, std::int64_t>{{"a", 2000}, {"b", 2000}}));
}

/// A painter that a terminal holds up.
class StuckPainter final : public ProgressPainter {
 public:
  void on(const ProgressEvent& /*event*/) override {
    std::unique_lock lock(mutex_);
    released_.wait(lock, [this] { return free_; });
    ++events_;
  }
  void tick(std::int64_t /*now_ms*/) override {}
  void finish() override {}
  void release() {
    const std::scoped_lock lock(mutex_);
    free_ = true;
    released_.notify_all();
  }
  int events() {
    const std::scoped_lock lock(mutex_);
    return events_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  bool free_ = false;
  int events_ = 0;
};

TEST(ProgressObserver, APainterThatIsHeldUpHoldsNobodyUp) {
  SharedClock clock;
  StuckPainter painter;
  ProgressObserver observer(painter, {.clock = clock}, plan_of_two());
  for (int i = 0; i < 20'000; ++i) {
    observer.step_started(step_event("a", engine::StepState::succeeded));
  }
  EXPECT_EQ(painter.events(), 0);
  painter.release();
  observer.close({});
  EXPECT_EQ(painter.events(), 20'001);
}

templates::ToolUse use_of(std::string tool, Json with) {
  templates::ToolUse use;
  use.use = std::move(tool);
  use.with = std::move(with);
  return use;
}

TEST(TitleOf, NamesWhatTellsAStepFromOthers) {
  EXPECT_EQ(title_of(use_of("exec", Json::object({{"argv", Json::array({"ctest", "-R", "a b"})}}))),
            "ctest -R \"a b\"");
  EXPECT_EQ(title_of(use_of("shell", Json::object({{"script", "make\nmake install"}}))), "make");
  EXPECT_EQ(title_of(use_of("file.move", Json::object({{"path", "a.c"}, {"to", "b.c"}}))),
            "a.c -> b.c");
  EXPECT_EQ(title_of(use_of("search.text",
                            Json::object({{"word", "zlib"}, {"paths", Json::array({"src/**"})}}))),
            "zlib \"src/**\"");
  EXPECT_EQ(title_of(use_of("git.status", Json::object())), "");
}

TEST(TitleOf, LongOnesAreCutBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 100; ++i) {
    name += "依";
  }
  const std::string title = title_of(use_of("file.read", Json::object({{"path", name}})));
  EXPECT_EQ(title, name.substr(0, 198) + "...");
}

}  // namespace
}  // namespace rgx::cli
