#include "base/glob_component.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/glob_sequence.h"
#include "base/text.h"

namespace rgx::glob_component {

namespace {

constexpr char32_t kCodePointMax = 0x10FFFF;
/// Bytes that are no valid UTF-8 count as characters beyond Unicode: `?` takes them, no literal.
constexpr char32_t kInvalidByte = kCodePointMax + 1;
constexpr char32_t kCharacterMax = kInvalidByte + 0xFF;

struct Side {
  const std::vector<Token>& tokens;

  [[nodiscard]] std::size_t size() const { return tokens.size(); }
  [[nodiscard]] bool star(std::size_t index) const { return tokens[index].star; }
};

tl::unexpected<Error> bad_syntax(std::string_view component, std::string_view why,
                                 std::string_view remedy) {
  return fail(ErrorKind::usage, "glob.syntax",
              "pattern component `" + printable(component) + "` " + std::string(why), remedy);
}

tl::unexpected<Error> unsupported(std::string_view component, std::string_view what,
                                  std::string_view remedy) {
  return fail(ErrorKind::usage, "glob.unsupported",
              "pattern component `" + printable(component) + "` uses " + std::string(what), remedy);
}

CodePoint character(std::string_view text, std::size_t offset) {
  if (const auto point = decode_utf8(text, offset)) {
    return *point;
  }
  return CodePoint{.value = kInvalidByte + static_cast<std::uint8_t>(text[offset]), .bytes = 1};
}

/// Sorts and merges; `negated` gives everything else but `/`, which no component contains.
std::vector<Range> normal_set(std::vector<Range> ranges, bool negated) {
  if (negated) {
    ranges.push_back(Range{U'/', U'/'});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.first < b.first; });
  std::vector<Range> merged;
  for (const Range& range : ranges) {
    if (!merged.empty() && range.first <= merged.back().last + 1) {
      merged.back().last = std::max(merged.back().last, range.last);
    } else {
      merged.push_back(range);
    }
  }
  if (!negated) {
    return merged;
  }
  std::vector<Range> rest;
  char32_t next = 0;
  for (const Range& range : merged) {
    if (next < range.first) {
      rest.push_back(Range{next, range.first - 1});
    }
    next = range.last + 1;
  }
  rest.push_back(Range{next, kCharacterMax});
  return rest;
}

const std::vector<Range>& any_character() {
  static const std::vector<Range> kSet = normal_set({}, true);
  return kSet;
}

bool contains(const std::vector<Range>& set, char32_t value) {
  return std::any_of(set.begin(), set.end(), [value](const Range& range) {
    return value >= range.first && value <= range.last;
  });
}

bool is_subset(const std::vector<Range>& inner, const std::vector<Range>& outer) {
  // Merged ranges: an inner range lies in the union only if it lies in a single one.
  return std::all_of(inner.begin(), inner.end(), [&outer](const Range& range) {
    return std::any_of(outer.begin(), outer.end(), [&range](const Range& each) {
      return range.first >= each.first && range.last <= each.last;
    });
  });
}

bool intersects(const std::vector<Range>& a, const std::vector<Range>& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].last < b[j].first) {
      ++i;
    } else if (b[j].last < a[i].first) {
      ++j;
    } else {
      return true;
    }
  }
  return false;
}

/// Reads one character of a class, unescaping it.
std::optional<char32_t> class_character(std::string_view component, std::size_t& offset) {
  if (offset < component.size() && component[offset] == '\\') {
    ++offset;
  }
  if (offset >= component.size()) {
    return std::nullopt;
  }
  const CodePoint point = character(component, offset);
  offset += point.bytes;
  return point.value;
}

/// Reads from behind `[` to behind `]`.
Result<Token> parse_class(std::string_view component, std::size_t& offset) {
  const std::string_view rest = component.substr(offset);
  if (rest.starts_with("^")) {
    return unsupported(component, "`[^...]`", "negate with `[!...]`, or escape it as `[\\^...]`");
  }
  const bool negated = rest.starts_with("!");
  offset += negated ? 1 : 0;
  std::vector<Range> ranges;
  while (offset < component.size() && component[offset] != ']') {
    if (component.substr(offset).starts_with("[:")) {
      return unsupported(component, "a named class", "write the range, such as `[a-z]`");
    }
    const auto first = class_character(component, offset);
    std::optional<char32_t> last = first;
    const std::string_view behind = component.substr(offset);
    if (behind.size() >= 2 && behind[0] == '-' && behind[1] != ']') {
      ++offset;
      last = class_character(component, offset);
    }
    if (!first || !last) {
      break;
    }
    if (*last < *first) {
      return bad_syntax(component, "has a range that runs backwards", "write it as `[a-z]`");
    }
    ranges.push_back(Range{*first, *last});
  }
  if (offset >= component.size()) {
    return bad_syntax(component, "has a `[` without `]`", "close it, or escape it as `\\[`");
  }
  if (ranges.empty()) {
    return bad_syntax(component, "has an empty class", "name a character, or write `\\]` for `]`");
  }
  ++offset;
  return Token{.star = false, .set = normal_set(std::move(ranges), negated)};
}

Result<Token> parse_token(std::string_view component, std::size_t& offset) {
  const char c = component[offset];
  if (c == '*') {
    ++offset;
    return Token{.star = true, .set = {}};
  }
  if (c == '?') {
    ++offset;
    return Token{.star = false, .set = any_character()};
  }
  if (c == '[') {
    ++offset;
    return parse_class(component, offset);
  }
  if (c == '{' || c == '}') {
    return unsupported(component, "`{...}`", "write one pattern each, or escape it as `\\{`");
  }
  if (c == '\\') {
    ++offset;
    if (offset == component.size()) {
      return bad_syntax(component, "ends with an escape", "write `\\\\` for a backslash");
    }
  }
  const CodePoint point = character(component, offset);
  offset += point.bytes;
  return Token{.star = false, .set = {Range{point.value, point.value}}};
}

bool is_any(const Token& token) {
  return !token.star && token.set == any_character();
}

/// In each run of `*` and `?` puts `?` first and keeps one `*`; `?*` alone is `*`, since
/// components are never empty. The languages stay the same and compare better.
std::vector<Token> normal_order(const std::vector<Token>& tokens) {
  std::vector<Token> ordered;
  for (std::size_t start = 0; start < tokens.size();) {
    std::size_t end = start;
    bool star = false;
    for (; end < tokens.size() && (tokens[end].star || is_any(tokens[end])); ++end) {
      star = star || tokens[end].star;
      if (!tokens[end].star) {
        ordered.push_back(tokens[end]);
      }
    }
    if (star) {
      ordered.push_back(Token{.star = true, .set = {}});
    }
    if (end == start) {
      ordered.push_back(tokens[end++]);
    }
    start = end;
  }
  if (ordered.size() == 2 && is_any(ordered[0]) && ordered[1].star) {
    ordered.erase(ordered.begin());
  }
  return ordered;
}

/// Whether the class that starts behind `[` at `offset` takes `value`; moves behind its `]`.
bool class_takes(std::string_view component, std::size_t& offset, char32_t value) {
  const auto token = parse_class(component, offset);
  return token.has_value() && contains(token->set, value);
}

/// Takes one character, or one byte of one, off both where the token at `at` allows; it is no star.
/// Literals are compared byte by byte: in valid UTF-8 no character is the start of another.
bool take_one(std::string_view component, std::size_t& at, std::string_view text,
              std::size_t& offset) {
  const char c = component[at];
  if (c == '?' || c == '[') {
    ++at;
    const CodePoint point = character(text, offset);
    if (c == '[' && !class_takes(component, at, point.value)) {
      return false;
    }
    offset += point.bytes;
    return true;
  }
  const std::size_t literal = c == '\\' ? at + 1 : at;
  if (component[literal] != text[offset]) {
    return false;
  }
  at = literal + 1;
  ++offset;
  return true;
}

}  // namespace

Result<std::vector<Token>> parse(std::string_view component) {
  if (component.find("**") != std::string_view::npos) {
    // An escaped star before a star is fine; two plain ones are not.
    for (std::size_t offset = 0; offset + 1 < component.size(); ++offset) {
      if (component[offset] == '\\') {
        ++offset;
      } else if (component[offset] == '*' && component[offset + 1] == '*') {
        return bad_syntax(component, "joins `**` with other characters",
                          "make `**` a whole component, as in `a/**/b`");
      }
    }
  }
  std::vector<Token> tokens;
  for (std::size_t offset = 0; offset < component.size();) {
    RGX_TRY(Token token, parse_token(component, offset));
    tokens.push_back(std::move(token));
  }
  return normal_order(tokens);
}

bool is_literal(std::string_view component) {
  return component.find_first_of("*?[\\") == std::string_view::npos;
}

bool matches(std::string_view component, std::string_view text) {
  std::size_t at = 0;
  std::size_t offset = 0;
  // Only the last star needs to be tried again: an earlier one can gain nothing by taking more.
  std::optional<std::size_t> star_at;
  std::size_t star_offset = 0;
  while (offset < text.size()) {
    if (at < component.size() && component[at] == '*') {
      star_at = ++at;
      star_offset = offset;
      continue;
    }
    if (at < component.size() && take_one(component, at, text, offset)) {
      continue;
    }
    if (!star_at) {
      return false;
    }
    star_offset += character(text, star_offset).bytes;
    offset = star_offset;
    at = *star_at;
  }
  return component.find_first_not_of('*', at) == std::string_view::npos;
}

bool covers(const std::vector<Token>& a, const std::vector<Token>& b) {
  return glob_sequence::covers(Side{a}, Side{b}, [&](std::size_t i, std::size_t j) {
    return is_subset(b[j].set, a[i].set);
  });
}

bool overlaps(const std::vector<Token>& a, const std::vector<Token>& b) {
  return glob_sequence::overlaps(Side{a}, Side{b}, [&](std::size_t i, std::size_t j) {
    return intersects(a[i].set, b[j].set);
  });
}

}  // namespace rgx::glob_component
