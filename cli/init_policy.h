#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/paths.h"

// The user's own policy, begun from a shipped one (`rgx init --policy NAME`).

namespace rgx::cli {

struct StartingPolicy {
  std::string_view text;  ///< the shipped file, unchanged
  std::string summary;    ///< "policy `strict`, 8 rules"
};

/// Looks, and writes nothing. Errors: init.unknown_policy, and file.exists where the user has a
/// policy already: nobody's rules are replaced.
[[nodiscard]] Result<StartingPolicy> starting_policy(std::string_view name, const Paths& paths);

[[nodiscard]] Status write_starting_policy(const StartingPolicy& policy, const Paths& paths);

}  // namespace rgx::cli
