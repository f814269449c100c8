#include <gtest/gtest.h>

#include "engine/tool.h"
#include "templates/tool.h"

namespace rgx::engine {
namespace {

TEST(ToolRegistry, HoldsExactlyTheToolsWhoseContractsSayTheyRun) {
  std::vector<std::string_view> promised;
  for (const templates::ToolContract& tool : templates::tools()) {
    if (tool.runs) {
      promised.push_back(tool.name);
    }
    EXPECT_EQ(find_tool_implementation(tool.name) != nullptr, tool.runs) << tool.name;
  }
  EXPECT_EQ(implemented_tools(), promised);
}

TEST(ToolRegistry, UnknownToolHasNoImplementation) {
  EXPECT_EQ(find_tool_implementation("file"), nullptr);
  EXPECT_EQ(find_tool_implementation("file.editx"), nullptr);
  EXPECT_EQ(find_tool_implementation(""), nullptr);
}

}  // namespace
}  // namespace rgx::engine
