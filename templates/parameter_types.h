#pragma once

#include <span>
#include <string_view>

// The names of parameter types in a template file, in the order of `ParameterType`.
// Private to the package.

namespace rgx::templates {

[[nodiscard]] std::span<const std::string_view> parameter_type_names();

}  // namespace rgx::templates
