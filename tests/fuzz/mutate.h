#pragma once

#include "base/prng.h"

#include <span>
#include <string>

namespace rgx::fuzz {

/// A variant of one of `seeds`, or of nothing where there are none. The same numbers give the same
/// variant. At most `bytes_max` bytes.
[[nodiscard]] std::string mutate(std::span<const std::string> seeds, Prng& prng,
                                 std::size_t bytes_max);

}  // namespace rgx::fuzz
