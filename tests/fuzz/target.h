#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// A fuzz target: takes any bytes, checks invariants, and returns 0. Built either
// with libFuzzer (RGX_LIBFUZZER, clang) or with driver.cc.

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer asks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace rgx::fuzz {

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

[[noreturn]] inline void broken(const char* invariant, int line) {
  std::fprintf(stderr, "broken at line %d: %s\n", line, invariant);
  std::abort();  // which libFuzzer sees and keeps the input of; _exit() it would miss
}

}  // namespace rgx::fuzz

#define RGX_FUZZ_CHECK(invariant)                \
  do {                                           \
    if (!(invariant)) {                          \
      ::rgx::fuzz::broken(#invariant, __LINE__); \
    }                                            \
  } while (false)
