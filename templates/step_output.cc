#include "templates/step_output.h"

#include "base/check.h"
#include "base/ids.h"
#include "base/json_reader.h"
#include "base/path.h"
#include "templates/describe.h"
#include "templates/expression.h"
#include "templates/step_id.h"

#include <algorithm>
#include <optional>
#include <set>

// `$output` and `$text`: values that only a run can know.

namespace rgx::templates {
namespace {

[[nodiscard]] tl::unexpected<Error> bad_output(const std::string& problem) {
  return fail(ErrorKind::usage, "plan.bad_output", "an output of a step " + problem,
              "compile the plan again");
}

bool is_member(std::string_view text) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  return !text.empty() && text.size() <= 256 && text.front() != '.' && text.back() != '.' &&
         text.find("..") == std::string_view::npos && std::ranges::all_of(text, is_word);
}

Result<Filter> read_filter(const Json& value) {
  ObjectReader reader(value, "filter");
  const auto kind = find_filter(reader.string("name"));
  const std::vector<std::string> arguments = reader.strings("arguments");
  RGX_TRY_STATUS(reader.finish());
  if (!kind || arguments.size() < arity_of(*kind).min || arguments.size() > arity_of(*kind).max) {
    return bad_output("has a filter that is not known");
  }
  if (*kind == FilterKind::replace && arguments[0].empty()) {
    return bad_output("replaces an empty text");
  }
  if (*kind == FilterKind::relative) {
    const auto base = normal_path(arguments[0]);
    if (!base || *base != arguments[0]) {
      return bad_output("has a filter `relative` without a normal folder");
    }
  }
  return Filter{*kind, arguments};
}

struct OpenOutput {
  OutputReference reference;
  std::vector<Filter> filters;
};

Result<OpenOutput> read_output(const Json& value) {
  ObjectReader reader(value, "output");
  OpenOutput output;
  output.reference.step = StepId(reader.string("step"));
  output.reference.member = reader.string("member");
  const bool filtered = reader.optional_value("filters") != nullptr;
  const Json::Array filters = filtered ? reader.array("filters") : Json::Array{};
  RGX_TRY_STATUS(reader.finish());
  if (!is_step_id(output.reference.step.text()) || !is_member(output.reference.member)) {
    return bad_output("does not name a step and a member");
  }
  if (filtered == filters.empty() || filters.size() > kFiltersMax) {
    return bad_output("has no filter under `filters`, or more than 8");
  }
  for (const Json& filter : filters) {
    RGX_TRY(Filter next, read_filter(filter));
    output.filters.push_back(std::move(next));
  }
  return output;
}

const Json* only_member(const Json& value, std::string_view key) {
  return value.is_object() && value.as_object().size() == 1 ? value.find(key) : nullptr;
}

void collect(const Json& value, std::set<OutputReference>& found) {
  if (const Json* body = only_member(value, kOutputKey)) {
    if (const auto output = read_output(*body)) {
      found.insert(output->reference);
    }
    return;
  }
  if (value.is_array()) {
    for (const Json& item : value.as_array()) {
      collect(item, found);
    }
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) {
      collect(member, found);
    }
  }
}

Result<Json> output_value(const Json& body, const OutputLookup& lookup) {
  RGX_TRY(const OpenOutput output, read_output(body));
  Json value = lookup(output.reference);
  if (value.is_null()) {
    return fail(ErrorKind::failed, "output.missing",
                "step " + quoted(output.reference.step.text()) + " left no output " +
                    quoted(output.reference.member),
                "let the step depend on a `when` that asks whether the output is `empty`");
  }
  for (const Filter& filter : output.filters) {
    RGX_TRY(value, apply_filter(filter, value, Place{}));
  }
  return value;
}

Result<std::string> embedded_text(const Json& value) {
  if (auto text = scalar_text(value)) {
    return std::move(*text);
  }
  return fail(ErrorKind::failed, "output.type",
              "an output inside a text is " + described(value) + ", not a text or a number",
              "use the filter `join` or `json`");
}

Result<Json> text_value(const Json& pieces, const OutputLookup& lookup) {
  std::string text;
  for (const Json& piece : pieces.as_array()) {
    if (piece.is_string()) {
      text += piece.as_string();
    } else {
      RGX_TRY(const Json part, output_value(*piece.find(kOutputKey), lookup));
      RGX_TRY(const std::string part_text, embedded_text(part));
      text += part_text;
    }
    if (text.size() > kExpandedBytesMax) {
      return fail(ErrorKind::failed, "expression.too_large", "a text expands to more than 1 MiB",
                  "shorten what it refers to");
    }
  }
  return Json(std::move(text));
}

}  // namespace

bool is_open(const Json& value) {
  return only_member(value, kOutputKey) != nullptr || only_member(value, kTextKey) != nullptr;
}

std::vector<OutputReference> outputs_in(const Json& value) {
  std::set<OutputReference> found;
  collect(value, found);
  return {found.begin(), found.end()};
}

Status check_open(const Json& value) {
  if (const Json* body = only_member(value, kOutputKey)) {
    RGX_TRY([[maybe_unused]] const OpenOutput output, read_output(*body));
    return {};
  }
  const Json* pieces = only_member(value, kTextKey);
  RGX_CHECK(pieces != nullptr);  // the caller asked is_open()
  if (!pieces->is_array() || pieces->as_array().empty()) {
    return bad_output("stands in a text that has no parts");
  }
  bool has_output = false;
  bool literal_before = false;
  for (const Json& piece : pieces->as_array()) {
    const Json* body = only_member(piece, kOutputKey);
    const bool literal = piece.is_string() && !piece.as_string().empty();
    if ((body == nullptr && !literal) || (literal && literal_before)) {
      return bad_output("stands in a text with a part that is neither text nor output");
    }
    literal_before = literal;
    if (body != nullptr) {
      has_output = true;
      RGX_TRY([[maybe_unused]] const OpenOutput output, read_output(*body));
    }
  }
  return has_output ? Status{} : bad_output("is missing in a text that is said to have one");
}

Result<Json> close_value(const Json& value, const OutputLookup& lookup) {
  if (const Json* body = only_member(value, kOutputKey)) {
    return output_value(*body, lookup);
  }
  const Json* pieces = only_member(value, kTextKey);
  RGX_CHECK(pieces != nullptr);
  return text_value(*pieces, lookup);
}

Result<Json> close_values(const Json& value, const OutputLookup& lookup) {
  if (is_open(value)) {
    return close_value(value, lookup);
  }
  if (value.is_array()) {
    Json closed = Json::array();
    for (const Json& item : value.as_array()) {
      RGX_TRY(Json next, close_values(item, lookup));
      closed.push(std::move(next));
    }
    return closed;
  }
  if (value.is_object()) {
    Json closed = Json::object();
    for (const auto& [key, member] : value.as_object()) {
      RGX_TRY(Json next, close_values(member, lookup));
      closed.set(key, std::move(next));
    }
    return closed;
  }
  return value;
}

}  // namespace rgx::templates
