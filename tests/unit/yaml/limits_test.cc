#include "base/yaml/reader.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <string>

namespace rgx::yaml {
namespace {

using test::refused;

TEST(YamlLimits, AHundredMegabytesAreRefusedUnread) {
  std::string text;
  text.resize(100'000'000, 'x');
  EXPECT_TRUE(refused(parse(text, "big.yaml"), "yaml.too_large",
                      "big.yaml: file of 100000000 bytes exceeds the limit of 196608"));
}

TEST(YamlLimits, TheSizeLimitIsExact) {
  const std::string head = "a: 1\n#";
  EXPECT_TRUE(test::accepted(parse(head + std::string(kFileBytesMax - head.size(), 'x'), "f")));
  EXPECT_TRUE(refused(parse(head + std::string(kFileBytesMax - head.size() + 1, 'x'), "f"),
                      "yaml.too_large", "196609 bytes"));
}

TEST(YamlLimits, AHundredThousandBracketsAreRefused) {
  const auto node = parse(std::string(100'000, '['), "f");
  ASSERT_FALSE(node.has_value());
  EXPECT_NE(test::error_text(node).find("[yaml.too_deep]"), std::string::npos);
  EXPECT_FALSE(parse(std::string(100'000, '{'), "f").has_value());
  EXPECT_FALSE(parse(std::string(100'000, ']'), "f").has_value());
}

TEST(YamlLimits, TooManyValuesAreRefused) {
  std::string text = "[";
  for (std::size_t count = 0; count < kNodesMax - 2; ++count) {
    text += "a,";
  }
  EXPECT_TRUE(test::accepted(parse(text + "a]", "f")));  // the list itself is a value as well
  EXPECT_TRUE(refused(parse(text + "a,a]", "f"), "yaml.too_many_nodes",
                      "f:1:100000: more than 50000 values in one file"));
}

TEST(YamlLimits, CountlessMistakesEndAtAHundred) {
  std::string text;
  for (int count = 0; count < 1000; ++count) {
    text += "- 0x1\n";
  }
  const auto node = parse(text, "f");
  ASSERT_FALSE(node.has_value());
  EXPECT_EQ(node.error().diagnostics.size(), 100U);
  const auto tabs = parse(std::string(50'000, '\t'), "f");
  ASSERT_FALSE(tabs.has_value());
  EXPECT_EQ(tabs.error().diagnostics.size(), 1U);
  const auto zeros = parse(std::string(50'000, '\0'), "f");
  ASSERT_FALSE(zeros.has_value());
  EXPECT_EQ(zeros.error().diagnostics.size(), 100U);
}

TEST(YamlLimits, CountlessAliasesEndSoon) {
  std::string text;
  while (text.size() < 190'000) {
    text += "- *a\n";
  }
  const auto node = parse(text, "f");
  ASSERT_FALSE(node.has_value());
  EXPECT_LE(node.error().diagnostics.size(), 10U);
  EXPECT_EQ(node.error().first().code, "yaml.alias");
}

TEST(YamlLimits, ALongKeyIsRefusedAsSuch) {
  for (const std::size_t size : {257U, 1000U, 1100U, 5000U}) {
    const auto node = parse(std::string(size, 'k') + ": v\n", "f");
    ASSERT_FALSE(node.has_value());
    EXPECT_TRUE(refused(node, "yaml.key_type", "f:1:1: key of")) << size;
  }
}

TEST(YamlLimits, ALongValueIsShownShortened) {
  const auto node = parse("a: 1" + std::string(5000, '0') + "\n", "f");
  EXPECT_TRUE(refused(node, "yaml.number_range", "000...` is out of range"));
  EXPECT_LT(test::error_text(node).size(), 300U);
}

TEST(YamlLimits, AnyCutOfAFileIsAValueOrAMistakeWithAPlace) {
  const std::string text =
      "# c\nschema: \"x\"\nlist: [a, {b: 'c''d'}]\nblock: |\n  t\n  u\nmap:\n  - k: \"\\u4e2d\"\n"
      "    l: *x\n    m: &y !z 1\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto node = parse(text.substr(0, size), "f");
    if (!node) {
      for (const Diagnostic& each : node.error().diagnostics) {
        EXPECT_NE(each.place.line, 0U) << size;
        EXPECT_NE(each.place.column, 0U) << size;
      }
    }
  }
}

}  // namespace
}  // namespace rgx::yaml
