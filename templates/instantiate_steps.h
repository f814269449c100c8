#pragma once

#include "templates/include.h"
#include "templates/plan.h"

#include <vector>

// Steps of templates -> steps of a plan. Private to the package.

namespace rgx::templates {

struct ExpandedSteps {
  std::vector<Step> steps;
  std::vector<Step> acceptance;
};

/// Errors: those of instantiate().
[[nodiscard]] Result<ExpandedSteps> expand_steps(const TemplateUse& use);

}  // namespace rgx::templates
