#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/embedded.h"

namespace rgx::policy {

/// The shipped policies (`policies/*.yaml`); `default.yaml` is the top layer where neither an
/// org nor a user layer exists.
[[nodiscard]] std::span<const EmbeddedFile> shipped_policies();

/// The one called `name` (`strict`), the name that stands in the file, too.
[[nodiscard]] std::optional<EmbeddedFile> find_shipped_policy(std::string_view name);

/// Names of those that a person may start from; `default` counts without being written. Sorted.
[[nodiscard]] std::vector<std::string_view> starting_policies();

}  // namespace rgx::policy
