#pragma once

#include "templates/plan_access.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Races: two steps without an order between them that touch the same file, one of them writing.
// Private to the package.

namespace rgx::templates {

inline constexpr std::size_t kRacesMax = 50;  // of one report

struct Race {
  std::uint32_t first = 0;  ///< smaller number
  std::uint32_t second = 0;
  AccessMode first_mode = AccessMode::read;
  AccessMode second_mode = AccessMode::read;
  std::string first_pattern;
  std::string second_pattern;

  bool operator==(const Race&) const = default;
};

/// One race for each pair of steps, sorted by pair, at most `count_max`.
[[nodiscard]] std::vector<Race> find_races(const AccessIndex& accesses, StepGraph& graph,
                                           std::size_t count_max);

}  // namespace rgx::templates
