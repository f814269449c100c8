#pragma once

#include "templates/include.h"

#include <optional>
#include <string>
#include <vector>

// Includes and phases made into steps and `needs`. Private to the package.

namespace rgx::templates {

/// A condition of an including step, which holds for all of its steps.
struct OuterWhen {
  const yaml::Node* node;
  const TemplateUse* use;
  std::string prefix;
};

/// A step before expansion, or a group: an include, or the end of a phase, which becomes no step.
struct LoweredStep {
  std::string id;                      ///< unique: that of the step behind those of its includes
  const StepTemplate* step = nullptr;  ///< null for a group
  const TemplateUse* use = nullptr;    ///< whose names its expressions mean
  std::string prefix;                  ///< of the names of steps in its expressions
  std::vector<std::string> needs;      ///< ids of lowered steps, some maybe twice
  std::optional<std::string> phase;
  std::vector<OuterWhen> conditions;
};

/// All steps in use. `use` outlives them.
[[nodiscard]] std::vector<LoweredStep> lower(const TemplateUse& use);

}  // namespace rgx::templates
