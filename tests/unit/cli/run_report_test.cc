#include "cli/run_report.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

engine::RunReport report_of(std::size_t failures) {
  engine::RunReport report;
  report.run = RunId("r-0123456789ab");
  report.state = failures == 0 ? engine::RunState::succeeded : engine::RunState::failed;
  for (std::size_t i = 0; i < failures; ++i) {
    report.steps.push_back({.step = StepId("s" + std::to_string(i)),
                            .state = engine::StepState::failed,
                            .summary = "exit status 1",
                            .changed = {}});
  }
  return report;
}

TEST(RunReport, NamesWhatFailedWithItsReason) {
  const std::string text = report_text(report_of(1), "/ledger", Colour::off);
  EXPECT_NE(text.find("failed  s0  exit status 1\n"), std::string::npos) << text;
}

TEST(RunReport, ManyFailuresAreCutWithACount) {
  const std::string text = report_text(report_of(1000), "/ledger", Colour::off);
  EXPECT_NE(text.find("s19"), std::string::npos);
  EXPECT_EQ(text.find("s20"), std::string::npos);
  EXPECT_NE(text.find("and 980 more\n"), std::string::npos) << text;
}

TEST(RunReport, EndsWithWhatToDoNext) {
  EXPECT_TRUE(report_text(report_of(0), "/ledger", Colour::off)
                  .ends_with("next      rgx verify r-0123456789ab\n"));
}

}  // namespace
}  // namespace rgx::cli
