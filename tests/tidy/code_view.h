#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// C++ source split into what the compiler acts on and what it does not.

namespace rgx::tidy {

struct Literal {
  std::size_t offset = 0;  // of the opening quote
  std::string_view text;   // between the quotes, escapes as written
};

/// A source's code: comments, string and character literals are blanked with spaces, so that
/// offsets and lines stay those of the source. The literals are beside it. Views point into the
/// source. Knows raw strings and digit separators; does not run the preprocessor.
struct CodeView {
  std::string code;
  std::vector<Literal> literals;
};

[[nodiscard]] CodeView view_code(std::string_view source);

[[nodiscard]] bool is_word(char c);

/// The offset of the last character before `offset` that is not blank, or npos.
[[nodiscard]] std::size_t last_before(std::string_view code, std::size_t offset);

/// The offset of the first character at or after `offset` that is not blank, or npos.
[[nodiscard]] std::size_t first_from(std::string_view code, std::size_t offset);

}  // namespace rgx::tidy
