#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Regular expressions in RE2's syntax: linear in the text, bounded in memory. Probes, edits and
// parameters share this, so that what was counted while compiling is what is replaced later.

namespace rgx::templates {

class Regex {
 public:
  /// Errors: regex.syntax.
  [[nodiscard]] static Result<Regex> parse(std::string_view pattern);

  /// Matches that do not overlap; an empty one right behind another match does not count.
  [[nodiscard]] std::int64_t count(std::string_view bytes) const;
  [[nodiscard]] bool matches_in(std::string_view bytes) const;
  /// The next match at or after `from`: the whole and every group (empty where it takes no part).
  /// Views of `bytes`.
  [[nodiscard]] std::optional<std::vector<std::string_view>> find(std::string_view bytes,
                                                                  std::size_t from) const;
  /// `to` may hold `\0` (the whole match), `\1` to `\9` and `\\`. Errors: regex.replacement.
  [[nodiscard]] Status check_replacement(std::string_view to) const;
  struct Replaced {
    std::string bytes;
    std::int64_t count = 0;
  };
  /// Every match replaced; `to` has been checked. Nothing when more than `bytes_max` would come
  /// out.
  [[nodiscard]] std::optional<Replaced> replace_all(std::string_view bytes, std::string_view to,
                                                    std::size_t bytes_max) const;

 private:
  struct Compiled;
  explicit Regex(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;
};

/// A pattern that matches `text` and nothing else.
[[nodiscard]] std::string regex_quote(std::string_view text);

}  // namespace rgx::templates
