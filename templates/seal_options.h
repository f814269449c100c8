#pragma once

#include "templates/plan.h"
#include "templates/step_graph.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

// What sealing checks of phases, gates, retries, conditions, outputs and acceptance. Private to
// the package.

namespace rgx::templates {

/// Takes one mistake: code, message, remedy.
using AddMistake = std::function<void(std::string_view, const std::string&, std::string_view)>;

/// Everything that needs no order: includes, phases, options, acceptance.
void check_options(const Plan& plan, const AddMistake& add);

/// What needs the order of the steps: outputs come from steps before, phases follow each other,
/// conditions can hold. `graph` numbers the steps as `plan.steps` does.
void check_ordered_options(const Plan& plan, const std::map<StepId, std::uint32_t>& index_of,
                           StepGraph& graph, const AddMistake& add);

}  // namespace rgx::templates
