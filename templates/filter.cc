#include "base/canonical.h"
#include "templates/describe.h"
#include "templates/expression.h"
#include "templates/regex.h"

#include <algorithm>
#include <array>

// The closed set of filters: pure functions of a value and literal arguments.

namespace rgx::templates {
namespace {

struct FilterRow {
  std::string_view name;
  FilterKind kind;
  Arity arity;
};
constexpr std::array kFilters = {
    FilterRow{"basename", FilterKind::basename, {0, 0}},
    FilterRow{"dirname", FilterKind::dirname, {0, 0}},
    FilterRow{"join", FilterKind::join, {0, 1}},
    FilterRow{"json", FilterKind::json, {0, 0}},
    FilterRow{"lower", FilterKind::lower, {0, 0}},
    FilterRow{"quote", FilterKind::quote, {0, 0}},
    FilterRow{"regex_quote", FilterKind::regex_quote, {0, 0}},
    FilterRow{"relative", FilterKind::relative, {1, 1}},
    FilterRow{"replace", FilterKind::replace, {2, 2}},
    FilterRow{"slug", FilterKind::slug, {0, 0}},
    FilterRow{"splice", FilterKind::splice, {0, 0}},
    FilterRow{"stem", FilterKind::stem, {0, 0}},
    FilterRow{"upper", FilterKind::upper, {0, 0}},
};

constexpr std::size_t kSlugBytesMax = 64;

std::string basename_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string dirname_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string stem_of(const std::string& path) {
  const std::string name = basename_of(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? name : name.substr(0, dot);
}

char to_case(char c, char first, char last, int shift) {
  return c >= first && c <= last ? static_cast<char>(c + shift) : c;
}

std::string lower_of(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return to_case(c, 'A', 'Z', 32); });
  return text;
}

std::string upper_of(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return to_case(c, 'a', 'z', -32); });
  return text;
}

std::string slug_of(const std::string& text) {
  std::string slug;
  for (const char c : lower_of(text)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      slug += c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  slug.resize(std::min(slug.size(), kSlugBytesMax));
  if (slug.ends_with('-')) {
    slug.pop_back();
  }
  return slug;
}

std::string shell_quoted(const std::string& text) {
  std::string quoted_text = "'";
  for (const char c : text) {
    quoted_text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted_text + "'";
}

[[nodiscard]] tl::unexpected<Error> wrong_type(const Filter& filter, const Json& value,
                                               std::string_view expected, const Place& place) {
  return fail(ErrorKind::usage, "expression.type",
              "filter `" + std::string(to_string(filter.kind)) + "` got " + described(value) +
                  ", not " + std::string(expected),
              "see docs/formats/template.md", place);
}

[[nodiscard]] tl::unexpected<Error> too_large(const Place& place) {
  return fail(ErrorKind::usage, "expression.too_large", "a filter makes more than 1 MiB",
              "shorten what it gets", place);
}

Result<Json> replaced(const Filter& filter, const std::string& text, const Place& place) {
  const std::string& from = filter.arguments[0];
  const std::string& to = filter.arguments[1];
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t hit = text.find(from, at);
    result.append(text, at, hit == std::string::npos ? hit : hit - at);
    if (hit == std::string::npos) {
      return Json(std::move(result));
    }
    result += to;
    at = hit + from.size();
    if (result.size() > kExpandedBytesMax) {
      return too_large(place);
    }
  }
}

Result<Json> relative_to(const Filter& filter, const std::string& path, const Place& place) {
  const std::string& base = filter.arguments[0];
  if (base == ".") {
    return Json(path);
  }
  if (path == base) {
    return Json(".");
  }
  if (path.starts_with(base + "/")) {
    return Json(path.substr(base.size() + 1));
  }
  return fail(ErrorKind::usage, "expression.value",
              quoted(path) + " is not below " + quoted(base) + ", which `relative` asks for",
              "name a folder that holds every such path", place);
}

Result<Json> joined(const Filter& filter, const Json& value, const Place& place) {
  if (!value.is_array()) {
    return wrong_type(filter, value, "a list", place);
  }
  const std::string separator = filter.arguments.empty() ? " " : filter.arguments[0];
  std::string text;
  bool first = true;
  for (const Json& item : value.as_array()) {
    const auto part = scalar_text(item);
    if (!part) {
      return wrong_type(filter, item, "a text or a number in its list", place);
    }
    text += (first ? "" : separator) + *part;
    first = false;
    if (text.size() > kExpandedBytesMax) {
      return too_large(place);
    }
  }
  return Json(std::move(text));
}

Result<Json> apply_to_text(const Filter& filter, const std::string& text, const Place& place) {
  switch (filter.kind) {
    case FilterKind::basename:
      return Json(basename_of(text));
    case FilterKind::dirname:
      return Json(dirname_of(text));
    case FilterKind::stem:
      return Json(stem_of(text));
    case FilterKind::lower:
      return Json(lower_of(text));
    case FilterKind::upper:
      return Json(upper_of(text));
    case FilterKind::slug:
      return Json(slug_of(text));
    case FilterKind::relative:
      return relative_to(filter, text, place);
    case FilterKind::replace:
      return replaced(filter, text, place);
    case FilterKind::regex_quote:
      return Json(regex_quote(text));
    case FilterKind::join:
    case FilterKind::json:
    case FilterKind::quote:
    case FilterKind::splice:
      break;
  }
  return Json(text);
}

}  // namespace

std::string_view to_string(FilterKind kind) {
  return kFilters[static_cast<std::size_t>(kind)].name;
}

Arity arity_of(FilterKind kind) {
  return kFilters[static_cast<std::size_t>(kind)].arity;
}

std::optional<FilterKind> find_filter(std::string_view name) {
  const auto row = std::ranges::find(kFilters, name, &FilterRow::name);
  return row == kFilters.end() ? std::nullopt : std::optional(row->kind);
}

std::vector<std::string> filter_names() {
  std::vector<std::string> names;
  for (const FilterRow& row : kFilters) {
    names.emplace_back(row.name);
  }
  return names;
}

Result<Json> apply_filter(const Filter& filter, const Json& value, const Place& place) {
  if (filter.kind == FilterKind::json) {
    std::string text = canonical(value);
    return text.size() > kExpandedBytesMax ? Result<Json>(too_large(place))
                                           : Result<Json>(Json(std::move(text)));
  }
  if (filter.kind == FilterKind::join) {
    return joined(filter, value, place);
  }
  if (filter.kind == FilterKind::splice) {
    return value.is_array() ? Result<Json>(value)
                            : Result<Json>(wrong_type(filter, value, "a list", place));
  }
  if (filter.kind == FilterKind::quote) {
    const auto text = scalar_text(value);
    return text ? Result<Json>(Json(shell_quoted(*text)))
                : Result<Json>(wrong_type(filter, value, "a text or a number", place));
  }
  if (value.is_string()) {
    return apply_to_text(filter, value.as_string(), place);
  }
  // The filters of texts work on each item of a list.
  if (!value.is_array()) {
    return wrong_type(filter, value, "a text or a list of texts", place);
  }
  Json list = Json::array();
  for (const Json& item : value.as_array()) {
    if (!item.is_string()) {
      return wrong_type(filter, item, "a text in its list", place);
    }
    RGX_TRY(Json next, apply_to_text(filter, item.as_string(), place));
    list.push(std::move(next));
  }
  return list;
}

}  // namespace rgx::templates
