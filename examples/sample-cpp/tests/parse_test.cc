// SPDX-License-Identifier: Apache-2.0
#include "meterlog/parse.h"

#include <cstdio>

static int failures = 0;

static void expect(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "failed: %s\n", what);
    ++failures;
  }
}

int main() {
  const auto reading = meterlog::parse_line("kitchen;1250");
  expect(reading.has_value() && reading->meter == "kitchen", "the meter's name");
  expect(reading.has_value() && reading->watt_hours == 1250, "its watt-hours");
  expect(meterlog::parse_line("cellar;7\r").has_value(), "CR at the end");
  expect(!meterlog::parse_line("cellar;seven").has_value(), "no number");
  expect(!meterlog::parse_line(";7").has_value(), "no meter");
  return failures == 0 ? 0 : 1;
}
