#include "templates/step_graph.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace rgx::templates {
namespace {

using Needs = std::vector<std::vector<std::uint32_t>>;

TEST(StepGraph, SmallestReadyNameComesFirst) {
  const StepGraph graph({"d", "a", "c", "b"}, Needs{{}, {2}, {}, {}});
  ASSERT_FALSE(graph.has_cycle());
  EXPECT_EQ(graph.order(), (std::vector<std::uint32_t>{3, 2, 1, 0}));
}

TEST(StepGraph, NamesItsCycle) {
  const StepGraph graph({"x", "c", "b", "a"}, Needs{{}, {2}, {3, 0}, {1}});
  ASSERT_TRUE(graph.has_cycle());
  EXPECT_EQ(graph.cycle(), "a -> c -> b -> a");
  const StepGraph loop({"a"}, Needs{{0}});
  ASSERT_TRUE(loop.has_cycle());
  EXPECT_EQ(loop.cycle(), "a -> a");
}

TEST(StepGraph, NodesBehindACycleDoNotHideIt) {
  const StepGraph graph({"a", "b", "c"}, Needs{{1}, {2}, {1}});
  ASSERT_TRUE(graph.has_cycle());
  EXPECT_EQ(graph.cycle(), "b -> c -> b");
}

TEST(StepGraph, EmptyGraphHasAnEmptyOrder) {
  const StepGraph graph({}, {});
  EXPECT_FALSE(graph.has_cycle());
  EXPECT_TRUE(graph.order().empty());
}

RC_GTEST_PROP(StepGraph, ComesAfterIsReachability, ()) {
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 90);
  std::vector<std::string> names;
  Needs needs(count);
  for (std::uint32_t node = 0; node < count; ++node) {
    names.push_back("n" + std::to_string((node * 7919U) % 10007U));
    for (std::uint32_t need = 0; need < node; ++need) {
      if (*rc::gen::inRange(0, 12) == 0) {
        needs[node].push_back(need);
      }
    }
  }
  StepGraph graph({names.begin(), names.end()}, needs);
  RC_ASSERT(!graph.has_cycle());
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
  for (std::uint32_t node = 0; node < count; ++node) {
    for (const std::uint32_t need : needs[node]) {
      reaches[node][need] = true;
      for (std::uint32_t other = 0; other < count; ++other) {
        reaches[node][other] = reaches[node][other] || reaches[need][other];
      }
    }
  }
  const auto any = *rc::gen::inRange<std::uint32_t>(0, count);
  std::vector<std::uint32_t> all(count);
  std::vector<std::uint32_t> unordered;
  for (std::uint32_t node = 0; node < count; ++node) {
    all[node] = node;
    if (node != any && !reaches[node][any] && !reaches[any][node]) {
      unordered.push_back(node);
    }
  }
  RC_ASSERT(graph.unordered_in(any, graph.set_of(all)) == unordered);
  std::vector<std::size_t> place(count);
  for (std::size_t at = 0; at < count; ++at) {
    place[graph.order()[at]] = at;
  }
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = 0; b < count; ++b) {
      RC_ASSERT(graph.comes_after(a, b) == reaches[a][b]);
      RC_ASSERT(!reaches[a][b] || place[b] < place[a]);
    }
  }
}

}  // namespace
}  // namespace rgx::templates
