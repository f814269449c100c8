#pragma once

#include "base/result.h"
#include "cli/output.h"
#include "cli/world.h"
#include "templates/plan.h"

namespace rgx::cli {

/// Before a run in place: every file that the plan writes by name is tracked and unmodified, and
/// git is in the middle of nothing. If not, says which are not, and what helps.
[[nodiscard]] Result<bool> check_clean_files(const templates::Plan& plan, World& world,
                                             Output& output);

}  // namespace rgx::cli
