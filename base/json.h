#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

// JSON values without floats: null, true/false, integers within +-(2^53 - 1), UTF-8 strings,
// arrays and objects with unique keys. Nothing else can be built or parsed, so every value has
// exactly one canonical form (RFC 8785, base/canonical.h).

namespace rgx {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::map<std::string, Json, std::less<>>;
  enum class Kind : std::uint8_t { null, boolean, integer, string, array, object };

  /// Largest magnitude of an integer: 2^53 - 1 (RFC 7493, RFC 8785). Larger travel as strings.
  static constexpr std::int64_t kIntegerMax = 9007199254740991;

  Json() = default;
  Json(bool value);
  Json(std::int64_t value);  // checks the bound
  Json(int value) : Json(static_cast<std::int64_t>(value)) {}
  Json(std::uint32_t value) : Json(static_cast<std::int64_t>(value)) {}
  Json(std::uint64_t value);  // checks the bound
  Json(std::string value);    // must be valid UTF-8
  Json(std::string_view value) : Json(std::string(value)) {}
  Json(const char* value) : Json(std::string(value)) {}
  Json(Array value);
  Json(Object value);

  /// `Json::object({{"a", 1}})`; a repeated key is a programmer error.
  static Json object(std::initializer_list<std::pair<const std::string, Json>> members = {});
  static Json array(std::initializer_list<Json> items = {});
  static Json array_of(const std::vector<std::string>& items);

  [[nodiscard]] Kind kind() const;
  [[nodiscard]] bool is_null() const { return kind() == Kind::null; }
  [[nodiscard]] bool is_boolean() const { return kind() == Kind::boolean; }
  [[nodiscard]] bool is_integer() const { return kind() == Kind::integer; }
  [[nodiscard]] bool is_string() const { return kind() == Kind::string; }
  [[nodiscard]] bool is_array() const { return kind() == Kind::array; }
  [[nodiscard]] bool is_object() const { return kind() == Kind::object; }

  /// Access to a value of known kind; another kind is a programmer error.
  [[nodiscard]] bool as_boolean() const;
  [[nodiscard]] std::int64_t as_integer() const;
  [[nodiscard]] const std::string& as_string() const;
  [[nodiscard]] const Array& as_array() const;
  [[nodiscard]] const Object& as_object() const;
  [[nodiscard]] Array& as_array();
  [[nodiscard]] Object& as_object();

  /// Member of an object, or nullptr (also when this is no object).
  [[nodiscard]] const Json* find(std::string_view key) const;
  /// Sets a member; a null value becomes an object first.
  Json& set(std::string_view key, Json value);
  /// Appends to an array; a null value becomes an array first.
  Json& push(Json value);

  bool operator==(const Json&) const = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, std::string, Array, Object> value_;
};

[[nodiscard]] std::string_view to_string(Json::Kind kind);

/// Limits of one parse. Depth counts nested arrays and objects.
struct JsonLimits {
  std::size_t bytes_max = 64U << 20;
  std::size_t depth_max = 64;
};

/// Parses exactly one strict JSON text (RFC 8259) of this value space: no duplicate keys, no
/// floats, no invalid UTF-8 or lone surrogates, nothing after the value. `name` is for messages.
/// Errors: json.syntax, json.duplicate_key, json.number, json.too_large, json.too_deep.
[[nodiscard]] Result<Json> parse_json(std::string_view text, std::string_view name = "json",
                                      JsonLimits limits = {});

/// Indented form for people (two spaces, members in canonical order). Not canonical.
[[nodiscard]] std::string pretty(const Json& value);

}  // namespace rgx
