#include "base/json_scan.h"

#include <vector>

#include "base/text.h"

namespace rgx::json_scan {

namespace {

constexpr std::string_view kIntegerMax = "9007199254740991";  // Json::kIntegerMax

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<std::uint32_t> hex_value(char c) {
  if (is_digit(c)) {
    return static_cast<std::uint32_t>(c - '0');
  }
  if (c >= 'a' && c <= 'f') {
    return static_cast<std::uint32_t>(c - 'a') + 10U;
  }
  if (c >= 'A' && c <= 'F') {
    return static_cast<std::uint32_t>(c - 'A') + 10U;
  }
  return std::nullopt;
}

/// An explicit stack instead of recursion: the text decides the depth, not our call stack.
class Scanner {
 public:
  Scanner(std::string_view text, const Search& search) : text_(text), search_(search) {}

  Found run() {
    invalid_utf8_ = find_invalid_utf8(text_);
    while (!stopped_ && state_ != State::end) {
      skip_space();
      step();
    }
    if (!stopped_) {
      skip_space();
      if (offset_ < text_.size()) {
        stop(Mistake::syntax, offset_, "unexpected text after the value");
      }
    }
    if (!stopped_ && invalid_utf8_) {
      stop(Mistake::syntax, *invalid_utf8_, "invalid UTF-8");
    }
    return stopped_ ? found_ : bad_number_;
  }

 private:
  enum class State : std::uint8_t { value, first_item, first_name, name, after_value, end };

  [[nodiscard]] bool at_end() const { return offset_ >= text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[offset_]; }

  void stop(Mistake mistake, std::size_t offset, std::string_view reason) {
    if (stopped_) {
      return;
    }
    stopped_ = true;
    if (invalid_utf8_ && *invalid_utf8_ <= offset && mistake != Mistake::wanted_token) {
      found_ = Found{Mistake::syntax, *invalid_utf8_, "invalid UTF-8"};
      return;
    }
    found_ = Found{mistake, offset, reason};
  }

  void skip_space() {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) {
      ++offset_;
    }
  }

  void step() {
    switch (state_) {
      case State::first_item:
        if (peek() == ']' && !at_end()) {
          close();
          return;
        }
        value();
        return;
      case State::value:
        value();
        return;
      case State::first_name:
        if (peek() == '}' && !at_end()) {
          close();
          return;
        }
        name();
        return;
      case State::name:
        name();
        return;
      case State::after_value:
        after_value();
        return;
      case State::end:
        return;
    }
  }

  /// Counts a token; true when it is the wanted one.
  bool token() {
    if (search_.token && *search_.token == tokens_) {
      stop(Mistake::wanted_token, offset_, "");
      return true;
    }
    ++tokens_;
    return false;
  }

  void close() {
    ++offset_;
    open_.pop_back();
    state_ = open_.empty() ? State::end : State::after_value;
  }

  void after_value() {
    const bool in_array = open_.back() == '[';
    if (at_end()) {
      stop(Mistake::syntax, offset_, in_array ? "unclosed `[`" : "unclosed `{`");
    } else if (peek() == (in_array ? ']' : '}')) {
      close();
    } else if (peek() == ',') {
      ++offset_;
      state_ = in_array ? State::value : State::name;
    } else {
      stop(Mistake::syntax, offset_, in_array ? "expected `,` or `]`" : "expected `,` or `}`");
    }
  }

  void name() {
    if (peek() != '"') {
      stop(Mistake::syntax, offset_, "expected a member name in double quotes");
      return;
    }
    if (token()) {
      return;
    }
    string();
    skip_space();
    if (stopped_) {
      return;
    }
    if (peek() != ':') {
      stop(Mistake::syntax, offset_, "expected `:` after the member name");
      return;
    }
    ++offset_;
    state_ = State::value;
  }

  void value() {
    if (at_end()) {
      stop(Mistake::syntax, offset_, "expected a value");
      return;
    }
    if (token()) {
      return;
    }
    const char c = peek();
    if (c == '[' || c == '{') {
      if (open_.size() >= search_.depth_max) {
        stop(Mistake::too_deep, offset_, "");
        return;
      }
      open_.push_back(c);
      ++offset_;
      state_ = c == '[' ? State::first_item : State::first_name;
      return;
    }
    if (c == '"') {
      string();
    } else if (c == '-' || is_digit(c)) {
      number();
    } else {
      word();
    }
    state_ = open_.empty() ? State::end : State::after_value;
  }

  void word() {
    for (const std::string_view each : {"true", "false", "null"}) {
      if (text_.substr(offset_).starts_with(each)) {
        offset_ += each.size();
        return;
      }
    }
    stop(Mistake::syntax, offset_, "expected a value");
  }

  void digits(std::string_view reason) {
    if (!is_digit(peek())) {
      stop(Mistake::syntax, offset_, reason);
    }
    while (is_digit(peek())) {
      ++offset_;
    }
  }

  void number() {
    const std::size_t start = offset_;
    if (peek() == '-') {
      ++offset_;
    }
    if (peek() == '0') {
      ++offset_;
      if (is_digit(peek())) {
        stop(Mistake::syntax, start, "number with a leading zero");
      }
    } else {
      digits("expected a digit");
    }
    const std::size_t whole_end = offset_;
    if (peek() == '.') {
      ++offset_;
      digits("expected a digit after the decimal point");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++offset_;
      if (peek() == '+' || peek() == '-') {
        ++offset_;
      }
      digits("expected a digit in the exponent");
    }
    if (bad_number_.mistake == Mistake::none) {
      judge(start, offset_ == whole_end);
    }
  }

  void judge(std::size_t start, bool whole) {
    std::string_view digits = text_.substr(start, offset_ - start);
    std::string_view reason;
    if (!whole) {
      reason = "is not an integer";
    } else if (digits == "-0") {
      reason = "has no canonical form";
    } else {
      digits.remove_prefix(digits.starts_with('-') ? 1 : 0);
      // Equal lengths compare like the numbers, since neither has leading zeros.
      if (digits.size() > kIntegerMax.size() ||
          (digits.size() == kIntegerMax.size() && digits > kIntegerMax)) {
        reason = "is out of range";
      }
    }
    if (!reason.empty()) {
      bad_number_ = Found{Mistake::number, start, reason};
    }
  }

  void string() {
    const std::size_t start = offset_;
    ++offset_;
    while (!stopped_) {
      if (at_end()) {
        stop(Mistake::syntax, start, "string without a closing quote");
        return;
      }
      const auto byte = static_cast<std::uint8_t>(peek());
      if (byte == '"') {
        ++offset_;
        return;
      }
      if (byte < 0x20) {
        stop(Mistake::syntax, offset_, "raw control character in a string");
      } else if (byte == '\\') {
        escape();
      } else {
        ++offset_;
      }
    }
  }

  void escape() {
    const std::size_t start = offset_;
    ++offset_;
    if (peek() != 'u') {
      if (at_end() || std::string_view("\"\\/bfnrt").find(peek()) == std::string_view::npos) {
        stop(Mistake::syntax, start, "unknown escape");
      }
      ++offset_;
      return;
    }
    const auto first = code_unit(start);
    if (!first) {
      return;
    }
    if (*first >= 0xDC00 && *first <= 0xDFFF) {
      stop(Mistake::syntax, start, "lone surrogate");
    } else if (*first >= 0xD800 && *first <= 0xDBFF) {
      if (!text_.substr(offset_).starts_with("\\u")) {
        stop(Mistake::syntax, start, "lone surrogate");
        return;
      }
      ++offset_;
      const auto second = code_unit(start);
      if (second && (*second < 0xDC00 || *second > 0xDFFF)) {
        stop(Mistake::syntax, start, "lone surrogate");
      }
    }
  }

  /// Reads `uXXXX` after a backslash.
  std::optional<std::uint32_t> code_unit(std::size_t start) {
    ++offset_;
    std::uint32_t unit = 0;
    for (int count = 0; count < 4; ++count) {
      const auto digit = hex_value(peek());
      if (!digit) {
        stop(Mistake::syntax, start, "expected four hex digits after `\\u`");
        return std::nullopt;
      }
      unit = unit * 16 + *digit;
      ++offset_;
    }
    return unit;
  }

  std::string_view text_;
  const Search& search_;
  std::size_t offset_ = 0;
  std::size_t tokens_ = 0;
  State state_ = State::value;
  std::vector<char> open_;
  std::optional<std::size_t> invalid_utf8_;
  bool stopped_ = false;
  Found found_;
  Found bad_number_;
};

}  // namespace

Found scan(std::string_view text, const Search& search) {
  return Scanner(text, search).run();
}

}  // namespace rgx::json_scan
