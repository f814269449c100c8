#pragma once

#include <string>

std::string table_row(const std::string& line);
