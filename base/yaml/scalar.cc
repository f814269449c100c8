#include "base/yaml/scalar.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "base/json.h"

namespace rgx::yaml {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Takes the longest run of characters that satisfy `accept` from the front.
template <class Accept>
std::string_view take(std::string_view& text, const Accept& accept) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), accept);
  const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  return taken;
}

bool take_char(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

bool is_digit_or_underscore(char c) {
  return is_digit(c) || c == '_';
}

/// `-?(0|[1-9][0-9]*)`, but not `-0`.
bool is_canonical_integer(std::string_view text) {
  const bool negative = take_char(text, "-");
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) {
    return false;
  }
  return text.front() != '0' || (text.size() == 1 && !negative);
}

bool in_json_range(std::string_view text) {
  take_char(text, "-");
  static const std::string kMax = std::to_string(Json::kIntegerMax);
  return text.size() < kMax.size() || (text.size() == kMax.size() && text <= kMax);
}

/// `0x1f`, `0o17`, `0b1`, with underscores.
bool is_based_integer(std::string_view text) {
  if (!take_char(text, "0") || text.empty()) {
    return false;
  }
  const char base = lower(text.front());
  text.remove_prefix(1);
  if (text.empty() || (base != 'x' && base != 'o' && base != 'b')) {
    return false;
  }
  return std::all_of(text.begin(), text.end(), [base](char c) {
    const char digit = lower(c);
    const char last = base == 'o' ? '7' : base == 'b' ? '1' : '9';
    return (digit >= '0' && digit <= last) || digit == '_' ||
           (base == 'x' && digit >= 'a' && digit <= 'f');
  });
}

/// What follows the digits of `1.5`, `1.`, `1e3`, `1.5e-3`; also `.5`.
bool is_fraction_and_exponent(std::string_view text) {
  bool any = false;
  if (take_char(text, ".")) {
    take(text, is_digit_or_underscore);
    any = true;
  }
  if (take_char(text, "eE")) {
    take_char(text, "+-");
    any = !take(text, is_digit).empty();
  }
  return any && text.empty();
}

/// What follows the hours of `12:30:45` or `1:30.5`: sexagesimal numbers of YAML 1.1.
bool is_sexagesimal_tail(std::string_view text) {
  bool any = false;
  while (take_char(text, ":")) {
    const std::string_view digits = take(text, is_digit);
    if (digits.empty() || digits.size() > 2) {
      return false;
    }
    any = true;
  }
  if (take_char(text, ".")) {
    take(text, is_digit_or_underscore);
  }
  return any && text.empty();
}

/// `2026-12-01`, alone or with a time behind it.
bool is_date(std::string_view text) {
  if (take(text, is_digit).size() != 4 || !take_char(text, "-")) {
    return false;
  }
  const std::size_t month = take(text, is_digit).size();
  if (month < 1 || month > 2 || !take_char(text, "-")) {
    return false;
  }
  const std::size_t day = take(text, is_digit).size();
  if (day < 1 || day > 2) {
    return false;
  }
  if (text.empty()) {
    return true;
  }
  const bool blanks = !take(text, [](char c) { return c == ' '; }).empty();
  return (blanks || take_char(text, "Tt")) && !text.empty() && is_digit(text.front());
}

bool is_number(std::string_view text) {
  take_char(text, "+-");
  if (text.empty()) {
    return false;
  }
  if (text.front() == '.') {
    std::string word(text);
    std::transform(word.begin(), word.end(), word.begin(), lower);
    const bool digits = text.size() > 1 && is_digit(text[1]);
    return word == ".inf" || word == ".nan" || (digits && is_fraction_and_exponent(text));
  }
  if (!is_digit(text.front())) {
    return false;
  }
  if (is_based_integer(text)) {
    return true;
  }
  take(text, is_digit_or_underscore);
  return text.empty() || is_fraction_and_exponent(text) || is_sexagesimal_tail(text);
}

struct Word {
  std::string_view text;
  Plain meaning;
};

constexpr Plain kBoolean{PlainKind::ambiguous, "a boolean"};
constexpr Plain kNull{PlainKind::null, "null"};

/// In lower case; other spellings count as well.
constexpr std::array<Word, 10> kWords = {{
    {"false", kBoolean},
    {"no", kBoolean},
    {"null", kNull},
    {"off", kBoolean},
    {"on", kBoolean},
    {"true", kBoolean},
    {"yes", kBoolean},
    {"~", kNull},
    {"=", {PlainKind::ambiguous, "a default value"}},
    {"", kNull},
}};
constexpr std::size_t kWordBytesMax = 5;

}  // namespace

Plain classify_plain(std::string_view text) {
  if (text == "true" || text == "false") {
    return {PlainKind::boolean, "a boolean"};
  }
  if (text.size() <= kWordBytesMax) {
    std::array<char, kWordBytesMax> buffer{};
    std::transform(text.begin(), text.end(), buffer.begin(), lower);
    const std::string_view word(buffer.data(), text.size());
    for (const Word& each : kWords) {
      if (each.text == word) {
        return each.meaning;
      }
    }
  }
  if (std::string_view("+-.0123456789").find(text.front()) == std::string_view::npos) {
    return {};
  }
  if (is_canonical_integer(text)) {
    return {in_json_range(text) ? PlainKind::integer : PlainKind::out_of_range, "an integer"};
  }
  if (is_date(text)) {
    return {PlainKind::ambiguous, "a date"};
  }
  if (is_number(text)) {
    return {PlainKind::ambiguous, "a number"};
  }
  return {};
}

}  // namespace rgx::yaml
