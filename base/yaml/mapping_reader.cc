#include "base/yaml/mapping_reader.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace rgx::yaml {

namespace {

std::string type_message(std::string_view name, std::string_view expected, const Node& node) {
  return "`" + std::string(name) + "` is " + std::string(to_string(node.kind)) + " instead of " +
         std::string(expected);
}

/// How to mend a wrong type, where the way is clear.
std::string_view type_remedy(Node::Kind expected, const Node& node) {
  if (expected == Node::Kind::string &&
      (node.kind == Node::Kind::boolean || node.kind == Node::Kind::integer)) {
    return "quote it";
  }
  if (expected == Node::Kind::string && node.kind == Node::Kind::mapping) {
    return "quote a text that contains braces or `: `";
  }
  if (expected == Node::Kind::mapping && node.kind == Node::Kind::string &&
      node.text.find(':') != std::string::npos) {
    return "put a space behind the colon, as in `key: value`";
  }
  if ((expected == Node::Kind::boolean || expected == Node::Kind::integer) &&
      node.style == Style::quoted) {
    return "remove the quotes";
  }
  switch (expected) {
    case Node::Kind::boolean:
      return "write `true` or `false`";
    case Node::Kind::integer:
      return "write a decimal integer";
    case Node::Kind::string:
      return "write a text";
    case Node::Kind::mapping:
      return "write `key: value` lines";
    case Node::Kind::null:
    case Node::Kind::sequence:
      break;
  }
  return "write a list, as in `[a, b]`";
}

}  // namespace

void Mistakes::add(std::string_view code, const Place& place, std::string_view message,
                   std::string_view remedy) {
  all_.push_back(Diagnostic{.code = std::string(code),
                            .message = std::string(message),
                            .remedy = std::string(remedy),
                            .place = place});
}

Error Mistakes::error() && {
  RGX_CHECK(!all_.empty());
  sort_by_place(all_);
  return Error{.kind = ErrorKind::usage, .diagnostics = std::move(all_)};
}

MappingReader::MappingReader(const Node& node, std::string what, Mistakes& mistakes)
    : node_(node),
      what_(std::move(what)),
      mistakes_(mistakes) {
  if (node_.kind != Node::Kind::mapping) {
    mistakes_.add("yaml.type", node_.place, type_message(what_, "a mapping", node_),
                  type_remedy(Node::Kind::mapping, node_));
  }
}

bool MappingReader::has(std::string_view key) const {
  return node_.find(key) != nullptr;
}

Place MappingReader::place_of(std::string_view key) const {
  const Member* member = node_.find(key);
  return member == nullptr ? node_.place : member->key_place;
}

const Node* MappingReader::node(std::string_view key) {
  asked_.emplace(key);
  const Member* member = node_.find(key);
  if (member == nullptr) {
    return nullptr;
  }
  if (member->value->kind == Node::Kind::null) {
    mistakes_.add("yaml.empty_value", member->key_place,
                  "`" + printable(key) + "` of " + what_ + " has no value",
                  "write a value (`[]` for an empty list), or remove the key");
    return nullptr;
  }
  return member->value.get();
}

const Node* MappingReader::required_node(std::string_view key) {
  if (!has(key) && node_.kind == Node::Kind::mapping) {
    mistakes_.add("yaml.missing_key", node_.place,
                  "`" + printable(key) + "` is missing in " + what_, "add it");
  }
  return node(key);
}

const Node* MappingReader::typed(std::string_view key, Node::Kind kind) {
  const Node* value = node(key);
  if (value != nullptr && value->kind != kind) {
    mistakes_.add("yaml.type", value->place, type_message(key, to_string(kind), *value),
                  type_remedy(kind, *value));
    return nullptr;
  }
  return value;
}

std::optional<std::string> MappingReader::string(std::string_view key) {
  const Node* value = typed(key, Node::Kind::string);
  if (value == nullptr) {
    return std::nullopt;
  }
  return value->text;
}

std::string MappingReader::required_string(std::string_view key) {
  if (!has(key)) {
    static_cast<void>(required_node(key));
    return {};
  }
  return string(key).value_or("");
}

std::optional<std::int64_t> MappingReader::integer(std::string_view key, std::int64_t min,
                                                   std::int64_t max) {
  const Node* value = typed(key, Node::Kind::integer);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (value->integer < min || value->integer > max) {
    mistakes_.add("yaml.range", value->place,
                  "`" + printable(key) + "` is " + std::to_string(value->integer),
                  "write an integer from " + std::to_string(min) + " to " + std::to_string(max));
    return std::nullopt;
  }
  return value->integer;
}

std::optional<bool> MappingReader::boolean(std::string_view key) {
  const Node* value = typed(key, Node::Kind::boolean);
  if (value == nullptr) {
    return std::nullopt;
  }
  return value->boolean;
}

std::optional<std::vector<MappingReader::Text>> MappingReader::strings(std::string_view key,
                                                                       OneIsList one) {
  const Node* value = node(key);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto text_of = [](const Node& node) {
    return Text{.value = node.text, .place = node.place, .style = node.style};
  };
  if (one == OneIsList::yes && value->kind == Node::Kind::string) {
    return std::vector<Text>{text_of(*value)};
  }
  if (value->kind != Node::Kind::sequence) {
    mistakes_.add(
        "yaml.type", value->place,
        type_message(key, one == OneIsList::yes ? "a string or a list" : "a list", *value),
        type_remedy(Node::Kind::sequence, *value));
    return std::nullopt;
  }
  std::vector<Text> texts;
  bool valid = true;
  for (const auto& item : value->items) {
    if (item->kind == Node::Kind::string) {
      texts.push_back(text_of(*item));
      continue;
    }
    valid = false;
    mistakes_.add("yaml.type", item->place,
                  type_message("item of " + std::string(key), "a string", *item),
                  type_remedy(Node::Kind::string, *item));
  }
  return valid ? std::optional(std::move(texts)) : std::nullopt;
}

const Node* MappingReader::sequence(std::string_view key) {
  return typed(key, Node::Kind::sequence);
}

const Node* MappingReader::mapping(std::string_view key) {
  return typed(key, Node::Kind::mapping);
}

std::optional<std::size_t> MappingReader::word(std::string_view key,
                                               std::span<const std::string_view> words) {
  const Node* value = typed(key, Node::Kind::string);
  if (value == nullptr) {
    return std::nullopt;
  }
  const auto found = std::find(words.begin(), words.end(), value->text);
  if (found != words.end()) {
    return static_cast<std::size_t>(found - words.begin());
  }
  std::string remedy;
  if (const auto near = nearest(value->text, words)) {
    remedy = "did you mean `" + *near + "`?";
  } else {
    remedy = "write one of ";
    for (std::size_t index = 0; index < words.size(); ++index) {
      remedy += (index == 0 ? "`" : ", `") + std::string(words[index]) + "`";
    }
  }
  mistakes_.add("yaml.bad_value", value->place,
                "`" + printable(key) + "` is `" + printable(value->text) + "`", remedy);
  return std::nullopt;
}

void MappingReader::schema(std::string_view expected) {
  if (!has("schema")) {
    static_cast<void>(required_node("schema"));
    return;
  }
  const Node* value = typed("schema", Node::Kind::string);
  if (value != nullptr && value->text != expected) {
    mistakes_.add("yaml.schema", value->place, "schema is `" + printable(value->text) + "`",
                  "write `schema: " + std::string(expected) + "`");
  }
}

void MappingReader::finish() {
  const std::vector<std::string_view> known(asked_.begin(), asked_.end());
  for (const Member& member : node_.members) {
    if (asked_.contains(member.key)) {
      continue;
    }
    std::string remedy = "remove it";
    if (const auto near = nearest(member.key, known)) {
      remedy = "did you mean `" + *near + "`?";
    } else if (!known.empty()) {
      remedy = "known keys: ";
      for (std::size_t index = 0; index < known.size(); ++index) {
        remedy += (index == 0 ? "" : ", ") + std::string(known[index]);
      }
    }
    mistakes_.add("yaml.unknown_key", member.key_place,
                  "`" + printable(member.key) + "` is not a key of " + what_, remedy);
  }
}

}  // namespace rgx::yaml
