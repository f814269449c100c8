#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Component-wise globs over normal paths: `*` any run of characters in one component, `?` one
// character, `[a-z]`/`[!a-z]` a class, `**` only as a whole component (zero or more components).
// Dotfiles match. A prefix `home:` or `abs:` only matches paths with the same prefix.
// The relations below are sound on patterns themselves, since a step may declare `build/**`.

namespace rgx {

class Glob {
 public:
  /// Errors: glob.syntax (`a**b`, open class, escape at end), glob.unsupported (`!x`, `{a,b}`),
  /// and those of normal_path.
  [[nodiscard]] static Result<Glob> parse(std::string_view pattern);

  [[nodiscard]] const std::string& pattern() const { return pattern_; }
  /// No wildcard at all: the pattern is one path.
  [[nodiscard]] bool is_literal() const;
  [[nodiscard]] bool matches(std::string_view normal_path) const;
  /// True only if every path that `other` matches is matched by this (may miss some: sound).
  [[nodiscard]] bool covers(const Glob& other) const;
  /// False only if no path is matched by both (may say true too often: sound).
  [[nodiscard]] bool overlaps(const Glob& other) const;

  bool operator==(const Glob& other) const { return pattern_ == other.pattern_; }
  auto operator<=>(const Glob& other) const { return pattern_ <=> other.pattern_; }

 private:
  std::string pattern_;
  std::string prefix_;                   // "", "home:" or "abs:"
  std::vector<std::string> components_;  // `.` has none
};

}  // namespace rgx
