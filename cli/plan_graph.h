#pragma once

#include <string>
#include <string_view>

#include "cli/plan_picture.h"

// A plan as a graph that another program draws. Nodes have numbers for names, so that no id of a
// step is ever part of the language; ids stand in labels only, quoted.

namespace rgx::cli {

/// Steps that are alike become one node in larger plans: nobody reads more open ones.
inline constexpr std::size_t kOpenNodesMax = 300;

/// `text` as a quoted string of DOT, without the escapes that DOT would expand.
[[nodiscard]] std::string dot_quoted(std::string_view text);
/// `text` for a quoted label of Mermaid: everything but letters, digits and a few marks as `#n;`.
[[nodiscard]] std::string mermaid_escaped(std::string_view text);

[[nodiscard]] std::string plan_dot(const PlanPicture& picture);
[[nodiscard]] std::string plan_mermaid(const PlanPicture& picture);

}  // namespace rgx::cli
