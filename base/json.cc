#include "base/json.h"

#include "base/check.h"
#include "base/text.h"

namespace rgx {

Json::Json(bool value) : value_(value) {}

Json::Json(std::int64_t value) : value_(value) {
  RGX_CHECK(value >= -kIntegerMax);
  RGX_CHECK(value <= kIntegerMax);
}

Json::Json(std::uint64_t value) : value_(static_cast<std::int64_t>(value)) {
  RGX_CHECK(value <= static_cast<std::uint64_t>(kIntegerMax));
}

Json::Json(std::string value) : value_(std::move(value)) {
  RGX_CHECK(is_utf8(std::get<std::string>(value_)));
}

Json::Json(Array value) : value_(std::move(value)) {}

Json::Json(Object value) : value_(std::move(value)) {}

Json Json::object(std::initializer_list<std::pair<const std::string, Json>> members) {
  Object object;
  for (const auto& [key, value] : members) {
    RGX_CHECK(is_utf8(key));
    const bool inserted = object.emplace(key, value).second;
    RGX_CHECK(inserted);
  }
  return {std::move(object)};
}

Json Json::array(std::initializer_list<Json> items) {
  return {Array(items)};
}

Json Json::array_of(const std::vector<std::string>& items) {
  Array array;
  array.reserve(items.size());
  for (const std::string& item : items) {
    array.emplace_back(item);
  }
  return {std::move(array)};
}

Json::Kind Json::kind() const {
  return static_cast<Kind>(value_.index());
}

bool Json::as_boolean() const {
  RGX_CHECK(is_boolean());
  return std::get<bool>(value_);
}

std::int64_t Json::as_integer() const {
  RGX_CHECK(is_integer());
  return std::get<std::int64_t>(value_);
}

const std::string& Json::as_string() const {
  RGX_CHECK(is_string());
  return std::get<std::string>(value_);
}

const Json::Array& Json::as_array() const {
  RGX_CHECK(is_array());
  return std::get<Array>(value_);
}

const Json::Object& Json::as_object() const {
  RGX_CHECK(is_object());
  return std::get<Object>(value_);
}

Json::Array& Json::as_array() {
  RGX_CHECK(is_array());
  return std::get<Array>(value_);
}

Json::Object& Json::as_object() {
  RGX_CHECK(is_object());
  return std::get<Object>(value_);
}

const Json* Json::find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) {
    return nullptr;
  }
  const auto member = object->find(key);
  return member == object->end() ? nullptr : &member->second;
}

Json& Json::set(std::string_view key, Json value) {
  if (is_null()) {
    value_ = Object{};
  }
  RGX_CHECK(is_utf8(key));
  Object& object = as_object();
  const auto member = object.find(key);
  if (member == object.end()) {
    object.emplace(std::string(key), std::move(value));
  } else {
    member->second = std::move(value);
  }
  return *this;
}

Json& Json::push(Json value) {
  if (is_null()) {
    value_ = Array{};
  }
  as_array().push_back(std::move(value));
  return *this;
}

std::string_view to_string(Json::Kind kind) {
  switch (kind) {
    case Json::Kind::null:
      return "null";
    case Json::Kind::boolean:
      return "boolean";
    case Json::Kind::integer:
      return "integer";
    case Json::Kind::string:
      return "string";
    case Json::Kind::array:
      return "array";
    case Json::Kind::object:
      return "object";
  }
  check_failed("kind is in range", __FILE__, __LINE__);
}

}  // namespace rgx
