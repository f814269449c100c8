#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

// Lexical rules of paths in templates, plans and policies: workspace-relative and
// `/`-separated; `home:` and `abs:` are explicit prefixes; a leading `/` is refused.

namespace rgx {

inline constexpr std::size_t kPathBytesMax = 4096;
inline constexpr std::size_t kPathComponentBytesMax = 255;

/// Normal form of a path: no empty, `.` or `..` component left (`a/./b//c` -> `a/b/c`), `.` for
/// the workspace itself, prefix kept. Errors: path.absolute, path.escapes (a `..` that would
/// leave the root), path.control (control or deceptive characters), path.utf8, path.too_long,
/// path.empty.
[[nodiscard]] Result<std::string> normal_path(std::string_view path);

}  // namespace rgx
