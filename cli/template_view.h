#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "templates/template.h"

// Templates for people and as JSON (docs/formats/cli-json.md).

namespace rgx::cli {

/// A line each: name, version, summary.
[[nodiscard]] std::string template_list_text(const std::vector<templates::Template>& known);
/// `rgx.templates/v1`.
[[nodiscard]] Json template_list_json(const std::vector<templates::Template>& known);

/// What it is for, what it takes, sentences that name it in each language, steps.
[[nodiscard]] std::string template_text(const templates::Template& source, Colour colour);
/// `rgx.template-view/v1`.
[[nodiscard]] Json template_json(const templates::Template& source);

}  // namespace rgx::cli
