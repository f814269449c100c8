#pragma once

#include "base/repository_view.h"
#include "templates/instantiate.h"

// The probe `project.versions`: where a project keeps its version. Private to the package.
// Format: docs/formats/template.md, section "Facts"

namespace rgx::planner {

[[nodiscard]] Result<templates::FactValue> probe_project_versions(const templates::Fact& fact,
                                                                  const templates::Value& with,
                                                                  RepositoryView& repository);

}  // namespace rgx::planner
