#include "cli/display_width.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace rgx::cli {
namespace {

struct Case {
  std::string_view name;
  std::string_view text;
  std::size_t cells;
};

TEST(DisplayWidth, CountsCellsPerGrapheme) {
  const std::vector<Case> cases = {
      {"empty", "", 0},
      {"ascii", "ctest -j2", 9},
      {"chinese", "依赖清单", 8},
      {"japanese", "ビルド", 6},
      {"half-width katakana", "ﾋﾞﾙﾄﾞ", 5},
      {"korean", "빌드", 4},
      {"decomposed hangul", "\u1112\u1161\u11ab", 2},
      {"full-width latin", "ＡＢ", 4},
      {"combining accent", "e\u0301", 1},
      {"two combining marks", "a\u0323\u0302", 1},
      {"emoji", "🚀", 2},
      {"skin tone", "👍🏽", 2},
      {"zwj family", "👨\u200d👩\u200d👧", 2},
      {"flag", "🇨🇳", 2},
      {"two flags", "🇨🇳🇩🇪", 4},
      {"heart as emoji", "❤\ufe0f", 2},
      {"heart as text", "❤\ufe0e", 1},
      {"watch as text", "⌚\ufe0e", 1},
      {"keycap", "1\ufe0f\u20e3", 2},
      {"selector after a letter", "a\ufe0f", 1},
      {"ascii before a mark", "ae\u0301b", 3},
      {"greek", "αβγ", 3},
      {"ambiguous", "±§", 2},
      {"thai with marks", "กำ", 2},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(display_width(each.text), each.cells) << each.name;
  }
}

TEST(DisplayWidth, OwnSymbolsTakeOneCell) {
  for (const std::string_view symbol :
       {"✓", "✗", "!", "?", "▸", "·", "…", "─", "│", "█", "░", "■"}) {
    EXPECT_EQ(display_width(symbol), 1U) << symbol;
  }
}

TEST(DisplayWidth, BrokenBytesTakeOneCellEachAndEndNothing) {
  EXPECT_EQ(display_width("a\xff\xfe"
                          "b"),
            4U);
  EXPECT_EQ(display_width("\xe4\xbe"), 2U);
}

TEST(PrefixWithin, KeepsWholeGraphemes) {
  const Prefix odd = prefix_within("依赖", 3);
  EXPECT_EQ(odd.bytes, 3U);
  EXPECT_EQ(odd.cells, 2U);
  EXPECT_EQ(prefix_within("🇨🇳x", 1).bytes, 0U);
  const Prefix accent = prefix_within("e\u0301x", 1);
  EXPECT_EQ(accent.bytes, 3U);
  EXPECT_EQ(prefix_within("abc", 0).bytes, 0U);
}

TEST(Fit, LeavesWhatFits) {
  EXPECT_EQ(fit("abc", 3, "…"), "abc");
  EXPECT_EQ(fit("依赖", 4, "…"), "依赖");
}

TEST(Fit, CutsAtTheCellAndMarksIt) {
  EXPECT_EQ(fit("abcdef", 4, "…"), "abc…");
  EXPECT_EQ(fit("abcdef", 5, "..."), "ab...");
  // Three cells before the mark hold one wide character, not one and a half.
  EXPECT_EQ(fit("依赖清单", 4, "…"), "依…");
  EXPECT_LE(display_width(fit("빌드빌드빌드", 7, "…")), 7U);
}

TEST(Fit, LeavesTheMarkOutWhereItDoesNotFit) {
  EXPECT_EQ(fit("abcdef", 2, "..."), "ab");
}

TEST(FitMiddle, KeepsBothEnds) {
  EXPECT_EQ(fit_middle("edit[src/main.c]", 16, "…"), "edit[src/main.c]");
  EXPECT_EQ(fit_middle("edit[src/main.c]", 9, "…"), "edit…n.c]");
  EXPECT_EQ(fit_middle("依赖清单依赖清单", 8, "…"), "依…清单");
  EXPECT_EQ(fit_middle("abcdef", 2, "…"), "a…");
}

TEST(Wrap, LosesNothingButBlanksAtTheCuts) {
  EXPECT_EQ(wrap("rgx approve r-7f3a s8 --key k", 12),
            (std::vector<std::string>{"rgx approve", "r-7f3a s8", "--key k"}));
  EXPECT_EQ(wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_TRUE(wrap("", 3).empty());
}

TEST(Wrap, EndsWhereACharacterIsWiderThanTheLine) {
  EXPECT_EQ(wrap("依a", 1), (std::vector<std::string>{"依", "a"}));
}

}  // namespace
}  // namespace rgx::cli
