#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/decision.h"

// Tests of a policy: cases beside it, each a request and the decision that its author expects.
// Format: docs/formats/policy.md, section "Policy tests"

namespace rgx::policy {

inline constexpr std::size_t kTestCasesMax = 10000;

struct TestCase {
  std::string name;
  Facts facts;  ///< derived lexically from the request
  Effect decision = Effect::deny;
  std::optional<std::vector<std::string>> rules;  ///< sorted; exactly those that decide
  Place place;
};

struct TestFile {
  std::string file;
  std::string policy;  ///< path of the policy, relative to the file
  std::int64_t now_unix_ms = 0;
  std::vector<TestCase> cases;  ///< at least one
};

/// All mistakes at once: yaml.*, policy.test_time, policy.duplicate_case, policy.no_cases,
/// policy.limit, and those of requests.
[[nodiscard]] Result<TestFile> load_test_file(std::string_view text, std::string_view file);

struct CaseResult {
  bool passed = false;
  std::string difference;  ///< one line; empty when passed
  Decision decision;
};

struct TestReport {
  std::vector<CaseResult> results;     ///< in the order of the cases
  std::vector<std::string> rules;      ///< ids of all rules of the policy, sorted
  std::vector<std::string> uncovered;  ///< rules that no case's decision names, sorted
};

/// A policy as the only layer, also one that is written to stand below another: its default is to
/// deny anyway, and no decision depends on a budget.
[[nodiscard]] Result<PolicySet> stack_alone(Policy policy);

/// Decides every case. Pure.
[[nodiscard]] Result<TestReport> run_tests(const TestFile& tests, Policy policy);

}  // namespace rgx::policy
