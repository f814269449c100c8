#pragma once

#include <map>
#include <string>

#include "templates/plan.h"

// The environment variables of a program that do not depend on where its step runs. Private to the
// package.

namespace rgx::engine {

/// What the step declares, and PATH, LANG and TZ where it does not; empty for a step that starts no
/// program. HOME and TMPDIR, which lead into the step's own scratch folder, are not among them.
[[nodiscard]] std::map<std::string, std::string> fixed_environment(const templates::Step& step);

}  // namespace rgx::engine
