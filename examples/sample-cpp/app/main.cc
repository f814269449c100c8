// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <fstream>
#include <iostream>

#include "meterlog/parse.h"
#include "meterlog/version.h"
#include "table.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::cout << "meter-report " METERLOG_VERSION "\n";
    return 0;
  }
  if (argc != 2) {
    std::cerr << "usage: meter-report FILE\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  std::string line;
  while (std::getline(file, line)) {
    if (meterlog::parse_line(line)) {
      std::cout << table_row(line) << '\n';
    }
  }
  return 0;
}
