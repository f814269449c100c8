#include "base/json.h"

#include <simdjson.h>

#include <algorithm>

#include "base/check.h"
#include "base/json_scan.h"
#include "base/text.h"

// The DOM parser, never the on-demand one: that skips over mistakes in what nobody reads.

namespace rgx {

namespace {

namespace dom = simdjson::dom;

/// A parser keeps its buffers; larger texts get one of their own, so that no thread hoards memory.
constexpr std::size_t kReusedParserBytesMax = 1U << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Place place_at(std::string_view text, std::string_view name, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto newlines = std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return Place{.file = std::string(name),
               .line = static_cast<std::uint32_t>(newlines + 1),
               .column = static_cast<std::uint32_t>(offset - line_start + 1)};
}

tl::unexpected<Error> too_deep(std::string_view text, std::string_view name, std::size_t offset,
                               std::size_t depth_max) {
  return fail(ErrorKind::usage, "json.too_deep",
              "JSON is nested deeper than " + std::to_string(depth_max) + " levels",
              "flatten the value", place_at(text, name, offset));
}

tl::unexpected<Error> refuse_number(std::string_view text, std::string_view name,
                                    std::size_t offset, std::string_view why) {
  const std::size_t end = text.find_first_not_of("+-.0123456789eE", offset);
  const std::string_view number = text.substr(offset, std::min<std::size_t>(end - offset, 40));
  return fail(ErrorKind::usage, "json.number",
              "number `" + printable(number) + "` " + std::string(why),
              "write an integer from -9007199254740991 to 9007199254740991, or a string",
              place_at(text, name, offset));
}

tl::unexpected<Error> bad_syntax(std::string_view text, std::string_view name, std::size_t offset,
                                 std::string_view reason) {
  return fail(ErrorKind::usage, "json.syntax", "invalid JSON: " + std::string(reason),
              "write exactly one JSON value (RFC 8259)", place_at(text, name, offset));
}

/// Words the refusal of the parser proper with the place that the scan finds.
tl::unexpected<Error> refused(std::string_view text, std::string_view name, JsonLimits limits,
                              simdjson::error_code code) {
  const json_scan::Found found =
      json_scan::scan(text, {.depth_max = limits.depth_max, .token = std::nullopt});
  switch (found.mistake) {
    case json_scan::Mistake::syntax:
      return bad_syntax(text, name, found.offset, found.reason);
    case json_scan::Mistake::too_deep:
      return too_deep(text, name, found.offset, limits.depth_max);
    case json_scan::Mistake::number:
      return refuse_number(text, name, found.offset, found.reason);
    case json_scan::Mistake::none:
    case json_scan::Mistake::wanted_token:
      break;
  }
  return fail(ErrorKind::usage, "json.syntax",
              "invalid JSON: " + std::string(simdjson::error_message(code)),
              "write exactly one JSON value (RFC 8259)", Place{.file = std::string(name)});
}

/// Builds our value from the parser's, refusing what RFC 8259 allows and this value space lacks.
class Builder {
 public:
  Builder(std::string_view text, std::string_view name, JsonLimits limits)
      : text_(text),
        name_(name),
        limits_(limits) {}

  // Recursion is bounded by JsonLimits::depth_max.
  Result<Json> value(dom::element element, std::size_t depth) {
    const std::size_t token = tokens_++;
    switch (element.type()) {
      case dom::element_type::NULL_VALUE:
        return Json();
      case dom::element_type::BOOL:
        return Json(element.get_bool().value_unsafe());
      case dom::element_type::INT64:
        return integer(element.get_int64().value_unsafe(), token);
      case dom::element_type::UINT64:
        return refuse_number(text_, name_, offset_of(token), "is out of range");
      case dom::element_type::DOUBLE:
        return refuse_number(text_, name_, offset_of(token), "is not an integer");
      case dom::element_type::STRING:
        return string(element.get_string().value_unsafe(), token).map([](std::string text) {
          return Json(std::move(text));
        });
      case dom::element_type::ARRAY:
        return array(element.get_array().value_unsafe(), token, depth);
      case dom::element_type::OBJECT:
        return object(element.get_object().value_unsafe(), token, depth);
    }
    check_failed("element type is in range", __FILE__, __LINE__);
  }

 private:
  /// Where token number `token` starts in the text. Only for messages.
  [[nodiscard]] std::size_t offset_of(std::size_t token) const {
    return json_scan::scan(text_, {.depth_max = limits_.depth_max, .token = token}).offset;
  }

  [[nodiscard]] Result<Json> integer(std::int64_t number, std::size_t token) const {
    if (number > Json::kIntegerMax || number < -Json::kIntegerMax) {
      return refuse_number(text_, name_, offset_of(token), "is out of range");
    }
    return Json(number);
  }

  [[nodiscard]] Result<std::string> string(std::string_view text, std::size_t token) const {
    // Escapes can name lone surrogates, which have no UTF-8 form.
    if (!is_utf8(text)) {
      return bad_syntax(text_, name_, offset_of(token), "lone surrogate in a string");
    }
    return std::string(text);
  }

  Result<Json> array(const dom::array& items, std::size_t token, std::size_t depth) {
    if (depth >= limits_.depth_max) {
      return too_deep(text_, name_, offset_of(token), limits_.depth_max);
    }
    Json::Array array;
    array.reserve(items.size());
    for (const dom::element item : items) {
      RGX_TRY(Json built, value(item, depth + 1));
      array.push_back(std::move(built));
    }
    return Json(std::move(array));
  }

  Result<Json> object(const dom::object& members, std::size_t token, std::size_t depth) {
    if (depth >= limits_.depth_max) {
      return too_deep(text_, name_, offset_of(token), limits_.depth_max);
    }
    Json::Object object;
    for (const dom::key_value_pair member : members) {
      const std::size_t name_token = tokens_++;
      RGX_TRY(std::string key, string(member.key, name_token));
      // Canonical texts come sorted: the hint makes their insertion constant time.
      const std::size_t size_before = object.size();
      const auto place = object.try_emplace(object.end(), std::move(key));
      if (object.size() == size_before) {
        return fail(ErrorKind::usage, "json.duplicate_key",
                    "member `" + printable(place->first) + "` stands twice in one object",
                    "keep one of them", place_at(text_, name_, offset_of(name_token)));
      }
      RGX_TRY(place->second, value(member.value, depth + 1));
    }
    return Json(std::move(object));
  }

  std::string_view text_;
  std::string_view name_;
  JsonLimits limits_;
  std::size_t tokens_ = 0;
};

/// The parser reads -0 as 0. Whether `-0` stands where a number could, also in a string: dates are
/// full of the two bytes, so the slow scan must not follow from these alone.
bool may_hold_minus_zero(std::string_view text) {
  constexpr std::string_view kBefore = " \t\r\n[:,";
  constexpr std::string_view kAfter = " \t\r\n]},";
  for (std::size_t at = text.find("-0"); at != std::string_view::npos;
       at = text.find("-0", at + 1)) {
    const bool starts = at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos;
    const bool ends = at + 2 == text.size() || kAfter.find(text[at + 2]) != std::string_view::npos;
    if (starts && ends) {
      return true;
    }
  }
  return false;
}

Result<Json> parse_with(dom::parser& parser, std::string_view text, std::string_view name,
                        JsonLimits limits) {
  dom::element root;
  const simdjson::error_code code = parser.parse(text.data(), text.size(), true).get(root);
  if (code != simdjson::SUCCESS) {
    return refused(text, name, limits, code);
  }
  if (may_hold_minus_zero(text)) {
    const json_scan::Found found =
        json_scan::scan(text, {.depth_max = limits.depth_max, .token = std::nullopt});
    if (found.mistake == json_scan::Mistake::number) {
      return refuse_number(text, name, found.offset, found.reason);
    }
  }
  return Builder(text, name, limits).value(root, 0);
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view name, JsonLimits limits) {
  if (text.size() > limits.bytes_max) {
    return fail(ErrorKind::usage, "json.too_large",
                "JSON of " + std::to_string(text.size()) + " bytes exceeds the limit of " +
                    std::to_string(limits.bytes_max),
                "split it, or store the content elsewhere", Place{.file = std::string(name)});
  }
  if (text.starts_with(kByteOrderMark)) {
    return bad_syntax(text, name, 0, "byte order mark");
  }
  if (text.empty()) {
    return bad_syntax(text, name, 0, "expected a value");
  }
  if (text.size() > kReusedParserBytesMax) {
    dom::parser parser;
    return parse_with(parser, text, name, limits);
  }
  thread_local dom::parser parser;
  return parse_with(parser, text, name, limits);
}

}  // namespace rgx
