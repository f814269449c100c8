#pragma once

#include <string>
#include <vector>

#include "policy/authority.h"

// Why no rule granted something, in words that help. Private to the package.

namespace rgx::policy {

inline constexpr std::size_t kNearMissesMax = 16;

struct MissReport {
  std::vector<NearMiss> near_misses;
  std::string remedy;
};

/// What was looked at; all must outlive the call.
struct MissInput {
  const Prepared& policy;
  const FactView& view;
  const Authority& authority;
  Risk risk;
  const std::vector<Element>& ungranted;  ///< empty: the step has no element and no rule
};
[[nodiscard]] MissReport explain_misses(const MissInput& input);

/// Why an allow rule with these matchers does not apply; empty when it does.
[[nodiscard]] std::vector<std::string> unmet_conditions(const Matchers& when, const FactView& view,
                                                        Risk risk);

}  // namespace rgx::policy
