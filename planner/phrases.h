#pragma once

#include "planner/tokens.h"

#include <string_view>
#include <vector>

// Words of instructions that mean the same, and words that add nothing. Private to the package.

namespace rgx::planner {

inline constexpr std::string_view kAnd = "and";     ///< also joins two instructions
inline constexpr std::string_view kListAnd = "和";  ///< joins only names

/// Folds runs of tokens to the word that they stand for, longest first, and gives every token its
/// weight. Text in quotation marks stays as it is.
void fold_phrases(std::vector<Token>& tokens);

}  // namespace rgx::planner
