#pragma once

#include <istream>

namespace meterlog {

struct Summary {
  long readings = 0;
  long watt_hours = 0;
  long skipped = 0;  // lines that are no reading
};

Summary summarize(std::istream& lines);

}  // namespace meterlog
