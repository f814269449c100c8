#include "engine/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

namespace rgx::engine {
namespace {

using namespace std::chrono_literals;

TEST(Workers, EveryJobComesBackOnce) {
  std::atomic<int> sum{0};
  Workers workers(3);
  for (std::size_t i = 0; i < 100; ++i) {
    workers.submit(i, [&sum, i] { sum += static_cast<int>(i); });
  }
  std::set<std::size_t> tags;
  while (tags.size() < 100) {
    if (const auto tag = workers.wait(1s)) {
      EXPECT_TRUE(tags.insert(*tag).second);
    }
  }
  EXPECT_EQ(sum.load(), 4950);
}

TEST(Workers, WaitEndsWithoutAJob) {
  Workers workers(1);
  EXPECT_EQ(workers.wait(1ms), std::nullopt);
}

TEST(Workers, EndWaitsForWhatRuns) {
  std::atomic<bool> inside{false};
  std::atomic<bool> ended{false};
  {
    Workers workers(1);
    workers.submit(0, [&] {
      inside.store(true);
      std::this_thread::yield();
      ended.store(true);
    });
    while (!inside.load()) {
      std::this_thread::yield();
    }
  }
  EXPECT_TRUE(ended.load());
}

TEST(Workers, NoneIsFine) {
  const Workers workers(0);
  EXPECT_EQ(workers.count(), 0U);
}

}  // namespace
}  // namespace rgx::engine
