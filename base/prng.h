#pragma once

#include <cstdint>

// A portable seeded generator: the same numbers on every compiler and machine, which the
// standard distributions do not promise. xoshiro256** (Blackman, Vigna), seeded by splitmix64.
// Not for keys: that is base/entropy.h.

namespace rgx {

class Prng {
 public:
  explicit Prng(std::uint64_t seed);

  [[nodiscard]] std::uint64_t next();
  /// Uniform in [0, bound), without modulo bias; bound > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);
  /// True once in `one_in` calls on average; one_in > 0.
  [[nodiscard]] bool one_in(std::uint64_t one_in);

 private:
  std::uint64_t state_[4];
};

}  // namespace rgx
