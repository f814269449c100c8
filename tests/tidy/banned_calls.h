#pragma once

#include "tests/tidy/source_tree.h"

#include <string_view>

namespace rgx::tidy {

/// Names that a package may not use, each with what to use instead (the table is in the source).
/// Names in comments and string literals do not count, nor do members (`clock.time()`).
[[nodiscard]] Findings check_banned_calls(std::string_view path, std::string_view source);

}  // namespace rgx::tidy
