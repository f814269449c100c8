#include "base/prng.h"

#include <bit>

#include "base/check.h"

namespace rgx {

namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t value = state;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

}  // namespace

Prng::Prng(std::uint64_t seed) : state_{} {
  for (std::uint64_t& word : state_) {
    word = splitmix64(seed);
  }
}

std::uint64_t Prng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Prng::below(std::uint64_t bound) {
  RGX_CHECK(bound > 0);
  // 2^64 mod bound: that many of the smallest values would make small results likelier.
  const std::uint64_t reject_below = (0 - bound) % bound;
  std::uint64_t value = next();
  while (value < reject_below) {
    value = next();
  }
  return value % bound;
}

bool Prng::one_in(std::uint64_t one_in) {
  return below(one_in) == 0;
}

}  // namespace rgx
