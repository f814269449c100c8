#pragma once

#include "templates/tool.h"

#include <string>
#include <vector>

// Effects of tool uses that normal_use() has already checked. Private to the package.

namespace rgx::templates {

[[nodiscard]] Effects effects_of_normal(const ToolUse& normal);
/// The files that a use names one by one in inputs which read or write: those that can be pinned.
[[nodiscard]] std::vector<std::string> known_files(const ToolUse& normal);

}  // namespace rgx::templates
