#include "engine/budget.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <vector>

namespace rgx::engine {
namespace {

policy::RunBudget amount(std::int64_t steps, std::int64_t bytes) {
  policy::RunBudget budget;
  budget.steps = steps;
  budget.bytes_written = bytes;
  return budget;
}

TEST(Budget, ReservesToTheLastUnitAndNoFurther) {
  Budget budget(amount(3, 100));
  EXPECT_EQ(budget.reserve(amount(1, 60)), "");
  EXPECT_EQ(budget.reserve(amount(1, 41)), "bytes_written");
  EXPECT_EQ(budget.reserve(amount(1, 40)), "");
  EXPECT_EQ(budget.reserve(amount(1, 1)), "bytes_written");
  EXPECT_EQ(budget.reserved(), amount(2, 100));
}

TEST(Budget, RefusedReservationTakesNothing) {
  Budget budget(amount(1, 100));
  EXPECT_EQ(budget.reserve(amount(2, 10)), "steps");
  EXPECT_EQ(budget.reserved(), amount(0, 0));
}

TEST(Budget, SettlingGivesBackWhatWasNotSpent) {
  Budget budget(amount(2, 100));
  ASSERT_EQ(budget.reserve(amount(1, 100)), "");
  budget.settle(amount(1, 100), amount(1, 30));
  EXPECT_EQ(budget.reserved(), amount(0, 0));
  EXPECT_EQ(budget.spent(), amount(1, 30));
  EXPECT_EQ(budget.reserve(amount(1, 71)), "bytes_written");
  EXPECT_EQ(budget.reserve(amount(1, 70)), "");
}

TEST(Budget, NothingStartsOnceMoreWasSpentThanAllowed) {
  Budget budget(amount(10, 100));
  ASSERT_EQ(budget.reserve(amount(1, 100)), "");
  budget.settle(amount(1, 100), amount(1, 101));
  EXPECT_EQ(budget.reserve(amount(1, 0)), "bytes_written");
}

TEST(Budget, ZeroMeansNone) {
  Budget budget(amount(1, 0));
  EXPECT_EQ(budget.reserve(amount(1, 1)), "bytes_written");
  EXPECT_EQ(budget.reserve(amount(1, 0)), "");
}

TEST(Budget, SumsDoNotWrap) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Budget budget(amount(10, most));
  EXPECT_EQ(budget.reserve(amount(1, most)), "");
  EXPECT_EQ(budget.reserve(amount(1, 1)), "bytes_written");
}

TEST(Budget, NeverOverspentByAnyOrderOfReservationsAndSettlements) {
  rc::check("spent and reserved stay within the limit when steps keep their word", [] {
    const auto limit = *rc::gen::inRange<std::int64_t>(0, 1000);
    Budget budget(amount(1000, limit));
    std::vector<std::int64_t> open;
    const auto operations = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 400));
    for (const int operation : operations) {
      if (operation % 2 == 0 || open.empty()) {
        if (budget.reserve(amount(0, operation)).empty()) {
          open.push_back(operation);
        }
      } else {
        budget.settle(amount(0, open.back()), amount(0, open.back() / 2));
        open.pop_back();
      }
      RC_ASSERT(budget.spent().bytes_written + budget.reserved().bytes_written <= limit);
      RC_ASSERT(budget.reserved().bytes_written >= 0);
    }
  });
}

}  // namespace
}  // namespace rgx::engine
