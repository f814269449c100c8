#include "templates/parameter_constraints.h"

#include "base/json.h"
#include "base/text.h"
#include "templates/describe.h"
#include "templates/regex.h"
#include "templates/syntax.h"

namespace rgx::templates {
namespace {

using yaml::MappingReader;

constexpr std::int64_t kIntegerMax = (std::int64_t{1} << 53) - 1;
constexpr std::int64_t kLengthMax = 65536;
constexpr std::int64_t kItemsMax = 10000;

/// What a value is made of: an item's type for a list.
ParameterType item_type(const Parameter& parameter) {
  return parameter.type == ParameterType::list ? parameter.of.value_or(ParameterType::string)
                                               : parameter.type;
}

bool is_number(ParameterType type) {
  return type == ParameterType::integer || type == ParameterType::duration ||
         type == ParameterType::size;
}

bool is_text(ParameterType type) {
  return !is_number(type) && type != ParameterType::boolean && type != ParameterType::enumeration &&
         type != ParameterType::command;
}

bool has_items(ParameterType type) {
  return type == ParameterType::list || type == ParameterType::command;
}

void refuse(MappingReader& reader, const Parameter& parameter, std::string_view key,
            std::string_view problem, std::string_view remedy) {
  reader.mistakes().add(
      "template.bad_parameter", reader.place_of(key),
      "`" + std::string(key) + "` of parameter `" + parameter.name + "` " + std::string(problem),
      remedy);
}

void refuse_elsewhere(MappingReader& reader, const Parameter& parameter, std::string_view key,
                      bool fits, std::string_view types) {
  if (!fits && reader.has(key)) {
    refuse(reader, parameter, key, "says nothing about its type",
           "it is for " + std::string(types));
  }
}

/// A pattern for the whole text. Anchors of RE2 that no flag changes.
Result<Regex> whole_text(std::string_view pattern) {
  RGX_TRY_STATUS(Regex::parse(pattern).map([](const Regex&) {}));
  return Regex::parse("\\A(?:" + std::string(pattern) + ")\\z");
}

tl::unexpected<Error> unmet(const Parameter& parameter, const std::string& problem,
                            const std::string& remedy) {
  return fail(ErrorKind::usage, "parameter.value", "parameter `" + parameter.name + "` " + problem,
              remedy);
}

Status check_number(const Parameter& parameter, std::int64_t value) {
  const Constraints& wanted = parameter.constraints;
  if (wanted.min && value < *wanted.min) {
    return unmet(parameter, "is " + std::to_string(value),
                 "give at least " + std::to_string(*wanted.min));
  }
  if (wanted.max && value > *wanted.max) {
    return unmet(parameter, "is " + std::to_string(value),
                 "give at most " + std::to_string(*wanted.max));
  }
  return {};
}

Status check_text(const Parameter& parameter, const std::string& value) {
  const Constraints& wanted = parameter.constraints;
  if (wanted.length_max && value.size() > static_cast<std::size_t>(*wanted.length_max)) {
    return unmet(parameter, "is longer than " + std::to_string(*wanted.length_max) + " bytes",
                 "shorten it");
  }
  if (!wanted.pattern) {
    return {};
  }
  RGX_TRY(const Regex regex, whole_text(*wanted.pattern));
  if (!regex.matches_in(value)) {
    return unmet(parameter, "is " + quoted(value) + ", which its template does not take",
                 "give a value that matches " + quoted(*wanted.pattern) + " as a whole");
  }
  return {};
}

Status check_item(const Parameter& parameter, const Json& value) {
  if (value.is_integer()) {
    return check_number(parameter, value.as_integer());
  }
  return value.is_string() ? check_text(parameter, value.as_string()) : Status();
}

}  // namespace

void read_constraints(MappingReader& reader, Parameter& parameter) {
  Constraints& constraints = parameter.constraints;
  const ParameterType type = item_type(parameter);
  constraints.min = reader.integer("min", -kIntegerMax, kIntegerMax);
  constraints.max = reader.integer("max", -kIntegerMax, kIntegerMax);
  constraints.pattern = reader.string("pattern");
  constraints.length_max = reader.integer("length_max", 1, kLengthMax);
  constraints.items_max = reader.integer("items_max", 1, kItemsMax);
  refuse_elsewhere(reader, parameter, "min", is_number(type), "integer, duration and size");
  refuse_elsewhere(reader, parameter, "max", is_number(type), "integer, duration and size");
  refuse_elsewhere(reader, parameter, "pattern", is_text(type), "texts");
  refuse_elsewhere(reader, parameter, "length_max", is_text(type), "texts");
  refuse_elsewhere(reader, parameter, "items_max", has_items(parameter.type), "list and command");
  if (constraints.min && constraints.max && *constraints.min > *constraints.max) {
    refuse(reader, parameter, "min", "is greater than its `max`, so that no value fits",
           "exchange the two");
  }
  if (constraints.pattern) {
    if (const auto regex = whole_text(*constraints.pattern); !regex) {
      refuse(reader, parameter, "pattern", "cannot be read: " + regex.error().first().message,
             regex.error().first().remedy);
      constraints.pattern.reset();
    }
  }
}

Status check_constraints(const Parameter& parameter, const Json& normal) {
  if (!normal.is_array()) {
    return check_item(parameter, normal);
  }
  const auto& items = normal.as_array();
  if (const auto most = parameter.constraints.items_max;
      most && items.size() > static_cast<std::size_t>(*most)) {
    return unmet(parameter, "has " + std::to_string(items.size()) + " items",
                 "give at most " + std::to_string(*most));
  }
  if (parameter.type == ParameterType::command) {
    return {};
  }
  for (const Json& item : items) {
    RGX_TRY_STATUS(check_item(parameter, item));
  }
  return {};
}

}  // namespace rgx::templates
