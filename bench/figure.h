#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What every bench program shares: a figure and its JSON line. Figures are measurements, so they
// may be decimals; nothing here ever reaches a digest.

namespace rgx::bench {

/// Which side of the target is good.
enum class Goal : std::uint8_t {
  at_most,
  at_least,
};

/// One measured figure beside what it is compared with, taken in the same run.
struct Figure {
  std::string_view id;      // the row of the table of targets
  std::string_view metric;  // what was measured, snake_case
  double value = 0;
  std::string_view unit;
  double baseline = 0;  // in the same unit as `value`, unless `metric` says otherwise
  double target = 0;    // the bound for `value`, or for `ratio` where `bounds_ratio`
  Goal goal = Goal::at_most;
  bool bounds_ratio = false;
};

/// The figure as one line of JSON, without a line feed.
[[nodiscard]] std::string to_json_line(const Figure& figure);

/// The median; `samples` is not empty.
[[nodiscard]] double median(std::vector<double> samples);

}  // namespace rgx::bench
