#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/result.h"

// Names that must not be mixed up. Each is non-empty, printable and bounded.

namespace rgx {

/// A string with a meaning: `Id<struct StepTag>` and `Id<struct RunTag>` do not convert.
template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  auto operator<=>(const Id&) const = default;

 private:
  std::string text_;
};

using StepId = Id<struct StepTag>;  ///< unique in a plan: `edit[src/a.c]`
using RunId = Id<struct RunTag>;    ///< `r-` and 12 hex digits, the head of the run's log id

/// An identifier as templates and policies use it: `[a-z][a-z0-9_-]{0,63}`.
[[nodiscard]] bool is_name(std::string_view text);

}  // namespace rgx
