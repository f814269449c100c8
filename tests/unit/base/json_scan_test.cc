#include "base/json_scan.h"

#include <gtest/gtest.h>

#include <string>

namespace rgx::json_scan {
namespace {

TEST(JsonScan, FindsTheStartOfEachToken) {
  const std::string text = R"({"a": [1, {"b": null}], "c": "x"})";
  const std::string starts = R"({"[1{"n"")";  // first byte of every token, in order
  for (std::size_t token = 0; token < starts.size(); ++token) {
    const Found found = scan(text, {.depth_max = 10, .token = token});
    ASSERT_EQ(found.mistake, Mistake::wanted_token) << token;
    EXPECT_EQ(text[found.offset], starts[token]) << token;
  }
  EXPECT_EQ(scan(text, {.depth_max = 10, .token = starts.size()}).mistake, Mistake::none);
}

TEST(JsonScan, SyntaxComesBeforeNumbers) {
  EXPECT_EQ(scan("[1.5, 2]", {}).mistake, Mistake::number);
  EXPECT_EQ(scan("[1.5, 2", {}).mistake, Mistake::syntax);
  EXPECT_EQ(scan("[1.5, -0]", {}).offset, 1U);
}

TEST(JsonScan, AnInvalidByteCountsWhereItStands) {
  EXPECT_EQ(scan("[\"\xFF\", }", {}).offset, 2U);
  EXPECT_EQ(scan("[} \"\xFF\"", {}).offset, 1U);
  EXPECT_EQ(scan("[\"\xFF\"]", {}).reason, "invalid UTF-8");
}

TEST(JsonScan, CountsOpenBrackets) {
  EXPECT_EQ(scan("[[[]]]", {.depth_max = 3, .token = {}}).mistake, Mistake::none);
  EXPECT_EQ(scan("[[[]]]", {.depth_max = 2, .token = {}}).mistake, Mistake::too_deep);
  EXPECT_EQ(scan("[[],[],[]]", {.depth_max = 2, .token = {}}).mistake, Mistake::none);
}

}  // namespace
}  // namespace rgx::json_scan
