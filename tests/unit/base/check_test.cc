#include "base/check.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace rgx {
namespace {

void check_sum(int a, int b) {
  RGX_CHECK(a + b == 4);
}

TEST(Check, PassesSilently) {
  check_sum(2, 2);
}

TEST(CheckDeathTest, EndsTheProcessWithStatus70AndOneLine) {
  EXPECT_EXIT(check_sum(2, 3), testing::ExitedWithCode(70),
              "^rgx: internal error: check `a \\+ b == 4` failed at "
              ".*check_test\\.cc:[0-9]+\n$");
}

TEST(CheckDeathTest, RunsNoExitHandlers) {
  // A handler would overwrite the status: the state it sees is not to be trusted.
  EXPECT_EXIT(
      {
        static_cast<void>(std::atexit([] { std::_Exit(3); }));
        check_sum(1, 1);
      },
      testing::ExitedWithCode(70), "check");
}

}  // namespace
}  // namespace rgx
