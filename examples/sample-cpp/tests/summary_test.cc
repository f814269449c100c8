#include "meterlog/summary.h"

#include <cstdio>
#include <fstream>

int main() {
  for (const char* name : {"一月 读数.csv", "windows.csv"}) {
    std::ifstream file(name);
    const meterlog::Summary summary = meterlog::summarize(file);
    if (summary.readings != 3 || summary.watt_hours != 3600 || summary.skipped != 1) {
      std::fprintf(stderr, "%s: %ld readings, %ld Wh, %ld skipped\n", name, summary.readings,
                   summary.watt_hours, summary.skipped);
      return 1;
    }
  }
  return 0;
}
