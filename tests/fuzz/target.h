#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// A fuzz target: takes any bytes, checks invariants with RGX_CHECK, and returns 0. Built either
// with libFuzzer (RGX_LIBFUZZER, clang) or with driver.cc.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace rgx::fuzz {

[[nodiscard]] inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace rgx::fuzz
