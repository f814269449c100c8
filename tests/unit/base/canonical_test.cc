#include "base/canonical.h"

#include "base/digest.h"

#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/shared_vectors.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

namespace rgx {
namespace {

using std::string_literals::operator""s;

std::string canonical_of(std::string_view text) {
  const auto value = parse_json(text);
  EXPECT_TRUE(test::accepted(value)) << text;
  return value ? canonical(*value) : std::string();
}

TEST(Canonical, WritesTheSortingExampleOfRfc8785) {
  // RFC 8785, section 3.2.3.
  EXPECT_EQ(canonical_of(R"({
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    })"),
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
            "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
            "\"😀\":\"Emoji: Grinning Face\",\"\uFB33\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(Canonical, WritesTheStringExampleOfRfc8785) {
  // RFC 8785, section 3.2.2, its members that are no floats.
  EXPECT_EQ(canonical_of(R"({"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
                             "literals": [null, true, false]})"),
            R"({"literals":[null,true,false],"string":"€$\u000f\nA'B\"\\\\\"/"})");
}

TEST(Canonical, SortsAstralKeysByUtf16Units) {
  const std::string text = canonical_of(R"({"＠":1,"😀":1})");
  EXPECT_EQ(text, R"({"😀":1,"＠":1})");
  const std::string hex = digest_bytes(text).hex();
  EXPECT_EQ(hex.substr(0, 8), "425159f5");
  EXPECT_EQ(hex.substr(56), "048651b6");
}

TEST(Canonical, SortsAroundTheSurrogateRange) {
  // U+D7FF, U+10000, U+10FFFF, U+E000, U+FFFF in UTF-16 order; bytes would put U+E000 first.
  EXPECT_EQ(
      canonical_of("{\"\uFFFF\":5,\"\uE000\":4,\"\U0010FFFF\":3,\"\U00010000\":2,\"\uD7FF\":1}"),
      "{\"\uD7FF\":1,\"\U00010000\":2,\"\U0010FFFF\":3,\"\uE000\":4,\"\uFFFF\":5}");
  EXPECT_EQ(canonical_of("{\"a\uE000\":2,\"a\U00010000\":1,\"a\":0}"),
            "{\"a\":0,\"a\U00010000\":1,\"a\uE000\":2}");
}

TEST(Canonical, EscapesOnlyWhatItMust) {
  std::string all;
  for (char c = 0; c < 0x20; ++c) {
    all.push_back(c);
  }
  all += "\"\\/\x7F\u2028é";
  EXPECT_EQ(canonical(Json(all)),
            "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r"
            "\\u000e\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019"
            "\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f\\\"\\\\/\x7F\u2028é\"");
}

TEST(Canonical, HasNoWhiteSpace) {
  EXPECT_EQ(canonical_of(" [ ] "), "[]");
  EXPECT_EQ(canonical_of(" { } "), "{}");
  EXPECT_EQ(canonical_of("{ \"a\" : [ 1 , -2 ] }"), "{\"a\":[1,-2]}");
}

TEST(JcsVectors, AreByteExactOrRefusedForTheirFloats) {
  RGX_REQUIRE_VECTORS(dir, "vectors/jcs/testdata/input");
  const std::map<std::string, std::string> floats = {{"structures.json", "is not an integer"},
                                                     {"values.json", "is not an integer"}};
  int exact = 0;
  std::size_t refused = 0;
  for (const auto& path : test::sorted_files(dir)) {
    const std::string name = path.filename().string();
    const auto value = parse_json(test::read_file(path), name);
    const auto with_float = floats.find(name);
    if (with_float != floats.end()) {
      ++refused;
      EXPECT_TRUE(test::refused(value, "json.number", with_float->second));
      continue;
    }
    ++exact;
    ASSERT_TRUE(test::accepted(value));
    EXPECT_EQ(canonical(*value),
              test::read_file(path.parent_path().parent_path() / "output" / name))
        << name;
  }
  EXPECT_EQ(exact, 4);
  EXPECT_EQ(refused, floats.size());
}

TEST(CanonicalVectors, OfTheFormatAreMet) {
  const auto vectors = parse_json(
      test::read_file(std::string(RGX_SOURCE_DIR) + "/tests/golden/canonical-json.json"));
  ASSERT_TRUE(test::accepted(vectors));
  const Json::Array& accept = vectors->find("accept")->as_array();
  for (const Json& each : accept) {
    const std::string& input = each.find("input")->as_string();
    const auto value = parse_json(input);
    ASSERT_TRUE(test::accepted(value)) << input;
    EXPECT_EQ(canonical(*value), each.find("canonical")->as_string());
    EXPECT_EQ(digest_bytes(canonical(*value)).hex(), each.find("sha256")->as_string()) << input;
    EXPECT_EQ(digest_of("rgx.vector/v1", *value).hex(), each.find("digest")->as_string()) << input;
  }
  const Json::Array& refuse = vectors->find("refuse")->as_array();
  for (const Json& each : refuse) {
    const auto input = from_hex(each.find("input_hex")->as_string());
    ASSERT_TRUE(test::accepted(input));
    const auto value = parse_canonical(*input);
    EXPECT_EQ(value ? "accepted" : value.error().first().code, each.find("code")->as_string())
        << *input;
  }
  EXPECT_GE(accept.size(), 15U);
  EXPECT_GE(refuse.size(), 20U);
}

/// Any value, of bounded size, with keys that stress the order.
rc::Gen<Json> any_json(int depth) {
  const auto text =
      rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
                       std::vector<std::string>{"a", "B", "\"", "\\", "\n", "\0"s, "é", "\uD7FF",
                                                "\uE000", "\uFFFD", "😀", "\U00010000", "0"})),
                   [](const std::vector<std::string>& parts) {
                     std::string joined;
                     for (const std::string& part : parts) {
                       joined += part;
                     }
                     return joined;
                   });
  auto leaf = rc::gen::oneOf(
      rc::gen::just(Json()),
      rc::gen::map(rc::gen::arbitrary<bool>(), [](bool b) { return Json(b); }),
      rc::gen::map(rc::gen::inRange<std::int64_t>(-Json::kIntegerMax, Json::kIntegerMax),
                   [](std::int64_t i) { return Json(i); }),
      rc::gen::map(text, [](std::string t) { return Json(std::move(t)); }));
  if (depth == 0) {
    return leaf;
  }
  const auto inner = any_json(depth - 1);
  return rc::gen::oneOf(
      leaf,
      rc::gen::map(rc::gen::container<std::vector<Json>>(inner),
                   [](std::vector<Json> items) { return Json(std::move(items)); }),
      rc::gen::map(rc::gen::container<std::map<std::string, Json>>(text, inner),
                   [](const std::map<std::string, Json>& members) {
                     return Json(Json::Object(members.begin(), members.end()));
                   }));
}

RC_GTEST_PROP(CanonicalProperty, ReadsBackAsTheSameValueAndIsItsOwnCanonicalForm, ()) {
  // Small containers: a tree of large ones would be gigantic.
  const Json value = *rc::gen::resize(6, any_json(3));
  const std::string text = canonical(value);
  RC_ASSERT((parse_canonical(text) == value));
  RC_ASSERT((parse_json(pretty(value)) == value));
}

}  // namespace
}  // namespace rgx
