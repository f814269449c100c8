#include "base/check.h"
#include "templates/describe.h"
#include "templates/step_output.h"

#include <algorithm>
#include <array>
#include <string_view>

// Conditions: `equals in empty not all any` over outputs and constants.

namespace rgx::templates {
namespace {

constexpr std::array<std::string_view, 6> kOperators = {"all",    "any", "empty",
                                                        "equals", "in",  "not"};

[[nodiscard]] tl::unexpected<Error> bad(const std::string& problem) {
  return fail(ErrorKind::usage, "plan.bad_condition", "a condition " + problem,
              "docs/formats/plan.md says how conditions are written");
}

bool is_constant(const Json& value) {
  if (value.is_array()) {
    return std::ranges::all_of(
        value.as_array(), [](const Json& item) { return !item.is_array() && !item.is_object(); });
  }
  return !value.is_object();
}

Status check_operand(const Json& value) {
  if (value.find(kOutputKey) != nullptr && is_open(value)) {
    return check_open(value);
  }
  return is_constant(value) ? Status{} : bad("compares a mapping");
}

Status check_pair(std::string_view name, const Json& operand) {
  if (!operand.is_array() || operand.as_array().size() != 2) {
    return bad("gives `" + std::string(name) + "` other than two values");
  }
  for (const Json& side : operand.as_array()) {
    RGX_TRY_STATUS(check_operand(side));
  }
  const Json& list = operand.as_array()[1];
  if (name == "in" && !list.is_array() && !is_open(list)) {
    return bad("looks for a value in what is no list");
  }
  return {};
}

Status check_node(const Json& condition, std::size_t depth, std::size_t& nodes) {
  if (depth > kConditionDepthMax || ++nodes > kConditionNodesMax) {
    return bad("is deeper than 16 or has more than 256 parts");
  }
  if (!condition.is_object() || condition.as_object().size() != 1) {
    return bad("is not one of `equals`, `in`, `empty`, `not`, `all`, `any`");
  }
  const auto& [name, operand] = *condition.as_object().begin();
  if (std::ranges::find(kOperators, name) == kOperators.end()) {
    return bad("has the unknown part " + quoted(name));
  }
  if (name == "equals" || name == "in") {
    return check_pair(name, operand);
  }
  if (name == "empty") {
    return check_operand(operand);
  }
  if (name == "not") {
    return check_node(operand, depth + 1, nodes);
  }
  if (!operand.is_array() || operand.as_array().empty()) {
    return bad("gives `" + name + "` no list of conditions");
  }
  for (const Json& part : operand.as_array()) {
    RGX_TRY_STATUS(check_node(part, depth + 1, nodes));
  }
  return {};
}

Json value_of(const Json& operand, const OutputLookup& lookup) {
  return is_open(operand) ? close_value(operand, lookup).value_or(Json()) : operand;
}

bool is_empty(const Json& value) {
  switch (value.kind()) {
    case Json::Kind::null:
      return true;
    case Json::Kind::string:
      return value.as_string().empty();
    case Json::Kind::array:
      return value.as_array().empty();
    case Json::Kind::object:
      return value.as_object().empty();
    case Json::Kind::boolean:
    case Json::Kind::integer:
      return false;
  }
  return false;
}

}  // namespace

Status check_condition(const Json& condition) {
  std::size_t nodes = 0;
  return check_node(condition, 1, nodes);
}

bool holds(const Json& condition, const OutputLookup& lookup) {
  const auto& [name, operand] = *condition.as_object().begin();
  const auto part_holds = [&lookup](const Json& part) { return holds(part, lookup); };
  if (name == "not") {
    return !holds(operand, lookup);
  }
  if (name == "all") {
    return std::ranges::all_of(operand.as_array(), part_holds);
  }
  if (name == "any") {
    return std::ranges::any_of(operand.as_array(), part_holds);
  }
  if (name == "empty") {
    return is_empty(value_of(operand, lookup));
  }
  const Json left = value_of(operand.as_array()[0], lookup);
  const Json right = value_of(operand.as_array()[1], lookup);
  if (name == "equals") {
    return left == right;
  }
  RGX_CHECK(name == "in");  // check_condition knows no other
  return right.is_array() && std::ranges::find(right.as_array(), left) != right.as_array().end();
}

}  // namespace rgx::templates
