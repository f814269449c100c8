#include <gtest/gtest.h>

#include "engine/rollback.h"
#include "engine/run.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

namespace rgx::engine {
namespace {

using audit::RecordType;
using rgx::test::accepted;
using rgx::test::edit_step;
using rgx::test::EngineWorld;
using rgx::test::exec_step;
using rgx::test::refused;
using rgx::test::ScriptedProcess;

using Lines = std::vector<std::string>;

constexpr const char* kBase = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// Files are there twice: as people have them, and as they were committed.
struct World : EngineWorld {
  World() {
    plan_workspace = "worktree";
    workspace.put("a.c", "people's old a").put("b.c", "people's old b");
    worktrees.base_files = {{"a.c", "old a"}, {"b.c", "old b"}};
  }
  policy::AdmittedPlan edits() {
    return admit({edit_step("edit-a", "a.c"), edit_step("edit-b", "b.c", {"edit-a"})});
  }
  const Json& seal(const RunId& run) {
    last = records(run).back();
    EXPECT_EQ(last->type, RecordType::run_sealed);
    return last->body;
  }
  std::optional<audit::Record> last;
};

TEST(RunInWorktree, EndsInOneCommitAndLeavesTheCheckoutAlone) {
  World world;
  const auto run = world.run(world.edits());
  ASSERT_TRUE(accepted(run));
  EXPECT_EQ(run->state, RunState::succeeded);
  EXPECT_EQ(world.workspace.bytes("a.c"), "people's old a");
  EXPECT_EQ(world.workspace.bytes("b.c"), "people's old b");

  ASSERT_EQ(world.worktrees.commits.size(), 1U);
  const WorktreeCommit& commit = world.worktrees.commits[0];
  EXPECT_EQ(commit.tree, "a.c=new a\nb.c=new b\n");
  EXPECT_EQ(
      commit.message,
      "an intent\n\nRgx-Plan: " + world.records(run->run)[0].body.find("plan_digest")->as_string() +
          "\nRgx-Run: " + run->run.text() + "\nRgx-Ledger-Head: " + run->root.to_string() + "\n");
  ASSERT_TRUE(run->worktree);
  EXPECT_EQ(run->worktree->commit, "commit 1");
  EXPECT_EQ(run->worktree->path, "");
  EXPECT_TRUE(world.worktrees.folders.empty());

  const Json worktree = *world.seal(run->run).find("worktree");
  EXPECT_EQ(
      worktree,
      Json::object({{"base", kBase}, {"branch", "rgx/" + run->run.text()}, {"tree", commit.tree}}));
  EXPECT_EQ(world.index_records().back().body.find("commit")->as_string(), "commit 1");
  EXPECT_EQ(world.verify(run->run).kind, audit::VerdictKind::verified);
  EXPECT_EQ(world.verify_index().meaning.state, audit::PropertyState::holds);
}

TEST(RunInWorktree, TheWorktreeIsMadeAfterTheAdmissionAndTheCommitAfterTheSeal) {
  World world;
  const auto run = world.run(world.edits());
  ASSERT_TRUE(accepted(run));
  const auto made = world.log.find("worktrees.make");
  const auto tree = world.log.find("worktrees.write_tree");
  const auto commit = world.log.find("worktrees.commit");
  const auto removed = world.log.find("worktrees.remove");
  ASSERT_NE(removed, rgx::test::CallLog::npos);
  EXPECT_LT(made, world.log.find("workspace.write"));
  EXPECT_LT(tree, commit);
  EXPECT_LT(commit, removed);
  // Between tree and commit the seal is written and synced, between commit and removal the index.
  const Lines calls = world.log.calls();
  const auto synced = [&calls](std::size_t from, std::size_t to) {
    return std::ranges::any_of(calls.begin() + static_cast<std::ptrdiff_t>(from),
                               calls.begin() + static_cast<std::ptrdiff_t>(to),
                               [](const std::string& call) { return call.ends_with(".sync"); });
  };
  EXPECT_TRUE(synced(0, made));
  EXPECT_TRUE(synced(tree, commit));
  EXPECT_TRUE(synced(commit, removed));
}

TEST(RunInWorktree, NothingChangedMeansNoCommitAndNoBranch) {
  World world;
  world.processes.on("true", ScriptedProcess::exit_with(0));
  const auto run = world.run(world.admit({exec_step("check", {"true"})}));
  ASSERT_TRUE(accepted(run));
  EXPECT_EQ(run->state, RunState::succeeded);
  EXPECT_TRUE(world.worktrees.commits.empty());
  EXPECT_TRUE(world.worktrees.tips.empty());
  EXPECT_EQ(run->worktree->commit, "");
  EXPECT_EQ(world.index_records().back().body.find("commit"), nullptr);
  EXPECT_EQ(world.verify(run->run).kind, audit::VerdictKind::verified);
}

TEST(RunInWorktree, AFailedRunKeepsItsWorktreeAndCommitsNothing) {
  World world;
  world.processes.on("false", ScriptedProcess::exit_with(1));
  const auto run =
      world.run(world.admit({edit_step("edit", "a.c"), exec_step("tests", {"false"}, {"edit"})}));
  ASSERT_TRUE(accepted(run));
  EXPECT_EQ(run->state, RunState::failed);
  EXPECT_TRUE(world.worktrees.commits.empty());
  EXPECT_EQ(run->worktree->path, "/worktrees/" + run->run.text());
  EXPECT_EQ(world.worktrees.folders.at(run->run)->bytes("a.c"), "new a");
  EXPECT_EQ(world.seal(run->run).find("worktree"), nullptr);
  EXPECT_EQ(world.verify(run->run).kind, audit::VerdictKind::verified);
}

TEST(RunInWorktree, ABranchThatSomebodyMovedIsNotCommittedOn) {
  World world;
  world.processes.on("true", ScriptedProcess::exit_with(0), [&world](const CancelFlag&) {
    world.worktrees.tips.begin()->second = "somebody's";
  });
  const auto run =
      world.run(world.admit({edit_step("edit", "a.c"), exec_step("tests", {"true"}, {"edit"})}));
  ASSERT_TRUE(accepted(run));
  EXPECT_EQ(run->state, RunState::drifted);
  EXPECT_TRUE(world.worktrees.commits.empty());
  ASSERT_EQ(run->notes.size(), 1U);
  EXPECT_NE(run->notes[0].find("is not where the run left it"), std::string::npos);
}

TEST(RunInWorktree, AFileThatSomebodyElseChangedIsNotCommitted) {
  World world;
  world.processes.on("true", ScriptedProcess::exit_with(0), [&world](const CancelFlag&) {
    world.worktrees.folders.begin()->second->put("a.c", "somebody's");
  });
  const auto run =
      world.run(world.admit({edit_step("edit", "a.c"), exec_step("tests", {"true"}, {"edit"})}));
  ASSERT_TRUE(accepted(run));
  EXPECT_NE(run->state, RunState::succeeded);
  EXPECT_TRUE(world.worktrees.commits.empty());
}

TEST(RunInWorktree, AWorktreeThatCannotBeMadeIsMadeByResume) {
  World world;
  world.worktrees.make_fails = true;
  const auto plan = world.edits();
  EXPECT_TRUE(refused(world.run(plan), "worktree.io", "the disk is full"));
  ASSERT_EQ(world.state.ledgers.size(), 1U);
  world.worktrees.make_fails = false;
  const RunId run = world.state.ledgers.begin()->first;
  const auto resumed = resume(plan, world.ports(), world.identity, world.interruption, run);
  ASSERT_TRUE(accepted(resumed));
  EXPECT_EQ(resumed->state, RunState::succeeded);
  EXPECT_EQ(resumed->worktree->commit, "commit 1");
}

TEST(RunInWorktree, OneThatWasCutShortAfterItsSealIsCompletedOnce) {
  World world;
  world.worktrees.commit_fails = true;
  const auto plan = world.edits();
  ASSERT_TRUE(refused(world.run(plan), "worktree.io", "the disk is full"));
  const RunId run = world.state.ledgers.begin()->first;
  // It is sealed: what is missing is the commit, and the end in the index.
  EXPECT_TRUE(refused(resume(plan, world.ports(), world.identity, world.interruption, run),
                      "resume.finished", "has ended"));
  world.worktrees.commit_fails = false;
  const auto done = finish_worktree(plan.plan(), world.ports(), world.identity, run);
  ASSERT_TRUE(accepted(done));
  EXPECT_EQ(done->commit, "commit 1");
  EXPECT_EQ(world.index_records().back().type, RecordType::run_finished);
  EXPECT_TRUE(world.worktrees.folders.empty());
  EXPECT_TRUE(refused(finish_worktree(plan.plan(), world.ports(), world.identity, run),
                      "resume.finished", "has ended"));
  EXPECT_EQ(world.worktrees.commits.size(), 1U);
}

TEST(RunInWorktree, IsRefusedWhereThereAreNone) {
  World world;
  RunPorts ports = world.ports();
  ports.worktrees = nullptr;
  EXPECT_TRUE(refused(run(world.edits(), ports, world.identity, world.interruption),
                      "run.workspace", "`worktree`"));
}

TEST(RunInWorktree, WorktreesOfRunsThatEndedWellAreClearedAway) {
  World world;
  const auto first = world.run(world.edits());
  ASSERT_TRUE(accepted(first));
  // As if it had been killed before that.
  ASSERT_TRUE(accepted(world.worktrees.make(first->run, kBase)));
  world.worktrees.tips[first->run] = "commit 1";
  ASSERT_TRUE(accepted(world.run(world.edits())));
  EXPECT_TRUE(world.worktrees.folders.empty());
  EXPECT_EQ(world.worktrees.tips.at(first->run), "commit 1");
}

TEST(RollbackOfWorktree, RemovesWorktreeAndBranch) {
  World world;
  world.processes.on("false", ScriptedProcess::exit_with(1));
  const auto run =
      world.run(world.admit({edit_step("edit", "a.c"), exec_step("tests", {"false"}, {"edit"})}));
  ASSERT_TRUE(accepted(run));
  const auto report = roll_back(world.ports(), world.identity, run->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->branch, "rgx/" + run->run.text());
  EXPECT_TRUE(report->restored.empty());
  EXPECT_TRUE(world.worktrees.folders.empty());
  EXPECT_TRUE(world.worktrees.tips.empty());
  EXPECT_EQ(world.workspace.bytes("a.c"), "people's old a");
  EXPECT_EQ(world.verify_index().meaning.state, audit::PropertyState::holds);
  EXPECT_TRUE(refused(roll_back(world.ports(), world.identity, run->run), "rollback.done",
                      "is rolled back already"));
}

TEST(RollbackOfWorktree, OfARunThatSucceededRemovesItsBranch) {
  World world;
  const auto run = world.run(world.edits());
  ASSERT_TRUE(accepted(run));
  ASSERT_TRUE(accepted(roll_back(world.ports(), world.identity, run->run)));
  EXPECT_TRUE(world.worktrees.tips.empty());
}

TEST(RollbackOfWorktree, KeepsWhatSomebodyElseDid) {
  World world;
  world.processes.on("false", ScriptedProcess::exit_with(1));
  const auto run =
      world.run(world.admit({edit_step("edit", "a.c"), exec_step("tests", {"false"}, {"edit"})}));
  ASSERT_TRUE(accepted(run));
  world.worktrees.tips[run->run] = "somebody's";
  world.worktrees.extra_files = {"a.c", "mine"};
  world.worktrees.folders.at(run->run)->put("a.c", "mine, too");
  const auto report = roll_back(world.ports(), world.identity, run->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(
      report->changed_since,
      (Lines{"the branch `rgx/" + run->run.text() + "` has moved to somebody's",
             "`mine` of the worktree was not changed by the run", "`a.c` has changed since"}));
  EXPECT_EQ(world.worktrees.folders.size(), 1U);
  EXPECT_EQ(world.worktrees.tips.size(), 1U);
}

}  // namespace
}  // namespace rgx::engine
