#include <gtest/gtest.h>

#include "engine/tool.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

class SearchText : public testing::Test {
 protected:
  void track(std::string_view path, std::string_view bytes) {
    world.repository.track(path, bytes);
    world.workspace.put(path, bytes);
  }
  Result<Outcome> search(const Json& with, bool stopped = false) {
    templates::Step step;
    step.id = StepId("find");
    step.tool.use = "search.text";
    step.tool.with = with;
    const policy::Facts facts;
    ToolPorts ports{world.workspace, world.repository, world.processes, world.state};
    RGX_TRY(auto action, prepare_search_text({step, facts, {}, RunId("r"), 0, 1000, ports}));
    EXPECT_FALSE(action->is_concurrent());
    const CancelFlag stop{stopped};
    action->act(stop);
    return action->finish();
  }
  static Json query(const char* finder, std::string_view text,
                    const std::vector<std::string>& paths) {
    return Json::object({{finder, text}, {"paths", Json::array_of(paths)}});
  }
  std::string matches(const Outcome& outcome) {
    return world.state.memory_objects().stored.at(outcome.outputs.at("matches").digest);
  }

  rgx::test::EngineWorld world;
};

TEST_F(SearchText, CountsWordsInTrackedFiles) {
  track("src/a.c", "old old_ old");
  track("src/b.c", "nothing");
  track("lib/c.c", "old");
  world.workspace.put("src/untracked.c", "old");
  const auto outcome = search(query("word", "old", {"src"}));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->state, StepState::succeeded);
  EXPECT_EQ(outcome->summary, "2 matches in 1 file");
  EXPECT_EQ(matches(*outcome), R"([{"count":2,"path":"src/a.c"}])");
  EXPECT_TRUE(outcome->changed.empty());
}

TEST_F(SearchText, TextAndPatternMatchInsideWords) {
  track("a", "fooo foo");
  EXPECT_EQ(search(query("text", "foo", {"."}))->values.find("count")->as_integer(), 2);
  EXPECT_EQ(search(query("pattern", "fo+", {"."}))->values.find("count")->as_integer(), 2);
  EXPECT_EQ(search(query("pattern", "^f", {"."}))->values.find("count")->as_integer(), 1);
  EXPECT_EQ(search(query("pattern", "x*", {"."}))->values.find("count")->as_integer(), 9);
}

TEST_F(SearchText, PlacesMayBeGlobs) {
  track("src/a.c", "x");
  track("src/a.h", "x");
  track("src/deep/a.c", "x");
  EXPECT_EQ(search(query("text", "x", {"src/*.c"}))->values.find("files")->as_integer(), 1);
  EXPECT_EQ(search(query("text", "x", {"src/**"}))->values.find("files")->as_integer(), 3);
  EXPECT_EQ(search(query("text", "x", {"src/deep", "src/a.h"}))->values.find("files")->as_integer(),
            2);
}

TEST_F(SearchText, NothingFoundIsNoFailure) {
  track("a", "x");
  const auto outcome = search(query("word", "y", {"."}));
  EXPECT_EQ(outcome->state, StepState::succeeded);
  EXPECT_EQ(matches(*outcome), "[]");
}

TEST_F(SearchText, BinaryFilesDoNotCountAndUnreadableOnesAreCounted) {
  track("a.o", std::string_view("old\0", 4));
  track("gone", "old");
  world.workspace.remove("gone");
  world.repository.track("link", "old");
  world.workspace.put_link("link", "/etc/passwd");
  const auto outcome = search(query("word", "old", {"."}));
  EXPECT_EQ(outcome->values.find("count")->as_integer(), 0);
  EXPECT_EQ(outcome->values.find("unread")->as_integer(), 2);
}

TEST_F(SearchText, BadPatternIsToldBeforeAnythingIsRead) {
  EXPECT_TRUE(refused(search(query("pattern", "a(", {"."})), "search.pattern", "a("));
  EXPECT_EQ(world.log.count("workspace."), 0U);
}

TEST_F(SearchText, NamesTheFilesWithMatches) {
  track("b", "x");
  track("a", "x x");
  track("c", "y");
  const auto outcome = search(query("text", "x", {"."}));
  EXPECT_EQ(*outcome->values.find("paths"), Json::array_of({"a", "b"}));
}

TEST_F(SearchText, FilesAreListedByPlaceAndGlob) {
  track("src/a.c", "");
  track("src/a.h", "");
  track("lib/b.c", "");
  templates::Step step;
  step.tool.use = "search.files";
  step.tool.with = Json::object({{"glob", "**/*.c"}, {"paths", Json::array_of({"src"})}});
  const policy::Facts facts;
  ToolPorts ports{world.workspace, world.repository, world.processes, world.state};
  auto action = prepare_search_files({step, facts, {}, RunId("r"), 0, 1000, ports});
  ASSERT_TRUE(accepted(action));
  const Outcome outcome = (*action)->finish();
  EXPECT_EQ(*outcome.values.find("paths"), Json::array_of({"src/a.c"}));
  EXPECT_EQ(outcome.values.find("count")->as_integer(), 1);
  EXPECT_EQ(outcome.summary, "1 file");
}

TEST_F(SearchText, MoreThanMayBeFailsAndNamesTheirLines) {
  track("src/a.c", "x = 1;\nkey = sesame;\n\nkey = sesame; key = sesame;\n");
  track("src/b\n.c", "key");
  Json with = query("word", "key", {"."});
  with.set("matches_max", 3);
  const auto outcome = search(with);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->state, StepState::failed);
  EXPECT_EQ(outcome->error->code, "search.too_many");
  EXPECT_EQ(outcome->summary, "4 matches in 2 files; at most 3 may be");
  EXPECT_EQ(outcome->detail, "src/a.c:2\nsrc/a.c:4\nsrc/b\\n.c:1");
  with.set("matches_max", 4);
  EXPECT_EQ(search(with)->state, StepState::succeeded);
}

TEST_F(SearchText, NamesNoMoreThanTwentyLines) {
  std::string bytes;
  for (int line = 0; line < 30; ++line) {
    bytes += "key\n";
  }
  track("a", bytes);
  Json with = query("pattern", "k", {"."});
  with.set("matches_max", 0);
  const std::string detail = search(with)->detail;
  EXPECT_EQ(std::ranges::count(detail, '\n'), 20);
  EXPECT_TRUE(detail.ends_with("a:20\n(no more than 20 are named)")) << detail;
}

TEST_F(SearchText, StopsWhenAsked) {
  track("a", "x");
  const auto outcome = search(query("text", "x", {"."}), true);
  EXPECT_EQ(outcome->state, StepState::failed);
  EXPECT_EQ(outcome->error->code, "search.cancelled");
}

}  // namespace
}  // namespace rgx::engine
