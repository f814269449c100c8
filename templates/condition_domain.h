#pragma once

#include "base/json.h"
#include "templates/shape.h"
#include "templates/step_output.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

// Whether a condition can hold at all, whatever the run brings. Private to the package.

namespace rgx::templates {

enum class Satisfiable : std::uint8_t { never, sometimes, unknown };

/// What an output may be: any value of a shape, or one of a list.
struct Domain {
  Shape shape = Shape::any;
  std::optional<std::vector<Json>> values;
};

/// Tries every combination of the values that the condition tells apart. `unknown` when there are
/// too many of them.
[[nodiscard]] Satisfiable can_hold(const Json& condition,
                                   const std::function<Domain(const OutputReference&)>& domain_of);

}  // namespace rgx::templates
