#include "planner/tokens.h"

#include "base/text.h"
#include "planner/phrases.h"

#include <algorithm>
#include <array>
#include <optional>

namespace rgx::planner {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

/// Decodes valid UTF-8.
Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t index) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at + index]));
  };
  const char32_t first = byte(0);
  if (first < 0x80) {
    return {first, 1};
  }
  if (first < 0xE0) {
    return {((first & 0x1FU) << 6U) | (byte(1) & 0x3FU), 2};
  }
  if (first < 0xF0) {
    return {((first & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU), 3};
  }
  return {((first & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) |
              (byte(3) & 0x3FU),
          4};
}

struct CodeRange {
  char32_t first;
  char32_t last;
};

/// Scripts without spaces between words: kana, Han, Hangul syllables take part as characters.
bool is_unspaced(char32_t code) {
  static constexpr std::array kRanges = {CodeRange{0x3005, 0x3007},  CodeRange{0x3040, 0x30FF},
                                         CodeRange{0x3400, 0x4DBF},  CodeRange{0x4E00, 0x9FFF},
                                         CodeRange{0xAC00, 0xD7AF},  CodeRange{0xF900, 0xFAFF},
                                         CodeRange{0x20000, 0x3134F}};
  return std::ranges::any_of(kRanges, [code](const CodeRange& range) {
    return code >= range.first && code <= range.last;
  });
}

bool is_space(char32_t code) {
  return code == ' ' || code == 0xA0 || code == 0x3000;
}

bool is_separator(char32_t code) {
  return code == ',' || code == 0x3001 || code == 0xFF0C;
}

/// Punctuation that belongs to no word: brackets, and the marks of full width and dashes.
bool is_silent(char32_t code) {
  return code == '(' || code == ')' || code == ';' || code == '<' || code == '>' ||
         code == 0x3002 || (code >= 0x2010 && code <= 0x2015) || code == 0x2026 || code == 0x300A ||
         code == 0x300B || (code >= 0xFF01 && code <= 0xFF0B) ||
         (code >= 0xFF0D && code <= 0xFF0F) || (code >= 0xFF1A && code <= 0xFF20);
}

/// The closing partner of a quotation mark.
std::optional<char32_t> closing_of(char32_t code) {
  switch (code) {
    case '`':
    case '"':
    case '\'':
      return code;
    case 0x2018:
      return 0x2019;
    case 0x201C:
      return 0x201D;
    case 0x300C:
      return 0x300D;
    case 0x300E:
      return 0x300F;
    default:
      return std::nullopt;
  }
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  [[nodiscard]] std::vector<Token> tokens() {
    while (at_ < text_.size()) {
      next();
    }
    return std::move(tokens_);
  }

 private:
  void next();
  [[nodiscard]] bool quoted(const Character& open);
  void word();
  void push(TokenKind kind, std::string_view text) {
    Token token;
    token.kind = kind;
    token.text = text;
    token.begin = at_;
    if (kind != TokenKind::quoted) {
      token.folded = text;
      std::ranges::transform(token.folded, token.folded.begin(), lower);
    }
    tokens_.push_back(std::move(token));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

bool Scanner::quoted(const Character& open) {
  const auto closing = closing_of(open.code);
  if (!closing) {
    return false;
  }
  for (std::size_t end = at_ + open.bytes; end < text_.size();) {
    const Character c = character_at(text_, end);
    if (c.code == *closing) {
      push(TokenKind::quoted, text_.substr(at_ + open.bytes, end - at_ - open.bytes));
      at_ = end + c.bytes;
      return true;
    }
    end += c.bytes;
  }
  return false;  // an apostrophe, or a mark without partner
}

void Scanner::word() {
  std::size_t end = at_;
  while (end < text_.size()) {
    const Character c = character_at(text_, end);
    const bool quote = closing_of(c.code).has_value() && c.code != '\'';
    if (is_space(c.code) || is_separator(c.code) || is_silent(c.code) || is_unspaced(c.code) ||
        quote) {
      break;
    }
    end += c.bytes;
  }
  if (end == at_) {
    at_ += character_at(text_, at_).bytes;  // a mark without partner
    return;
  }
  std::string_view text = text_.substr(at_, end - at_);
  // The end of a sentence is no part of its last word; `.` and `..` alone are paths.
  const std::size_t last = text.find_last_not_of(".:!?'");
  if (last != std::string_view::npos) {
    text = text.substr(0, last + 1);
  } else if (text != "." && text != "..") {
    text = {};
  }
  if (!text.empty()) {
    push(TokenKind::word, text);
  }
  at_ = end;
}

void Scanner::next() {
  const Character c = character_at(text_, at_);
  if (is_space(c.code) || is_silent(c.code)) {
    at_ += c.bytes;
  } else if (is_separator(c.code)) {
    push(TokenKind::separator, text_.substr(at_, c.bytes));
    at_ += c.bytes;
  } else if (is_unspaced(c.code)) {
    push(TokenKind::character, text_.substr(at_, c.bytes));
    at_ += c.bytes;
  } else if (!quoted(c)) {
    word();
  }
}

}  // namespace

std::vector<Token> scan_tokens(std::string_view text) {
  return is_utf8(text) ? Scanner(text).tokens() : std::vector<Token>{};
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens = scan_tokens(text);
  fold_phrases(tokens);
  return tokens;
}

bool joins_list(const Token& token) {
  return token.kind == TokenKind::separator || token.folded == kAnd || token.folded == kListAnd;
}

}  // namespace rgx::planner
