#include "templates/races.h"

#include "templates/seal.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/templates/plan_fixture.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rgx::templates {
namespace {

TEST(Races, TwoWritersOfOneFileRace) {
  const auto sealed = seal(draft_of({edit_step("a", "x.c"), edit_step("b", "x.c")}));
  EXPECT_TRUE(test::refused(sealed, "plan.race", "`a` writes `x.c`, `b` writes `x.c`") ||
              test::refused(sealed, "plan.race", "`a` reads `x.c`, `b` writes `x.c`"));
}

TEST(Races, ReaderAndWriterRace) {
  const auto sealed = seal(draft_of({edit_step("a", "src/x.c"), exec_step("b", {"src/**"}, {})}));
  EXPECT_TRUE(test::refused(sealed, "plan.race", "`a` writes `src/x.c`, `b` reads `src/**`"));
}

TEST(Races, OverlappingGlobsRace) {
  const auto sealed =
      seal(draft_of({exec_step("a", {}, {"build/**"}), exec_step("b", {}, {"**/*.o"})}));
  EXPECT_TRUE(test::refused(sealed, "plan.race", "`build/**`"));
}

TEST(Races, ReadersDoNotRace) {
  EXPECT_TRUE(test::accepted(
      seal(draft_of({exec_step("a", {"**"}, {}), exec_step("b", {"**", "src"}, {})}))));
}

TEST(Races, DisjointFilesDoNotRace) {
  EXPECT_TRUE(test::accepted(seal(draft_of(
      {edit_step("a", "x.c"), edit_step("b", "y.c"), exec_step("c", {"docs/**"}, {"build/**"})}))));
}

TEST(Races, AFolderGlobTouchesTheFolderItself) {
  EXPECT_TRUE(
      test::refused(seal(draft_of({edit_step("a", "build"), exec_step("b", {}, {"build/**"})})),
                    "plan.race", "`build`"));
}

TEST(Races, AnIndirectOrderIsEnough) {
  EXPECT_TRUE(test::accepted(
      seal(draft_of({exec_step("a", {}, {"x"}), exec_step("b", {}, {}, {StepId("a")}),
                     exec_step("c", {"x"}, {"x"}, {StepId("b")})}))));
}

TEST(Races, ManyAreCutOff) {
  std::vector<Step> steps;
  for (int index = 0; index < 40; ++index) {
    steps.push_back(exec_step("s" + std::to_string(index), {}, {"x"}));
  }
  const auto sealed = seal(draft_of(std::move(steps)));
  ASSERT_FALSE(sealed.has_value());
  EXPECT_EQ(sealed.error().diagnostics.size(), kRacesMax);
}

TEST(Races, EscapedNamesAreThemselves) {
  EXPECT_TRUE(
      test::accepted(seal(draft_of({edit_step("a", "p/[id].c"), edit_step("b", "p/i.c")}))));
  EXPECT_TRUE(
      test::refused(seal(draft_of({edit_step("a", "p/[id].c"), edit_step("b", "p/[id].c")})),
                    "plan.race", "`a`"));
}

/// What find_races promises, without its index.
std::vector<std::pair<std::uint32_t, std::uint32_t>> races_by_definition(
    const std::vector<Effects>& effects, StepGraph& graph) {
  const auto overlap = [](const std::vector<std::string>& a, const std::vector<std::string>& b) {
    for (const std::string& x : a) {
      for (const std::string& y : b) {
        if (Glob::parse(x)->overlaps(*Glob::parse(y))) {
          return true;
        }
      }
    }
    return false;
  };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
  for (std::uint32_t a = 0; a < effects.size(); ++a) {
    for (std::uint32_t b = a + 1; b < effects.size(); ++b) {
      const bool touch = overlap(effects[a].writes, effects[b].writes) ||
                         overlap(effects[a].writes, effects[b].reads) ||
                         overlap(effects[a].reads, effects[b].writes);
      if (touch && !graph.ordered(a, b)) {
        all.emplace_back(a, b);
      }
    }
  }
  return all;
}

RC_GTEST_PROP(Races, AgreeWithTheirDefinition, ()) {
  const auto patterns = rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "a/b", "a/b.c", "a/*", "a/**", "**", "**/b", "c", "c/d",
                                    "*", "a/?", "a/b/**", "ab", "a-/b", "a\\b"));
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 9);
  std::vector<Effects> effects(count);
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> needs(count);
  for (std::uint32_t step = 0; step < count; ++step) {
    effects[step].reads = *rc::gen::resize(3, patterns);
    effects[step].writes = *rc::gen::resize(3, patterns);
    names.push_back("s" + std::to_string(step));
    for (std::uint32_t need = 0; need < step; ++need) {
      if (*rc::gen::inRange(0, 4) == 0) {
        needs[step].push_back(need);
      }
    }
  }
  StepGraph graph({names.begin(), names.end()}, needs);
  const AccessIndex index(effects);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const Race& race : find_races(index, graph, 1000)) {
    found.emplace_back(race.first, race.second);
  }
  RC_ASSERT(found == races_by_definition(effects, graph));
}

}  // namespace
}  // namespace rgx::templates
