#include "planner/compile.h"
#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

namespace rgx::planner {
namespace {

Result<ProjectSettings> settings(std::string_view project) {
  return parse_project_settings("schema: rgx.config/v1\nproject: " + std::string(project) + "\n",
                                ".rgx/config.yaml");
}

TEST(ProjectSettings, AreRead) {
  const auto found =
      settings("{test_argv: [ctest, --test-dir, build], test_writes: [\"./build/**\"]}");
  ASSERT_TRUE(test::accepted(found));
  EXPECT_EQ(found->test_argv, (std::vector<std::string>{"ctest", "--test-dir", "build"}));
  EXPECT_EQ(found->test_writes, std::vector<std::string>{"build/**"});
}

TEST(ProjectSettings, WritesMayBeLeftOut) {
  const auto found = settings("{test_argv: [make]}");
  ASSERT_TRUE(test::accepted(found));
  EXPECT_TRUE(found->test_writes.empty());
}

TEST(ProjectSettings, AFormatterNamesItsFiles) {
  const auto found =
      settings("{test_argv: [a], format_argv: [f, -i], format_files: [\"./**/*.c\"]}");
  ASSERT_TRUE(test::accepted(found));
  EXPECT_EQ(found->format_argv, (std::vector<std::string>{"f", "-i"}));
  EXPECT_EQ(found->format_files, std::vector<std::string>{"**/*.c"});
  EXPECT_TRUE(test::refused(settings("{test_argv: [a], format_argv: [f]}"), "config.incomplete",
                            "need each other"));
  EXPECT_TRUE(test::refused(settings("{test_argv: [a], format_files: [f]}"), "config.incomplete",
                            "need each other"));
  EXPECT_TRUE(test::refused(settings("{test_argv: [a], format_argv: [], format_files: [f]}"),
                            "config.bad_argv", "`format_argv` is no program"));
}

TEST(ProjectSettings, MistakesHaveTheirPlace) {
  EXPECT_TRUE(test::refused(settings("{test_writes: []}"), "yaml.missing_key", "test_argv"));
  EXPECT_TRUE(test::refused(settings("{test_argv: []}"), "config.bad_argv", "no program"));
  EXPECT_TRUE(test::refused(settings("{test_argv: [\"\"]}"), "config.bad_argv", "no program"));
  EXPECT_TRUE(test::refused(settings("{test_argv: make test}"), "yaml.type", ""));
  EXPECT_TRUE(test::refused(settings("{test_argv: [a], test_write: []}"), "yaml.unknown_key",
                            "test_writes"));
  const auto glob = settings("{test_argv: [a], test_writes: [\"a**b\"]}");
  ASSERT_TRUE(test::refused(glob, "config.bad_glob", "a**b"));
  EXPECT_EQ(glob.error().first().place, (Place{".rgx/config.yaml", 2, 41}));
  EXPECT_TRUE(test::refused(parse_project_settings("schema: rgx.config/v1\n", "c"),
                            "yaml.missing_key", "project"));
  EXPECT_TRUE(test::refused(
      parse_project_settings("schema: rgx.config/v2\nproject: {test_argv: [a]}\n", "c"),
      "yaml.schema", "rgx.config/v1"));
}

}  // namespace
}  // namespace rgx::planner
