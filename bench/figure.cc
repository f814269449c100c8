#include "bench/figure.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace rgx::bench {
namespace {

// Three decimals, a point whatever the locale says.
std::string decimal(double value) {
  std::array<char, 64> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                          std::chars_format::fixed, 3);
  if (error != std::errc{}) {
    return "null";
  }
  return {buffer.data(), end};
}

void append(std::string& line, std::string_view key, std::string_view value) {
  line += line.empty() ? "{\"" : ",\"";
  line += key;
  line += "\":";
  line += value;
}

std::string quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

}  // namespace

std::string to_json_line(const Figure& figure) {
  const bool has_ratio = figure.baseline != 0;
  const double ratio = has_ratio ? figure.value / figure.baseline : 0;
  const double bounded = figure.bounds_ratio ? ratio : figure.value;
  const bool met =
      figure.goal == Goal::at_most ? bounded <= figure.target : bounded >= figure.target;
  std::string line;
  append(line, "id", quoted(figure.id));
  append(line, "metric", quoted(figure.metric));
  append(line, "value", decimal(figure.value));
  append(line, "unit", quoted(figure.unit));
  append(line, "baseline", decimal(figure.baseline));
  append(line, "ratio", has_ratio ? decimal(ratio) : "null");
  append(line, "target", decimal(figure.target));
  append(line, "met", met ? "true" : "false");
  return line + '}';
}

double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

}  // namespace rgx::bench
