#include "templates/regex.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rgx::templates {
namespace {

Regex regex(std::string_view pattern) {
  auto made = Regex::parse(pattern);
  EXPECT_TRUE(test::accepted(made));
  return *made;
}

std::string replaced(std::string_view pattern, std::string_view bytes, std::string_view to) {
  const auto result = regex(pattern).replace_all(bytes, to, 1000);
  return result ? result->bytes + " " + std::to_string(result->count) : "too large";
}

TEST(Regex, CountsMatchesThatDoNotOverlap) {
  EXPECT_EQ(regex("aa").count("aaaaa"), 2);
  EXPECT_EQ(regex("(?m)^x").count("x\nyx\nx"), 2);
  EXPECT_EQ(regex("z").count("aaa"), 0);
  EXPECT_TRUE(regex("b").matches_in("abc"));
}

TEST(Regex, EmptyMatchesStandBetweenCharacters) {
  EXPECT_EQ(replaced("x*", "a文", "-"), "-a-文- 3");
  EXPECT_EQ(replaced("x*", "xxa", "-"), "-a- 2");
  EXPECT_EQ(replaced("\\A", "ab", "-"), "-ab 1");
}

TEST(Regex, GroupsAreCarriedOver) {
  EXPECT_EQ(replaced(R"((\w+)=(\w+))", "a=b c=d", R"(\2=\1)"), "b=a d=c 2");
  EXPECT_EQ(replaced(R"((v)?(\d+))", "7 v8", R"([\1\2])"), "[7] [v8] 2");
  const auto found = regex("(a)|(b)").find("xxb", 0);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ((*found)[0], "b");
  EXPECT_TRUE((*found)[1].empty());
  EXPECT_FALSE(regex("a").find("a", 1).has_value());
}

TEST(Regex, ResultsAreBounded) {
  EXPECT_EQ(replaced("a", std::string(100, 'a'), std::string(11, 'b')), "too large");
}

TEST(Regex, MistakesAreNamed) {
  EXPECT_TRUE(test::refused(Regex::parse("a("), "regex.syntax", "`a(` is no regular expression"));
  EXPECT_TRUE(test::refused(regex("(a)").check_replacement("\\2"), "regex.replacement", "`\\\\2`"));
  EXPECT_TRUE(test::refused(regex("(a)").check_replacement("x\\"), "regex.replacement", "`x\\\\`"));
  EXPECT_TRUE(test::accepted(regex("(a)").check_replacement("\\0\\1\\\\")));
}

RC_GTEST_PROP(Regex, AQuotedTextMatchesItself, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", ".", "*", "(", "\\", "文", "\n", "|", "$"));
  std::string text;
  for (const std::string& part : parts) {
    text += part;
  }
  RC_ASSERT(regex("\\A" + regex_quote(text) + "\\z").matches_in(text));
}

}  // namespace
}  // namespace rgx::templates
