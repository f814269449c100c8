#include <gtest/gtest.h>

#include "engine/tool.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

class FileTools : public testing::Test {
 protected:
  Result<Outcome> use(std::string_view tool, const Json& with,
                      const std::map<std::string, Digest>& pins = {}) {
    templates::Step step;
    step.id = StepId("it");
    step.tool.use = tool;
    step.tool.with = with;
    const policy::Facts facts;
    ToolPorts ports{world.workspace, world.repository, world.processes, world.state};
    const PrepareAction prepare = find_tool_implementation(tool);
    RGX_TRY(auto action, prepare({step, facts, pins, RunId("r"), 0, 1000, ports}));
    planned = action->planned();
    needs = action->needs();
    const Status begun = action->begin();
    if (begun) {
      action->act(CancelFlag{false});
    }
    return action->finish();
  }
  static Json write(std::string_view path, std::string_view content) {
    return Json::object({{"content", content}, {"path", path}});
  }
  static Json at(std::string_view path) { return Json::object({{"path", path}}); }
  static Json move(std::string_view path, std::string_view to) {
    return Json::object({{"path", path}, {"to", to}});
  }
  bool is_stored(std::string_view bytes) {
    return world.state.memory_objects().stored.contains(digest_bytes(bytes));
  }

  rgx::test::EngineWorld world;
  std::vector<Change> planned;
  policy::RunBudget needs;
};

TEST_F(FileTools, WriteMakesAFileAndItsFolders) {
  const auto outcome = use("file.write", write("docs/new/a.md", "hello\n"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->state, StepState::succeeded);
  EXPECT_EQ(outcome->summary, "made, 6 bytes");
  EXPECT_EQ(world.workspace.bytes("docs/new/a.md"), "hello\n");
  const std::vector<Change> expected = {{"docs/new/a.md", std::nullopt, digest_bytes("hello\n")}};
  EXPECT_EQ(outcome->changed, expected);
  EXPECT_EQ(planned, expected);
  EXPECT_EQ(*outcome->values.find("made"), Json::array_of({"docs", "docs/new"}));
  EXPECT_EQ(outcome->values.find("bytes")->as_integer(), 6);
  EXPECT_EQ(outcome->values.find("digest")->as_string(), digest_bytes("hello\n").to_string());
  EXPECT_EQ(needs.bytes_written, 6);
}

TEST_F(FileTools, WriteKeepsTheImageOfWhatItReplaces) {
  world.workspace.put("a", "before");
  const auto outcome = use("file.write", write("a", "after"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->summary, "replaced, 5 bytes");
  EXPECT_TRUE(is_stored("before"));
  EXPECT_EQ(outcome->changed,
            (std::vector<Change>{{"a", digest_bytes("before"), digest_bytes("after")}}));
}

TEST_F(FileTools, WriteOfTheSameBytesChangesNothing) {
  world.workspace.put("a", "same");
  const auto outcome = use("file.write", write("a", "same"));
  EXPECT_EQ(outcome->summary, "nothing to change");
  EXPECT_TRUE(outcome->changed.empty());
  EXPECT_TRUE(planned.empty());
  EXPECT_EQ(world.log.count("workspace.write"), 0U);
}

TEST_F(FileTools, PinnedFilesThatDifferAreDrift) {
  world.workspace.put("a", "other");
  const std::map<std::string, Digest> pins = {{"a", digest_bytes("planned")},
                                              {"gone", digest_bytes("planned")}};
  EXPECT_TRUE(refused(use("file.write", write("a", "x"), pins), "workspace.changed",
                      "`a` is not the file"));
  EXPECT_TRUE(
      refused(use("file.write", write("gone", "x"), pins), "workspace.changed", "`gone` is gone"));
  EXPECT_TRUE(refused(use("file.delete", at("a"), pins), "workspace.changed", "`a`"));
}

TEST_F(FileTools, LinksAreNeverFollowed) {
  world.workspace.put_link("link", "/etc/passwd");
  for (const char* tool : {"file.read", "file.delete"}) {
    EXPECT_TRUE(refused(use(tool, at("link")), "workspace.symlink", "`link`"));
  }
  EXPECT_TRUE(refused(use("file.write", write("link", "x")), "workspace.symlink", "`link`"));
  EXPECT_TRUE(refused(use("file.move", move("link", "b")), "workspace.symlink", "`link`"));
}

TEST_F(FileTools, ReadStoresWhatItRead) {
  world.workspace.put("a", "bytes\r\n");
  const auto outcome = use("file.read", at("a"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->outputs.at("content").digest, digest_bytes("bytes\r\n"));
  EXPECT_TRUE(is_stored("bytes\r\n"));
  EXPECT_EQ(outcome->values.find("bytes")->as_integer(), 7);
  EXPECT_TRUE(outcome->changed.empty());
  EXPECT_TRUE(refused(use("file.read", at("none")), "file.missing", "there is no file `none`"));
}

TEST_F(FileTools, DeleteKeepsImageAndMode) {
  world.workspace.put("a", "bytes");
  ASSERT_TRUE(accepted(world.workspace.set_mode("a", 0755)));
  const auto outcome = use("file.delete", at("a"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->state, StepState::succeeded);
  EXPECT_EQ(outcome->changed,
            (std::vector<Change>{{"a", digest_bytes("bytes"), std::nullopt, 0755, std::nullopt}}));
  EXPECT_EQ(outcome->spent.files_changed, 1);
  EXPECT_TRUE(is_stored("bytes"));
  EXPECT_FALSE(world.workspace.files().contains("a"));
  EXPECT_TRUE(refused(use("file.delete", at("a")), "file.missing", "`a`"));
}

TEST_F(FileTools, MoveIsTwoChangesInTheOrderOfPaths) {
  world.workspace.put("b", "bytes");
  const auto outcome = use("file.move", move("b", "a/c"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->summary, "moved to `a/c`");
  const Digest digest = digest_bytes("bytes");
  EXPECT_EQ(outcome->changed,
            (std::vector<Change>{{"a/c", std::nullopt, digest, std::nullopt, 0644},
                                 {"b", digest, std::nullopt, 0644, std::nullopt}}));
  EXPECT_EQ(outcome->changed, planned);
  EXPECT_EQ(world.workspace.bytes("a/c"), "bytes");
  EXPECT_EQ(*outcome->values.find("made"), Json::array_of({"a"}));
}

TEST_F(FileTools, MoveNeverReplaces) {
  world.workspace.put("a", "a").put("b", "b");
  EXPECT_TRUE(refused(use("file.move", move("a", "b")), "file.exists", "`b` exists already"));
  EXPECT_EQ(world.workspace.bytes("b"), "b");
}

TEST_F(FileTools, WhatAnotherChangesMeanwhileIsNotOverwritten) {
  world.workspace.put("a", "before");
  world.workspace.before_write = [this](std::string_view path) {
    world.workspace.put(path, "somebody else's");
  };
  const auto outcome = use("file.write", write("a", "after"));
  EXPECT_EQ(outcome->state, StepState::failed);
  EXPECT_EQ(outcome->error->code, "workspace.changed");
  EXPECT_TRUE(outcome->changed.empty());
  EXPECT_EQ(world.workspace.bytes("a"), "somebody else's");
}

}  // namespace
}  // namespace rgx::engine
