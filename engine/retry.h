#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/tool.h"
#include "templates/plan.h"

// Whether and when a step that did not succeed is tried again. Private to the package.

namespace rgx::engine {

/// The reason of templates::kRetryReasons that `outcome` is one of; nothing for a step that
/// succeeded, was stopped, or met a changed world.
[[nodiscard]] std::optional<std::string_view> retry_reason(const Outcome& outcome);

/// Milliseconds until the attempt after `attempt`; nothing when there is none. The pause doubles
/// each time, and is up to a quarter longer by a number that follows from `seed`, step and
/// attempt, so that a run can be told again and two runs do not keep step.
[[nodiscard]] std::optional<std::int64_t> retry_delay_ms(const templates::Step& step,
                                                         std::int64_t attempt,
                                                         const Outcome& outcome,
                                                         std::string_view seed);

}  // namespace rgx::engine
