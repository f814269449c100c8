#pragma once

#include "base/yaml/mapping_reader.h"
#include "templates/expression.h"
#include "templates/probe.h"
#include "templates/template.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Checks expressions of a template before any argument is known: that the names exist and the
// kinds of values fit. Private to the package.

namespace rgx::templates {

[[nodiscard]] Shape shape_of(const Parameter& parameter);
/// `a list of texts`, for messages.
[[nodiscard]] std::string_view described(Shape shape);
/// True when any string at or below `node` holds a reference (or a malformed one).
[[nodiscard]] bool has_reference(const yaml::Node& node);

/// Where an expression stands decides which roots it may name.
struct Context {
  bool facts = true;
  std::optional<Shape> item;  ///< shape of `${item}`, inside for_each
  bool outputs = false;       ///< outputs of steps may stand here
};

class ExpressionChecker {
 public:
  ExpressionChecker(const Template& source, yaml::Mistakes& mistakes)
      : source_(source),
        mistakes_(mistakes) {}

  /// Shape of a scalar's value; mistakes inside are reported.
  Shape check_scalar(const yaml::Node& node, const Context& context, bool in_list = false);
  /// `in_list`: the node is an item of a list, where `splice` may stand.
  /// Every expression at or below `node`.
  void check_below(const yaml::Node& node, const Context& context, bool in_list = false);
  /// The same, and that a whole reference has the shape `wanted`. `what` names the value.
  void check_value(Shape wanted, const yaml::Node& node, const std::string& what,
                   const Context& context, bool in_list = false);
  /// The references to outputs of steps since the last call.
  [[nodiscard]] std::vector<Reference> take_outputs() { return std::exchange(outputs_, {}); }

 private:
  Shape shape_of_reference(const Reference& reference, const Context& context);
  Shape shape_of_parameter(const Reference& reference);
  Shape shape_of_fact(const Reference& reference);
  Shape shape_of_output(const Reference& reference);
  Shape after_filters(Shape shape, const Reference& reference);
  void unknown(const std::string& what, std::string_view name,
               const std::vector<std::string>& known, const Place& place);

  const Template& source_;
  yaml::Mistakes& mistakes_;
  std::vector<Reference> outputs_;
};

}  // namespace rgx::templates
