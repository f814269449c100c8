#include "planner/text_search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace rgx::planner {
namespace {

TEST(TextSearch, WordsStandBetweenOtherBytes) {
  const auto words = [](std::string_view bytes) {
    return count_matches(bytes, "foo", MatchBoundary::word);
  };
  EXPECT_EQ(words("foo"), 1);
  EXPECT_EQ(words("foo(foo) foo.foo"), 4);
  EXPECT_EQ(words("food prefoo _foo foo1 xfoo"), 0);
  EXPECT_EQ(words("foo-foo"), 2);
  EXPECT_EQ(words("fooé éfoo 文foo foo文"), 0);
  EXPECT_EQ(words(""), 0);
  EXPECT_EQ(words("fo"), 0);
}

TEST(TextSearch, WordsWithScopesAreWhole) {
  EXPECT_EQ(
      count_matches("std::move(x); mystd::move; std::moves", "std::move", MatchBoundary::word), 1);
}

TEST(TextSearch, AnEndThatIsNoWordByteIsFree) {
  EXPECT_EQ(count_matches("a->b ->b x->bc", "->b", MatchBoundary::word), 2);
}

TEST(TextSearch, TextCountsWithoutOverlap) {
  EXPECT_EQ(count_matches("aaaa", "aa", MatchBoundary::anywhere), 2);
  EXPECT_EQ(count_matches("aaa", "aa", MatchBoundary::anywhere), 1);
  EXPECT_EQ(
      count_matches(std::string("a\0b\0b", 5), std::string("\0b", 2), MatchBoundary::anywhere), 2);
}

TEST(TextSearch, BinaryIsANulNearTheStart) {
  EXPECT_FALSE(is_binary("text"));
  EXPECT_FALSE(is_binary(""));
  EXPECT_TRUE(is_binary(std::string("a\0b", 3)));
  EXPECT_TRUE(is_binary(std::string(7999, 'a') + std::string(1, '\0')));
  EXPECT_FALSE(is_binary(std::string(8000, 'a') + std::string(1, '\0')));
}

RC_GTEST_PROP(TextSearch, WordCountAgreesWithItsDefinition, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("a", "b", "ab", " ", "_", "é", ".", "ba", "aba"));
  std::string bytes;
  for (const std::string& part : parts) {
    bytes += part;
  }
  const std::string needle = *rc::gen::element<std::string>("a", "ab", "aba");
  std::int64_t expected = 0;
  for (std::size_t at = 0; at + needle.size() <= bytes.size();) {
    const std::size_t end = at + needle.size();
    const bool hit = bytes.compare(at, needle.size(), needle) == 0 &&
                     (at == 0 || !is_word_byte(bytes[at - 1])) &&
                     (end == bytes.size() || !is_word_byte(bytes[end]));
    expected += hit ? 1 : 0;
    at = hit ? end : at + 1;
  }
  RC_ASSERT(count_matches(bytes, needle, MatchBoundary::word) == expected);
}

}  // namespace
}  // namespace rgx::planner
