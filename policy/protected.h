#pragma once

#include <string>
#include <vector>

#include "policy/matching.h"

// The protected set. Private to the package; decision.h has what others may ask.
// Format: docs/formats/policy.md, section "Protected paths"

namespace rgx::policy {

/// True when writing the path could change something protected.
[[nodiscard]] bool hits_protected(const PathForms& path);

}  // namespace rgx::policy
