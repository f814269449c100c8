#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

// One component of a glob (`*.[ch]`) and its relations to texts and other components.
// Not for use outside base/glob.cc.

namespace rgx::glob_component {

/// Inclusive range of code points.
struct Range {
  char32_t first = 0;
  char32_t last = 0;

  bool operator==(const Range&) const = default;
};

/// Either `*` or one character out of a set. INVARIANT: ranges are sorted, disjoint, not empty.
struct Token {
  bool star = false;
  std::vector<Range> set;

  bool operator==(const Token&) const = default;
};

/// Reads a component other than `**` (glob.syntax, glob.unsupported). Equal languages written with
/// another order of `*` and `?` give equal tokens.
[[nodiscard]] Result<std::vector<Token>> parse(std::string_view component);

/// No wildcard, class or escape: the component means itself.
[[nodiscard]] bool is_literal(std::string_view component);

/// `component` has passed `parse`.
[[nodiscard]] bool matches(std::string_view component, std::string_view text);

/// Every non-empty text that `b` matches is matched by `a`; may miss some.
[[nodiscard]] bool covers(const std::vector<Token>& a, const std::vector<Token>& b);
/// Some text is matched by both.
[[nodiscard]] bool overlaps(const std::vector<Token>& a, const std::vector<Token>& b);

}  // namespace rgx::glob_component
