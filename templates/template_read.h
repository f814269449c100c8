#pragma once

#include "base/yaml/mapping_reader.h"
#include "templates/template.h"

#include <span>
#include <string_view>

// Reading the parts of a template file. Private to the package.

namespace rgx::templates {

/// Keys of the format that this version does not support: an error, never ignored.
void refuse_reserved(yaml::MappingReader& reader, std::span<const std::string_view> keys);

void read_steps(yaml::MappingReader& reader, Template& source);
void read_phases(yaml::MappingReader& reader, Template& source);
void read_acceptance(yaml::MappingReader& reader, Template& source);
void read_workspace(yaml::MappingReader& reader, Template& source);

}  // namespace rgx::templates
