#pragma once

#include "templates/expression.h"
#include "templates/expression_check.h"

#include <optional>
#include <string>

// `when` of a step: a condition over parameters, facts, the item and outputs of steps. What is
// known while compiling is decided then; the rest goes into the plan. Private to the package.
// Format: docs/formats/template.md, section "Conditions"

namespace rgx::templates {

/// Shape, references and whether it can hold at all (template.bad_condition,
/// template.never_true, expression.*). `what` names the step.
void check_when(const yaml::Node& node, const std::string& what, const Template& source,
                ExpressionChecker& expressions, const Context& context, yaml::Mistakes& mistakes);

/// A condition with everything known put in: `decided`, or what is left of it to ask a run.
struct When {
  std::optional<bool> decided;
  Json condition;  ///< canonical shape of docs/formats/plan.md; meaningful when not decided
};
[[nodiscard]] Result<When> expand_when(const yaml::Node& node, const Scope& scope);

/// Both must hold.
[[nodiscard]] When both(When first, When second);

}  // namespace rgx::templates
