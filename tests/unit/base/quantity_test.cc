#include "base/quantity.h"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

namespace rgx {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Quantity, DoesNotMixUnits) {
  static_assert(!std::is_convertible_v<Tokens, Milliseconds>);
  static_assert(!std::is_convertible_v<std::int64_t, Tokens>);
  EXPECT_EQ(Tokens(3).plus(Tokens(4)), Tokens(7));
  EXPECT_EQ(Tokens(3).minus(Tokens(4)), Tokens(-1));
}

TEST(Quantity, NeverWraps) {
  EXPECT_EQ(Tokens(kMax).plus(Tokens(1)), std::nullopt);
  EXPECT_EQ(Tokens(kMin).minus(Tokens(1)), std::nullopt);
  EXPECT_EQ(Tokens(kMax).plus(Tokens(0)), Tokens(kMax));
  EXPECT_EQ(Tokens(0).minus(Tokens(kMin)), std::nullopt);
}

}  // namespace
}  // namespace rgx
