#pragma once

#include "base/repository_view.h"
#include "templates/instantiate.h"

// The probe `project.dependencies`: which manifests name a package, and how their lock files are
// made again. Private to the package. Format: docs/formats/template.md, section "Facts"

namespace rgx::planner {

[[nodiscard]] Result<templates::FactValue> probe_project_dependencies(const templates::Fact& fact,
                                                                      const templates::Value& with,
                                                                      RepositoryView& repository);

}  // namespace rgx::planner
