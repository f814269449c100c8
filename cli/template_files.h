#pragma once

#include <string>
#include <vector>

#include "templates/template.h"

// Templates that a command knows: the shipped ones and files.

namespace rgx::cli {

[[nodiscard]] Result<std::vector<templates::Template>> load_catalog();

/// Reads a template file and, where `known` lacks them, the files of what it includes, which stand
/// beside it as NAME.yaml. A file replaces a shipped template of its name. Returns its name.
[[nodiscard]] Result<std::string> add_template_file(const std::string& file,
                                                    std::vector<templates::Template>& known);

}  // namespace rgx::cli
