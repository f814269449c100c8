#include "tests/support/fake_clock.h"

namespace rgx::test {

std::int64_t FakeClock::now_unix_ms() {
  ++readings_;
  const std::int64_t now = unix_ms_;
  unix_ms_ += step_ms_;
  return now;
}

std::int64_t FakeClock::monotonic_ms() {
  ++readings_;
  const std::int64_t now = monotonic_ms_;
  monotonic_ms_ += step_ms_;
  return now;
}

void FakeClock::advance(std::int64_t ms) {
  unix_ms_ += ms;
  monotonic_ms_ += ms;
}

}  // namespace rgx::test
