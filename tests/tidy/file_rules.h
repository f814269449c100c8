#pragma once

#include "tests/tidy/source_tree.h"

#include <string_view>

namespace rgx::tidy {

/// Length of the file and of its lines.
[[nodiscard]] Findings check_sizes(std::string_view path, std::string_view text);

/// Tabs, carriage returns, trailing blanks, a missing final line feed, `#pragma once`.
[[nodiscard]] Findings check_whitespace(std::string_view path, std::string_view text);

/// Notes of unfinished work, and words that name the place where the code was written.
[[nodiscard]] Findings check_words(std::string_view path, std::string_view text);

/// A suppression of clang-tidy names the check that it suppresses.
[[nodiscard]] Findings check_suppressions(std::string_view path, std::string_view text);

}  // namespace rgx::tidy
