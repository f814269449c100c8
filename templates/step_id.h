#pragma once

#include "base/ids.h"
#include "base/json.h"

#include <string_view>

// Ids of the steps of a plan. Private to the package. Format: docs/formats/plan.md, "Step ids"

namespace rgx::templates {

inline constexpr std::size_t kItemTextBytesMax = 160;
inline constexpr std::size_t kStepIdBytesMax = 256;

/// `edit[src/a.c]`: one instance of a step with for_each.
[[nodiscard]] StepId instance_id(std::string_view step, const Json& item);
/// A name, or a name and an item in brackets, as instance_id() makes them.
[[nodiscard]] bool is_step_id(std::string_view text);

}  // namespace rgx::templates
