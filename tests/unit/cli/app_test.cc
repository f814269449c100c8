#include "cli/app.h"

#include "cli/help.h"
#include "tests/unit/cli/captured_output.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

struct Ran {
  int code = -1;
  std::string result;
  std::string human;
};

Ran run(const std::vector<std::string>& words) {
  test::CapturedOutput captured;
  const Environment nothing;
  Session session{.output = captured.output, .environment = nothing, .is_interactive = false};
  Ran ran;
  ran.code = static_cast<int>(run_app(session, words));
  ran.result = captured.result.text();
  ran.human = captured.human.text();
  return ran;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(App, TellsItsVersion) {
  const Ran ran = run({"--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.result, "rgx " + std::string(version()) + "\n");
  EXPECT_EQ(ran.human, "");
}

TEST(App, WithoutWordsExplainsItselfAsAMistake) {
  const Ran ran = run({});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.result, "");
  EXPECT_TRUE(contains(ran.human, "rgx plan"));
}

TEST(App, HelpListsTheCommandsThatExist) {
  for (const auto& words : {std::vector<std::string>{"--help"}, {"-h"}, {"help"}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0);
    for (const CommandSummary& command : command_summaries()) {
      EXPECT_TRUE(contains(ran.result, "\n  " + std::string(command.name) + " ")) << command.name;
    }
    EXPECT_FALSE(contains(ran.result, "\n  cancel "));
  }
}

TEST(App, EveryCommandHasExamplesBeforeItsFlags) {
  for (const CommandSummary& command : command_summaries()) {
    std::vector<std::string> words = {"help"};
    const std::string name(command.name);
    const std::size_t space = name.find(' ');
    words.push_back(name.substr(0, space));
    if (space != std::string::npos) {
      words.push_back(name.substr(space + 1));
    }
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << name;
    const std::size_t examples = ran.result.find("examples:\n");
    const std::size_t usage = ran.result.find("Usage: rgx " + name);
    ASSERT_NE(examples, std::string::npos) << name;
    ASSERT_NE(usage, std::string::npos) << name << ran.result;
    EXPECT_LT(examples, usage) << name;
    // The other spelling says the same.
    std::vector<std::string> other(words.begin() + 1, words.end());
    other.push_back("--help");
    EXPECT_EQ(run(other).result, ran.result) << name;
  }
}

TEST(App, AnUnknownCommandIsSuggestedNotRun) {
  const Ran ran = run({"verfy", "last"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.human, "there is no command `verfy`; did you mean `rgx verify`?"));
  const Ran nested = run({"policy", "chek"});
  EXPECT_EQ(nested.code, 2);
  EXPECT_TRUE(contains(nested.human, "did you mean `rgx policy check`?"));
  EXPECT_TRUE(contains(run({"\x1b[31m"}).human, "`\\x1b[31m`"));
}

TEST(App, AGroupAloneListsItsCommands) {
  const Ran ran = run({"policy"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.human, "policy check"));
  EXPECT_FALSE(contains(ran.human, "template check"));
  EXPECT_EQ(run({"policy", "--help"}).code, 0);
}

TEST(App, AnUnknownFlagIsSuggested) {
  const Ran ran = run({"plan", "x", "--polcy", "f"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.human, "--polcy")) << ran.human;
  EXPECT_TRUE(contains(ran.human, "did you mean `--policy`?")) << ran.human;
  EXPECT_TRUE(contains(ran.human, "see `rgx plan --help`")) << ran.human;
}

TEST(App, AnIntentWithoutQuotesIsExplained) {
  const Ran ran = run({"plan", "replace", "a", "with", "b"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.human, "the intent is 4 words here")) << ran.human;
}

TEST(App, ExitCodesAreListed) {
  const Ran ran = run({"help", "exit-codes"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.result, "3    denied by policy\n"));
  EXPECT_TRUE(contains(ran.result, "143  terminated"));
}

TEST(App, AMissingArgumentIsAMistake) {
  const Ran ran = run({"verify"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.human, "verify: ")) << ran.human;
}

}  // namespace
}  // namespace rgx::cli
