#pragma once

#include <string>

#include "base/json.h"
#include "templates/plan.h"

// What a person puts a name to, for people.

namespace rgx::cli {

/// What the judge of a run found (`acceptance` of the record that suspended it): files of the judge
/// that the run changed, checks, and the digests of their evidence.
[[nodiscard]] std::string acceptance_view(const Json& found, const templates::SealedPlan& plan);

}  // namespace rgx::cli
