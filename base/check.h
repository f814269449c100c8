#pragma once

// Always-on checks for programmer errors. A failed check is a bug in rgx, never a bad input:
// it writes one line to stderr and ends the process with status 70, in every build type.

namespace rgx {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace rgx

#define RGX_CHECK(condition)                               \
  do {                                                     \
    if (!(condition)) {                                    \
      ::rgx::check_failed(#condition, __FILE__, __LINE__); \
    }                                                      \
  } while (false)
