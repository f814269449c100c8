#include "templates/condition_domain.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace rgx::templates {
namespace {

constexpr std::size_t kCombinationsMax = 4096;

/// Constants of a condition: all that it can compare an output with.
void collect_constants(const Json& value, std::vector<Json>& constants) {
  if (is_open(value)) {
    return;
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) {
      collect_constants(member, constants);
    }
    return;
  }
  if (value.is_array()) {
    for (const Json& item : value.as_array()) {
      collect_constants(item, constants);
    }
  }
  constants.push_back(value);
}

bool fits(const Json& value, Shape shape) {
  switch (shape) {
    case Shape::any:
      return true;
    case Shape::text:
      return value.is_string();
    case Shape::integer:
      return value.is_integer();
    case Shape::boolean:
      return value.is_boolean();
    case Shape::mapping:
      return value.is_object();
    case Shape::texts:
    case Shape::mappings:
      return value.is_array();
  }
  return true;
}

/// Values of which at least one behaves like any other value of the shape would: every constant,
/// an empty one, one that is no constant, and none at all.
std::vector<Json> values_of(Shape shape, const std::vector<Json>& constants) {
  static constexpr const char* kOther = "\x7f";  // no constant of a template has this character
  std::vector<Json> candidates = constants;
  candidates.insert(
      candidates.end(),
      {Json(true), Json(false), Json(""), Json(kOther), Json(Json::kIntegerMax), Json(0),
       Json::array(), Json::array({Json(kOther)}), Json::object(), Json::object({{kOther, 1}})});
  std::vector<Json> values = {Json()};
  for (Json& candidate : candidates) {
    if (fits(candidate, shape) && std::ranges::find(values, candidate) == values.end()) {
      values.push_back(std::move(candidate));
    }
  }
  return values;
}

}  // namespace

Satisfiable can_hold(const Json& condition,
                     const std::function<Domain(const OutputReference&)>& domain_of) {
  std::vector<Json> constants;
  collect_constants(condition, constants);
  const std::vector<OutputReference> outputs = outputs_in(condition);
  std::vector<std::vector<Json>> domains;
  std::size_t combinations = 1;
  for (const OutputReference& output : outputs) {
    Domain known = domain_of(output);
    domains.push_back(known.values ? std::move(*known.values) : values_of(known.shape, constants));
    combinations *= domains.back().size();
    if (combinations > kCombinationsMax) {
      return Satisfiable::unknown;
    }
  }
  std::map<OutputReference, const Json*> chosen;
  for (std::size_t number = 0; number < combinations; ++number) {
    std::size_t rest = number;
    for (std::size_t index = 0; index < outputs.size(); ++index) {
      chosen[outputs[index]] = &domains[index][rest % domains[index].size()];
      rest /= domains[index].size();
    }
    if (holds(condition, [&chosen](const OutputReference& output) { return *chosen.at(output); })) {
      return Satisfiable::sometimes;
    }
  }
  return Satisfiable::never;
}

}  // namespace rgx::templates
