#include "base/json.h"

#include "base/canonical.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace rgx {
namespace {

TEST(Json, KnowsItsKind) {
  EXPECT_TRUE(Json().is_null());
  EXPECT_TRUE(Json(true).is_boolean());
  EXPECT_TRUE(Json(1).is_integer());
  EXPECT_TRUE(Json("text").is_string());
  EXPECT_TRUE(Json::array({1, "a"}).is_array());
  EXPECT_TRUE(Json::object().is_object());
  EXPECT_EQ(to_string(Json::Kind::integer), "integer");
}

TEST(Json, TextIsNotTakenForABoolean) {
  // A pointer converts to bool in C++; the value must still be a string.
  const char* text = "false";
  EXPECT_TRUE(Json(text).is_string());
  EXPECT_EQ(Json(text).as_string(), "false");
}

TEST(Json, ComparesByValue) {
  EXPECT_EQ(Json::object({{"a", 1}, {"b", 2}}), Json::object({{"b", 2}, {"a", 1}}));
  EXPECT_NE(Json::array({1, 2}), Json::array({2, 1}));
  EXPECT_NE(Json(1), Json("1"));
  EXPECT_NE(Json(), Json(false));
}

TEST(Json, NullBecomesWhatIsPutIntoIt) {
  Json object;
  object.set("a", 1).set("b", "x").set("a", 2);
  EXPECT_EQ(object, Json::object({{"a", 2}, {"b", "x"}}));
  Json array;
  array.push(1).push(Json());
  EXPECT_EQ(array, Json::array({1, Json()}));
  EXPECT_EQ(Json::array_of({"a", "b"}), Json::array({"a", "b"}));
}

TEST(Json, FindsMembers) {
  const Json object = Json::object({{"a", 1}});
  ASSERT_NE(object.find("a"), nullptr);
  EXPECT_EQ(object.find("a")->as_integer(), 1);
  EXPECT_EQ(object.find("b"), nullptr);
  EXPECT_EQ(Json(1).find("a"), nullptr);
}

TEST(Json, HoldsTheWholeIntegerRange) {
  EXPECT_EQ(Json(Json::kIntegerMax).as_integer(), Json::kIntegerMax);
  EXPECT_EQ(Json(-Json::kIntegerMax).as_integer(), -Json::kIntegerMax);
}

TEST(JsonDeathTest, AnIntegerOutOfRangeIsABug) {
  EXPECT_EXIT(static_cast<void>(Json(Json::kIntegerMax + 1)), testing::ExitedWithCode(70),
              "kIntegerMax");
  EXPECT_EXIT(static_cast<void>(Json(-Json::kIntegerMax - 1)), testing::ExitedWithCode(70),
              "kIntegerMax");
  EXPECT_EXIT(static_cast<void>(Json(std::numeric_limits<std::uint64_t>::max())),
              testing::ExitedWithCode(70), "kIntegerMax");
}

TEST(JsonDeathTest, AWrongKindOrTextIsABug) {
  EXPECT_EXIT(static_cast<void>(Json(1).as_string()), testing::ExitedWithCode(70), "is_string");
  EXPECT_EXIT(static_cast<void>(Json("\xFF")), testing::ExitedWithCode(70), "is_utf8");
  EXPECT_EXIT(static_cast<void>(Json().set("\xFF", 1)), testing::ExitedWithCode(70), "is_utf8");
  EXPECT_EXIT(static_cast<void>(Json::object({{"a", 1}, {"a", 2}})), testing::ExitedWithCode(70),
              "inserted");
}

TEST(Pretty, IndentsInCanonicalOrder) {
  const Json value = Json::object({{"b", Json::array({1, Json::object()})},
                                   {"a", Json::array()},
                                   {"c", Json::object({{"d", true}})}});
  EXPECT_EQ(pretty(value),
            "{\n"
            "  \"a\": [],\n"
            "  \"b\": [\n"
            "    1,\n"
            "    {}\n"
            "  ],\n"
            "  \"c\": {\n"
            "    \"d\": true\n"
            "  }\n"
            "}");
  EXPECT_EQ(parse_json(pretty(value)), value);
}

}  // namespace
}  // namespace rgx
