#include "cli/completion.h"

#include "cli/help.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

TEST(CommandTree, IsWhatTheParserTakes) {
  const std::vector<CommandInfo> tree = command_tree();
  ASSERT_EQ(tree.size(), command_summaries().size());
  for (const CommandInfo& command : tree) {
    EXPECT_FALSE(command.page.empty()) << command.name;
    if (command.name == "plan") {
      ASSERT_EQ(command.positionals.size(), 1U);
      EXPECT_EQ(command.positionals[0].value, "INTENT");
      bool has_format = false;
      for (const CommandFlag& flag : command.flags) {
        if (flag.names == std::vector<std::string>{"--format"}) {
          has_format = true;
          EXPECT_EQ(flag.choices,
                    (std::vector<std::string>{"tree", "json", "markdown", "dot", "mermaid"}));
        }
      }
      EXPECT_TRUE(has_format);
    }
  }
}

TEST(CommandTree, ASwitchHasNoValue) {
  for (const CommandInfo& command : command_tree()) {
    for (const CommandFlag& flag : command.flags) {
      if (flag.names.back() == "--json" || flag.names.back() == "--help") {
        EXPECT_EQ(flag.value, "") << command.name;
      }
    }
  }
}

TEST(Completion, KnowsEveryCommandAndFlagInEveryShell) {
  const std::vector<CommandInfo> tree = command_tree();
  for (const Shell shell : {Shell::bash, Shell::zsh, Shell::fish}) {
    const std::string script = completion_script(shell, tree, {"api-replace"});
    EXPECT_NE(script.find("api-replace"), std::string::npos);
    for (const CommandInfo& command : tree) {
      const std::string word = command.name.substr(command.name.rfind(' ') + 1);
      EXPECT_NE(script.find(word), std::string::npos) << command.name;
      for (const CommandFlag& flag : command.flags) {
        const std::string& name = flag.names.back();
        EXPECT_NE(script.find(shell == Shell::fish ? name.substr(2) : name), std::string::npos)
            << command.name << ' ' << name;
      }
    }
  }
}

TEST(Completion, QuotesWhatAShellWouldTakeForItsOwn) {
  CommandInfo command;
  command.name = "odd";
  command.summary = "it's $(touch evil)";
  command.flags = {{.names = {"--flag"}, .value = {}, .choices = {}, .help = "a [b]: it's"}};
  EXPECT_NE(completion_script(Shell::fish, {command}, {}).find("'it'\\''s $(touch evil)'"),
            std::string::npos);
  EXPECT_NE(completion_script(Shell::zsh, {command}, {}).find("[a \\[b\\]\\: it'\\''s]"),
            std::string::npos);
}

}  // namespace
}  // namespace rgx::cli
