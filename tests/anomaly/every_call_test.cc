#include <gtest/gtest.h>

#include <set>

#include "engine/run.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/faulty_engine.h"

// Every call of every port of a run fails in turn, once or from then on. Whatever happens, the
// evidence must never contradict itself, no effect may lack a durable intent, no file may be half
// written, and the repository must stay usable.

namespace rgx::engine {
namespace {

using audit::RecordType;
using audit::VerdictKind;
using rgx::test::edit_step;
using rgx::test::EngineWorld;
using rgx::test::exec_step;
using rgx::test::FaultPlan;
using rgx::test::pin_after;
using rgx::test::pin_bytes;
using rgx::test::search_step;

struct Way {
  FaultPlan::Length length;
  unsigned partial_percent;
  bool writes_before_failing;
};

std::vector<templates::Step> make_steps() {
  auto first = edit_step("a", "src/a.c");
  first.pins = {pin_bytes("src/a.c", "old a")};
  auto second = edit_step("b", "src/b.c");
  second.pins = {pin_bytes("src/b.c", "old b")};
  auto again = edit_step("c", "src/a.c", {"a"});
  again.pins = {pin_after("src/a.c", "a")};
  again.tool.with.set("edits", Json::array({Json::object({{"to", "newer"}, {"word", "new"}})}));
  auto program = exec_step("e", {"true"}, {"d"}, {"build/**"});
  program.retry = templates::Retry{2, 0, {"failed", "transient"}};
  program.idempotent = true;
  const Json count =
      Json::object({{"$output", Json::object({{"step", "d"}, {"member", "count"}})}});
  program.when =
      Json::object({{"not", Json::object({{"equals", Json::array({count, Json::kIntegerMax})}})}});
  return {first, second, again, search_step("d", "new", {"."}, {"b", "c"}), program};
}

/// Steps that have an intent in the part of the ledger that would survive a crash.
std::set<std::string> durable_intents(EngineWorld& world) {
  std::set<std::string> steps;
  for (auto& [run, disk] : world.state.ledgers) {
    disk->drop_unsynced();
    for (const audit::Record& record : world.records(run)) {
      if (record.type == RecordType::step_intent) {
        steps.insert(record.body.find("step")->as_string());
      }
    }
  }
  return steps;
}

void expect_untampered(EngineWorld& world, const std::string& when) {
  for (const auto& [run, disk] : world.state.ledgers) {
    const auto verdict = world.verify(run);
    EXPECT_NE(verdict.kind, VerdictKind::tampered) << when << pretty(to_json(verdict));
  }
  if (world.state.index) {
    const auto verdict = world.verify_index();
    EXPECT_NE(verdict.kind, VerdictKind::tampered) << when << pretty(to_json(verdict));
  }
}

void expect_effects_have_intents(EngineWorld& world, const std::string& when) {
  const auto intents = durable_intents(world);
  const std::string a = world.workspace.bytes("src/a.c");
  const std::string b = world.workspace.bytes("src/b.c");
  EXPECT_TRUE(a == "old a" || a == "new a" || a == "newer a") << when << a;
  EXPECT_TRUE(b == "old b" || b == "new b") << when << b;
  EXPECT_TRUE(a == "old a" || intents.contains("a")) << when;
  EXPECT_TRUE(a != "newer a" || intents.contains("c")) << when;
  EXPECT_TRUE(b == "old b" || intents.contains("b")) << when;
  EXPECT_TRUE(world.log.count("process.run") == 0 || intents.contains("e")) << when;
}

/// One run in which call `n` fails; false when the run made fewer calls.
bool run_with_fault(std::uint64_t n, const Way& way) {
  EngineWorld world;
  world.workspace.put("src/a.c", "old a").put("src/b.c", "old b");
  world.repository.track("src/a.c", "old a").track("src/b.c", "old b");
  const auto plan = world.admit(make_steps());
  const auto faults = std::make_shared<FaultPlan>();
  faults->fail_call = n;
  faults->length = way.length;
  faults->partial_percent = way.partial_percent;
  rgx::test::FaultyWorkspace workspace(world.workspace, faults);
  workspace.writes_before_failing = way.writes_before_failing;
  rgx::test::FaultyProcessRunner processes(world.processes, faults);
  rgx::test::FaultyStateStore state(world.state, faults);
  const RunPorts ports{world.clock, world.entropy, workspace, world.repository,
                       processes,   world.sandbox, state,     world.observer};
  const auto report = run(plan, ports, world.identity, world.interruption);

  const std::string when = "call " + std::to_string(n) +
                           (way.length == FaultPlan::Length::once ? " once" : " for ever") + ", " +
                           std::to_string(way.partial_percent) + " %: ";
  EXPECT_FALSE(faults->was_retried) << when;
  expect_untampered(world, when);
  if (report) {
    EXPECT_EQ(world.verify(report->run).kind, VerdictKind::verified) << when;
    if (report->state == RunState::succeeded) {
      EXPECT_EQ(world.workspace.bytes("src/a.c"), "newer a") << when;
      EXPECT_EQ(world.workspace.bytes("src/b.c"), "new b") << when;
    }
  } else {
    EXPECT_GT(faults->failures, 0U) << when << to_string(report.error());
  }
  expect_effects_have_intents(world, when);
  expect_untampered(world, when + "after a crash: ");

  // The next run finds a usable repository.
  if (world.state.index) {
    world.state.index->drop_unsynced();
  }
  const auto next = world.run({search_step("find", "new", {"."})});
  EXPECT_TRUE(rgx::test::accepted(next)) << when;
  expect_untampered(world, when + "after the next run: ");
  return faults->failures > 0;
}

class EveryCall : public testing::TestWithParam<Way> {};

TEST_P(EveryCall, FailsAndNothingIsLost) {
  constexpr std::uint64_t calls_max = 2000;  // far above what the run makes
  std::uint64_t n = 1;
  while (n < calls_max && run_with_fault(n, GetParam()) && !HasFailure()) {
    ++n;
  }
  EXPECT_LT(n, calls_max);
  EXPECT_GT(n, 60U);  // the run did make calls
  std::printf("%llu calls failed in turn\n", static_cast<unsigned long long>(n - 1));
}

INSTANTIATE_TEST_SUITE_P(Ways, EveryCall,
                         testing::Values(Way{FaultPlan::Length::once, 0, false},
                                         Way{FaultPlan::Length::once, 0, true},
                                         Way{FaultPlan::Length::once, 50, false},
                                         Way{FaultPlan::Length::once, 100, true},
                                         Way{FaultPlan::Length::for_ever, 0, false},
                                         Way{FaultPlan::Length::for_ever, 50, true}));

}  // namespace
}  // namespace rgx::engine
