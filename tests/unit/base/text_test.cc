#include "base/text.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace rgx {
namespace {

using std::string_literals::operator""s;

TEST(Utf8, AcceptsTheBordersOfEveryLength) {
  for (const char32_t point : {U'\0', U'\x7F', U'\x80', U'\x7FF', U'\x800', U'\xD7FF', U'\xE000',
                               U'\xFFFF', U'\x10000', U'\x10FFFF'}) {
    std::string text;
    append_utf8(text, point);
    const auto decoded = decode_utf8(text, 0);
    ASSERT_TRUE(decoded.has_value()) << static_cast<std::uint32_t>(point);
    EXPECT_EQ(decoded->value, point);
    EXPECT_EQ(decoded->bytes, text.size());
    EXPECT_TRUE(is_utf8(text));
  }
}

TEST(Utf8, RefusesWhatRfc3629Refuses) {
  const std::vector<std::string> bad = {
      "\x80",                  // continuation without a lead
      "\xC0\x80",              // overlong NUL
      "\xC1\xBF",              // overlong
      "\xC2",                  // cut off
      "\xC2\x41",              // no continuation
      "\xE0\x80\x80",          // overlong
      "\xE0\x9F\xBF",          // overlong
      "\xED\xA0\x80",          // surrogate D800
      "\xED\xBF\xBF",          // surrogate DFFF
      "\xE2\x82",              // cut off
      "\xF0\x80\x80\x80",      // overlong
      "\xF0\x8F\xBF\xBF",      // overlong
      "\xF4\x90\x80\x80",      // beyond U+10FFFF
      "\xF5\x80\x80\x80",      // beyond
      "\xF8\x88\x80\x80\x80",  // five bytes
      "\xFE",
      "\xFF",
  };
  for (const std::string& each : bad) {
    EXPECT_FALSE(is_utf8(each)) << printable(each);
    EXPECT_EQ(find_invalid_utf8("0123456789ab" + each + "cd"), 12U) << printable(each);
  }
}

TEST(Utf8, FindsAnInvalidByteAtEveryOffset) {
  // The scan takes eight ASCII bytes at a time: none of the positions may hide.
  for (std::size_t offset = 0; offset < 40; ++offset) {
    std::string text(40, 'a');
    text[offset] = '\xFF';
    EXPECT_EQ(find_invalid_utf8(text), offset);
  }
  EXPECT_EQ(find_invalid_utf8(std::string(40, 'a')), std::nullopt);
}

TEST(Deceptive, CoversEveryRangeAtItsBorders) {
  struct Border {
    char32_t point;
    bool deceptive;
  };
  const std::vector<Border> borders = {
      {0x00, true},    {0x09, true},    {0x0A, true},     {0x1F, true},    {0x20, false},
      {0x7E, false},   {0x7F, true},    {0x9F, true},     {0xA0, false},   {0xAC, false},
      {0xAD, true},    {0xAE, false},   {0x34E, false},   {0x34F, true},   {0x350, false},
      {0x61B, false},  {0x61C, true},   {0x61D, false},   {0x115E, false}, {0x115F, true},
      {0x1160, true},  {0x1161, false}, {0x17B3, false},  {0x17B4, true},  {0x17B5, true},
      {0x17B6, false}, {0x180A, false}, {0x180B, true},   {0x180E, true},  {0x180F, false},
      {0x200A, false}, {0x200B, true},  {0x200F, true},   {0x2010, false}, {0x2027, false},
      {0x2028, true},  {0x202E, true},  {0x202F, false},  {0x205F, false}, {0x2060, true},
      {0x206F, true},  {0x2070, false}, {0x3163, false},  {0x3164, true},  {0x3165, false},
      {0xFDFF, false}, {0xFE00, true},  {0xFE0F, true},   {0xFE10, false}, {0xFEFE, false},
      {0xFEFF, true},  {0xFF00, false}, {0xFF9F, false},  {0xFFA0, true},  {0xFFA1, false},
      {0xFFF8, false}, {0xFFF9, true},  {0xFFFB, true},   {0xFFFC, false}, {0xDFFFF, false},
      {0xE0000, true}, {0xE0FFF, true}, {0xE1000, false}, {0x4E2D, false}, {0x1F600, false},
  };
  for (const Border& each : borders) {
    EXPECT_EQ(is_deceptive(each.point), each.deceptive) << std::hex << std::uint32_t{each.point};
  }
}

TEST(Deceptive, IsFoundInTextAndOrdinaryTextPasses) {
  EXPECT_EQ(find_deceptive("src/a.c"), std::nullopt);
  EXPECT_EQ(find_deceptive("把 src 下的 替换为"), std::nullopt);
  EXPECT_EQ(find_deceptive("a\u202Eb"), U'\x202E');
  EXPECT_EQ(find_deceptive("a\nb"), U'\n');
  EXPECT_EQ(find_deceptive("a\tb"), U'\t');
  EXPECT_NE(find_deceptive("a\xFF"), std::nullopt);
}

TEST(Printable, EscapesWhatMustNotReachATerminal) {
  EXPECT_EQ(printable("plain 中文"), "plain 中文");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("\x1B[31m"), "\\x1b[31m");
  EXPECT_EQ(printable("\0"s), "\\x00");
  EXPECT_EQ(printable("\x7F"), "\\x7f");
  EXPECT_EQ(printable("\u202E"), "\\u{202e}");
  EXPECT_EQ(printable("\u0085"), "\\u{85}");
  EXPECT_EQ(printable("\U000E0001"), "\\u{e0001}");
  EXPECT_EQ(printable("\xFFz"), "\\xffz");
  EXPECT_EQ(printable("a\\b"), "a\\\\b");
}

TEST(Printable, ControlsAreEscapedOnceWhereBackslashesStay) {
  EXPECT_EQ(escape_controls(printable("\x1B")), "\\x1b");
  EXPECT_EQ(escape_controls("a\\b\x1B"), "a\\b\\x1b");
}

TEST(Nearest, FindsLikelyTyposOnly) {
  constexpr std::array<std::string_view, 4> words = {"allow", "deny", "require_approval", "effect"};
  EXPECT_EQ(nearest("alow", words), "allow");
  EXPECT_EQ(nearest("aloow", words), "allow");
  EXPECT_EQ(nearest("dney", words), "deny");  // swapped neighbours are one edit
  EXPECT_EQ(nearest("require_aproval", words), "require_approval");
  EXPECT_EQ(nearest("banana", words), std::nullopt);
  EXPECT_EQ(nearest("", words), std::nullopt);
  EXPECT_EQ(nearest("x", words), std::nullopt);
  EXPECT_EQ(nearest(std::string(100, 'a'), words), std::nullopt);
}

TEST(Nearest, DoesNotDependOnTheOrderOfCandidates) {
  constexpr std::array<std::string_view, 2> forward = {"read", "reed"};
  constexpr std::array<std::string_view, 2> backward = {"reed", "read"};
  EXPECT_EQ(nearest("reid", forward), "read");
  EXPECT_EQ(nearest("reid", backward), "read");
}

template <class Text>
constexpr bool kCanSplit = requires(Text&& text) { split(std::forward<Text>(text), '/'); };

TEST(Text, SplitTakesNoTextThatEndsBeforeItsParts) {
  EXPECT_TRUE(kCanSplit<std::string&>);
  EXPECT_TRUE(kCanSplit<const std::string&>);
  EXPECT_TRUE(kCanSplit<std::string_view>);
  EXPECT_TRUE(kCanSplit<const char*>);
  EXPECT_FALSE(kCanSplit<std::string>);
  EXPECT_FALSE(kCanSplit<const std::string>);
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a/b", '/'), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(split("", '/'), (std::vector<std::string_view>{""}));
  EXPECT_EQ(split("/a//", '/'), (std::vector<std::string_view>{"", "a", "", ""}));
}

TEST(Join, IsTheInverseOfSplit) {
  EXPECT_EQ(join(std::vector<std::string>{"a", "b", "c"}, "/"), "a/b/c");
  EXPECT_EQ(join(std::vector<std::string>{}, "/"), "");
}

}  // namespace
}  // namespace rgx
