#pragma once

#include <cstddef>
#include <cstdint>

#include "cli/progress_frame.h"
#include "cli/progress_view.h"

namespace rgx::cli {

struct TableSpace {
  std::size_t lines_max = 0;
  std::size_t cells = 0;
};

/// One line for each group of steps, with a line of headings; groups in trouble and running ones
/// before others where there is no room for all, the rest added up in a last line.
[[nodiscard]] Frame draw_group_table(const RunView& view, TableSpace space, std::int64_t now_ms);

}  // namespace rgx::cli
