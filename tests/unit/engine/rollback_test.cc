#include "engine/rollback.h"

#include <gtest/gtest.h>

#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/faulty_engine.h"
#include "tests/support/faulty_storage.h"

namespace rgx::engine {
namespace {

using audit::RecordType;
using rgx::test::accepted;
using rgx::test::edit_step;
using rgx::test::EngineWorld;
using rgx::test::exec_step;
using rgx::test::FaultPlan;
using rgx::test::FaultyStorage;
using rgx::test::FaultyWorkspace;
using rgx::test::refused;
using rgx::test::ScriptedProcess;

using Lines = std::vector<std::string>;

/// Two edits, then a program that changes, deletes and makes files below `gen/`.
struct World : EngineWorld {
  World() {
    workspace.put("a.c", "old a").put("b.c", "old b");
    for (const char* path : {"gen/changed", "gen/deleted", "gen/mode", "gen/same"}) {
      workspace.put(path, path);
      repository.track(path, path);
    }
    processes.on("true", ScriptedProcess::exit_with(code), [this](const CancelFlag&) {
      workspace.put("gen/changed", "by the program").remove("gen/deleted");
      workspace.put("gen/new", "not tracked").put("gen/ignored", "nobody's");
      repository.add_untracked("gen/new", "not tracked");
      EXPECT_TRUE(accepted(workspace.set_mode("gen/mode", 0755)));
    });
  }
  Result<RunReport> change() {
    return run({edit_step("edit-a", "a.c"), edit_step("edit-b", "b.c", {"edit-a"}),
                exec_step("program", {"true"}, {"edit-b"}, {"gen/**"})});
  }
  Result<RollbackReport> roll_back_of(const RunId& run) {
    return roll_back(ports(), identity, run);
  }
  std::map<std::string, std::pair<std::string, std::uint32_t>> files() const {
    std::map<std::string, std::pair<std::string, std::uint32_t>> all;
    for (const auto& [path, bytes] : workspace.files()) {
      all.emplace(path, std::pair(bytes, workspace.mode(path)));
    }
    return all;
  }
  int code = 0;
};

TEST(Rollback, GivesBackContentModesAndDeletedFiles) {
  World world;
  const auto before = world.files();
  const auto run = world.change();
  ASSERT_TRUE(accepted(run));
  ASSERT_NE(world.files(), before);
  EXPECT_EQ(run->steps[2].changed, (Lines{"gen/changed", "gen/deleted", "gen/mode", "gen/new"}));

  const auto report = world.roll_back_of(run->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->restored,
            (Lines{"a.c", "b.c", "gen/changed", "gen/deleted", "gen/mode", "gen/new"}));
  EXPECT_EQ(report->not_covered, (Lines{"program: gen/**"}));
  auto now = world.files();
  now.erase("gen/ignored");
  EXPECT_EQ(now, before);

  const auto records = world.index_records();
  ASSERT_EQ(records.size(), 5U);
  EXPECT_EQ(records[3].type, RecordType::run_rolled_back);
  EXPECT_EQ(records[3].body.find("state")->as_string(), "started");
  EXPECT_EQ(records[4].body.find("state")->as_string(), "finished");
  EXPECT_EQ(records[4].body.find("files")->as_integer(), 6);
  EXPECT_EQ(world.verify_index().meaning.state, audit::PropertyState::holds);
}

TEST(Rollback, HappensOnce) {
  World world;
  const auto run = world.change();
  ASSERT_TRUE(accepted(run));
  ASSERT_TRUE(accepted(world.roll_back_of(run->run)));
  EXPECT_TRUE(refused(world.roll_back_of(run->run), "rollback.done", "is rolled back already"));
}

TEST(Rollback, GivesNothingBackWhereSomebodyElseChangedAFile) {
  World world;
  const auto run = world.change();
  ASSERT_TRUE(accepted(run));
  world.workspace.put("b.c", "mine").put("gen/deleted", "mine, too");
  const auto after = world.files();
  const auto report = world.roll_back_of(run->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->changed_since,
            (Lines{"`b.c` has changed since", "`gen/deleted` has changed since"}));
  EXPECT_TRUE(report->restored.empty());
  EXPECT_EQ(world.files(), after);
  EXPECT_EQ(world.index_records().size(), 3U);
}

TEST(Rollback, OtherPermissionsAreAChangeToo) {
  World world;
  const auto run = world.change();
  ASSERT_TRUE(accepted(run));
  ASSERT_TRUE(accepted(world.workspace.set_mode("gen/mode", 0600)));
  const auto report = world.roll_back_of(run->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->changed_since, (Lines{"`gen/mode` has other permissions since"}));
}

TEST(Rollback, LeavesAloneWhatIsAsBefore) {
  World world;
  const auto run = world.change();
  ASSERT_TRUE(accepted(run));
  world.workspace.put("a.c", "old a");
  const auto report = world.roll_back_of(run->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->restored, (Lines{"b.c", "gen/changed", "gen/deleted", "gen/mode", "gen/new"}));
}

TEST(Rollback, NeedsEveryPreImageBeforeItStarts) {
  World world;
  const auto run = world.change();
  ASSERT_TRUE(accepted(run));
  world.state.memory_objects().stored.erase(digest_bytes("gen/deleted"));
  const auto after = world.files();
  EXPECT_TRUE(refused(world.roll_back_of(run->run), "object.missing", "no such object"));
  EXPECT_EQ(world.files(), after);
}

TEST(Rollback, OfARunThatIsNotOnRecordIsRefused) {
  World world;
  ASSERT_TRUE(accepted(world.change()));
  EXPECT_TRUE(refused(world.roll_back_of(RunId("r-000000000000")), "rollback.evidence",
                      "does not tell of run r-000000000000"));
}

TEST(Rollback, OfALedgerThatWasCutIsRefused) {
  World world;
  const auto run = world.change();
  ASSERT_TRUE(accepted(run));
  const auto& disk = world.state.ledgers.at(run->run);
  disk->drop_line(disk->lines().size() - 1);
  EXPECT_TRUE(refused(world.roll_back_of(run->run), "rollback.evidence",
                      "is not the one that the index names"));
}

// Whenever the run stops: what it had changed by then is given back.
TEST(Rollback, GivesBackARunThatWasKilledAnywhere) {
  for (std::uint64_t call = 1; call < 200; ++call) {
    World world;
    const auto before = world.files();
    const auto plan = std::make_shared<FaultPlan>();
    plan->fail_call = call;
    plan->length = FaultPlan::Length::for_ever;
    world.state.wrap = [&plan](std::unique_ptr<audit::Storage> storage) {
      return std::make_unique<FaultyStorage>(std::move(storage), plan);
    };
    const bool ended = world.change().has_value();
    world.state.wrap = {};
    if (ended) {
      EXPECT_GT(call, 20U);
      return;
    }
    if (world.state.ledgers.empty()) {
      EXPECT_EQ(world.files(), before);
      continue;
    }
    const RunId run = world.state.ledgers.begin()->first;
    const auto report = world.roll_back_of(run);
    ASSERT_TRUE(accepted(report)) << call;
    auto now = world.files();
    now.erase("gen/ignored");
    if (report->changed_since.empty()) {
      EXPECT_EQ(now, before) << call;
    } else {
      // The program's outcome is not on record: nobody knows what it left.
      EXPECT_NE(report->changed_since[0].find("what a program left that was killed"),
                std::string::npos);
    }
  }
  FAIL() << "the run never ended";
}

// Whenever the rollback stops: the next one completes it.
TEST(Rollback, ThatWasCutShortIsCompletedByTheNext) {
  for (std::uint64_t call = 1; call < 200; ++call) {
    World world;
    const auto before = world.files();
    const auto run = world.change();
    ASSERT_TRUE(accepted(run));
    const auto plan = std::make_shared<FaultPlan>();
    plan->fail_call = call;
    plan->length = FaultPlan::Length::for_ever;
    FaultyWorkspace faulty(world.workspace, plan);
    faulty.writes_before_failing = call % 2 == 0;
    const RunPorts ports{world.clock,     world.entropy, faulty,      world.repository,
                         world.processes, world.sandbox, world.state, world.observer};
    const bool ended = roll_back(ports, world.identity, run->run).has_value();
    if (!ended) {
      ASSERT_TRUE(accepted(world.roll_back_of(run->run))) << call;
    }
    auto now = world.files();
    now.erase("gen/ignored");
    EXPECT_EQ(now, before) << call;
    EXPECT_EQ(world.verify_index().meaning.state, audit::PropertyState::holds);
    if (ended) {
      EXPECT_GT(call, 10U);
      return;
    }
  }
  FAIL() << "the rollback never ended";
}

}  // namespace
}  // namespace rgx::engine
