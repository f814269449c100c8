#include "planner/tokens.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace rgx::planner {
namespace {

std::vector<std::string> texts(std::string_view text) {
  std::vector<std::string> all;
  for (const Token& token : scan_tokens(text)) {
    all.push_back(token.text);
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(Tokens, WordsEndAtSpacesAndLoseTheirPunctuation) {
  EXPECT_EQ(texts("Replace foo with bar."), (Texts{"Replace", "foo", "with", "bar"}));
  EXPECT_EQ(texts("foo(), bar!"), (Texts{"foo", ",", "bar"}));
  EXPECT_EQ(texts("src/a.c: std::move; x?"), (Texts{"src/a.c", "std::move", "x"}));
  EXPECT_EQ(texts("under . or .."), (Texts{"under", ".", "or", ".."}));
  EXPECT_EQ(texts("..."), Texts{});
  EXPECT_EQ(texts("don't"), Texts{"don't"});
}

TEST(Tokens, ScriptsWithoutSpacesGiveCharacters) {
  EXPECT_EQ(texts("把src下的foo"), (Texts{"把", "src", "下", "的", "foo"}));
  EXPECT_EQ(texts("a、b，c。"), (Texts{"a", "、", "b", "，", "c"}));
  EXPECT_EQ(texts("größe 文"), (Texts{"größe", "文"}));
}

TEST(Tokens, QuotationMarksHoldATextTogether) {
  for (const char* text : {"`a b`", "\"a b\"", "'a b'", "“a b”", "‘a b’", "「a b」", "『a b』"}) {
    const auto tokens = scan_tokens(text);
    ASSERT_EQ(tokens.size(), 1U) << text;
    EXPECT_EQ(tokens[0].kind, TokenKind::quoted);
    EXPECT_EQ(tokens[0].text, "a b");
    EXPECT_TRUE(tokens[0].folded.empty());
  }
  EXPECT_EQ(texts("`open"), Texts{"open"});
  EXPECT_EQ(texts("把「foo」改"), (Texts{"把", "foo", "改"}));
}

TEST(Tokens, OffsetsPointIntoTheText) {
  const std::string text = "把 `foo`，bar. 文";
  for (const Token& token : scan_tokens(text)) {
    const std::size_t quote = token.kind == TokenKind::quoted ? 1 : 0;
    EXPECT_EQ(text.substr(token.begin + quote, token.text.size()), token.text);
  }
}

TEST(Tokens, WordsThatMeanTheSameFold) {
  const auto folded = [](std::string_view text) { return tokens_of(text).front().folded; };
  EXPECT_EQ(folded("inside"), folded("under"));
  EXPECT_EQ(folded("make sure"), folded("verify"));
  EXPECT_EQ(folded("换成"), folded("改为"));
  EXPECT_EQ(folded("里的"), folded("下的"));
  EXPECT_EQ(folded("Rename"), "rename");
  EXPECT_EQ(folded("please"), "");
  EXPECT_NE(folded("not"), "");
}

TEST(Tokens, TheLongestPhraseWins) {
  const auto tokens = tokens_of("替换为");
  ASSERT_EQ(tokens.size(), 1U);
  EXPECT_EQ(tokens[0].folded, "替换为");
  EXPECT_EQ(tokens_of("替换").front().folded, "replace");
}

TEST(Tokens, APlaceNeedsADeterminerToMeanEverything) {
  const auto all = tokens_of("in the whole repository");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].weight, 0U);
  const auto folder = tokens_of("in repository");
  ASSERT_EQ(folder.size(), 2U);
  EXPECT_GT(folder[1].weight, 0U);
}

TEST(Tokens, NegationsAreNoValuesAndNoFillers) {
  for (const char* word : {"not", "don't", "never", "except", "but"}) {
    const Token token = tokens_of(word).front();
    EXPECT_TRUE(is_never_value(token)) << word;
    EXPECT_GT(token.weight, 0U) << word;
  }
  EXPECT_FALSE(is_never_value(tokens_of("foo").front()));
}

TEST(Tokens, InvalidUtf8HasNoWords) {
  EXPECT_TRUE(tokens_of("abc\xff").empty());
  EXPECT_TRUE(tokens_of("\xe6\x8a").empty());
}

RC_GTEST_PROP(Tokens, NoTextCrashesTheScanner, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "`", "'", "\"", "「", "」", "文", "é", " ", ",", "，", "(",
                                    ".", "😀", "替", "换", "the", "in"));
  std::string text;
  for (const std::string& part : parts) {
    text += part;
  }
  for (const Token& token : tokens_of(text)) {
    RC_ASSERT(!token.text.empty() || token.kind == TokenKind::quoted);
    RC_ASSERT(token.begin < text.size());
  }
}

}  // namespace
}  // namespace rgx::planner
