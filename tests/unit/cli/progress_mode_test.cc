#include "cli/progress.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace rgx::cli {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

ProgressSettings resolved(const ProgressChoice& choice, Variables variables, bool is_terminal) {
  const auto settings = resolve_progress(choice, Environment(std::move(variables)), is_terminal);
  EXPECT_TRUE(rgx::test::accepted(settings));
  return settings.value_or(ProgressSettings{});
}

TEST(ResolveProgress, AutoIsLiveOnlyWhereAPictureCanBeSeen) {
  struct Case {
    Variables variables;
    bool is_terminal;
    ProgressMode mode;
  };
  const std::vector<Case> cases = {
      {{{"TERM", "xterm-256color"}}, true, ProgressMode::live},
      {{{"TERM", "xterm-256color"}}, false, ProgressMode::plain},
      {{{"TERM", "dumb"}}, true, ProgressMode::plain},
      {{}, true, ProgressMode::plain},
      {{{"TERM", "xterm"}, {"CI", "true"}}, true, ProgressMode::plain},
      {{{"TERM", "xterm"}, {"CI", "false"}}, true, ProgressMode::live},
      {{{"TERM", "xterm"}, {"ACCESSIBLE", "1"}}, true, ProgressMode::plain},
      {{{"TERM", "xterm"}, {"ACCESSIBLE", "0"}}, true, ProgressMode::live},
      {{{"TERM", "xterm"}, {"NO_COLOR", "1"}}, true, ProgressMode::live},
  };
  for (const Case& each : cases) {
    std::string shown;
    for (const auto& [name, value] : each.variables) {
      shown.append(name).append("=").append(value).append(" ");
    }
    EXPECT_EQ(resolved({}, each.variables, each.is_terminal).mode, each.mode)
        << shown << each.is_terminal;
  }
}

TEST(ResolveProgress, WhatIsAskedForIsDone) {
  const Variables ci = {{"TERM", "xterm"}, {"CI", "1"}};
  EXPECT_EQ(resolved({.mode = "live"}, ci, true).mode, ProgressMode::live);
  EXPECT_EQ(resolved({.mode = "plain"}, {{"TERM", "xterm"}}, true).mode, ProgressMode::plain);
  EXPECT_EQ(resolved({.mode = "json"}, ci, true).mode, ProgressMode::json);
  EXPECT_EQ(resolved({.mode = "none"}, ci, true).mode, ProgressMode::none);
}

TEST(ResolveProgress, LiveNeedsATerminal) {
  EXPECT_EQ(resolved({.mode = "live"}, {{"TERM", "xterm"}}, false).mode, ProgressMode::plain);
}

TEST(ResolveProgress, ColoursFollowTheUser) {
  EXPECT_EQ(resolved({}, {{"TERM", "xterm"}}, true).colour, Colour::on);
  EXPECT_EQ(resolved({}, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}, true).colour, Colour::off);
  EXPECT_EQ(resolved({}, {{"CLICOLOR_FORCE", "1"}}, false).colour, Colour::on);
  EXPECT_EQ(resolved({}, {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}, false).colour, Colour::off);
}

TEST(ResolveProgress, SymbolsFollowTheLocale) {
  EXPECT_EQ(resolved({}, {{"LANG", "zh_CN.UTF-8"}}, true).symbols, Symbols::unicode);
  EXPECT_EQ(resolved({}, {{"LANG", "C.utf8"}}, true).symbols, Symbols::unicode);
  EXPECT_EQ(resolved({}, {{"LANG", "C.UTF-8"}, {"LC_ALL", "C"}}, true).symbols, Symbols::ascii);
  EXPECT_EQ(resolved({}, {}, true).symbols, Symbols::ascii);
  EXPECT_EQ(resolved({.symbols = "unicode"}, {}, true).symbols, Symbols::unicode);
  EXPECT_EQ(resolved({.symbols = "ascii"}, {{"LANG", "C.UTF-8"}}, true).symbols, Symbols::ascii);
}

TEST(ResolveProgress, KnowsWhoReadsTheLog) {
  EXPECT_EQ(resolved({}, {{"GITHUB_ACTIONS", "true"}}, false).host, LogHost::github);
  EXPECT_EQ(resolved({}, {{"BUILDKITE", "true"}}, false).host, LogHost::buildkite);
  EXPECT_EQ(resolved({}, {{"GITHUB_ACTIONS", "false"}}, false).host, LogHost::other);
  EXPECT_EQ(resolved({}, {{"ACCESSIBLE", "1"}}, false).wording, Wording::sentences);
}

TEST(ResolveProgress, RefusesAnotherWordWithASuggestion) {
  const auto mode = resolve_progress({.mode = "jsn"}, Environment(), false);
  EXPECT_TRUE(rgx::test::refused(mode, "progress.mode", "`jsn` is no value of `--progress`"));
  EXPECT_TRUE(rgx::test::refused(mode, "progress.mode", "did you mean `json`?"));
  EXPECT_TRUE(rgx::test::refused(resolve_progress({.mode = ""}, Environment(), false),
                                 "progress.mode", "use auto, live, plain, json or none"));
  EXPECT_TRUE(rgx::test::refused(resolve_progress({.symbols = "emoji"}, Environment(), false),
                                 "progress.symbols", "use auto, ascii or unicode"));
}

}  // namespace
}  // namespace rgx::cli
