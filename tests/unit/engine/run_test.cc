#include "engine/run.h"

#include <gtest/gtest.h>

#include "templates/seal.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

namespace rgx::engine {
namespace {

using audit::RecordType;
using audit::VerdictKind;
using rgx::test::CallLog;
using rgx::test::edit_step;
using rgx::test::EngineWorld;
using rgx::test::exec_step;
using rgx::test::make_policy;
using rgx::test::pin_after;
using rgx::test::pin_bytes;
using rgx::test::refused;
using rgx::test::ScriptedProcess;
using rgx::test::search_step;
using rgx::test::state_of;

using Lines = std::vector<std::string>;

templates::Step pinned(templates::Step step, templates::Pin pin) {
  step.pins.push_back(std::move(pin));
  return step;
}

TEST(Run, EditsThenTestsAndIsVerified) {
  EngineWorld world;
  world.workspace.put("a.c", "old old_one old\r\n").put("b.c", "x(old)");
  const auto report =
      world.run({pinned(edit_step("edit[a.c]", "a.c"), pin_bytes("a.c", "old old_one old\r\n")),
                 pinned(edit_step("edit[b.c]", "b.c"), pin_bytes("b.c", "x(old)")),
                 exec_step("tests", {"true"}, {"edit[a.c]", "edit[b.c]"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(world.workspace.bytes("a.c"), "new old_one new\r\n");
  EXPECT_EQ(world.workspace.bytes("b.c"), "x(new)");
  EXPECT_EQ(report->spent.files_changed, 2);
  EXPECT_EQ(report->spent.processes, 1);
  EXPECT_EQ(report->spent.steps, 3);
  EXPECT_EQ(report->spent.bytes_written, 17 + 6);
  EXPECT_EQ(world.story(report->run),
            (Lines{"step_intent edit[a.c]", "step_outcome edit[a.c] succeeded",
                   "step_intent edit[b.c]", "step_outcome edit[b.c] succeeded", "step_intent tests",
                   "step_outcome tests succeeded", "run_sealed succeeded"}));
  const auto verdict = world.verify(report->run);
  EXPECT_EQ(verdict.kind, VerdictKind::verified) << pretty(to_json(verdict));
  EXPECT_EQ(verdict.root, report->root);
  EXPECT_EQ(verdict.records, report->records);
}

TEST(Run, IndexHoldsStartAndEndOfEachRun) {
  EngineWorld world;
  world.workspace.put("a.c", "old");
  const auto first = world.run({edit_step("edit", "a.c")});
  const auto second = world.run({search_step("find", "new", {"."})});
  ASSERT_TRUE(rgx::test::accepted(first));
  ASSERT_TRUE(rgx::test::accepted(second));
  EXPECT_NE(first->run, second->run);
  const auto records = world.index_records();
  ASSERT_EQ(records.size(), 5U);
  EXPECT_EQ(records[0].type, RecordType::index_genesis);
  EXPECT_EQ(records[1].type, RecordType::run_started);
  EXPECT_EQ(records[2].type, RecordType::run_finished);
  EXPECT_EQ(records[2].body.find("root")->as_string(), first->root.to_string());
  EXPECT_EQ(records[4].body.find("run")->as_string(), second->run.text());
  EXPECT_EQ(world.verify_index().kind, VerdictKind::inconclusive);
  // Genesis cites the place of the run in the index.
  const auto genesis = world.records(second->run).front();
  EXPECT_EQ(genesis.body.find("index")->find("seq")->as_integer(), 3);
  EXPECT_EQ(genesis.body.find("index")->find("log_id")->as_string(), records[0].log_id);
}

TEST(Run, IntentIsDurableBeforeTheEffectAndOutcomeBeforeTheNextIntent) {
  EngineWorld world;
  world.workspace.put("a.c", "old");
  const auto report = world.run({edit_step("edit", "a.c"), exec_step("tests", {"true"}, {"edit"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  const CallLog& log = world.log;
  const std::size_t object = log.find("objects.put " + digest_bytes("old").hex());
  const std::size_t started = log.find("observer.step_started edit");
  const std::size_t write = log.find("workspace.write a.c");
  const std::size_t run = log.find("process.run true");
  ASSERT_NE(write, CallLog::npos);
  ASSERT_NE(run, CallLog::npos);
  const auto calls = log.calls();
  // Pre-image, then the record, then its sync, then the effect; nothing else in between.
  EXPECT_LT(object, started);
  ASSERT_GE(started, 2U);
  EXPECT_EQ(calls[started - 1], "ledger.sync");
  EXPECT_EQ(calls[started - 2], "ledger.append");
  EXPECT_LT(object, started - 2);
  EXPECT_EQ(write, started + 1);
  const std::size_t ended = log.find("observer.step_finished edit succeeded");
  ASSERT_GT(ended, write);
  EXPECT_EQ(calls[ended - 1], "ledger.sync");
  const std::size_t tests = log.find("observer.step_started tests");
  EXPECT_EQ(calls[tests - 1], "ledger.sync");
  EXPECT_GT(tests, ended);
  EXPECT_GT(run, tests);
}

TEST(Run, PlanAndStartAreOnRecordBeforeGenesis) {
  EngineWorld world;
  const auto plan = world.admit({search_step("find", "x", {"."})});
  const auto report = world.run(plan);
  ASSERT_TRUE(rgx::test::accepted(report));
  const std::size_t created = world.log.find("state.create_run");
  EXPECT_EQ(world.log.calls()[created - 1], "index.sync");
  EXPECT_LT(world.log.find("state.write_run_file plan.json"), world.log.find("ledger.append"));
  EXPECT_EQ(world.state.files.at({report->run, "plan.json"}),
            templates::write_sealed_plan(plan.plan()));
}

TEST(Run, DependentsOfAFailedStepAreSkippedAndOthersRun) {
  EngineWorld world;
  world.workspace.put("a.c", "nothing here").put("b.c", "old");
  const auto report =
      world.run({edit_step("a", "a.c"), edit_step("b", "b.c"), exec_step("c", {"true"}, {"a"}),
                 exec_step("d", {"true", "d"}, {"c"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_EQ(exit_code(report->state), 1);
  EXPECT_EQ(state_of(*report, "a"), StepState::failed);
  EXPECT_EQ(state_of(*report, "b"), StepState::succeeded);
  EXPECT_EQ(state_of(*report, "c"), StepState::skipped);
  EXPECT_EQ(state_of(*report, "d"), StepState::skipped);
  EXPECT_EQ(world.log.count("process.run"), 0U);
  EXPECT_EQ(world.workspace.bytes("b.c"), "new");
  EXPECT_EQ(world.story(report->run),
            (Lines{"step_intent a", "step_outcome a failed", "step_skipped c `a` did not succeed",
                   "step_skipped d `a` did not succeed", "step_intent b",
                   "step_outcome b succeeded", "run_sealed failed"}));
  EXPECT_EQ(world.verify(report->run).kind, VerdictKind::verified);
}

TEST(Run, FailingProgramFailsTheRunWithItsLastWords) {
  EngineWorld world;
  world.processes.on("true x", ScriptedProcess::exit_with(3, "out", "line\n\x1b[31mbad\n"));
  const auto report = world.run({exec_step("tests", {"true", "x"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  ASSERT_EQ(world.observer.finished.size(), 1U);
  EXPECT_EQ(world.observer.finished[0].summary, "exit status 3");
  EXPECT_EQ(world.observer.finished[0].detail,
            "standard output:\nout\nstandard error:\nline\n\\x1b[31mbad");
  const auto outcome = world.records(report->run).at(3);
  EXPECT_EQ(outcome.body.find("exit_code")->as_integer(), 3);
  const auto digest =
      Digest::parse(outcome.body.find("outputs")->find("stdout")->find("digest")->as_string());
  EXPECT_EQ(world.state.memory_objects().stored.at(*digest), "out");
}

TEST(Run, ProgramIsGivenOnlyWhatWasDecided) {
  EngineWorld world;
  auto step = exec_step("tests", {"true", "-x"}, {}, {"build/**"});
  step.tool.with.set("env", Json::object({{"CI", "1"}}));
  const auto report = world.run({step});
  ASSERT_TRUE(rgx::test::accepted(report));
  const auto specs = world.processes.specs();
  ASSERT_EQ(specs.size(), 1U);
  EXPECT_EQ(specs[0].program, "/usr/bin/true");
  EXPECT_TRUE(specs[0].program_digest.has_value());
  EXPECT_EQ(specs[0].argv, (Lines{"true", "-x"}));
  EXPECT_EQ(specs[0].cwd, "/workspace");
  EXPECT_EQ(specs[0].env.at("CI"), "1");
  EXPECT_EQ(specs[0].env.at("LANG"), "C.UTF-8");
  EXPECT_EQ(specs[0].env.at("TZ"), "UTC");
  EXPECT_EQ(specs[0].env.at("HOME"), "/scratch/" + report->run.text() + "-0/home");
  EXPECT_EQ(specs[0].env.size(), 6U);
  EXPECT_FALSE(specs[0].sandbox.network);
  EXPECT_TRUE(world.workspace.kind("build") == EntryKind::directory);
  const auto& writes = specs[0].sandbox.write_below;
  EXPECT_NE(std::find(writes.begin(), writes.end(), "/workspace/build"), writes.end());
  EXPECT_EQ(std::find(writes.begin(), writes.end(), "/workspace"), writes.end());
  EXPECT_EQ(world.state.scratch_open, 0U);
}

TEST(Run, ChangedFileIsDriftAndNothingAfterItStarts) {
  EngineWorld world;
  world.workspace.put("a.c", "old").put("b.c", "old");
  const auto plan = world.admit({pinned(edit_step("a", "a.c"), pin_bytes("a.c", "old")),
                                 pinned(edit_step("b", "b.c"), pin_bytes("b.c", "old"))});
  world.workspace.put("a.c", "old, but another");
  const auto report = world.run(plan);
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::drifted);
  EXPECT_EQ(exit_code(report->state), 8);
  EXPECT_EQ(world.log.count("workspace.write"), 0U);
  EXPECT_EQ(world.workspace.bytes("b.c"), "old");
  EXPECT_EQ(
      world.story(report->run),
      (Lines{"step_refused a drift", "step_skipped b `a.c` has changed since the plan was made",
             "run_sealed drifted"}));
  EXPECT_EQ(world.verify(report->run).kind, VerdictKind::verified);
}

TEST(Run, PinAfterAStepMeansWhatThatStepLeft) {
  EngineWorld world;
  world.workspace.put("a.c", "old older");
  auto second = edit_step("b", "a.c", {"a"});
  second.tool.with.set("edits", Json::array({Json::object({{"to", "newest"}, {"word", "older"}})}));
  const auto report = world.run({pinned(edit_step("a", "a.c"), pin_bytes("a.c", "old older")),
                                 pinned(second, pin_after("a.c", "a"))});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(world.workspace.bytes("a.c"), "new newest");
}

TEST(Run, PinAfterAProgramMeansWhatItLeft) {
  EngineWorld world;
  world.workspace.put("gen/a.c", "old");
  world.processes.on("true gen", ScriptedProcess::exit_with(0),
                     [&world](const CancelFlag&) { world.workspace.put("gen/a.c", "old again"); });
  const auto report =
      world.run({exec_step("gen", {"true", "gen"}, {}, {"gen/**"}),
                 pinned(edit_step("edit", "gen/a.c", {"gen"}), pin_after("gen/a.c", "gen"))});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(world.workspace.bytes("gen/a.c"), "new again");
}

TEST(Run, ProgramThatChangesAnEditedFileWithoutSayingSoFails) {
  EngineWorld world;
  world.workspace.put("a.c", "old");
  world.processes.on("true", ScriptedProcess::exit_with(0),
                     [&world](const CancelFlag&) { world.workspace.put("a.c", "sneaky"); });
  const auto report = world.run({edit_step("edit", "a.c"), exec_step("tests", {"true"}, {"edit"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  const auto outcome = world.records(report->run).at(5);
  EXPECT_EQ(outcome.body.find("error")->find("code")->as_string(), "step.undeclared_change");
  EXPECT_EQ(outcome.body.find("error")->find("message")->as_string(),
            "`a.c` was changed, although the step does not declare it");
}

TEST(Run, FileThatChangesBetweenGateAndWriteIsKept) {
  EngineWorld world;
  world.workspace.put("a.c", "old");
  world.workspace.before_write = [&world](std::string_view) {
    world.workspace.put("a.c", "typed in the meantime");
  };
  const auto report = world.run({edit_step("edit", "a.c"), exec_step("t", {"true"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::drifted);
  EXPECT_EQ(world.workspace.bytes("a.c"), "typed in the meantime");
  EXPECT_EQ(state_of(*report, "edit"), StepState::failed);
}

TEST(Run, LinkThatLeadsElsewhereThanAdmittedIsDrift) {
  EngineWorld world;
  world.workspace.put("src/a.c", "old");
  const auto plan = world.admit({edit_step("edit", "src/a.c")});
  world.workspace.put_link("src/a.c", "src/b.c");
  const auto report = world.run(plan);
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::drifted);
  EXPECT_EQ(world.log.count("workspace.write"), 0U);
}

TEST(Run, LinkIntoADeniedPlaceIsDeniedAtTheGate) {
  EngineWorld world;
  world.workspace.put("src/a.c", "old");
  const auto plan = world.admit({edit_step("edit", "src/a.c"), exec_step("t", {"true"}, {"edit"})});
  world.workspace.put_link("src/a.c", "frozen/a.c");
  const auto report = world.run(plan);
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::denied);
  EXPECT_EQ(exit_code(report->state), 3);
  EXPECT_EQ(world.story(report->run),
            (Lines{"step_refused edit policy", "step_skipped t `edit` was refused",
                   "run_sealed denied"}));
  const auto record = world.records(report->run).at(2);
  EXPECT_EQ(record.body.find("decision")->find("decision")->as_string(), "deny");
}

TEST(Run, StepThatNeedsApprovalDoesNotRun) {
  EngineWorld world;
  rgx::test::PolicyText text;
  text.more_rules =
      "  - {id: ask, effect: require_approval, write: [\"a.c\"], approval: {count: 1}, why: w, "
      "remedy: r}\n";
  world.policy = make_policy(text);
  world.workspace.put("a.c", "old");
  const auto report = world.run({edit_step("edit", "a.c")});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(world.story(report->run), (Lines{"run_suspended steps wait for an approval"}));
  EXPECT_EQ(world.workspace.bytes("a.c"), "old");
}

TEST(Run, BytesBeyondTheBudgetAreNotWritten) {
  EngineWorld world;
  rgx::test::PolicyText text;
  text.run_budget =
      "{tokens: 0, cost_usd_micros: 0, wall_ms: 600000, steps: 10, files_changed: 10, "
      "bytes_written: 10, model_calls: 0, agents: 0, processes: 0}";
  world.policy = make_policy(text);
  world.workspace.put("a.c", "old 4567").put("b.c", "old").put("c.c", "old");
  const auto report =
      world.run({edit_step("a", "a.c"), edit_step("b", "b.c"), edit_step("c", "c.c")});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::budget_exhausted);
  EXPECT_EQ(exit_code(report->state), 5);
  EXPECT_EQ(world.workspace.bytes("a.c"), "new 4567");
  EXPECT_EQ(world.workspace.bytes("b.c"), "old");
  EXPECT_EQ(world.workspace.bytes("c.c"), "old");
  EXPECT_EQ(report->spent.bytes_written, 8);
  EXPECT_EQ(world.story(report->run).at(2), "step_refused b budget");
}

TEST(Run, DeadlineStopsWhatHasNotStarted) {
  EngineWorld world;
  rgx::test::PolicyText text;
  text.run_budget =
      "{tokens: 0, cost_usd_micros: 0, wall_ms: 5000, steps: 10, files_changed: 10, "
      "bytes_written: 10, model_calls: 0, agents: 0, processes: 5}";
  world.policy = make_policy(text);
  world.processes.on("true slow", ScriptedProcess::exit_with(0),
                     [&world](const CancelFlag&) { world.clock.advance(6000); });
  const auto report =
      world.run({exec_step("a", {"true", "slow"}), exec_step("b", {"true"}, {"a"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::budget_exhausted);
  EXPECT_EQ(world.log.count("process.run"), 1U);
  EXPECT_LE(world.processes.specs().at(0).timeout_ms, 5000);
  EXPECT_GT(world.processes.specs().at(0).timeout_ms, 4900);
}

TEST(Run, RequiredSandboxThatIsMissingStopsBeforeAnythingIsRecorded) {
  EngineWorld world;
  rgx::test::PolicyText text;
  text.sandbox = "required";
  world.policy = make_policy(text);
  world.sandbox.claimed = SandboxStrength::none;
  const auto report = world.run({exec_step("t", {"true"})});
  EXPECT_TRUE(refused(report, "run.sandbox_too_weak", "this kernel gives none"));
  EXPECT_EQ(report.error().kind, ErrorKind::environment);
  EXPECT_EQ(world.state.index, nullptr);
}

TEST(Run, MissingProgramStopsBeforeAnythingIsRecorded) {
  EngineWorld world;
  const auto report = world.run({exec_step("t", {"missing"})});
  EXPECT_TRUE(refused(report, "run.no_program", "`missing` is not on this machine"));
  EXPECT_EQ(report.error().kind, ErrorKind::environment);
  EXPECT_EQ(world.state.index, nullptr);
}

TEST(Run, FirstInterruptionLetsRunningStepsEnd) {
  EngineWorld world;
  world.processes.on("true a", ScriptedProcess::exit_with(0), [&world](const CancelFlag& stop) {
    world.interruption.finish.store(true);
    EXPECT_FALSE(stop.load());
  });
  const auto report =
      world.run({exec_step("a", {"true", "a"}), exec_step("b", {"true", "b"}, {"a"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::interrupted);
  EXPECT_EQ(exit_code(report->state), 130);
  EXPECT_EQ(world.story(report->run),
            (Lines{"step_intent a", "step_outcome a succeeded",
                   "run_interrupted a person or a signal stopped the run",
                   "step_skipped b the run was interrupted", "run_sealed interrupted"}));
  EXPECT_EQ(world.verify(report->run).kind, VerdictKind::verified);
}

TEST(Run, SecondInterruptionEndsRunningSteps) {
  EngineWorld world;
  ProcessOutcome cancelled;
  cancelled.end = ProcessOutcome::End::cancelled;
  world.processes.on("true a", cancelled, [&world](const CancelFlag& stop) {
    world.interruption.finish.store(true);
    world.interruption.stop.store(true);
    while (!stop.load()) {
      std::this_thread::yield();
    }
  });
  const auto report = world.run({exec_step("a", {"true", "a"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::interrupted);
  EXPECT_EQ(state_of(*report, "a"), StepState::cancelled);
}

TEST(Run, InterruptionThatComesAfterTheLastStepChangesNothing) {
  EngineWorld world;
  world.processes.on("true", ScriptedProcess::exit_with(0),
                     [&world](const CancelFlag&) { world.interruption.finish.store(true); });
  const auto report = world.run({exec_step("a", {"true"})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
}

TEST(Run, ProgramsRunSideBySideUpToTheirSlots) {
  EngineWorld world;
  std::atomic<int> inside{0};
  const auto meet = [&inside](const CancelFlag&) {
    ++inside;
    while (inside.load() < 2) {  // ends only if a second one runs beside it
      std::this_thread::yield();
    }
  };
  std::vector<templates::Step> steps;
  for (const std::string name : {"a", "b", "c", "d"}) {
    world.processes.on("true " + name, ScriptedProcess::exit_with(0), meet);
    steps.push_back(exec_step(name, {"true", name}));
  }
  const auto report = world.run(std::move(steps));
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(world.processes.running_max(), 2U);
  EXPECT_EQ(world.verify(report->run).kind, VerdictKind::verified);
}

TEST(Run, TornIndexIsSetAsideAndRecorded) {
  EngineWorld world;
  ASSERT_TRUE(rgx::test::accepted(world.run({search_step("find", "x", {"."})})));
  world.state.index->append("{\"mac\":\"00");
  const auto report = world.run({search_step("find", "x", {"."})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(world.state.torn_set_aside, 1U);
  const auto records = world.index_records();
  ASSERT_EQ(records.size(), 6U);
  EXPECT_EQ(records[3].type, RecordType::recovery);
  EXPECT_EQ(records[3].body.find("bytes")->as_integer(), 10);
  EXPECT_EQ(records[3].body.find("digest")->as_string(), digest_bytes("{\"mac\":\"00").to_string());
}

TEST(Run, IndexThatWasCutBeforeItsFirstRecordBeginsAgain) {
  EngineWorld world;
  ASSERT_TRUE(rgx::test::accepted(world.run({search_step("find", "x", {"."})})));
  world.state.index->cut(20);
  world.state.ledgers.clear();  // a run comes after the first record
  const auto report = world.run({search_step("find", "x", {"."})});
  ASSERT_TRUE(rgx::test::accepted(report));
  EXPECT_EQ(world.index_records().at(1).type, RecordType::recovery);
}

TEST(Run, TamperedIndexStopsTheRun) {
  EngineWorld world;
  ASSERT_TRUE(rgx::test::accepted(world.run({search_step("find", "x", {"."})})));
  world.state.index->set_byte(200, 'X');
  const auto report = world.run({search_step("find", "x", {"."})});
  EXPECT_TRUE(refused(report, "ledger.tampered", "does not verify"));
  EXPECT_EQ(report.error().kind, ErrorKind::evidence);
  EXPECT_EQ(world.state.ledgers.size(), 1U);
}

TEST(Run, IndexThatNoLongerTellsOfAStoredRunStopsTheRun) {
  EngineWorld world;
  ASSERT_TRUE(rgx::test::accepted(world.run({search_step("find", "x", {"."})})));
  const std::size_t lines = world.index_records().size();
  ASSERT_EQ(lines, 3U);
  world.state.index->drop_line(2);
  world.state.index->drop_line(1);
  const auto report = world.run({search_step("find", "x", {"."})});
  EXPECT_TRUE(refused(report, "run.index_damaged", "does not tell of the stored run r-"));
  EXPECT_EQ(report.error().kind, ErrorKind::evidence);
  EXPECT_EQ(world.index_records().size(), 1U);
}

TEST(Run, IndexThatIsGoneStopsTheRun) {
  EngineWorld world;
  ASSERT_TRUE(rgx::test::accepted(world.run({search_step("find", "x", {"."})})));
  world.state.index.reset();
  const auto report = world.run({search_step("find", "x", {"."})});
  EXPECT_TRUE(refused(report, "run.index_gone", "is gone, though it has runs, such as r-"));
  EXPECT_EQ(report.error().kind, ErrorKind::evidence);
  EXPECT_EQ(world.state.index, nullptr);
}

TEST(Run, LeftoversAreRemovedWhereThisAndTheKilledRunWrite) {
  EngineWorld world;
  world.workspace.put("src/a.c", "old").put("lib/b.c", "old");
  ASSERT_TRUE(rgx::test::accepted(world.run({edit_step("edit", "src/a.c")})));
  // The end of that run is cut off, as after a kill.
  world.state.index->drop_line(2);
  const std::size_t before = world.log.calls().size();
  ASSERT_TRUE(rgx::test::accepted(world.run({edit_step("edit", "lib/b.c")})));
  EXPECT_NE(world.log.find("workspace.remove_leftovers src", before), CallLog::npos);
  EXPECT_NE(world.log.find("workspace.remove_leftovers lib", before), CallLog::npos);
  EXPECT_LT(world.log.find("state.remove_leftover_scratch", before),
            world.log.find("index.append", before));
}

TEST(RecordRefusal, LeavesOneRecordInTheIndexAndNothingElse) {
  EngineWorld world;
  world.workspace.put("frozen/a.c", "old");
  const auto sealed = rgx::test::seal_steps({edit_step("edit", "frozen/a.c")});
  ASSERT_TRUE(rgx::test::accepted(sealed));
  policy::Refusal refusal;
  policy::Decision decision;
  decision.remedy = "leave it";
  refusal.denied.emplace(StepId("edit"), decision);
  const auto reference = record_refusal(*sealed, refusal, world.ports(), world.identity);
  ASSERT_TRUE(rgx::test::accepted(reference));
  const auto records = world.index_records();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[1].type, RecordType::run_refused);
  EXPECT_EQ(records[1].seq, reference->seq);
  EXPECT_EQ(records[1].body.find("truncated")->as_boolean(), false);
  EXPECT_EQ(world.state.ledgers.size(), 0U);
  EXPECT_EQ(world.log.count("workspace."), 0U);
}

}  // namespace
}  // namespace rgx::engine
