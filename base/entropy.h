#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"

// The port to unpredictable bytes (keys, log ids). Never used for anything that must repeat:
// that is base/prng.h with a recorded seed.

namespace rgx {

class Entropy {
 public:
  virtual ~Entropy() = default;
  /// Fills `bytes` with cryptographically strong randomness (entropy.unavailable).
  [[nodiscard]] virtual Status fill(std::span<std::uint8_t> bytes) = 0;
};

}  // namespace rgx
