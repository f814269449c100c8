#pragma once

#include <string>
#include <string_view>

#include "cli/plan_picture.h"

// A plan as a comment under a pull request. Whatever comes from a repository stands in a code span
// that it cannot leave, so that no name mentions a person, links, or draws a heading.

namespace rgx::cli {

/// A comment of GitHub takes 65,536 characters; this leaves room for who posts it.
inline constexpr std::size_t kMarkdownBytesMax = 60000;

/// `text` as a code span of a table cell; `-` for no text. Text is printable already.
[[nodiscard]] std::string code_span(std::string_view text);

/// Summary, what to look at first, all steps as far as they fit, and how to approve or run.
[[nodiscard]] std::string plan_markdown(const PlanPicture& picture);

}  // namespace rgx::cli
