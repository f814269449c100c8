#include "base/canonical.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include "base/check.h"

namespace rgx {

namespace {

using Member = Json::Object::value_type;

/// Weight of a UTF-8 byte such that comparing weights orders valid texts by UTF-16 code units:
/// there, U+E000..U+FFFF (lead bytes EE, EF) come after all surrogate pairs (F0..F4).
std::uint8_t weight(char c) {
  const auto byte = static_cast<std::uint8_t>(c);
  return byte == 0xEE || byte == 0xEF ? static_cast<std::uint8_t>(byte + 0x10) : byte;
}

bool before_in_utf16(std::string_view a, std::string_view b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](char left, char right) { return weight(left) < weight(right); });
}

/// The map's own byte order differs from UTF-16 order only where some key has a lead byte of
/// EE or above.
std::vector<const Member*> members_in_order(const Json::Object& object) {
  std::vector<const Member*> members;
  members.reserve(object.size());
  bool same_order = true;
  for (const Member& member : object) {
    members.push_back(&member);
    same_order = same_order && std::none_of(member.first.begin(), member.first.end(), [](char c) {
                   return static_cast<std::uint8_t>(c) >= 0xEE;
                 });
  }
  if (!same_order) {
    std::sort(members.begin(), members.end(),
              [](const Member* a, const Member* b) { return before_in_utf16(a->first, b->first); });
  }
  return members;
}

void append_escape(std::string& out, char c) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      out += "\\u00";
      out.push_back(kDigits[static_cast<std::uint8_t>(c) >> 4U]);
      out.push_back(kDigits[static_cast<std::uint8_t>(c) & 0x0FU]);
      return;
  }
}

void append_string(std::string& out, std::string_view text) {
  out.push_back('"');
  std::size_t done = 0;
  for (std::size_t index = 0; index < text.size(); ++index) {
    const char c = text[index];
    if (static_cast<std::uint8_t>(c) < 0x20 || c == '"' || c == '\\') {
      out += text.substr(done, index - done);
      append_escape(out, c);
      done = index + 1;
    }
  }
  out += text.substr(done);
  out.push_back('"');
}

void append_integer(std::string& out, std::int64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value);
  out.append(digits, end.ptr);
}

/// Writes both forms; `indent` is nothing for the canonical one, else the current depth.
class Writer {
 public:
  enum class Layout : std::uint8_t { canonical, pretty };

  Writer(std::string& out, Layout layout) : out_(out), layout_(layout) {}

  void value(const Json& json) {
    switch (json.kind()) {
      case Json::Kind::null:
        out_ += "null";
        return;
      case Json::Kind::boolean:
        out_ += json.as_boolean() ? "true" : "false";
        return;
      case Json::Kind::integer:
        append_integer(out_, json.as_integer());
        return;
      case Json::Kind::string:
        append_string(out_, json.as_string());
        return;
      case Json::Kind::array:
        array(json.as_array());
        return;
      case Json::Kind::object:
        object(json.as_object());
        return;
    }
    check_failed("kind is in range", __FILE__, __LINE__);
  }

 private:
  void array(const Json::Array& items) {
    open('[');
    bool first = true;
    for (const Json& item : items) {
      next(first);
      value(item);
    }
    close(']', first);
  }

  void object(const Json::Object& members) {
    open('{');
    bool first = true;
    for (const Member* member : members_in_order(members)) {
      next(first);
      append_string(out_, member->first);
      out_ += layout_ == Layout::pretty ? ": " : ":";
      value(member->second);
    }
    close('}', first);
  }

  void open(char bracket) {
    out_.push_back(bracket);
    ++depth_;
  }

  void next(bool& first) {
    if (!first) {
      out_.push_back(',');
    }
    first = false;
    new_line();
  }

  void close(char bracket, bool empty) {
    --depth_;
    if (!empty) {
      new_line();
    }
    out_.push_back(bracket);
  }

  void new_line() {
    if (layout_ == Layout::pretty) {
      out_.push_back('\n');
      out_.append(depth_ * 2, ' ');
    }
  }

  std::string& out_;
  Layout layout_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string canonical(const Json& value) {
  std::string out;
  Writer(out, Writer::Layout::canonical).value(value);
  return out;
}

std::string pretty(const Json& value) {
  std::string out;
  Writer(out, Writer::Layout::pretty).value(value);
  return out;
}

Result<Json> parse_canonical(std::string_view text, std::string_view name, JsonLimits limits) {
  RGX_TRY(Json value, parse_json(text, name, limits));
  const std::string expected = canonical(value);
  if (text != expected) {
    const auto differ = std::mismatch(text.begin(), text.end(), expected.begin(), expected.end());
    const auto offset = static_cast<std::size_t>(differ.first - text.begin());
    const auto newlines = std::count(text.begin(), differ.first, '\n');
    const std::size_t line_start = text.substr(0, offset).rfind('\n') + 1;  // npos + 1 is 0
    return fail(ErrorKind::usage, "json.not_canonical",
                "JSON is not in canonical form (RFC 8785) from byte " + std::to_string(offset),
                "use the file as rgx wrote it",
                Place{.file = std::string(name),
                      .line = static_cast<std::uint32_t>(newlines + 1),
                      .column = static_cast<std::uint32_t>(offset - line_start + 1)});
  }
  return value;
}

}  // namespace rgx
