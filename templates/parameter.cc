#include "base/glob.h"
#include "base/path.h"
#include "base/text.h"
#include "templates/describe.h"
#include "templates/parameter_constraints.h"
#include "templates/parameter_types.h"
#include "templates/syntax.h"
#include "templates/template.h"

#include <algorithm>
#include <array>

// The types of parameters: which values they take and their normal forms.
// Format: docs/formats/template.md, section "Parameters"

namespace rgx::templates {
namespace {

constexpr std::size_t kListItemsMax = 10000;

class ValueChecker {
 public:
  explicit ValueChecker(const Parameter& parameter) : parameter_(parameter) {}

  [[nodiscard]] Result<Json> check(ParameterType type, const Json& value) const;

 private:
  [[nodiscard]] tl::unexpected<Error> wrong_type(const Json& value, std::string_view expected,
                                                 std::string_view remedy) const {
    return fail(ErrorKind::usage, "parameter.type",
                "parameter `" + parameter_.name + "` is " + described(value) + ", not " +
                    std::string(expected),
                remedy);
  }
  [[nodiscard]] tl::unexpected<Error> bad_value(std::string_view problem,
                                                std::string_view remedy) const {
    return fail(ErrorKind::usage, "parameter.value",
                "parameter `" + parameter_.name + "` " + std::string(problem), remedy);
  }
  [[nodiscard]] Result<Json> check_text(const Json& value, std::size_t bytes_max,
                                        std::string_view type) const;
  [[nodiscard]] Result<Json> check_integer(const Json& value) const;
  [[nodiscard]] Result<Json> check_boolean(const Json& value) const;
  [[nodiscard]] Result<Json> check_list(const Json& value) const;
  [[nodiscard]] Result<Json> check_command(const Json& value) const;
  [[nodiscard]] Result<Json> check_word(ParameterType type, const std::string& text,
                                        const Json& value) const;
  [[nodiscard]] Result<Json> check_path(ParameterType type, const std::string& text) const;

  const Parameter& parameter_;
};

Result<Json> ValueChecker::check_text(const Json& value, std::size_t bytes_max,
                                      std::string_view type) const {
  if (!value.is_string()) {
    return wrong_type(value, "a " + std::string(type), "quote the value");
  }
  const std::string& text = value.as_string();
  if (text.size() > bytes_max) {
    return bad_value("is longer than " + std::to_string(bytes_max) + " bytes", "shorten it");
  }
  std::string visible = text;
  if (type == "text") {
    std::erase_if(visible, [](char c) { return c == '\n' || c == '\t'; });
  }
  if (find_deceptive(visible)) {
    return bad_value("has a control or invisible character: " + quoted(text),
                     type == "text" ? "remove it" : "write one line without control characters");
  }
  return value;
}

Result<Json> ValueChecker::check_integer(const Json& value) const {
  if (value.is_integer()) {
    return value;
  }
  if (value.is_string()) {
    if (const auto number = decimal(value.as_string())) {
      return Json(*number);
    }
  }
  return wrong_type(value, "an integer", "give a whole number such as `3`");
}

Result<Json> ValueChecker::check_boolean(const Json& value) const {
  if (value.is_boolean()) {
    return value;
  }
  if (value.is_string() && (value.as_string() == "true" || value.as_string() == "false")) {
    return Json(value.as_string() == "true");
  }
  return wrong_type(value, "a boolean", "give `true` or `false`");
}

Result<Json> ValueChecker::check_list(const Json& value) const {
  const Json::Array items = value.is_array() ? value.as_array() : Json::Array{value};
  if (items.size() > kListItemsMax) {
    return bad_value("has more than 10000 items", "split the work");
  }
  Json checked = Json::array();
  for (const Json& item : items) {
    RGX_TRY(Json normal, check(parameter_.of.value_or(ParameterType::string), item));
    checked.push(std::move(normal));
  }
  return checked;
}

Result<Json> ValueChecker::check_command(const Json& value) const {
  const std::string_view remedy = "give each word on its own: `--set NAME=make --set NAME=test`";
  const Json::Array words = value.is_array() ? value.as_array() : Json::Array{value};
  if (words.empty()) {
    return wrong_type(value, "a command", remedy);
  }
  for (const Json& word : words) {
    if (!word.is_string()) {
      return wrong_type(word, "a word of a command", remedy);
    }
    if (word.as_string().find('\0') != std::string::npos) {
      return bad_value("has a word with a NUL byte", "remove it");
    }
  }
  if (words.front().as_string().empty()) {
    return bad_value("names no program", remedy);
  }
  if (!value.is_array() && words.front().as_string().find(' ') != std::string::npos) {
    return bad_value("is one word with a space: " + quoted(words.front().as_string()), remedy);
  }
  return Json(words);
}

Result<Json> ValueChecker::check_path(ParameterType type, const std::string& text) const {
  if (type == ParameterType::glob) {
    auto glob = Glob::parse(text);
    if (!glob) {
      return bad_value("is no usable glob: " + glob.error().first().message,
                       glob.error().first().remedy);
    }
    return Json(glob->pattern());
  }
  auto path = normal_path(text);
  if (!path) {
    return bad_value("is no usable path: " + path.error().first().message,
                     path.error().first().remedy);
  }
  return Json(std::move(*path));
}

Result<Json> ValueChecker::check_word(ParameterType type, const std::string& text,
                                      const Json& value) const {
  switch (type) {
    case ParameterType::identifier:
      return is_identifier(text) ? Result<Json>(value)
                                 : wrong_type(value, "an identifier", "give a name like `fooBar`");
    case ParameterType::symbol:
      return is_symbol(text) ? Result<Json>(value)
                             : wrong_type(value, "a symbol", "give one name without white space");
    case ParameterType::version:
      return is_version(text) ? Result<Json>(value)
                              : wrong_type(value, "a version", "give a version like `1.2.3`");
    case ParameterType::branch:
      return is_branch(text) ? Result<Json>(value)
                             : wrong_type(value, "a branch name", "give a name like `fix/parser`");
    case ParameterType::regex:
      return is_regex(text) ? Result<Json>(value)
                            : wrong_type(value, "a regular expression", "use the syntax of RE2");
    case ParameterType::url:
      return host_of_url(text) ? Result<Json>(value)
                               : wrong_type(value, "an http or https URL",
                                            "give `https://host/path` without a user name");
    case ParameterType::duration: {
      const auto ms = duration_ms(text);
      return ms ? Result<Json>(Json(*ms))
                : wrong_type(value, "a duration", "give `250ms`, `30s`, `15m`, `2h` or `1d`");
    }
    case ParameterType::size: {
      const auto bytes = size_bytes(text);
      return bytes ? Result<Json>(Json(*bytes))
                   : wrong_type(value, "a size", "give `123B`, `10KiB`, `5MiB` or `1GiB`");
    }
    case ParameterType::enumeration:
      if (std::ranges::find(parameter_.values, text) != parameter_.values.end()) {
        return value;
      }
      return bad_value("is " + quoted(text) + ", which is not one of its values",
                       suggestion(text, parameter_.values, "see the template's `values`"));
    case ParameterType::path:
    case ParameterType::glob:
      return check_path(type, text);
    case ParameterType::string:
    case ParameterType::text:
    case ParameterType::integer:
    case ParameterType::boolean:
    case ParameterType::command:
    case ParameterType::list:
      break;
  }
  return value;
}

Result<Json> ValueChecker::check(ParameterType type, const Json& value) const {
  switch (type) {
    case ParameterType::integer:
      return check_integer(value);
    case ParameterType::boolean:
      return check_boolean(value);
    case ParameterType::list:
      return check_list(value);
    case ParameterType::command:
      return check_command(value);
    case ParameterType::text:
      return check_text(value, kTextBytesMax, "text");
    case ParameterType::duration:
    case ParameterType::size:
      if (value.is_integer() && value.as_integer() >= 0) {
        return value;
      }
      break;
    case ParameterType::path:
    case ParameterType::glob:
    case ParameterType::identifier:
    case ParameterType::symbol:
    case ParameterType::string:
    case ParameterType::enumeration:
    case ParameterType::version:
    case ParameterType::regex:
    case ParameterType::url:
    case ParameterType::branch:
      break;
  }
  RGX_TRY(const Json text, check_text(value, kStringBytesMax, to_string(type)));
  return check_word(type, text.as_string(), value);
}

}  // namespace

std::span<const std::string_view> parameter_type_names() {
  static constexpr std::array<std::string_view, 17> kNames = {
      "path",    "glob", "identifier", "symbol", "string", "text",   "integer", "duration", "size",
      "boolean", "enum", "version",    "regex",  "url",    "branch", "command", "list"};
  static_assert(kNames.size() == static_cast<std::size_t>(ParameterType::list) + 1);
  return kNames;
}

std::string_view to_string(ParameterType type) {
  return parameter_type_names()[static_cast<std::size_t>(type)];
}

Result<Json> check_argument(const Parameter& parameter, const Json& value) {
  RGX_TRY(Json normal, ValueChecker(parameter).check(parameter.type, value));
  RGX_TRY_STATUS(check_constraints(parameter, normal));
  return normal;
}

}  // namespace rgx::templates
