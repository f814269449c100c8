#include "meterlog/summary.h"

#include <string>

#include "meterlog/parse.h"

namespace meterlog {

Summary summarize(std::istream& lines) {
  Summary summary;
  std::string line;
  while (std::getline(lines, line)) {
    if (const auto reading = parse_reading(line)) {
      ++summary.readings;
      summary.watt_hours += reading->watt_hours;
    } else {
      ++summary.skipped;
    }
  }
  return summary;
}

}  // namespace meterlog
