#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/glob.h"
#include "engine/workspace.h"

// A copy of the files under work for those who judge them. Private to the package.

namespace rgx::engine {

/// Copies what `request` says from the folder `root`, which stays open meanwhile, listing folders
/// through `list`. Errors: workspace.copy_too_large, workspace.io.
[[nodiscard]] Status copy_files(
    int root, const std::string& root_path, const CopyRequest& request,
    const std::function<Result<std::vector<Entry>>(const std::string& folder)>& list);

}  // namespace rgx::engine
