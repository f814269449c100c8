#include "engine/scheduler.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>

namespace rgx::engine {
namespace {

templates::Plan plan_of(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& steps) {
  templates::Plan plan;
  for (const auto& [id, needs] : steps) {
    templates::Step step;
    step.id = StepId(id);
    for (const std::string& need : needs) {
      step.needs.emplace_back(need);
    }
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

std::vector<std::string> drain(Scheduler& scheduler, const templates::Plan& plan) {
  std::vector<std::string> order;
  while (const auto step = scheduler.next()) {
    order.push_back(plan.steps[*step].id.text());
    scheduler.succeeded(*step);
  }
  return order;
}

TEST(Scheduler, LongestChainOfDependentsFirstThenId) {
  const auto plan = plan_of({{"z", {}}, {"b", {}}, {"a", {}}, {"z2", {"z"}}, {"z3", {"z2"}}});
  Scheduler scheduler(plan);
  EXPECT_EQ(drain(scheduler, plan), (std::vector<std::string>{"z", "z2", "a", "b", "z3"}));
  EXPECT_TRUE(scheduler.finished());
}

TEST(Scheduler, StepWaitsForAllItsNeeds) {
  const auto plan = plan_of({{"a", {}}, {"b", {}}, {"c", {"a", "b"}}});
  Scheduler scheduler(plan);
  const auto a = scheduler.next();
  const auto b = scheduler.next();
  EXPECT_EQ(scheduler.next(), std::nullopt);
  scheduler.succeeded(*a);
  EXPECT_EQ(scheduler.next(), std::nullopt);
  EXPECT_FALSE(scheduler.finished());
  scheduler.succeeded(*b);
  EXPECT_EQ(scheduler.next(), 2U);
}

TEST(Scheduler, FailureSkipsAllThatNeedsIt) {
  const auto plan =
      plan_of({{"a", {}}, {"b", {"a"}}, {"c", {"b"}}, {"d", {}}, {"e", {"c", "d"}}, {"f", {"d"}}});
  Scheduler scheduler(plan);
  const auto a = scheduler.next();
  ASSERT_EQ(a, 0U);
  EXPECT_EQ(scheduler.failed(*a), (std::vector<std::size_t>{1, 2, 4}));
  EXPECT_EQ(drain(scheduler, plan), (std::vector<std::string>{"d", "f"}));
  EXPECT_TRUE(scheduler.finished());
}

TEST(Scheduler, SecondFailureSkipsNothingTwice) {
  const auto plan = plan_of({{"a", {}}, {"b", {}}, {"c", {"a", "b"}}});
  Scheduler scheduler(plan);
  const auto a = scheduler.next();
  const auto b = scheduler.next();
  EXPECT_EQ(scheduler.failed(*a), std::vector<std::size_t>{2});
  EXPECT_TRUE(scheduler.failed(*b).empty());
  EXPECT_TRUE(scheduler.finished());
}

TEST(Scheduler, StepThatIsPutBackKeepsItsPlace) {
  const auto plan = plan_of({{"a", {}}, {"b", {}}, {"c", {"a"}}});
  Scheduler scheduler(plan);
  const auto a = scheduler.next();
  ASSERT_EQ(a, 0U);
  scheduler.put_back(*a);
  EXPECT_EQ(scheduler.not_started(), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(scheduler.next(), 0U);
  EXPECT_EQ(scheduler.not_started(), (std::vector<std::size_t>{1, 2}));
}

TEST(Scheduler, EmptyPlanIsFinished) {
  const templates::Plan plan;
  Scheduler scheduler(plan);
  EXPECT_TRUE(scheduler.finished());
  EXPECT_EQ(scheduler.next(), std::nullopt);
}

TEST(Scheduler, OneHundredThousandStepsInLayers) {
  templates::Plan plan;
  constexpr std::size_t width = 1000;
  for (std::size_t i = 0; i < 100 * width; ++i) {
    templates::Step step;
    step.id = StepId("s" + std::to_string(i));
    for (std::size_t k = 0; i >= width && k < 3; ++k) {
      step.needs.emplace_back("s" + std::to_string(i - width - i % width + (i + k) % width));
    }
    plan.steps.push_back(std::move(step));
  }
  Scheduler scheduler(plan);
  std::size_t count = 0;
  while (const auto step = scheduler.next()) {
    scheduler.succeeded(*step);
    ++count;
  }
  EXPECT_EQ(count, plan.steps.size());
  EXPECT_TRUE(scheduler.finished());
}

/// A DAG: each step may need any of those before it.
rc::Gen<templates::Plan> any_plan() {
  return rc::gen::exec([] {
    const auto size = *rc::gen::inRange<std::size_t>(1, 25);
    templates::Plan plan;
    for (std::size_t i = 0; i < size; ++i) {
      templates::Step step;
      step.id = StepId("s" + std::to_string((i * 7) % 31) + "_" + std::to_string(i));
      for (std::size_t need = 0; need < i; ++need) {
        if (*rc::gen::inRange(0, 5) == 0) {
          step.needs.push_back(plan.steps[need].id);
        }
      }
      plan.steps.push_back(std::move(step));
    }
    return plan;
  });
}

TEST(Scheduler, EveryStepIsSettledOnceAndNeverBeforeItsNeeds) {
  rc::check("for any DAG, any ends and any order of completion", [] {
    const auto plan = *any_plan();
    Scheduler scheduler(plan);
    std::set<StepId> succeeded;
    std::set<std::size_t> settled;
    std::vector<std::size_t> running;
    while (!scheduler.finished()) {
      const auto step = scheduler.next();
      if (step) {
        for (const StepId& need : plan.steps[*step].needs) {
          RC_ASSERT(succeeded.contains(need));
        }
        running.push_back(*step);
      }
      RC_ASSERT(!running.empty());
      if (step && *rc::gen::arbitrary<bool>()) {
        continue;
      }
      const auto at = *rc::gen::inRange<std::size_t>(0, running.size());
      const std::size_t ended = running[at];
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(at));
      RC_ASSERT(settled.insert(ended).second);
      if (*rc::gen::inRange(0, 4) == 0) {
        for (const std::size_t skipped : scheduler.failed(ended)) {
          RC_ASSERT(settled.insert(skipped).second);
          RC_ASSERT(!std::ranges::all_of(
              plan.steps[skipped].needs,
              [&succeeded](const StepId& need) { return succeeded.contains(need); }));
        }
      } else {
        succeeded.insert(plan.steps[ended].id);
        scheduler.succeeded(ended);
      }
    }
    RC_ASSERT(settled.size() == plan.steps.size());
    // A step is skipped exactly when something it needs did not succeed.
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      if (succeeded.contains(plan.steps[i].id)) {
        RC_ASSERT(std::ranges::all_of(plan.steps[i].needs, [&succeeded](const StepId& need) {
          return succeeded.contains(need);
        }));
      }
    }
  });
}

TEST(Scheduler, OrderDependsOnCompletionOnly) {
  rc::check("the same completions give the same order, whatever the order of steps in the plan",
            [] {
              const auto plan = *any_plan();
              templates::Plan reversed = plan;
              std::ranges::reverse(reversed.steps);
              Scheduler a(plan);
              Scheduler b(reversed);
              RC_ASSERT(drain(a, plan) == drain(b, reversed));
            });
}

}  // namespace
}  // namespace rgx::engine
