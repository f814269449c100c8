#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/output.h"
#include "policy/test_file.h"

// What `rgx policy test` found, in the three forms it is asked for in.

namespace rgx::cli {

/// One file of tests with the policy that it names, run.
struct TestedFile {
  policy::TestFile tests;
  std::string policy_file;  ///< as it was opened
  policy::TestReport report;
};

/// Rules of one policy that the cases of all its files name in a decision.
struct PolicyCoverage {
  std::string policy_file;
  std::size_t rules = 0;
  std::vector<std::string> uncovered;  ///< sorted

  /// Rounded down; a policy without rules is covered whole.
  [[nodiscard]] std::int64_t percent() const;
};

/// One for each policy, in the order of their first file.
[[nodiscard]] std::vector<PolicyCoverage> coverage_of(const std::vector<TestedFile>& files);
[[nodiscard]] std::size_t failed_cases(const std::vector<TestedFile>& files);

/// Lines for people; failures in full, passed cases as a count. `floor`: percent, 0 = none asked.
[[nodiscard]] std::string test_report_text(const std::vector<TestedFile>& files, std::int64_t floor,
                                           Colour colour);
[[nodiscard]] Json test_report_json(const std::vector<TestedFile>& files);  ///< docs: cli-json.md
/// JUnit's XML as continuous integration reads it: a suite for each file, a case for each case.
[[nodiscard]] std::string test_report_junit(const std::vector<TestedFile>& files);

}  // namespace rgx::cli
