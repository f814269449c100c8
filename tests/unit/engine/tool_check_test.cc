#include <gtest/gtest.h>

#include "engine/change_set.h"
#include "engine/tool.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

// Made of two halves, so that no scanner takes this file for a leak.
std::string token(char fill) {
  return std::string("ghp") + "_" + std::string(36, fill);
}

class Checks : public testing::Test {
 protected:
  void change(const std::string& path, std::string_view before, std::string_view after) {
    Change change{path, std::nullopt, std::nullopt};
    if (!before.empty()) {
      change.before = *world.state.objects().put(before);
    }
    if (!after.empty()) {
      change.after = digest_bytes(after);
      world.workspace.put(path, after);
    }
    changes.add({change});
  }
  Result<Outcome> check(std::string_view tool, const Json& with) {
    templates::Step step;
    step.id = StepId("check");
    step.tool.use = tool;
    step.tool.with = with;
    const policy::Facts facts;
    ToolPorts ports{world.workspace, world.repository, world.processes, world.state};
    const PrepareAction prepare = find_tool_implementation(tool);
    RGX_TRY(auto action, prepare({step, facts, {}, RunId("r"), 0, 1000, ports, &changes}));
    action->act(CancelFlag{false});
    return action->finish();
  }
  static Json only(const std::vector<std::string>& paths) {
    return Json::object({{"changed_only", Json::array_of(paths)}});
  }

  rgx::test::EngineWorld world;
  ChangeSet changes;
};

TEST_F(Checks, PathsOutsideOfTheListFail) {
  change("src/a.c", "a", "b");
  change("docs/x.md", "", "new");
  EXPECT_EQ(check("check.paths", only({"src", "docs/*.md"}))->state, StepState::succeeded);
  const auto outcome = check("check.paths", only({"src/**"}));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->state, StepState::failed);
  EXPECT_EQ(outcome->summary, "1 file changed outside of what is allowed: docs/x.md");
  EXPECT_EQ(outcome->error->code, "check.paths");
  EXPECT_EQ(*outcome->values.find("paths"), Json::array_of({"docs/x.md"}));
  EXPECT_FALSE(outcome->values.find("passed")->as_boolean());
}

TEST_F(Checks, FileThatIsAsBeforeIsNoChange) {
  change("a", "one", "two");
  change("a", "two", "one");
  EXPECT_TRUE(changes.files().empty());
  EXPECT_EQ(check("check.paths", only({"none"}))->summary, "0 files changed, all inside");
}

TEST_F(Checks, WhatIsNotKnownInFullConvincesNobody) {
  changes.note_unknown("`format`: too many files");
  for (const auto& [tool, with] :
       {std::pair("check.paths", only({"**"})), std::pair("check.diff", Json::object()),
        std::pair("check.secrets", Json::object({{"new_max", 0}}))}) {
    const auto outcome = check(tool, with);
    EXPECT_EQ(outcome->state, StepState::failed);
    EXPECT_EQ(outcome->error->code, "check.changes_unknown");
  }
}

TEST_F(Checks, DiffCountsLinesAndFiles) {
  change("a", "1\n2\n3\n", "1\nX\n3\n");
  change("gone", "1\n2\n", "");
  const auto outcome = check("check.diff", Json::object({{"files_max", 2}, {"lines_max", 4}}));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->state, StepState::succeeded);
  EXPECT_EQ(outcome->summary, "4 lines in 2 files changed");
  EXPECT_EQ(outcome->values.find("lines")->as_integer(), 4);
  EXPECT_EQ(check("check.diff", Json::object({{"lines_max", 3}}))->summary,
            "4 lines in 2 files changed; at most 3 lines may be");
  EXPECT_EQ(check("check.diff", Json::object({{"files_max", 1}}))->state, StepState::failed);
}

TEST_F(Checks, OnlyNewSecretsCountAndNoneIsShown) {
  change("old", "x " + token('a') + "\n", "x " + token('a') + "\ny\n");
  EXPECT_EQ(check("check.secrets", Json::object({{"new_max", 0}}))->state, StepState::succeeded);
  change("new", "", "one\nkey = " + token('b') + "\n");
  const auto outcome = check("check.secrets", Json::object({{"new_max", 0}}));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->state, StepState::failed);
  EXPECT_EQ(outcome->summary, "1 new secret: new:2: github_token");
  EXPECT_EQ(outcome->values.find("count")->as_integer(), 1);
  EXPECT_EQ((outcome->detail + outcome->summary + pretty(outcome->values)).find(token('b')),
            std::string::npos);
  EXPECT_EQ(check("check.secrets", Json::object({{"new_max", 1}}))->state, StepState::succeeded);
}

TEST_F(Checks, FileThatSomethingElseChangedIsAnError) {
  change("a", "one", "two");
  world.workspace.put("a", "three");
  EXPECT_EQ(check("check.diff", Json::object())->error->code, "step.changed_meanwhile");
}

TEST_F(Checks, FileMustBeARegularOne) {
  world.workspace.put("a", "bytes");
  world.workspace.put_link("link", "a");
  const auto outcome = check("check.file", Json::object({{"path", "a"}}));
  EXPECT_EQ(outcome->state, StepState::succeeded);
  EXPECT_EQ(outcome->values.find("digest")->as_string(), digest_bytes("bytes").to_string());
  EXPECT_EQ(check("check.file", Json::object({{"path", "link"}}))->summary,
            "`link` is no regular file");
  EXPECT_EQ(check("check.file", Json::object({{"path", "none"}}))->summary,
            "there is no file `none`");
}

TEST_F(Checks, TestsThatFailAreToldFromARunnerThatBreaks) {
  policy::Facts facts;
  facts.program.emplace();
  facts.program->path = "/usr/bin/ctest";
  facts.program->digest = digest_bytes("ctest");
  const auto run = [&](std::string_view tool) {
    templates::Step step;
    step.tool.use = tool;
    step.tool.with = Json::object({{"argv", Json::array_of({"ctest"})}});
    ToolPorts ports{world.workspace, world.repository, world.processes, world.state};
    auto action =
        find_tool_implementation(tool)({step, facts, {}, RunId("r"), 0, 1000, ports, &changes});
    EXPECT_TRUE(accepted((*action)->begin()));
    (*action)->act(CancelFlag{false});
    return (*action)->finish();
  };
  world.processes.on("ctest", rgx::test::ScriptedProcess::exit_with(
                                  8,
                                  "50% tests passed, 1 tests failed out of 2\n\n"
                                  "The following tests FAILED:\n\t  2 - b (Failed)\n",
                                  "Errors while running CTest\n"));
  const Outcome failing = run("check.tests");
  EXPECT_EQ(failing.state, StepState::failed);
  EXPECT_EQ(failing.summary, "1 of 2 tests failed: b, exit status 8");
  EXPECT_EQ(failing.error->code, "check.tests");
  EXPECT_NE(failing.detail.find("2 - b (Failed)"), std::string::npos);
  EXPECT_NE(failing.detail.find("Errors while running CTest"), std::string::npos);
  EXPECT_EQ(failing.values.find("tests")->find("failed")->as_integer(), 1);
  EXPECT_EQ(run("exec").summary, failing.summary);

  ProcessOutcome crash;
  crash.end = ProcessOutcome::End::signalled;
  crash.code = 11;
  world.processes.on("ctest", crash);
  EXPECT_EQ(run("check.tests").summary, "the runner broke before any result: ended by SIGSEGV");
  EXPECT_EQ(run("exec").summary, "ended by SIGSEGV");

  world.processes.on("ctest", rgx::test::ScriptedProcess::exit_with(
                                  0, "50% tests passed, 1 tests failed out of 2\n"));
  EXPECT_EQ(run("check.tests").state, StepState::failed);
  EXPECT_EQ(run("check.command").state, StepState::succeeded);
  EXPECT_TRUE(run("check.command").values.find("passed")->as_boolean());
}

}  // namespace
}  // namespace rgx::engine
