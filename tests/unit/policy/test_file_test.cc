#include "policy/test_file.h"

#include <gtest/gtest.h>

#include "tests/support/error_matchers.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

constexpr std::string_view kRules = R"(
rules:
  - id: edit
    effect: allow
    tool: ["file.edit"]
    read: ["src/**"]
    write: ["src/**"]
    why: "sources"
    remedy: "change src/"
  - id: frozen
    effect: deny
    write: ["src/ledger/**"]
    why: "frozen"
    remedy: "ask its owner"
)";

std::string with_cases(std::string_view cases) {
  return "schema: rgx.policy-test/v1\npolicy: \"p.yaml\"\nnow: \"2026-12-01T00:00:00Z\"\n" +
         std::string(cases);
}

TestReport run(std::string_view cases) {
  const auto tests = load_test_file(with_cases(cases), "p.test.yaml");
  EXPECT_TRUE(tests.has_value()) << to_string(tests.error());
  auto report = run_tests(tests.value_or(TestFile()), must_load(org(kRules)));
  EXPECT_TRUE(report.has_value());
  return report.value_or(TestReport());
}

TEST(TestFile, PassesWhatIsDecidedAsExpected) {
  const TestReport report = run(R"(
cases:
  - {name: a, request: {use: "file.edit", with: {path: "src/a.c"}}, decision: allow}
  - {name: b, request: {use: "file.edit", with: {path: "src/ledger/a.c"}}, decision: deny,
     rules: [frozen]}
)");
  ASSERT_EQ(report.results.size(), 2U);
  EXPECT_TRUE(report.results[0].passed);
  EXPECT_TRUE(report.results[1].passed);
  EXPECT_TRUE(report.uncovered.empty());
}

TEST(TestFile, SaysHowADecisionDiffers) {
  const TestReport report = run(R"(
cases:
  - {name: a, request: {use: "file.edit", with: {path: "src/a.c"}}, decision: deny}
  - {name: b, request: {use: "file.edit", with: {path: "README.md"}}, decision: deny,
     rules: [frozen]}
)");
  ASSERT_EQ(report.results.size(), 2U);
  EXPECT_FALSE(report.results[0].passed);
  EXPECT_EQ(report.results[0].difference, "expected deny, got allow by `edit`");
  EXPECT_FALSE(report.results[1].passed);
  EXPECT_EQ(report.results[1].difference, "expected the decision of `frozen`, got that of no rule");
}

TEST(TestFile, NamesRulesThatNoCaseIsDecidedBy) {
  const TestReport report = run(R"(
cases:
  - {name: a, request: {use: "file.edit", with: {path: "src/a.c"}}, decision: allow}
)");
  EXPECT_EQ(report.rules, (std::vector<std::string>{"edit", "frozen"}));
  EXPECT_EQ(report.uncovered, std::vector<std::string>{"frozen"});
}

TEST(TestFile, JudgesALowerLayerAlone) {
  const auto tests = load_test_file(with_cases(R"(
cases:
  - {name: a, request: {use: "file.edit", with: {path: "src/a.c"}}, decision: allow}
)"),
                                    "p.test.yaml");
  ASSERT_TRUE(tests.has_value());
  const auto report = run_tests(*tests, must_load(lower("repository", kRules)));
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->results.front().passed);
}

TEST(TestFile, DecidesAtItsOwnTime) {
  const std::string excepted = std::string(kRules) +
                               "exceptions:\n  - {rule: frozen, write: [\"src/ledger/**\"], owner: "
                               "dana, ticket: T-1, reason: fix, expires: \"2026-11-30\"}\n";
  const auto cases = [](std::string_view now, std::string_view decision) {
    return "schema: rgx.policy-test/v1\npolicy: p.yaml\nnow: \"" + std::string(now) +
           "\"\ncases:\n  - {name: a, request: {use: \"file.edit\", with: {path: "
           "\"src/ledger/a.c\"}}, decision: " +
           std::string(decision) + "}\n";
  };
  for (const auto& [now, decision] :
       {std::pair("2026-11-30T23:59:59Z", "allow"), std::pair("2026-12-01T00:00:00Z", "deny")}) {
    const auto tests = load_test_file(cases(now, decision), "p.test.yaml");
    ASSERT_TRUE(tests.has_value()) << to_string(tests.error());
    const auto report = run_tests(*tests, must_load(org(excepted)));
    ASSERT_TRUE(report.has_value());
    EXPECT_TRUE(report->results.front().passed) << now << report->results.front().difference;
  }
}

TEST(TestFile, ReportsAllMistakesAtOnce) {
  const auto tests = load_test_file(R"(schema: rgx.policy-test/v1
policy: p.yaml
now: tomorrow
cases:
  - {name: a, request: {use: "file.edti", with: {path: "src/a.c"}}, decision: allow}
  - {name: b, request: {use: "file.edit", with: {path: "src/a.c"}}, decision: maybe}
  - {name: b, request: {use: "file.edit", with: {path: "src/a.c"}}, decision: deny, rulez: []}
  - {name: c, decision: deny}
)",
                                    "p.test.yaml");
  ASSERT_FALSE(tests.has_value());
  const std::string text = to_string(tests.error());
  for (const std::string_view wanted :
       {"p.test.yaml:3:", "`tomorrow` is not a time", "case `a`: ", "did you mean `file.edit`",
        "p.test.yaml:6:", "`maybe`", "two cases of the name `b`", "rulez", "request"}) {
    EXPECT_NE(text.find(wanted), std::string::npos) << wanted << " in\n" << text;
  }
}

TEST(TestFile, RefusesAFileThatTestsNothing) {
  const auto tests = load_test_file(with_cases("cases: []\n"), "p.test.yaml");
  ASSERT_FALSE(tests.has_value());
  EXPECT_EQ(tests.error().first().code, "policy.no_cases");
  EXPECT_EQ(tests.error().first().message, "`cases` is empty, so nothing is tested");
}

}  // namespace
}  // namespace rgx::policy::test
