#pragma once

#include <span>

#include "base/embedded.h"

namespace rgx::policy {

/// The shipped policies (`policies/*.yaml`); `default.yaml` is the top layer where neither an
/// org nor a user layer exists.
[[nodiscard]] std::span<const EmbeddedFile> shipped_policies();

}  // namespace rgx::policy
