#include "base/json_reader.h"

#include <algorithm>

#include "base/text.h"

namespace rgx {

namespace {

const Json& null_json() {
  static const Json kNull;
  return kNull;
}

const Json::Array& empty_array() {
  static const Json::Array kEmpty;
  return kEmpty;
}

const Json::Object& empty_object() {
  static const Json::Object kEmpty;
  return kEmpty;
}

std::string type_message(std::string_view name, Json::Kind expected, Json::Kind found) {
  return "`" + std::string(name) + "` is " + std::string(to_string(found)) + " instead of " +
         std::string(to_string(expected));
}

}  // namespace

ObjectReader::ObjectReader(const Json& value, std::string what)
    : value_(value),
      what_(std::move(what)) {
  if (!value_.is_object()) {
    mistakes_.push_back(
        Diagnostic{.code = "json.type",
                   .message = type_message(printable(what_), Json::Kind::object, value_.kind()),
                   .remedy = "use the file as rgx wrote it",
                   .place = {}});
  }
}

std::string ObjectReader::name(std::string_view key) const {
  return printable(what_) + "." + printable(key);
}

void ObjectReader::mistake(std::string_view code, std::string_view key, std::string_view message) {
  mistakes_.push_back(Diagnostic{.code = std::string(code),
                                 .message = "`" + name(key) + "` " + std::string(message),
                                 .remedy = {},
                                 .place = {}});
}

const Json* ObjectReader::ask(std::string_view key, bool required) {
  asked_.emplace(key);
  const Json* member = value_.find(key);
  // Where the whole is no object, that one mistake is enough.
  if (member == nullptr && required && value_.is_object()) {
    mistakes_.push_back(Diagnostic{.code = "json.missing_member",
                                   .message = "`" + name(key) + "` is missing",
                                   .remedy = "use the file as rgx wrote it",
                                   .place = {}});
  }
  return member;
}

const Json* ObjectReader::typed(std::string_view key, Json::Kind kind, bool required) {
  const Json* member = ask(key, required);
  if (member != nullptr && member->kind() != kind) {
    mistakes_.push_back(Diagnostic{.code = "json.type",
                                   .message = type_message(name(key), kind, member->kind()),
                                   .remedy = "use the file as rgx wrote it",
                                   .place = {}});
    return nullptr;
  }
  return member;
}

std::string ObjectReader::string(std::string_view key) {
  const Json* member = typed(key, Json::Kind::string, true);
  return member == nullptr ? std::string() : member->as_string();
}

std::optional<std::string> ObjectReader::optional_string(std::string_view key) {
  const Json* member = typed(key, Json::Kind::string, false);
  if (member == nullptr) {
    return std::nullopt;
  }
  return member->as_string();
}

std::int64_t ObjectReader::integer(std::string_view key, std::int64_t min, std::int64_t max) {
  static_cast<void>(ask(key, true));
  return optional_integer(key, min, max).value_or(min);
}

std::optional<std::int64_t> ObjectReader::optional_integer(std::string_view key, std::int64_t min,
                                                           std::int64_t max) {
  const Json* member = typed(key, Json::Kind::integer, false);
  if (member == nullptr) {
    return std::nullopt;
  }
  const std::int64_t value = member->as_integer();
  if (value < min || value > max) {
    mistake("json.range", key,
            "is " + std::to_string(value) + ", outside " + std::to_string(min) + " to " +
                std::to_string(max));
    return std::nullopt;
  }
  return value;
}

bool ObjectReader::boolean(std::string_view key) {
  const Json* member = typed(key, Json::Kind::boolean, true);
  return member != nullptr && member->as_boolean();
}

std::vector<std::string> ObjectReader::strings(std::string_view key) {
  std::vector<std::string> texts;
  const Json::Array& items = array(key);
  texts.reserve(items.size());
  for (std::size_t index = 0; index < items.size(); ++index) {
    if (!items[index].is_string()) {
      mistakes_.push_back(
          Diagnostic{.code = "json.type",
                     .message = type_message(name(key) + "[" + std::to_string(index) + "]",
                                             Json::Kind::string, items[index].kind()),
                     .remedy = "use the file as rgx wrote it",
                     .place = {}});
      continue;
    }
    texts.push_back(items[index].as_string());
  }
  return texts;
}

const Json& ObjectReader::value(std::string_view key) {
  const Json* member = ask(key, true);
  return member == nullptr ? null_json() : *member;
}

const Json* ObjectReader::optional_value(std::string_view key) {
  return ask(key, false);
}

const Json::Array& ObjectReader::array(std::string_view key) {
  const Json* member = typed(key, Json::Kind::array, true);
  return member == nullptr ? empty_array() : member->as_array();
}

const Json::Object& ObjectReader::object(std::string_view key) {
  const Json* member = typed(key, Json::Kind::object, true);
  return member == nullptr ? empty_object() : member->as_object();
}

void ObjectReader::schema(std::string_view expected) {
  const Json* member = typed("schema", Json::Kind::string, true);
  if (member != nullptr && member->as_string() != expected) {
    mistakes_.push_back(Diagnostic{.code = "json.schema",
                                   .message = "`" + name("schema") + "` is `" +
                                              printable(member->as_string()) + "` instead of `" +
                                              std::string(expected) + "`",
                                   .remedy = "use a version of rgx that knows this format",
                                   .place = {}});
  }
}

Status ObjectReader::finish() {
  if (value_.is_object()) {
    const std::vector<std::string_view> known(asked_.begin(), asked_.end());
    for (const auto& [key, member] : value_.as_object()) {
      if (asked_.contains(key)) {
        continue;
      }
      const auto near = nearest(key, known);
      mistakes_.push_back(Diagnostic{.code = "json.unknown_member",
                                     .message = "`" + name(key) + "` is not known",
                                     .remedy = near ? "did you mean `" + *near + "`?" : "remove it",
                                     .place = {}});
    }
  }
  if (mistakes_.empty()) {
    return {};
  }
  return fail(Error{.kind = ErrorKind::usage, .diagnostics = std::move(mistakes_)});
}

}  // namespace rgx
