#include "base/glob.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace rgx {
namespace {

using test::refused;

Glob glob(std::string_view pattern) {
  auto parsed = Glob::parse(pattern);
  EXPECT_TRUE(test::accepted(parsed)) << pattern;
  return parsed ? *parsed : Glob();
}

bool matches(std::string_view pattern, std::string_view path) {
  return glob(pattern).matches(path);
}

TEST(Glob, MatchesComponentWise) {
  struct Case {
    std::string pattern;
    std::string path;
    bool expected;
  };
  const std::vector<Case> cases = {
      {"a", "a", true},
      {"a", "b", false},
      {"a", "a/b", false},
      {"*", "a", true},
      {"*", "a/b", false},
      {"*", ".", false},
      {"*", ".git", true},
      {"*.c", "a.c", true},
      {"*.c", ".c", true},
      {"*.c", "a.h", false},
      {"*.c", "src/a.c", false},
      {"src/*", "src/a", true},
      {"src/*", "src", false},
      {"src/*", "src/a/b", false},
      {"src/**", "src", true},
      {"src/**", "src/a", true},
      {"src/**", "src/a/b/c", true},
      {"src/**", "srcs/a", false},
      {"**", ".", true},
      {"**", "a/b/c", true},
      {"**", "home:a", false},
      {"**/a", "a", true},
      {"**/a", "x/y/a", true},
      {"**/a", "x/ya", false},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "a/x/y/c", false},
      {"**/b/**", "a/b/c", true},
      {"**/*.c", "a/b/x.c", true},
      {"**/x/**/y", "a/x/b/x/c/y", true},
      {"?", "a", true},
      {"?", "ab", false},
      {"?", "é", true},
      {"??", "中文", true},
      {"[ab]", "a", true},
      {"[ab]", "c", false},
      {"[a-c]x", "bx", true},
      {"[!a-c]", "d", true},
      {"[!a-c]", "b", false},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {"[\\]]", "]", true},
      {"[é-ü]", "ö", true},
      {"[一-龥]", "中", true},
      {"\\*", "*", true},
      {"\\*", "a", false},
      {"\\[a]", "[a]", true},
      {"a\\?b", "a?b", true},
      {"a\\\\b", "a\\b", true},
      {"*a*b*", "xaybz", true},
      {"*a*b*", "xbya", false},
      {"a*", "a", true},
      {"*a", "aa", true},
      {"a!b", "a!b", true},
      {".", ".", true},
      {".", "a", false},
      {"home:.ssh/**", "home:.ssh/id", true},
      {"home:.ssh/**", ".ssh/id", false},
      {"home:**", "home:.", true},
      {"abs:/etc/*", "abs:/etc/passwd", true},
      {"abs:/etc/*", "etc/passwd", false},
      {"abs:/**", "abs:/", true},
      {"A", "a", false},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(matches(each.pattern, each.path), each.expected)
        << each.pattern << " on " << each.path;
  }
}

TEST(Glob, IsKeptInNormalForm) {
  EXPECT_EQ(glob("./src//a/").pattern(), "src/a");
  EXPECT_EQ(glob("a/../b*").pattern(), "b*");
  EXPECT_EQ(glob("src/**"), glob("./src/**/"));
  EXPECT_LT(glob("a"), glob("b"));
}

TEST(Glob, KnowsWhetherItIsOnePath) {
  for (const char* literal : {"a", "a/b.c", ".", "home:x", "a!b", "a]b"}) {
    EXPECT_TRUE(glob(literal).is_literal()) << literal;
  }
  for (const char* wild : {"*", "a?", "[a]", "a/**", "a\\*"}) {
    EXPECT_FALSE(glob(wild).is_literal()) << wild;
  }
}

TEST(Glob, RefusesBrokenSyntax) {
  for (const char* bad : {"a**b", "a/**b", "b**/a", "***", "**a", "a**"}) {
    EXPECT_TRUE(refused(Glob::parse(bad), "glob.syntax", "joins `**` with other")) << bad;
  }
  EXPECT_TRUE(refused(Glob::parse("a[bc"), "glob.syntax", "has a `[` without `]`"));
  EXPECT_TRUE(refused(Glob::parse("a[b/c]"), "glob.syntax", "has a `[` without `]`"));
  EXPECT_TRUE(refused(Glob::parse("[a\\]"), "glob.syntax", "has a `[` without `]`"));
  EXPECT_TRUE(refused(Glob::parse("[a-"), "glob.syntax", "has a `[` without `]`"));
  EXPECT_TRUE(refused(Glob::parse("[]"), "glob.syntax", "has an empty class"));
  EXPECT_TRUE(refused(Glob::parse("[!]"), "glob.syntax", "has an empty class"));
  EXPECT_TRUE(refused(Glob::parse("[z-a]"), "glob.syntax", "runs backwards"));
  EXPECT_TRUE(refused(Glob::parse("a\\"), "glob.syntax", "ends with an escape"));
  EXPECT_TRUE(refused(Glob::parse("a\\/b"), "glob.syntax", "ends with an escape"));
  EXPECT_TRUE(refused(Glob::parse("**/../a"), "glob.syntax", "`..` behind a wildcard"));
  EXPECT_TRUE(refused(Glob::parse("a*/.."), "glob.syntax", "`..` behind a wildcard"));
}

TEST(Glob, RefusesWhatOtherGlobLanguagesHave) {
  EXPECT_TRUE(refused(Glob::parse("!a"), "glob.unsupported", "starts with `!`"));
  EXPECT_TRUE(refused(Glob::parse("./!a"), "glob.unsupported", "`!a` starts with `!`"));
  EXPECT_TRUE(refused(Glob::parse("a/../~"), "glob.unsupported", "`~` starts with `~`"));
  EXPECT_TRUE(refused(Glob::parse("{a,b}"), "glob.unsupported", "uses `{...}`"));
  EXPECT_TRUE(refused(Glob::parse("a}"), "glob.unsupported", "uses `{...}`"));
  EXPECT_TRUE(refused(Glob::parse("[^a]"), "glob.unsupported", "negate with `[!...]`"));
  EXPECT_TRUE(refused(Glob::parse("[[:alpha:]]"), "glob.unsupported", "uses a named class"));
  EXPECT_TRUE(refused(Glob::parse("~/.ssh/**"), "glob.unsupported", "write `home:`"));
}

TEST(Glob, RefusesWhatNoPathMayBe) {
  EXPECT_TRUE(refused(Glob::parse("/etc/**"), "path.absolute", "starts with `/`"));
  EXPECT_TRUE(refused(Glob::parse("../**"), "path.escapes", "leaves its root"));
  EXPECT_TRUE(refused(Glob::parse(""), "path.empty", "path is empty"));
  EXPECT_TRUE(refused(Glob::parse("a\u202E*"), "path.control", "\\u{202e}"));
  EXPECT_TRUE(refused(Glob::parse("a\xFF"), "path.utf8", "not valid UTF-8"));
}

TEST(GlobCovers, SaysYesOnlyWhenEveryPathIsMatched) {
  struct Case {
    std::string outer;
    std::string inner;
    bool expected;
  };
  const std::vector<Case> cases = {
      {"**", "a/b", true},
      {"**", "**/*.c", true},
      {"**", "home:a", false},
      {"src/**", "src/a/*.c", true},
      {"src/**", "src", true},
      {"src/**", "src/**", true},
      {"src/**", "**", false},
      {"src/**", "*/a", false},
      {"src/*", "src/**", false},
      {"src/*", "src/a", true},
      {"src/*", "src/*.c", true},
      {"src/*.c", "src/*", false},
      {"*.c", "a.c", true},
      {"*.c", "a*.c", true},
      {"*.c", "*.h", false},
      {"*", "?", true},
      {"?", "*", false},
      {"?*", "*", true},
      {"?*", "a*", true},
      {"??*", "*?", false},
      {"*?", "?*", true},
      {"[a-z]", "[b-d]", true},
      {"[a-z]", "[A-d]", false},
      {"[a-bc-d]", "[b-c]", true},
      {"[a-bd-e]", "[b-d]", false},
      {"[!a]", "[b-d]", true},
      {"[!a]", "b", true},
      {"[!a]", "a", false},
      {"?", "[!a]", true},
      {"*a*", "*ab*", true},
      {"*a*b*", "xaxb", true},
      {"**/*.c", "src/**/*.c", true},
      {"**/a/**", "x/a/y", true},
      {"**/a/**", "x/b/y", false},
      {"**/*", "*/**", true},
      {"*/**", "**/*", true},
      {"*/**", "**", false},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/*/b", true},
      {"a/**/b", "a/**/c/b", true},
      {"\\*", "\\*", true},
      {"home:**", "home:.ssh/id", true},
      {"abs:/**", "abs:/etc/*", true},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(glob(each.outer).covers(glob(each.inner)), each.expected)
        << each.outer << " covers " << each.inner;
  }
}

TEST(GlobOverlaps, SaysNoOnlyWhenNoPathIsMatchedByBoth) {
  struct Case {
    std::string a;
    std::string b;
    bool expected;
  };
  const std::vector<Case> cases = {
      {"a", "a", true},
      {"a", "b", false},
      {"*", "a", true},
      {"*.c", "a*", true},
      {"*.c", "*.h", false},
      {"a*b", "*ab", true},
      {"[a-c]", "[c-e]", true},
      {"[a-c]", "[d-e]", false},
      {"[!a]", "a", false},
      {"[!a]", "[!b]", true},
      {"build/**", "build/x/y", true},
      {"build/**", "src/**", false},
      {"build/**", "build", true},
      {"**/a", "b/**", true},
      {"**/a", "**/b", false},
      {"a/**/b", "a/c/**", true},
      {"a/**", "**/b", true},
      {"src/*", "src/a/b", false},
      {"src/*", "src/**", true},
      {"*/*", "*", false},
      {"**", ".", true},
      {"*", ".", false},
      {"x*y", "xy", true},
      {"x?y", "xy", false},
      {"home:**", "**", false},
      {"abs:/a/**", "abs:/**/b", true},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(glob(each.a).overlaps(glob(each.b)), each.expected) << each.a << " and " << each.b;
    EXPECT_EQ(glob(each.b).overlaps(glob(each.a)), each.expected) << each.b << " and " << each.a;
  }
}

TEST(Glob, HostilePatternsTakePolynomialTime) {
  // Exponential for a matcher that tries every split; these end at once or the test times out.
  std::string stars;
  std::string depths;
  while (stars.size() < 240) {
    stars += "*a";
  }
  while (depths.size() < 4000) {
    depths += "**/a/";
  }
  const Glob many_stars = glob(stars + "b");
  const Glob many_depths = glob(depths + "b");
  const std::string letters(240, 'a');
  std::string path = "a";
  while (path.size() < 4000) {
    path += "/a";
  }
  EXPECT_FALSE(many_stars.matches(letters));
  EXPECT_FALSE(many_depths.matches(path));
  EXPECT_TRUE(many_depths.matches(path + "/b"));
  EXPECT_TRUE(many_stars.covers(many_stars));
  EXPECT_FALSE(many_stars.covers(glob(letters)));
  EXPECT_FALSE(many_stars.overlaps(glob(letters)));
  EXPECT_TRUE(many_depths.overlaps(glob(depths + "*")));
  EXPECT_FALSE(many_depths.overlaps(glob(depths + "c")));
  EXPECT_FALSE(many_depths.covers(glob(depths + "c")));
}

}  // namespace
}  // namespace rgx
