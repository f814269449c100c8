#include "base/prng.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace rgx {
namespace {

TEST(Prng, GivesTheReferenceNumbers) {
  // splitmix64 and xoshiro256** as published by their authors, seeds 0 and 42.
  Prng zero(0);
  const std::array<std::uint64_t, 4> from_zero = {0x99EC5F36CB75F2B4U, 0xBF6E1F784956452AU,
                                                  0x1A5F849D4933E6E0U, 0x6AA594F1262D2D2CU};
  for (const std::uint64_t expected : from_zero) {
    EXPECT_EQ(zero.next(), expected);
  }
  Prng other(42);
  EXPECT_EQ(other.next(), 0x15780B2E0C2EC716U);
}

TEST(Prng, RepeatsForTheSameSeedOnly) {
  Prng a(7);
  Prng b(7);
  Prng c(8);
  bool differs = false;
  for (int count = 0; count < 100; ++count) {
    const std::uint64_t value = a.next();
    EXPECT_EQ(value, b.next());
    differs = differs || value != c.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Prng, StaysBelowTheBoundAndReachesEveryValue) {
  Prng prng(1);
  std::array<int, 6> counts{};
  for (int count = 0; count < 6000; ++count) {
    const std::uint64_t value = prng.below(counts.size());
    ASSERT_LT(value, counts.size());
    ++counts.at(value);
  }
  for (const int count : counts) {
    EXPECT_GT(count, 800);
    EXPECT_LT(count, 1200);
  }
  EXPECT_EQ(prng.below(1), 0U);
}

TEST(Prng, LargeBoundsAreNotBiased) {
  // With a bound of 3 * 2^62, a plain modulo would return the lowest quarter twice as often.
  Prng prng(3);
  const std::uint64_t bound = std::uint64_t{3} << 62U;
  const std::uint64_t third = std::uint64_t{1} << 62U;
  int low = 0;
  for (int count = 0; count < 3000; ++count) {
    low += prng.below(bound) < third ? 1 : 0;
  }
  EXPECT_GT(low, 850);
  EXPECT_LT(low, 1150);
}

TEST(Prng, OneInOneIsAlwaysTrue) {
  Prng prng(5);
  EXPECT_TRUE(prng.one_in(1));
  int hits = 0;
  for (int count = 0; count < 1000; ++count) {
    hits += prng.one_in(10) ? 1 : 0;
  }
  EXPECT_GT(hits, 60);
  EXPECT_LT(hits, 150);
}

TEST(PrngDeathTest, ABoundOfZeroIsABug) {
  EXPECT_EXIT(static_cast<void>(Prng(1).below(0)), testing::ExitedWithCode(70), "bound > 0");
}

}  // namespace
}  // namespace rgx
