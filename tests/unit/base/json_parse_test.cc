#include "base/canonical.h"
#include "base/json.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <string>

namespace rgx {
namespace {

using std::string_literals::operator""s;
using test::refused;

TEST(ParseJson, ReadsTheWholeValueSpace) {
  const auto value = parse_json(R"( {"a": [null, true, false, -1, 0, "x\u0041\ud83d\ude00\n"]} )");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(*value, Json::object({{"a", Json::array({Json(), true, false, -1, 0, "xA😀\n"})}}));
  EXPECT_EQ(parse_json("9007199254740991"), Json(Json::kIntegerMax));
  EXPECT_EQ(parse_json("-9007199254740991"), Json(-Json::kIntegerMax));
  EXPECT_EQ(parse_json("\"\\u0000\""), Json("\0"s));
}

TEST(ParseJson, RefusesDuplicateKeysAtTheSecondOne) {
  EXPECT_TRUE(refused(parse_json("{\"a\": 1,\n \"a\": 2}", "f.json"), "json.duplicate_key",
                      "f.json:2:2: member `a` stands twice in one object"));
  EXPECT_TRUE(refused(parse_json(R"({"b":{"a":1},"c":[{"x":1,"\u0078":1}]})"), "json.duplicate_key",
                      "json:1:26: member `x`"));
  EXPECT_TRUE(parse_json(R"({"a":{"a":1}})").has_value());
}

TEST(ParseJson, RefusesNumbersWithoutACanonicalForm) {
  EXPECT_TRUE(
      refused(parse_json("[1, 1.0]"), "json.number", "1:5: number `1.0` is not an integer"));
  EXPECT_TRUE(refused(parse_json("1e3"), "json.number", "`1e3` is not an integer"));
  EXPECT_TRUE(refused(parse_json("1e400"), "json.number", "`1e400` is not an integer"));
  EXPECT_TRUE(refused(parse_json("9007199254740992"), "json.number", "is out of range"));
  EXPECT_TRUE(refused(parse_json("-9007199254740992"), "json.number", "is out of range"));
  EXPECT_TRUE(refused(parse_json("9223372036854775808"), "json.number", "is out of range"));
  EXPECT_TRUE(refused(parse_json("-9223372036854775809"), "json.number", "is out of range"));
  EXPECT_TRUE(refused(parse_json("[18446744073709551616]"), "json.number",
                      "1:2: number `18446744073709551616` is out of range"));
  EXPECT_TRUE(refused(parse_json("[0,\n-0]", "f"), "json.number",
                      "f:2:1: number `-0` has no canonical form"));
  EXPECT_TRUE(refused(parse_json("-0.0"), "json.number", "`-0.0` is not an integer"));
}

TEST(ParseJson, MinusZeroIsFoundWhereverItStands) {
  for (const char* text : {"-0", " -0", "-0 ", "[-0]", "[ -0 ]", "[1,-0]", "[-0,1]", "{\"a\":-0}",
                           "{\"a\":\n-0\n}", "[-0\t]", "[\r-0]", "[\"-0\",-0]"}) {
    EXPECT_TRUE(refused(parse_json(text), "json.number", "`-0` has no canonical form")) << text;
  }
}

TEST(ParseJson, MinusZeroInATextIsNoNumber) {
  EXPECT_EQ(parse_json(R"(["a -0 b", "2026-01-01"])"), Json::array({"a -0 b", "2026-01-01"}));
  EXPECT_EQ(parse_json(R"(["-0", {"-0": 1}])"), Json::array({"-0", Json::object({{"-0", 1}})}));
}

TEST(ParseJson, TellsWhereTheSyntaxBreaks) {
  struct Case {
    std::string text;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"", "f:1:1: invalid JSON: expected a value"},
      {"  \n ", "f:2:2: invalid JSON: expected a value"},
      {"[1,\n 2,,3]", "f:2:4: invalid JSON: expected a value"},
      {"[1 2]", "f:1:4: invalid JSON: expected `,` or `]`"},
      {"[1", "f:1:3: invalid JSON: unclosed `[`"},
      {"{\"a\":1", "f:1:7: invalid JSON: unclosed `{`"},
      {"{\"a\" 1}", "f:1:6: invalid JSON: expected `:` after the member name"},
      {"{a:1}", "f:1:2: invalid JSON: expected a member name in double quotes"},
      {"{\"a\":1,}", "f:1:8: invalid JSON: expected a member name"},
      {"[1] 2", "f:1:5: invalid JSON: unexpected text after the value"},
      {"[1]\n\n[", "f:3:1: invalid JSON: unexpected text after the value"},
      {"[\"abc", "f:1:2: invalid JSON: string without a closing quote"},
      {"[\"a\nb\"]", "f:1:4: invalid JSON: raw control character in a string"},
      {"\"a\\qb\"", "f:1:3: invalid JSON: unknown escape"},
      {"\"\\u12g4\"", "f:1:2: invalid JSON: expected four hex digits"},
      {"\"\\ud800\"", "f:1:2: invalid JSON: lone surrogate"},
      {"\"\\ud800\\u0041\"", "f:1:2: invalid JSON: lone surrogate"},
      {"\"\\udc00\"", "invalid JSON: lone surrogate"},
      {"{\"\\udc00\":1}", "invalid JSON: lone surrogate"},
      {"[01]", "f:1:2: invalid JSON: number with a leading zero"},
      {"[1.]", "invalid JSON: expected a digit after the decimal point"},
      {"[1e]", "invalid JSON: expected a digit in the exponent"},
      {"[-]", "invalid JSON: expected a digit"},
      {"[nul]", "f:1:2: invalid JSON: expected a value"},
      {"['a']", "f:1:2: invalid JSON: expected a value"},
      {"[1] // x", "unexpected text after the value"},
      {"\xEF\xBB\xBF[]", "f:1:1: invalid JSON: byte order mark"},
      {"[\"\xFF\"]", "f:1:3: invalid JSON: invalid UTF-8"},
      {"[]\0"s, "f:1:3: invalid JSON: unexpected text after the value"},
  };
  for (const Case& each : cases) {
    EXPECT_TRUE(refused(parse_json(each.text, "f"), "json.syntax", each.message)) << each.text;
  }
}

TEST(ParseJson, AnEmptyViewIsNoValue) {
  EXPECT_TRUE(refused(parse_json(std::string_view()), "json.syntax", "expected a value"));
}

TEST(ParseJson, HoldsTheDepthLimit) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parse_json(nested(64)).has_value());
  EXPECT_TRUE(
      refused(parse_json(nested(65)), "json.too_deep", "1:65: JSON is nested deeper than 64"));
  EXPECT_TRUE(
      refused(parse_json("{\"a\":{\"b\":[]}}", "f", {.depth_max = 2}), "json.too_deep", "f:1:11"));
  EXPECT_TRUE(
      refused(parse_json("{\"a\":{\"b\":{}}}", "f", {.depth_max = 2}), "json.too_deep", "f:1:11"));
  EXPECT_TRUE(parse_json("[1]", "f", {.depth_max = 1}).has_value());
  EXPECT_TRUE(refused(parse_json("[1]", "f", {.depth_max = 0}), "json.too_deep", "0 levels"));
  EXPECT_TRUE(parse_json("1", "f", {.depth_max = 0}).has_value());
}

TEST(ParseJson, AHundredThousandBracketsAreRefusedWithoutRecursion) {
  EXPECT_TRUE(refused(parse_json(std::string(100'000, '[')), "json.too_deep", "deeper than 64"));
  std::string objects;
  for (int count = 0; count < 50'000; ++count) {
    objects += "{\"a\":";
  }
  EXPECT_TRUE(refused(parse_json(objects), "json.too_deep", "deeper than 64"));
}

TEST(ParseJson, HoldsTheSizeLimitBeforeLookingAtTheText) {
  const JsonLimits limits{.bytes_max = 10};
  EXPECT_TRUE(parse_json("[12345678]", "f", limits).has_value());
  EXPECT_TRUE(refused(parse_json("[123456789]", "f", limits), "json.too_large",
                      "f: JSON of 11 bytes exceeds the limit of 10"));
  const std::string large(100'000'000, '!');  // NOLINT(bugprone-string-constructor): on purpose
  EXPECT_TRUE(refused(parse_json(large), "json.too_large", "100000000 bytes exceeds"));
}

TEST(ParseJson, ReadsTextsBeyondTheReusedParser) {
  std::string text = "[";
  for (int count = 0; count < 200'000; ++count) {
    text += "12345678,";
  }
  text += "0]";
  const auto value = parse_json(text);
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->as_array().size(), 200'001U);
  EXPECT_EQ(canonical(*value), text);
}

TEST(ParseCanonical, TakesCanonicalFormsOnly) {
  EXPECT_TRUE(parse_canonical(R"({"a":[1,"x"],"b":null})").has_value());
  EXPECT_TRUE(refused(parse_canonical(R"({"b":1,"a":2})", "f"), "json.not_canonical",
                      "f:1:3: JSON is not in canonical form (RFC 8785) from byte 2"));
  EXPECT_TRUE(refused(parse_canonical("[1 ]"), "json.not_canonical", "from byte 2"));
  EXPECT_TRUE(refused(parse_canonical("[1]\n"), "json.not_canonical", "from byte 3"));
  EXPECT_TRUE(refused(parse_canonical(R"("\u0041")"), "json.not_canonical", "from byte 1"));
  EXPECT_TRUE(refused(parse_canonical(R"("\/")"), "json.not_canonical", "from byte 1"));
  EXPECT_TRUE(refused(parse_canonical(R"("\u001F")"), "json.not_canonical", "from byte 6"));
  EXPECT_TRUE(refused(parse_canonical("[1.0]"), "json.number", "is not an integer"));
}

}  // namespace
}  // namespace rgx
