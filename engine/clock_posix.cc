#include <ctime>

#include "base/check.h"
#include "engine/posix_world.h"

namespace rgx::engine {

namespace {

std::int64_t read_ms(clockid_t clock) {
  struct timespec now = {};
  RGX_CHECK(clock_gettime(clock, &now) == 0);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

class PosixClock final : public Clock {
 public:
  std::int64_t now_unix_ms() override { return read_ms(CLOCK_REALTIME); }
  /// Counts while the machine sleeps: a deadline is one of the world's time.
  std::int64_t monotonic_ms() override { return read_ms(CLOCK_BOOTTIME); }
};

}  // namespace

std::unique_ptr<Clock> real_clock() {
  return std::make_unique<PosixClock>();
}

}  // namespace rgx::engine
