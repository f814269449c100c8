#pragma once

#include <string>
#include <vector>

// Programs whose arguments are, or may be, another command. Private to the package.
// Format: docs/formats/decision.md, section "Facts"

namespace rgx::policy {

/// True when `argv` starts a wrapper, a shell, or `find` with an action.
[[nodiscard]] bool is_wrapper(const std::vector<std::string>& argv);

}  // namespace rgx::policy
