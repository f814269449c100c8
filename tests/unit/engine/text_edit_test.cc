#include "engine/text_edit.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "tests/support/error_matchers.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

Json edit(const char* finder, std::string_view needle, std::string_view to) {
  return Json::array({Json::object({{finder, needle}, {"to", to}})});
}

std::string edited(std::string bytes, const Json& edits) {
  const auto result = apply_edits(std::move(bytes), edits, "a.c");
  return result ? result->bytes : to_string(result.error());
}

TEST(ApplyEdits, WordEndsWhereNoWordByteGoesOn) {
  EXPECT_EQ(edited("old old_ _old old2 x.old(old)-old", edit("word", "old", "new")),
            "new old_ _old old2 x.new(new)-new");
  EXPECT_EQ(edited("größe größe2", edit("word", "größe", "size")), "size größe2");
  EXPECT_TRUE(refused(apply_edits("größe", edit("word", "e", "x"), "a.c"), "edit.no_match", "`e`"));
}

TEST(ApplyEdits, WordThatBeginsWithAnotherByteNeedsNoBoundaryThere) {
  EXPECT_EQ(edited("a::b x::b", edit("word", "::b", "::c")), "a::c x::c");
}

TEST(ApplyEdits, TextIsReplacedWhereverItOccurs) {
  EXPECT_EQ(edited("aaa", edit("text", "aa", "b")), "ba");
  EXPECT_EQ(edited("foo(1)\nfoo(2)", edit("text", "foo(", "bar(")), "bar(1)\nbar(2)");
}

TEST(ApplyEdits, PatternsCarryTheirGroupsOver) {
  EXPECT_EQ(edited("f(a, b); f(c, d)", edit("pattern", R"(f\((\w+), (\w+)\))", R"(g(\2, \1))")),
            "g(b, a); g(d, c)");
  EXPECT_EQ(edited("#!/bin/sh\nx\n", edit("pattern", R"(\A(#![^\n]*\n)?)", "\\1# head\n")),
            "#!/bin/sh\n# head\nx\n");
  EXPECT_TRUE(
      refused(apply_edits("abc", edit("pattern", "x+", "y"), "a.c"), "edit.no_match", "`x+`"));
  EXPECT_TRUE(refused(apply_edits("abc", edit("pattern", "(", "y"), "a.c"), "regex.syntax", "`(`"));
  EXPECT_TRUE(refused(
      apply_edits(std::string(1U << 20U, 'a'), edit("pattern", "a", std::string(100, 'b')), "a.c"),
      "edit.too_large", "16 MiB"));
}

TEST(ApplyEdits, LineEndsAndTheLastLineStayAsTheyAre) {
  EXPECT_EQ(edited("old\r\nold\rold", edit("word", "old", "new")), "new\r\nnew\rnew");
  EXPECT_EQ(edited("\xEF\xBB\xBFx old\n", edit("word", "old", "new")), "\xEF\xBB\xBFx new\n");
  EXPECT_EQ(edited("\xff old", edit("word", "old", "new")), "\xff new");
}

TEST(ApplyEdits, LineEndsAreWrittenAsTheFileHasThem) {
  EXPECT_EQ(edited("a\r\nb\r\n", edit("text", "a\nb", "1\n2\r\n3")), "1\r\n2\r\n3\r\n");
  EXPECT_EQ(edited("a\r\n", edit("pattern", "\\A", "// x\n")), "// x\r\na\r\n");
  // Mixed, none, or none yet: as written.
  EXPECT_EQ(edited("a\r\nb\n", edit("word", "b", "1\n2")), "a\r\n1\n2\n");
  EXPECT_EQ(edited("a", edit("word", "a", "1\n2")), "1\n2");
}

TEST(ApplyEdits, LaterEditsSeeWhatEarlierOnesDid) {
  Json edits = edit("word", "a", "b");
  edits.push(Json::object({{"to", "c"}, {"word", "b"}}));
  const auto result = apply_edits("a b", edits, "x");
  ASSERT_TRUE(accepted(result));
  EXPECT_EQ(result->bytes, "c c");
  EXPECT_EQ(result->replacements, 3);
}

TEST(ApplyEdits, ReplacementIsNotSearchedAgain) {
  EXPECT_EQ(edited("a a", edit("word", "a", "a a")), "a a a a");
}

TEST(ApplyEdits, EditThatFindsNothingFails) {
  const auto result = apply_edits("x", edit("text", "gone\n", "y"), "src/a.c");
  EXPECT_TRUE(refused(result, "edit.no_match", "`gone\\n` does not occur in `src/a.c`"));
  EXPECT_EQ(result.error().kind, ErrorKind::failed);
}

TEST(ApplyEdits, BinaryFileIsRefused) {
  EXPECT_TRUE(refused(apply_edits(std::string("old\0", 4), edit("word", "old", "new"), "a.o"),
                      "edit.binary", "`a.o` is a binary file"));
}

TEST(ApplyEdits, AnchorIsOnePlace) {
  EXPECT_EQ(edited("a(1)\nb(1)\n", edit("anchor", "b(1)", "b(2)")), "a(1)\nb(2)\n");
  EXPECT_TRUE(
      refused(apply_edits("x", edit("anchor", "y", "z"), "a"), "edit.no_match", "does not occur"));
  EXPECT_TRUE(
      refused(apply_edits("x x", edit("anchor", "x", "y"), "a"), "edit.not_unique", "more than"));
}

TEST(ApplyEdits, SizeIsBoundedBeforeAndAfter) {
  EXPECT_TRUE(refused(apply_edits(std::string(kEditBytesMax + 1, 'a'), edit("text", "a", "b"), "f"),
                      "edit.too_large", "16 MiB"));
  EXPECT_TRUE(
      refused(apply_edits(std::string(1000, 'a'), edit("text", "a", std::string(20000, 'b')), "f"),
              "edit.too_large", "16 MiB"));
}

TEST(ApplyEdits, ThereAndBackIsTheSame) {
  rc::check("replacing a word that is nowhere and back gives the same bytes", [] {
    const auto bytes = *rc::gen::container<std::string>(rc::gen::element('a', ' ', 'b', '\n', '_'));
    const auto there = apply_edits(bytes, edit("word", "a", "Z"), "f");
    RC_PRE(there.has_value());
    const auto back = apply_edits(there->bytes, edit("word", "Z", "a"), "f");
    RC_ASSERT(back.has_value());
    RC_ASSERT(back->bytes == bytes);
    RC_ASSERT(back->replacements == there->replacements);
  });
}

}  // namespace
}  // namespace rgx::engine
