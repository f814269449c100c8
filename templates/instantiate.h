#pragma once

#include "templates/plan.h"
#include "templates/provenance.h"
#include "templates/template.h"

#include <map>
#include <string>

// Template x arguments x facts -> Draft. Expansion happens once, on typed values.

namespace rgx::templates {

/// Checked arguments by parameter name, defaults filled in.
using Arguments = std::map<std::string, Value, std::less<>>;

/// What a probe found. `pins` are digests of the files it read, by path.
struct FactValue {
  std::string probe;
  Json with;    ///< its inputs after expansion
  Value value;  ///< members are reachable as ${facts.NAME.MEMBER}
  std::map<std::string, Digest> pins;
};
using FactValues = std::map<std::string, FactValue, std::less<>>;

/// Fills in defaults and checks types: argument.unknown (with the nearest name),
/// argument.missing, parameter.*; all at once. `given` come from a person unless said otherwise.
[[nodiscard]] Result<Arguments> bind_arguments(const Template& source, const Arguments& given);

/// The inputs of a fact's probe, expanded with arguments (facts are independent of each other).
[[nodiscard]] Result<Value> expand_probe_inputs(const Fact& fact, const Arguments& arguments);

/// Expands every step. Errors: expression.syntax, expression.unknown_name, expression.type, at
/// line and column of the template; template.too_many_items; instantiate.nothing_to_do when
/// every for_each is empty.
[[nodiscard]] Result<Draft> instantiate(const Template& source, const std::string& intent,
                                        const Arguments& arguments, const FactValues& facts);

}  // namespace rgx::templates
