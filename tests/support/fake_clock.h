#pragma once

#include "base/clock.h"

#include <cstdint>

namespace rgx::test {

/// A clock that stands still unless told otherwise. Both readings start at given values; each
/// reading may move it on by a fixed step, so that records get distinct times.
class FakeClock final : public Clock {
 public:
  /// 2026-01-01T00:00:00.000Z
  static constexpr std::int64_t kStartUnixMs = 1767225600000;

  explicit FakeClock(std::int64_t unix_ms = kStartUnixMs, std::int64_t step_ms = 0)
      : unix_ms_(unix_ms),
        step_ms_(step_ms) {}

  std::int64_t now_unix_ms() override;
  std::int64_t monotonic_ms() override;

  /// Time passes: both readings move.
  void advance(std::int64_t ms);
  /// Somebody sets the clock: only the wall clock moves, in either direction.
  void set_unix_ms(std::int64_t unix_ms) { unix_ms_ = unix_ms; }
  [[nodiscard]] std::uint64_t readings() const { return readings_; }

 private:
  std::int64_t unix_ms_;
  std::int64_t monotonic_ms_ = 0;
  std::int64_t step_ms_;
  std::uint64_t readings_ = 0;
};

}  // namespace rgx::test
