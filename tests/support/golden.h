#pragma once

#include <string_view>

namespace rgx::test {

/// Compares `actual` with tests/golden/<name>, byte by byte, and fails the running test at the
/// first byte that differs. With RGX_ACCEPT=1 in the environment the file is written instead and
/// the test reports *skipped*, never passed: accepting is not checking. Call it last in a test.
void expect_golden(std::string_view name, std::string_view actual);

}  // namespace rgx::test
