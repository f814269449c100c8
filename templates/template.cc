#include "templates/template.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace rgx::templates {

std::string_view to_string(OnInterrupted choice) {
  static constexpr std::array<std::string_view, 3> kNames = {"rerun", "check", "ask"};
  return kNames[static_cast<std::size_t>(choice)];
}

const Parameter* Template::find_parameter(std::string_view parameter_name) const {
  const auto found = std::ranges::find(parameters, parameter_name, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

}  // namespace rgx::templates
