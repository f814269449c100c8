#include "table.h"

#include "meterlog/parse.h"

std::string table_row(const std::string& line) {
  const auto reading = meterlog::parse_line(line);
  if (!reading) {
    return "| ? | ? |";
  }
  return "| " + reading->meter + " | " + std::to_string(reading->watt_hours) + " |";
}
