#include "templates/tool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace rgx::templates {
namespace {

TEST(Tool, TheVocabularyIsSortedAndComplete) {
  std::vector<std::string> names;
  for (const ToolContract& tool : tools()) {
    names.emplace_back(tool.name);
    EXPECT_EQ(tool.version, 1U);
  }
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_EQ(names,
            (std::vector<std::string>{
                "agent.run",     "check.command", "check.diff",   "check.file",  "check.paths",
                "check.secrets", "check.tests",   "exec",         "file.delete", "file.edit",
                "file.move",     "file.patch",    "file.read",    "file.write",  "git.branch",
                "git.commit",    "git.diff",      "git.log",      "git.status",  "http.get",
                "human.approve", "llm.generate",  "search.files", "search.text", "shell"}));
}

TEST(Tool, OnlyTheToolsOfThisBuildRun) {
  std::set<std::string_view> running;
  for (const ToolContract& tool : tools()) {
    if (tool.runs) {
      running.insert(tool.name);
    }
  }
  EXPECT_EQ(running,
            (std::set<std::string_view>{
                "check.command", "check.diff", "check.file",  "check.paths",   "check.secrets",
                "check.tests",   "exec",       "file.delete", "file.edit",     "file.move",
                "file.patch",    "file.read",  "file.write",  "git.branch",    "git.commit",
                "git.diff",      "git.log",    "git.status",  "human.approve", "search.files",
                "search.text"}));
}

TEST(Tool, InputsAreSortedAndNamedOnce) {
  for (const ToolContract& tool : tools()) {
    for (std::size_t index = 1; index < tool.inputs.size(); ++index) {
      EXPECT_LT(tool.inputs[index - 1].name, tool.inputs[index].name) << tool.name;
    }
  }
}

TEST(Tool, IsFoundByItsWholeName) {
  ASSERT_NE(find_tool("exec"), nullptr);
  EXPECT_EQ(find_tool("exec")->name, "exec");
  EXPECT_EQ(find_tool("exe"), nullptr);
  EXPECT_EQ(find_tool("file.*"), nullptr);
  EXPECT_EQ(find_tool(""), nullptr);
  EXPECT_EQ(find_tool("zzz"), nullptr);
}

TEST(Tool, PatternsNameGroups) {
  EXPECT_TRUE(tool_matches("file.*", "file.edit"));
  EXPECT_TRUE(tool_matches("*", "exec"));
  EXPECT_TRUE(tool_matches("exec", "exec"));
  EXPECT_FALSE(tool_matches("file.*", "file"));
  EXPECT_FALSE(tool_matches("file", "file.edit"));
  EXPECT_FALSE(tool_matches("fi*", "file.edit"));
  EXPECT_TRUE(is_tool_pattern("check.*"));
  EXPECT_TRUE(is_tool_pattern("shell"));
  EXPECT_FALSE(is_tool_pattern("fil.*"));
  EXPECT_FALSE(is_tool_pattern("file.e*"));
  EXPECT_FALSE(is_tool_pattern(""));
}

}  // namespace
}  // namespace rgx::templates
