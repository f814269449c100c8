#include "cli/repository_setup.h"

#include "planner/compile.h"
#include "policy/policy.h"
#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

using rgx::test::accepted;

TEST(RepositorySetup, WritesWhatTheReadersTake) {
  const TestCommand test{"Makefile, target test", {"make", "a \"b\" \xe6\xb5\x8b"}, {"build/**"}};
  const auto settings = planner::parse_project_settings(config_text(test, {"C"}), "config.yaml");
  ASSERT_TRUE(accepted(settings));
  EXPECT_EQ(settings->test_argv, test.argv);
  EXPECT_EQ(settings->test_writes, test.writes);
  const auto loaded = policy::load_policy(policy_text(test), "policy.yaml");
  ASSERT_TRUE(accepted(loaded));
  ASSERT_EQ(loaded->rules.size(), 1U);
  EXPECT_EQ(loaded->layer, policy::Layer::repository);
  EXPECT_EQ(loaded->rules[0].when.argv->tokens, test.argv);
}

TEST(RepositorySetup, TestsThatWriteNothingGrantNoWrite) {
  const TestCommand test{"go.mod", {"go", "test", "./..."}, {}};
  ASSERT_TRUE(accepted(planner::parse_project_settings(config_text(test, {}), "config.yaml")));
  const auto loaded = policy::load_policy(policy_text(test), "policy.yaml");
  ASSERT_TRUE(accepted(loaded));
  EXPECT_FALSE(loaded->rules[0].when.write.has_value());
}

}  // namespace
}  // namespace rgx::cli
