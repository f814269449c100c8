#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policy/decision.h"
#include "templates/plan.h"

// A step of a plan decided with what the plan itself asks: its risk raises, its gate tightens and
// its budget lowers what the layers say. Format: docs/formats/decision.md, section "Steps of a
// plan"

namespace rgx::policy {

/// Pure, like decide().
[[nodiscard]] Decision decide_step(const PolicySet& policy, const templates::Step& step,
                                   const Facts& facts, std::int64_t now_unix_ms);

/// What is asked of people before a run counts that changed what its judge relies on: that of the
/// gates of level high. Where none asks, one approver, or the requester where none is listed.
[[nodiscard]] std::vector<ApprovalDemand> review_demands(const PolicySet& policy);

/// Lower of `budgets.step.FIELD` of the layers and of the step's own budget; nothing where neither
/// names the field.
[[nodiscard]] std::optional<std::int64_t> step_limit(const PolicySet& policy,
                                                     const templates::Step& step,
                                                     const std::string& field);
/// Longest time that one attempt of the step may take.
[[nodiscard]] std::int64_t step_wall_ms(const PolicySet& policy, const templates::Step& step);

}  // namespace rgx::policy
