#pragma once

#include "base/yaml/mapping_reader.h"
#include "templates/template.h"

// What a template demands of a value beyond its type. Private to the package.
// Format: docs/formats/template.md, section "Parameters"

namespace rgx::templates {

/// Reads `min`, `max`, `pattern`, `length_max`, `items_max`. A constraint that cannot hold for
/// the type, or that no value meets, is template.bad_parameter.
void read_constraints(yaml::MappingReader& reader, Parameter& parameter);

/// `normal` is in the normal form of the parameter's type. parameter.value.
[[nodiscard]] Status check_constraints(const Parameter& parameter, const Json& normal);

}  // namespace rgx::templates
