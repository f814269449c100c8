#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

// What a test runner said, read from its output: ctest, pytest, unittest, node (TAP and spec),
// go test (-json and plain), cargo test. So that a failing test is told from a runner that broke.
// Private to the package.

namespace rgx::engine {

inline constexpr std::size_t kFailuresMax = 50;  // names that are kept

struct TestReport {
  std::string runner;
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t skipped = 0;
  std::vector<std::string> failures;  ///< names, printable, in the order of the output

  bool operator==(const TestReport&) const = default;
};

/// The report of the runner whose result stands last: a runner that runs others sums them up.
/// Nothing when none came to a result.
[[nodiscard]] std::optional<TestReport> read_test_report(std::string_view output);
/// The same of two streams; standard output comes first.
[[nodiscard]] std::optional<TestReport> read_test_report(std::string_view out,
                                                         std::string_view err);

/// `{failed, failures, passed, runner, skipped}`
[[nodiscard]] Json to_json(const TestReport& report);
/// `2 of 14 tests failed: a, b`, `14 tests passed, 1 skipped`
[[nodiscard]] std::string describe(const TestReport& report);

}  // namespace rgx::engine
