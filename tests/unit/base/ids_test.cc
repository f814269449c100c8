#include "base/ids.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace rgx {
namespace {

TEST(Id, OfAnotherKindDoesNotConvert) {
  static_assert(!std::is_convertible_v<StepId, RunId>);
  static_assert(!std::is_constructible_v<RunId, StepId>);
  static_assert(!std::is_convertible_v<std::string, StepId>);
  EXPECT_EQ(StepId("edit").text(), "edit");
  EXPECT_LT(StepId("a"), StepId("b"));
  EXPECT_TRUE(StepId().empty());
}

TEST(Name, IsALowerCaseWord) {
  for (const char* good : {"a", "edit-sources", "a_b", "x9", "api-replace"}) {
    EXPECT_TRUE(is_name(good)) << good;
  }
  EXPECT_TRUE(is_name("a" + std::string(63, 'b')));
  for (const char* bad : {"", "A", "9a", "-a", "_a", "a b", "a.b", "ä", "a/b", "aB", "a\n"}) {
    EXPECT_FALSE(is_name(bad)) << bad;
  }
  EXPECT_FALSE(is_name("a" + std::string(64, 'b')));
}

}  // namespace
}  // namespace rgx
