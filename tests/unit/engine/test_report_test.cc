#include "engine/test_report.h"

#include <gtest/gtest.h>

#include "tests/support/scratch_dir.h"

namespace rgx::engine {
namespace {

// What the runners really wrote, recorded.
std::string recorded(const std::string& name) {
  return rgx::test::read_file(std::string(RGX_SOURCE_DIR) + "/tests/unit/engine/test_reports/" +
                              name + ".out");
}

using Names = std::vector<std::string>;

TEST(TestReport, ReadsCTest) {
  EXPECT_EQ(read_test_report(recorded("ctest_failed")),
            (TestReport{"ctest", 1, 2, 1, Names{"subtracts", "crashes"}}));
}

TEST(TestReport, ReadsPytest) {
  EXPECT_EQ(read_test_report(recorded("pytest_failed")),
            (TestReport{"pytest", 1, 1, 1, Names{"test_calc.py::test_sub"}}));
  EXPECT_EQ(read_test_report("..\n2 passed in 0.01s\n"), (TestReport{"pytest", 2, 0, 0, {}}));
  EXPECT_EQ(read_test_report("===== no tests ran in 0.01s =====\n"),
            (TestReport{"pytest", 0, 0, 0, {}}));
  EXPECT_EQ(read_test_report("ERROR test_a.py\n=== 1 error in 0.10s ===\n"),
            (TestReport{"pytest", 0, 1, 0, Names{"test_a.py"}}));
}

TEST(TestReport, ReadsUnittest) {
  EXPECT_EQ(read_test_report("", recorded("unittest_failed")),
            (TestReport{"unittest", 1, 1, 0, Names{"test_sub (__main__.Calc.test_sub)"}}));
  EXPECT_EQ(read_test_report("Ran 3 tests in 0.001s\n\nOK (skipped=1)\n"),
            (TestReport{"unittest", 2, 0, 1, {}}));
}

TEST(TestReport, ReadsNode) {
  const TestReport expected{"node", 1, 1, 1, Names{"subtracts"}};
  EXPECT_EQ(read_test_report(recorded("node_tap_failed")), expected);
  EXPECT_EQ(read_test_report(recorded("node_spec_failed")), expected);
}

TEST(TestReport, ReadsGo) {
  const TestReport expected{"go", 1, 1, 1, Names{"TestSub"}};
  EXPECT_EQ(read_test_report(recorded("go_json_failed")), expected);
  EXPECT_EQ(read_test_report(recorded("go_verbose_failed")), expected);
  EXPECT_EQ(read_test_report(recorded("go_failed")), (TestReport{"go", 1, 1, 0, Names{"TestSub"}}));
  EXPECT_EQ(read_test_report("FAIL\texample.org/a [build failed]\n"),
            (TestReport{"go", 0, 1, 0, Names{"example.org/a"}}));
}

TEST(TestReport, ReadsCargo) {
  EXPECT_EQ(read_test_report(recorded("cargo_failed")),
            (TestReport{"cargo", 1, 1, 1, Names{"tests::subtracts"}}));
}

TEST(TestReport, NoResultIsNoReport) {
  EXPECT_EQ(read_test_report(""), std::nullopt);
  EXPECT_EQ(read_test_report("Segmentation fault\n"), std::nullopt);
  EXPECT_EQ(read_test_report("    Start 1: adds\n1/2 Test #1: adds ....   Passed    0.00 sec\n"),
            std::nullopt);
  EXPECT_EQ(read_test_report("99999999999999999999% tests passed, x tests failed out of"),
            std::nullopt);
}

TEST(TestReport, LastResultCounts) {
  const std::string nested =
      "=== 1 failed, 2 passed in 0.12s ===\n0% tests passed, 1 tests failed out of 1\n"
      "The following tests FAILED:\n\t  1 - python (Failed)\n";
  EXPECT_EQ(read_test_report(nested), (TestReport{"ctest", 0, 1, 0, Names{"python"}}));
}

TEST(TestReport, ColoursAreNoPartOfIt) {
  EXPECT_EQ(read_test_report("\x1b[31mFAILED\x1b[0m t.py::a - x\n"
                             "\x1b[31m=== \x1b[1m1 failed\x1b[0m in 0.1s ===\x1b[0m\r\n"),
            (TestReport{"pytest", 0, 1, 0, Names{"t.py::a"}}));
}

TEST(TestReport, NamesAreBoundedAndPrintable) {
  std::string output;
  for (int i = 0; i < 60; ++i) {
    output += "test a" + std::to_string(i) + "\x07 ... FAILED\n";
  }
  const auto report =
      read_test_report(output + "test result: FAILED. 0 passed; 60 failed; 0 ignored\n");
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->failed, 60);
  EXPECT_EQ(report->failures.size(), kFailuresMax);
  EXPECT_EQ(report->failures.front().find('\x07'), std::string::npos);
}

TEST(TestReport, IsDescribedInOneLine) {
  EXPECT_EQ(describe({"ctest", 12, 2, 0, Names{"a", "b"}}), "2 of 14 tests failed: a, b");
  EXPECT_EQ(describe({"ctest", 1, 0, 0, {}}), "1 test passed");
  EXPECT_EQ(describe({"ctest", 3, 0, 1, {}}), "3 tests passed, 1 skipped");
}

}  // namespace
}  // namespace rgx::engine
