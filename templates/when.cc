#include "templates/when.h"

#include "base/check.h"
#include "templates/condition_domain.h"
#include "templates/describe.h"
#include "templates/step_output.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace rgx::templates {
namespace {

using yaml::Mistakes;

constexpr std::array<std::string_view, 6> kOperators = {"all",    "any", "empty",
                                                        "equals", "in",  "not"};
constexpr std::string_view kRemedy =
    "write one of `equals: [A, B]`, `in: [A, LIST]`, `empty: A`, `not: …`, `all: […]`, `any: […]`";

/// Checks the shape and makes a condition in which every different reference is an output of its
/// own, so that sealing's search can say whether it ever holds.
class WhenChecker {
 public:
  WhenChecker(const std::string& what, const Template& source, ExpressionChecker& expressions,
              const Context& context, Mistakes& mistakes)
      : what_(what),
        source_(source),
        expressions_(expressions),
        context_(context),
        mistakes_(mistakes) {}

  [[nodiscard]] Json node(const yaml::Node& node, std::size_t depth);
  [[nodiscard]] Domain domain_of(const OutputReference& variable) const {
    const auto found = domains_.find(variable.step.text());
    return found == domains_.end() ? Domain{} : found->second;
  }

 private:
  void bad(const Place& place, const std::string& problem) {
    mistakes_.add("template.bad_condition", place, "`when` of " + what_ + " " + problem, kRemedy);
  }
  [[nodiscard]] Json pair(const std::string& name, const yaml::Node& node);
  [[nodiscard]] Json operand(const yaml::Node& node);
  [[nodiscard]] Json variable(const yaml::Node& node);

  const std::string& what_;
  const Template& source_;
  ExpressionChecker& expressions_;
  const Context& context_;
  Mistakes& mistakes_;
  std::map<std::string, Domain> domains_;     // by name of the variable
  std::map<std::string, std::string> names_;  // text of the scalar -> name of the variable
  std::size_t parts_ = 0;
};

/// A reference as a variable: the same text is the same one.
Json WhenChecker::variable(const yaml::Node& node) {
  const auto before = mistakes_.all().size();
  const Shape shape = expressions_.check_scalar(node, context_);
  const auto [name, added] = names_.emplace(node.text, "v" + std::to_string(names_.size()));
  Domain domain{shape, std::nullopt};
  const auto expression = parse_expression(node);
  const Reference* whole = expression ? expression->whole() : nullptr;
  if (before == mistakes_.all().size() && whole != nullptr && whole->filters.empty() &&
      whole->root == Root::params) {
    const Parameter* parameter = source_.find_parameter(whole->name);
    if (parameter != nullptr && parameter->type == ParameterType::enumeration) {
      domain.values.emplace();
      for (const std::string& value : parameter->values) {
        domain.values->push_back(Json(value));
      }
    }
  }
  if (added) {
    domains_[name->second] = std::move(domain);
  }
  const Json body = Json::object({{"step", name->second}, {"member", "value"}});
  return Json(Json::Object{{std::string(kOutputKey), body}});
}

Json WhenChecker::operand(const yaml::Node& node) {
  if (node.kind == yaml::Node::Kind::string && has_reference(node)) {
    return variable(node);
  }
  if (node.kind == yaml::Node::Kind::mapping || node.kind == yaml::Node::Kind::null) {
    bad(node.place, "compares what is no text, number, boolean or list of them");
    return {};
  }
  Context constant = context_;
  constant.outputs = false;
  for (const auto& item : node.items) {
    if (item->kind == yaml::Node::Kind::mapping || item->kind == yaml::Node::Kind::sequence) {
      bad(item->place, "has a list of what is no text, number or boolean");
      return {};
    }
    expressions_.check_below(*item, constant, true);
    if (has_reference(*item)) {
      return {};  // too little is known of the list
    }
  }
  return yaml::to_json(node);
}

Json WhenChecker::pair(const std::string& name, const yaml::Node& node) {
  if (node.kind != yaml::Node::Kind::sequence || node.items.size() != 2) {
    bad(node.place, "gives `" + name + "` other than two values");
    return {};
  }
  const yaml::Node& list = *node.items[1];
  if (name == "in" && list.kind != yaml::Node::Kind::sequence && !has_reference(list)) {
    bad(list.place, "looks for a value in what is no list");
    return {};
  }
  Json left = operand(*node.items[0]);
  Json right = operand(list);
  if (left.is_null() || right.is_null()) {
    return {};
  }
  return Json::array({std::move(left), std::move(right)});
}

/// Null when too little is known to search for a solution.
Json WhenChecker::node(const yaml::Node& node, std::size_t depth) {
  if (depth > kConditionDepthMax || ++parts_ > kConditionNodesMax) {
    bad(node.place, "is deeper than 16 or has more than 256 parts");
    return {};
  }
  if (node.kind != yaml::Node::Kind::mapping || node.members.size() != 1) {
    bad(node.place, "is no mapping with one condition");
    return {};
  }
  const auto& [name, key_place, value] = node.members.front();
  if (std::ranges::find(kOperators, name) == kOperators.end()) {
    const std::vector<std::string> known(kOperators.begin(), kOperators.end());
    mistakes_.add("template.bad_condition", key_place,
                  "`when` of " + what_ + " has the unknown part " + quoted(name),
                  suggestion(name, known, kRemedy));
    return {};
  }
  Json inner;
  if (name == "equals" || name == "in") {
    inner = pair(name, *value);
  } else if (name == "empty") {
    inner = operand(*value);
  } else if (name == "not") {
    inner = this->node(*value, depth + 1);
  } else if (value->kind != yaml::Node::Kind::sequence || value->items.empty()) {
    bad(value->place, "gives `" + name + "` no list of conditions");
  } else {
    inner = Json::array();
    for (const auto& item : value->items) {
      Json part = this->node(*item, depth + 1);
      if (part.is_null() || inner.is_null()) {
        inner = Json();
      } else {
        inner.push(std::move(part));
      }
    }
  }
  return inner.is_null() ? Json() : Json(Json::Object{{name, std::move(inner)}});
}

/// Replaces what is decided by its value: a boolean, or a condition that needs a run.
Json simplified_list(bool all, const Json& parts) {
  Json left = Json::array();
  for (const Json& part : parts.as_array()) {
    if (!part.is_boolean()) {
      left.push(part);
    } else if (part.as_boolean() != all) {
      return !all;  // one decides the whole
    }
  }
  if (left.as_array().empty()) {
    return all;
  }
  if (left.as_array().size() == 1) {
    return left.as_array()[0];
  }
  return Json(Json::Object{{all ? "all" : "any", std::move(left)}});
}

Json decided_or_open(const std::string& name, Json operand) {
  Json condition = Json(Json::Object{{name, std::move(operand)}});
  if (!outputs_in(condition).empty()) {
    return condition;
  }
  return holds(condition, [](const OutputReference&) { return Json(); });
}

Result<Json> expand_operand(const yaml::Node& node, const Scope& scope) {
  if (node.kind == yaml::Node::Kind::string) {
    RGX_TRY(Value value, expand(node, scope));
    return std::move(value.json);
  }
  RGX_TRY(Value value, expand(node, Scope{scope.arguments, scope.facts, scope.item, nullptr}));
  return std::move(value.json);
}

Result<Json> expand_node(const yaml::Node& node, const Scope& scope) {
  RGX_CHECK(node.members.size() == 1);  // check_when saw it
  const std::string& name = node.members.front().key;
  const yaml::Node& value = *node.members.front().value;
  if (name == "not") {
    RGX_TRY(Json part, expand_node(value, scope));
    return part.is_boolean() ? Json(!part.as_boolean())
                             : Json(Json::Object{{"not", std::move(part)}});
  }
  if (name == "empty") {
    RGX_TRY(Json operand, expand_operand(value, scope));
    return decided_or_open(name, std::move(operand));
  }
  Json parts = Json::array();
  if (name == "equals" || name == "in") {
    for (const auto& item : value.items) {
      RGX_TRY(Json operand, expand_operand(*item, scope));
      parts.push(std::move(operand));
    }
    return decided_or_open(name, std::move(parts));
  }
  for (const auto& item : value.items) {
    RGX_TRY(Json part, expand_node(*item, scope));
    parts.push(std::move(part));
  }
  return simplified_list(name == "all", parts);
}

}  // namespace

void check_when(const yaml::Node& node, const std::string& what, const Template& source,
                ExpressionChecker& expressions, const Context& context, Mistakes& mistakes) {
  const auto before = mistakes.all().size();
  WhenChecker checker(what, source, expressions, context, mistakes);
  const Json condition = checker.node(node, 1);
  if (mistakes.all().size() != before || condition.is_null()) {
    return;
  }
  const auto domain_of = [&checker](const OutputReference& variable) {
    return checker.domain_of(variable);
  };
  if (can_hold(condition, domain_of) == Satisfiable::never) {
    mistakes.add("template.never_true", node.place,
                 "the condition of " + what + " can never hold: it never runs",
                 "correct the condition, or leave the step out");
  }
}

Result<When> expand_when(const yaml::Node& node, const Scope& scope) {
  RGX_TRY(Json condition, expand_node(node, scope));
  if (condition.is_boolean()) {
    return When{condition.as_boolean(), Json()};
  }
  return When{std::nullopt, std::move(condition)};
}

When both(When first, When second) {
  if (first.decided) {
    return *first.decided ? std::move(second) : std::move(first);
  }
  if (second.decided) {
    return *second.decided ? std::move(first) : std::move(second);
  }
  Json parts = Json::array({std::move(first.condition), std::move(second.condition)});
  return When{std::nullopt, Json(Json::Object{{"all", std::move(parts)}})};
}

}  // namespace rgx::templates
