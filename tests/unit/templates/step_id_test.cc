#include "templates/step_id.h"

#include "base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace rgx::templates {
namespace {

std::string id(const Json& item) {
  return instance_id("edit", item).text();
}

TEST(StepId, ReadableItemsStandForThemselves) {
  EXPECT_EQ(id("src/a.c"), "edit[src/a.c]");
  EXPECT_EQ(id("größe/文.c"), "edit[größe/文.c]");
  EXPECT_EQ(id(7), "edit[7]");
  EXPECT_EQ(id(true), "edit[true]");
}

TEST(StepId, OtherBytesAreEncoded) {
  EXPECT_EQ(id("a b"), "edit[a%20b]");
  EXPECT_EQ(id("[x]%~#"), "edit[%5Bx%5D%25%7E%23]");
  EXPECT_EQ(id("a\nb"), "edit[a%0Ab]");
  EXPECT_EQ(id("x\xe2\x80\xaey"), "edit[x%E2%80%AEy]");
  EXPECT_EQ(id(""), "edit[]");
}

TEST(StepId, LongItemsAreCutAndToldApart) {
  const std::string a = id(std::string(200, 'a') + "1");
  const std::string b = id(std::string(200, 'a') + "2");
  EXPECT_NE(a, b);
  EXPECT_EQ(a.size(), std::string("edit[").size() + 160 + 1 + 12 + 1);
  EXPECT_EQ(id(std::string(160, 'a')), "edit[" + std::string(160, 'a') + "]");
}

TEST(StepId, CutsAreNeverInsideAnEscapeOrCharacter) {
  for (std::size_t before = 150; before < 162; ++before) {
    for (const char* middle : {" ", "é", "文", "😀"}) {
      std::string item(before, 'a');
      for (int repeat = 0; repeat < 10; ++repeat) {
        item += middle;
      }
      const std::string text = id(item);
      EXPECT_TRUE(is_utf8(text)) << text;
      EXPECT_TRUE(is_step_id(text)) << text;
      const std::size_t percent = text.rfind('%');
      EXPECT_TRUE(percent == std::string::npos || text.find('~') >= percent + 3) << text;
    }
  }
}

TEST(StepId, ItemsThatAreNoScalarUseTheirDigest) {
  const std::string list = id(Json::array({Json("a")}));
  EXPECT_EQ(list.size(), std::string("edit[#").size() + 12 + 1);
  EXPECT_TRUE(list.starts_with("edit[#"));
  EXPECT_NE(list, id(Json::array({Json("b")})));
  EXPECT_EQ(id(Json::object({{"path", "src/a c"}, {"edits", Json::array()}})), "edit[src/a%20c]");
  EXPECT_TRUE(id(Json::object({{"path", 1}})).starts_with("edit[#"));
  EXPECT_EQ(id(Json::object({{"a", 1}, {"b", 2}})), id(Json::object({{"b", 2}, {"a", 1}})));
}

TEST(StepId, KnowsItsOwnForm) {
  for (const char* good :
       {"tests", "edit[a]", "edit[]", "edit[src/a.c~0123456789ab]", "e-1[%5B]"}) {
    EXPECT_TRUE(is_step_id(good)) << good;
  }
  for (const char* bad : {"", "Tests", "edit[", "edit]", "edit[a]b", "edit[a b]", "[a]",
                          "edit[[a]]", "edit[a\n]", "edit[\xff]", "edit[a][b]"}) {
    EXPECT_FALSE(is_step_id(bad)) << bad;
  }
  EXPECT_FALSE(is_step_id(std::string(300, 'a')));
}

RC_GTEST_PROP(StepId, DifferentTextsHaveDifferentIds, (const std::vector<unsigned>& codes)) {
  // Strings over a small alphabet with every kind of byte; invalid UTF-8 is no JSON.
  static constexpr std::array<std::string_view, 10> kParts = {"a", "/", " ",  "%", "%20",
                                                              "[", "é", "文", "~", "#"};
  std::string one;
  std::string two;
  for (std::size_t index = 0; index < codes.size(); ++index) {
    (index % 2 == 0 ? one : two) += kParts[codes[index] % kParts.size()];
  }
  RC_ASSERT((one == two) == (id(one) == id(two)));
  RC_ASSERT(is_step_id(id(one)));
}

}  // namespace
}  // namespace rgx::templates
