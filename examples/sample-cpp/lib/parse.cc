// SPDX-License-Identifier: Apache-2.0
#include "meterlog/parse.h"

#include <cstdlib>

namespace meterlog {

std::optional<Reading> parse_reading(const std::string& line) {
  const std::size_t semicolon = line.find(';');
  if (semicolon == std::string::npos || semicolon == 0) {
    return std::nullopt;
  }
  std::string number = line.substr(semicolon + 1);
  if (!number.empty() && number.back() == '\r') {
    number.pop_back();
  }
  char* end = nullptr;
  const long watt_hours = std::strtol(number.c_str(), &end, 10);
  if (number.empty() || *end != '\0') {
    return std::nullopt;
  }
  return Reading{line.substr(0, semicolon), watt_hours};
}

std::optional<Reading> parse_line(const std::string& line) {
  return parse_reading(line);
}

}  // namespace meterlog
