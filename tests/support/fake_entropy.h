#pragma once

#include "base/entropy.h"
#include "base/prng.h"

#include <cstdint>
#include <span>

namespace rgx::test {

/// Bytes that repeat for the same seed, or an error from a chosen call on.
class FakeEntropy final : public Entropy {
 public:
  explicit FakeEntropy(std::uint64_t seed = 1) : prng_(seed) {}

  Status fill(std::span<std::uint8_t> bytes) override;

  /// The n-th call from now (1 = the next) and all after it fail with entropy.unavailable.
  void fail_from(std::uint64_t call) { fail_from_ = calls_ + call; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }

 private:
  Prng prng_;
  std::uint64_t calls_ = 0;
  std::uint64_t fail_from_ = 0;  // 0: never
};

}  // namespace rgx::test
