#pragma once

#include "base/yaml/mapping_reader.h"
#include "templates/template.h"

// Checks across the parts of a template: names, references, tools, order. Private to the package.

namespace rgx::templates {

void check_template(const Template& source, ToolChoice tools, yaml::Mistakes& mistakes);
/// The slots of an utterance (`{from}`), in order; template.bad_utterance when it is malformed.
[[nodiscard]] Result<std::vector<std::string>> slots_of(std::string_view utterance);

}  // namespace rgx::templates
