#pragma once

#include "templates/instantiate.h"
#include "templates/template.h"

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>

// Templates that include the steps of others. Format: docs/formats/template.md, "Includes"

namespace rgx::templates {

inline constexpr std::size_t kIncludeDepthMax = 8;

/// A template with its arguments and facts, and the same of everything it includes.
struct TemplateUse {
  const Template* source = nullptr;  ///< outlives the use
  Arguments arguments;
  FactValues facts;
  /// By id of the including step; absent when its condition does not hold.
  std::map<std::string, TemplateUse, std::less<>> includes;
};

/// Looks up the facts of one template.
using EvaluateFacts = std::function<Result<FactValues>(const Template&, const Arguments&)>;

/// That what `source` includes is known, does not include itself, is no deeper than 8, and gets
/// arguments that fit; all mistakes at once, at the including steps. template.unknown_include,
/// template.include_cycle, template.include_depth, template.too_many, argument.*, parameter.*.
[[nodiscard]] Status check_includes(const Template& source, std::span<const Template> known);

/// Checks includes, looks up the facts of `source`, and does the same for what it includes.
[[nodiscard]] Result<TemplateUse> use_template(const Template& source, Arguments arguments,
                                               std::span<const Template> known,
                                               const EvaluateFacts& evaluate);

/// Expands every step of everything in use; see instantiate() of one template.
[[nodiscard]] Result<Draft> instantiate(const TemplateUse& use, const std::string& intent);

}  // namespace rgx::templates
