#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

// The port to time. Nothing below `cli` reads a clock in any other way.

namespace rgx {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Milliseconds since 1970-01-01T00:00:00Z; may step in either direction.
  [[nodiscard]] virtual std::int64_t now_unix_ms() = 0;
  /// Milliseconds since an arbitrary start; never goes back.
  [[nodiscard]] virtual std::int64_t monotonic_ms() = 0;
};

/// `2026-12-01T00:00:00.000Z` (RFC 3339, UTC, always with milliseconds), and back
/// (time.syntax; the fraction may be left out when reading, `2026-12-01` is midnight UTC).
[[nodiscard]] std::string format_time(std::int64_t unix_ms);
[[nodiscard]] Result<std::int64_t> parse_time(std::string_view text);

}  // namespace rgx
