#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

// How many lines two contents of a file differ by. Private to the package.

namespace rgx::engine {

struct LineCounts {
  std::int64_t added = 0;
  std::int64_t removed = 0;
  bool binary = false;  ///< then there are no lines
};

/// Through libgit2, without a repository. Errors: repository.no_library, repository.broken.
[[nodiscard]] Result<LineCounts> count_changed_lines(std::string_view before,
                                                     std::string_view after);

}  // namespace rgx::engine
