#include "templates/expression.h"

#include "base/check.h"
#include "base/text.h"
#include "templates/describe.h"
#include "templates/step_output.h"

namespace rgx::templates {
namespace {

[[nodiscard]] tl::unexpected<Error> unknown_name(const std::string& what, std::string_view name,
                                                 const std::vector<std::string>& known,
                                                 const Place& place) {
  return fail(ErrorKind::usage, "expression.unknown_name",
              "there is no " + what + " " + quoted(name),
              suggestion(name, known, "declare it in the template"), place);
}

template <class Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) {
    keys.push_back(key);
  }
  return keys;
}

Result<const Value*> find_root(const Reference& reference, const Scope& scope) {
  switch (reference.root) {
    case Root::params: {
      const auto found = scope.arguments.find(reference.name);
      if (found == scope.arguments.end()) {
        return unknown_name("parameter", reference.name, keys_of(scope.arguments), reference.place);
      }
      return &found->second;
    }
    case Root::facts: {
      const auto found = scope.facts.find(reference.name);
      if (found == scope.facts.end()) {
        return unknown_name("fact", reference.name, keys_of(scope.facts), reference.place);
      }
      return &found->second.value;
    }
    case Root::item:
      if (scope.item == nullptr) {
        return fail(ErrorKind::usage, "expression.unknown_name",
                    "`${item}` stands outside a step with `for_each`", "add `for_each` to the step",
                    reference.place);
      }
      return scope.item;
    case Root::steps:
      break;  // not known before the run
  }
  return nullptr;
}

Json filters_json(const std::vector<Filter>& filters) {
  Json list = Json::array();
  for (const Filter& filter : filters) {
    list.push(Json::object(
        {{"name", to_string(filter.kind)}, {"arguments", Json::array_of(filter.arguments)}}));
  }
  return list;
}

/// `{"$output": ...}`; nothing when the step was left out.
Result<Value> open_output(const Reference& reference, const Scope& scope) {
  if (scope.outputs == nullptr) {
    return fail(ErrorKind::usage, "expression.output", "no output of a step may stand here",
                "use a fact, which is known before anything runs", reference.place);
  }
  const OutputSource source = (*scope.outputs)(reference.name);
  if (source.step.empty()) {
    return Value{Json(), source.origins};
  }
  Json body =
      Json::object({{"step", source.step.text()}, {"member", rgx::join(reference.members, ".")}});
  if (!reference.filters.empty()) {
    body.set("filters", filters_json(reference.filters));
  }
  return Value{Json(Json::Object{{std::string(kOutputKey), std::move(body)}}), source.origins};
}

Result<Value> evaluate(const Reference& reference, const Scope& scope) {
  if (reference.root == Root::steps) {
    return open_output(reference, scope);
  }
  RGX_TRY(const Value* root, find_root(reference, scope));
  const Json* json = &root->json;
  for (const std::string& member : reference.members) {
    const Json* next = json->find(member);
    if (next == nullptr) {
      return unknown_name(
          "member", member,
          json->is_object() ? keys_of(json->as_object()) : std::vector<std::string>{},
          reference.place);
    }
    json = next;
  }
  Value value{*json, root->origins};
  for (const Filter& filter : reference.filters) {
    RGX_TRY(value.json, apply_filter(filter, value.json, reference.place));
  }
  return value;
}

Result<std::string> embedded_text(const Json& value, const Place& place) {
  if (auto text = scalar_text(value)) {
    return std::move(*text);
  }
  return fail(ErrorKind::usage, "expression.type",
              "a reference inside a text is " + described(value) + ", not a text or a number",
              "let it be the whole value, or use `join` or `json`", place);
}

/// A text, or `{"$text": [...]}` when an output stands in it.
class TextParts {
 public:
  void literal(std::string text) {
    if (!text.empty()) {
      parts_.push(Json(std::move(text)));
    }
  }
  void output(Json open) {
    parts_.push(std::move(open));
    open_ = true;
  }
  [[nodiscard]] Json finish(std::string rest) {
    if (!open_) {
      return Json(std::move(rest));
    }
    literal(std::move(rest));
    return Json(Json::Object{{std::string(kTextKey), std::move(parts_)}});
  }

 private:
  Json parts_ = Json::array();
  bool open_ = false;
};

Result<Value> expand_scalar(const yaml::Node& node, const Scope& scope) {
  RGX_TRY(const Expression expression, parse_expression(node));
  if (const Reference* whole = expression.whole()) {
    return evaluate(*whole, scope);
  }
  Value value{Json(""), {}};
  TextParts parts;
  std::string text;
  if (expression.pieces.empty()) {
    value.origins.add(Origin::template_);
  }
  for (const Piece& piece : expression.pieces) {
    if (!piece.reference) {
      text += piece.literal;
      value.origins.add(Origin::template_);
      continue;
    }
    RGX_TRY(Value part, evaluate(*piece.reference, scope));
    value.origins.add(part.origins);
    if (is_open(part.json)) {
      parts.literal(std::move(text));
      parts.output(std::move(part.json));
      text.clear();
      continue;
    }
    RGX_TRY(const std::string part_text, embedded_text(part.json, piece.reference->place));
    text += part_text;
    if (text.size() > kExpandedBytesMax) {
      return fail(ErrorKind::usage, "expression.too_large", "a text expands to more than 1 MiB",
                  "shorten what it refers to", piece.reference->place);
    }
  }
  value.json = parts.finish(std::move(text));
  return value;
}

/// `${… | splice}` as an item of a list: its items stand there instead.
bool is_splice(const yaml::Node& node) {
  if (node.kind != yaml::Node::Kind::string) {
    return false;
  }
  const auto expression = parse_expression(node);
  return expression.has_value() && expression->is_splice();
}

}  // namespace

Result<Value> expand(const yaml::Node& node, const Scope& scope) {
  switch (node.kind) {
    case yaml::Node::Kind::null:
      return Value{Json(), Origin::template_};
    case yaml::Node::Kind::boolean:
      return Value{Json(node.boolean), Origin::template_};
    case yaml::Node::Kind::integer:
      return Value{Json(node.integer), Origin::template_};
    case yaml::Node::Kind::string:
      return expand_scalar(node, scope);
    case yaml::Node::Kind::sequence: {
      Value list{Json::array(), {}};
      for (const auto& item : node.items) {
        RGX_TRY(Value value, expand(*item, scope));
        list.origins.add(value.origins);
        if (is_splice(*item)) {
          for (const Json& part : value.json.as_array()) {
            list.json.push(part);
          }
        } else {
          list.json.push(std::move(value.json));
        }
      }
      if (node.items.empty()) {
        list.origins.add(Origin::template_);
      }
      return list;
    }
    case yaml::Node::Kind::mapping: {
      Value mapping{Json::object(), {}};
      for (const yaml::Member& member : node.members) {
        RGX_TRY(Value value, expand(*member.value, scope));
        mapping.origins.add(value.origins);
        mapping.json.set(member.key, std::move(value.json));
      }
      if (node.members.empty()) {
        mapping.origins.add(Origin::template_);
      }
      return mapping;
    }
  }
  return Value{};
}

}  // namespace rgx::templates
