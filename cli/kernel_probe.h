#pragma once

#include "cli/doctor.h"

namespace rgx::cli {

/// What this kernel offers to hold programs with: asked of the kernel itself, nothing is changed.
[[nodiscard]] HealthReport probe_kernel();

/// The verdict about a Landlock interface of this version; 0 is none.
[[nodiscard]] HealthCheck landlock_check(int abi);

}  // namespace rgx::cli
