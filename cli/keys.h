#pragma once

#include <optional>
#include <string>

#include "audit/keys.h"
#include "base/result.h"
#include "cli/paths.h"
#include "engine/run.h"

namespace rgx::cli {

/// The user's own keys and this process, as a run needs them. A key that is not there is
/// key.missing, with `rgx init` as the remedy; all errors are environment errors.
[[nodiscard]] Result<engine::RunIdentity> load_identity(const Paths& paths);

/// What a step can read it can forge with: keys inside the workspace at `root` are refused.
[[nodiscard]] Status check_keys_outside(const Paths& paths, const std::string& root);

/// The root key of `key_file`, else the user's own, else nothing.
[[nodiscard]] Result<std::optional<audit::RootKey>> find_root_key(
    const std::optional<std::string>& key_file, const Paths& paths);

}  // namespace rgx::cli
