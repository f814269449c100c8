#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Words of intents and utterances. Private to the package.

namespace rgx::planner {

/// More words than any instruction that a template could stand for.
inline constexpr std::size_t kTokensMax = 256;

enum class TokenKind : std::uint8_t {
  word,       ///< letters, digits and punctuation of names and paths, without white space
  character,  ///< one character of a script that writes no spaces between words
  quoted,     ///< the text between quotation marks or backticks
  separator,  ///< `,`, `、`, `，`: between the items of a list
  phrase,     ///< several tokens that stand for one word (after fold_phrases)
};

struct Token {
  TokenKind kind = TokenKind::word;
  std::string text;       ///< as written, without quotation marks
  std::string folded;     ///< the word that it stands for; empty for quoted text
  std::size_t begin = 0;  ///< byte offset in the text
  std::uint32_t weight = 0;

  bool operator==(const Token&) const = default;
};

/// Splits a text into its words as they stand; no weights.
[[nodiscard]] std::vector<Token> scan_tokens(std::string_view text);
/// The same with meaning: words that mean the same in an instruction are folded to one, words that
/// add nothing have the weight 0.
[[nodiscard]] std::vector<Token> tokens_of(std::string_view text);

/// Joins two texts of a list: `and`, `和`, `,`, …
[[nodiscard]] bool joins_list(const Token& token);
/// A word that begins an instruction of its own, so no item of a list: `run`, `build`.
[[nodiscard]] bool is_verb(const Token& token);
/// A word that is never meant as a name unless it stands in quotation marks: `not`, `the`.
[[nodiscard]] bool is_never_value(const Token& token);

}  // namespace rgx::planner
