#include "templates/expression_check.h"

#include "base/text.h"
#include "templates/describe.h"
#include "templates/tool.h"

#include <algorithm>

namespace rgx::templates {
namespace {

using yaml::Mistakes;

void add_error(const Error& error, Mistakes& mistakes) {
  for (const Diagnostic& diagnostic : error.diagnostics) {
    mistakes.all().push_back(diagnostic);
  }
}

bool is_scalar(Shape shape) {
  return shape == Shape::text || shape == Shape::integer || shape == Shape::boolean ||
         shape == Shape::any;
}

}  // namespace

Shape shape_of(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::integer:
    case ParameterType::duration:
    case ParameterType::size:
      return Shape::integer;
    case ParameterType::boolean:
      return Shape::boolean;
    case ParameterType::command:
      return Shape::texts;
    case ParameterType::list:
      switch (parameter.of.value_or(ParameterType::string)) {
        case ParameterType::integer:
        case ParameterType::duration:
        case ParameterType::size:
        case ParameterType::boolean:
          return Shape::any;
        default:
          return Shape::texts;
      }
    default:
      return Shape::text;
  }
}

std::string_view described(Shape shape) {
  switch (shape) {
    case Shape::any:
      return "a value";
    case Shape::text:
      return "a text";
    case Shape::integer:
      return "an integer";
    case Shape::boolean:
      return "a boolean";
    case Shape::mapping:
      return "a mapping";
    case Shape::texts:
      return "a list of texts";
    case Shape::mappings:
      return "a list of mappings";
  }
  return {};
}

bool has_reference(const yaml::Node& node) {
  if (node.kind == yaml::Node::Kind::string) {
    const auto expression = parse_expression(node);
    return !expression || std::ranges::any_of(expression->pieces, [](const Piece& piece) {
      return piece.reference.has_value();
    });
  }
  return std::ranges::any_of(node.items, [](const auto& item) { return has_reference(*item); }) ||
         std::ranges::any_of(
             node.members, [](const yaml::Member& member) { return has_reference(*member.value); });
}

void ExpressionChecker::unknown(const std::string& what, std::string_view name,
                                const std::vector<std::string>& known, const Place& place) {
  mistakes_.add("expression.unknown_name", place, "there is no " + what + " " + quoted(name),
                suggestion(name, known, "declare it in the template"));
}

Shape ExpressionChecker::shape_of_fact(const Reference& reference) {
  const auto fact = std::ranges::find(source_.facts, reference.name, &Fact::name);
  if (fact == source_.facts.end()) {
    std::vector<std::string> names;
    for (const Fact& known : source_.facts) {
      names.push_back(known.name);
    }
    unknown("fact", reference.name, names, reference.place);
    return Shape::any;
  }
  const Probe* probe = find_probe(fact->probe);
  if (probe == nullptr) {
    return Shape::any;  // reported where the fact stands
  }
  if (reference.members.empty()) {
    return Shape::mapping;
  }
  const auto member = std::ranges::find(probe->members, reference.members[0], &ProbeMember::name);
  if (member == probe->members.end()) {
    std::vector<std::string> names;
    for (const ProbeMember& known : probe->members) {
      names.emplace_back(known.name);
    }
    unknown("member of fact `" + fact->name + "`", reference.members[0], names, reference.place);
    return Shape::any;
  }
  if (reference.members.size() > 1) {
    mistakes_.add("expression.type", reference.place,
                  "`" + std::string(member->name) + "` is " +
                      std::string(described(member->shape)) + " and has no members",
                  "leave out what follows it");
    return Shape::any;
  }
  return member->shape;
}

Shape ExpressionChecker::after_filters(Shape shape, const Reference& reference) {
  for (const Filter& filter : reference.filters) {
    bool fits = true;
    Shape next = shape;
    switch (filter.kind) {
      case FilterKind::json:
        next = Shape::text;
        break;
      case FilterKind::join:
        fits = shape == Shape::texts || shape == Shape::any;
        next = Shape::text;
        break;
      case FilterKind::splice:
        fits = shape == Shape::texts || shape == Shape::mappings || shape == Shape::any;
        break;
      case FilterKind::quote:
        fits = is_scalar(shape);
        next = Shape::text;
        break;
      case FilterKind::basename:
      case FilterKind::dirname:
      case FilterKind::lower:
      case FilterKind::regex_quote:
      case FilterKind::relative:
      case FilterKind::replace:
      case FilterKind::slug:
      case FilterKind::stem:
      case FilterKind::upper:
        fits = shape == Shape::text || shape == Shape::texts || shape == Shape::any;
        break;
    }
    if (!fits) {
      mistakes_.add("expression.type", reference.place,
                    "filter `" + std::string(to_string(filter.kind)) + "` gets " +
                        std::string(described(shape)),
                    "see docs/formats/template.md");
      return Shape::any;
    }
    shape = next;
  }
  return shape;
}

Shape ExpressionChecker::shape_of_parameter(const Reference& reference) {
  const Parameter* parameter = source_.find_parameter(reference.name);
  if (parameter == nullptr) {
    std::vector<std::string> names;
    for (const Parameter& known : source_.parameters) {
      names.push_back(known.name);
    }
    unknown("parameter", reference.name, names, reference.place);
    return Shape::any;
  }
  if (!reference.members.empty()) {
    mistakes_.add("expression.type", reference.place,
                  "parameter `" + reference.name + "` has no members", "leave out what follows it");
    return Shape::any;
  }
  return shape_of(*parameter);
}

Shape ExpressionChecker::shape_of_output(const Reference& reference) {
  const auto step = std::ranges::find(source_.steps, reference.name, &StepTemplate::id);
  if (step == source_.steps.end()) {
    std::vector<std::string> names;
    for (const StepTemplate& known : source_.steps) {
      names.push_back(known.id);
    }
    unknown("step", reference.name, names, reference.place);
    return Shape::any;
  }
  if (step->for_each || !step->include.empty()) {
    mistakes_.add("expression.output", reference.place,
                  "`" + step->id + "` stands for several steps, so it has no output of its own",
                  "refer to a step without `for_each` and `include`");
    return Shape::any;
  }
  const ToolContract* tool = find_tool(step->use);
  if (tool == nullptr) {
    return Shape::any;  // reported where the step stands
  }
  const std::string member = rgx::join(reference.members, ".");
  const auto shape = output_shape(*tool, member);
  if (!shape) {
    std::vector<std::string> names;
    for (const ToolOutput& known : tool->outputs) {
      names.emplace_back(known.name);
    }
    unknown("output of step `" + step->id + "`", member, names, reference.place);
    return Shape::any;
  }
  outputs_.push_back(reference);
  return *shape;
}

Shape ExpressionChecker::shape_of_reference(const Reference& reference, const Context& context) {
  Shape shape = Shape::any;
  switch (reference.root) {
    case Root::params:
      shape = shape_of_parameter(reference);
      break;
    case Root::facts:
      if (!context.facts) {
        mistakes_.add("expression.unknown_name", reference.place, "a fact cannot use another fact",
                      "use parameters only");
        return Shape::any;
      }
      shape = shape_of_fact(reference);
      break;
    case Root::item:
      if (!context.item) {
        mistakes_.add("expression.unknown_name", reference.place,
                      "`${item}` stands outside a step with `for_each`",
                      "add `for_each` to the step");
        return Shape::any;
      }
      shape = reference.members.empty() ? *context.item : Shape::any;
      break;
    case Root::steps:
      if (!context.outputs) {
        mistakes_.add("expression.output", reference.place, "no output of a step may stand here",
                      "use a fact, which is known before anything runs");
        return Shape::any;
      }
      shape = shape_of_output(reference);
      break;
  }
  return after_filters(shape, reference);
}

Shape ExpressionChecker::check_scalar(const yaml::Node& node, const Context& context,
                                      bool in_list) {
  const auto expression = parse_expression(node);
  if (!expression) {
    add_error(expression.error(), mistakes_);
    return Shape::any;
  }
  if (expression->is_splice() && !in_list) {
    mistakes_.add("expression.type", node.place, "`splice` stands outside a list",
                  "write it as an item: `[\"${… | splice}\", more]`");
    return Shape::any;
  }
  if (const Reference* whole = expression->whole()) {
    return shape_of_reference(*whole, context);
  }
  for (const Piece& piece : expression->pieces) {
    if (piece.reference) {
      const Shape shape = shape_of_reference(*piece.reference, context);
      if (!is_scalar(shape)) {
        mistakes_.add("expression.type", piece.reference->place,
                      "a reference inside a text is " + std::string(described(shape)),
                      "let it be the whole value, or use `join` or `json`");
      }
    }
  }
  return Shape::text;
}

void ExpressionChecker::check_below(const yaml::Node& node, const Context& context, bool in_list) {
  if (node.kind == yaml::Node::Kind::string) {
    check_scalar(node, context, in_list);
  }
  for (const auto& item : node.items) {
    check_below(*item, context, true);
  }
  for (const yaml::Member& member : node.members) {
    check_below(*member.value, context);
  }
}

void ExpressionChecker::check_value(Shape wanted, const yaml::Node& node, const std::string& what,
                                    const Context& context, bool in_list) {
  if (node.kind != yaml::Node::Kind::string) {
    check_below(node, context);
    return;
  }
  const auto before = mistakes_.all().size();
  const Shape got = check_scalar(node, context, in_list);
  const auto expression = parse_expression(node);
  const bool whole =
      before == mistakes_.all().size() && expression.has_value() && expression->whole() != nullptr;
  if (whole && expression->is_splice()) {
    return;
  }
  if (whole && wanted != Shape::any && got != Shape::any && wanted != got) {
    mistakes_.add(
        "expression.type", node.place,
        what + " takes " + std::string(described(wanted)) + ", not " + std::string(described(got)),
        "refer to a value of that kind");
  }
}

}  // namespace rgx::templates
