#include "tests/support/fake_entropy.h"

namespace rgx::test {

Status FakeEntropy::fill(std::span<std::uint8_t> bytes) {
  ++calls_;
  if (fail_from_ != 0 && calls_ >= fail_from_) {
    return fail(ErrorKind::environment, "entropy.unavailable", "no random bytes (fake)");
  }
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(prng_.next() >> 56U);
  }
  return {};
}

}  // namespace rgx::test
