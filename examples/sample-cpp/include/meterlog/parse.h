// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace meterlog {

struct Reading {
  std::string meter;
  long watt_hours = 0;
};

// One line of `meter;watt-hours`, with or without CR at its end.
std::optional<Reading> parse_reading(const std::string& line);

// Deprecated since 1.4: use parse_reading.
std::optional<Reading> parse_line(const std::string& line);

}  // namespace meterlog
