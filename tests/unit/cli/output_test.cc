#include "cli/output.h"

#include "tests/support/error_matchers.h"
#include "tests/unit/cli/captured_output.h"

#include <gtest/gtest.h>

#include <map>

namespace rgx::cli {
namespace {

Environment variables(std::map<std::string, std::string, std::less<>> values) {
  return Environment(std::move(values));
}

TEST(Colour, FollowsTheTerminal) {
  EXPECT_EQ(colour_for(variables({{"TERM", "xterm"}}), true), Colour::on);
  EXPECT_EQ(colour_for(variables({{"TERM", "xterm"}}), false), Colour::off);
  EXPECT_EQ(colour_for(variables({{"TERM", "dumb"}}), true), Colour::off);
  EXPECT_EQ(colour_for(variables({}), true), Colour::off);
}

TEST(Colour, NoColorBeatsForce) {
  EXPECT_EQ(colour_for(variables({{"CLICOLOR_FORCE", "1"}}), false), Colour::on);
  EXPECT_EQ(colour_for(variables({{"CLICOLOR_FORCE", "0"}}), false), Colour::off);
  EXPECT_EQ(colour_for(variables({{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}), true), Colour::off);
  EXPECT_EQ(colour_for(variables({{"NO_COLOR", ""}, {"TERM", "xterm"}}), true), Colour::on);
}

TEST(Output, KeepsTheTwoStreamsApart) {
  test::CapturedOutput captured;
  captured.output.result("result\n");
  captured.output.say("for people");
  EXPECT_EQ(captured.result.text(), "result\n");
  EXPECT_EQ(captured.human.text(), "for people\n");
}

TEST(Output, EscapesWhatAPersonMustNotGet) {
  test::CapturedOutput captured(Colour::on);
  captured.output.say(
      "a\x1b[2Jb\nc\xe2\x80\xae"
      "d\xff");
  EXPECT_EQ(captured.human.text(), "a\\x1b[2Jb\nc\\u{202e}d\\xff\n");
}

TEST(Output, PaintsOnlyWhereColourIsOn) {
  test::CapturedOutput plain(Colour::off);
  plain.output.say(Tone::bad, "denied");
  EXPECT_EQ(plain.human.text(), "denied\n");
  test::CapturedOutput coloured(Colour::on);
  coloured.output.say(Tone::bad, "denied");
  EXPECT_EQ(coloured.human.text(), "\x1b[31mdenied\x1b[0m\n");
}

TEST(Output, SaysEveryMistakeOfAnError) {
  test::CapturedOutput captured;
  Error error = make_error(ErrorKind::usage, "a.b", "first", "do this", Place{"f.yaml", 3, 4});
  error.diagnostics.push_back(make_error(ErrorKind::usage, "c.d", "second").first());
  captured.output.say(error);
  EXPECT_EQ(captured.human.text(), "f.yaml:3:4: first [a.b]\n  do this\nsecond [c.d]\n");
}

TEST(Output, AFullDiskIsAnError) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  test::MemoryStream human;
  Output output({full, Colour::off}, {human.file(), Colour::off});
  output.result("bytes");
  EXPECT_TRUE(rgx::test::refused(output.finish(), "output.unwritable", "No space left"));
  static_cast<void>(std::fclose(full));
}

TEST(ShellWord, QuotesWhatTheShellWouldRead) {
  EXPECT_EQ(shell_word("src/a.c"), "src/a.c");
  EXPECT_EQ(shell_word("two words"), "\"two words\"");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word("it's `x`"), "'it'\\''s `x`'");
  EXPECT_EQ(shell_word(""), "\"\"");
  EXPECT_EQ(shell_words({"make", "a b"}), "make \"a b\"");
}

TEST(JsonText, EscapesOnlyWhatIsNotUtf8) {
  EXPECT_EQ(json_text("gr\xc3\xb6\xc3\x9f"), "gr\xc3\xb6\xc3\x9f");
  EXPECT_EQ(json_text("a\xff"), "a\\xff");
}

TEST(Counted, AgreesWithTheNumber) {
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(0, "step"), "0 steps");
}

}  // namespace
}  // namespace rgx::cli
