#pragma once

#include "base/repository_view.h"
#include "templates/instantiate.h"

// Probes: what a template asks of the repository while it is compiled. Private to the package.
// Format: docs/formats/template.md, section "Facts"

namespace rgx::planner {

inline constexpr std::string_view kSettingsPath = ".rgx/config.yaml";

/// All facts of a template. Errors: fact.*, config.*, those of the repository.
[[nodiscard]] Result<templates::FactValues> evaluate_facts(const templates::Template& source,
                                                           const templates::Arguments& arguments,
                                                           RepositoryView& repository);

}  // namespace rgx::planner
