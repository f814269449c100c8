#include "base/json_reader.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rgx {
namespace {

using test::error_text;
using test::refused;

TEST(ObjectReader, ReadsEveryKindOfMember) {
  const Json value = Json::object({{"schema", "rgx.test/v1"},
                                   {"s", "text"},
                                   {"i", 7},
                                   {"b", true},
                                   {"l", Json::array({"x", "y"})},
                                   {"o", Json::object({{"k", 1}})},
                                   {"v", Json()}});
  ObjectReader reader(value, "test");
  reader.schema("rgx.test/v1");
  EXPECT_EQ(reader.string("s"), "text");
  EXPECT_EQ(reader.integer("i"), 7);
  EXPECT_TRUE(reader.boolean("b"));
  EXPECT_EQ(reader.strings("l"), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(reader.object("o").size(), 1U);
  EXPECT_TRUE(reader.value("v").is_null());
  EXPECT_EQ(reader.optional_string("absent"), std::nullopt);
  EXPECT_EQ(reader.optional_integer("absent"), std::nullopt);
  EXPECT_EQ(reader.optional_value("absent"), nullptr);
  EXPECT_TRUE(test::accepted(reader.finish()));
}

TEST(ObjectReader, ReportsAllMistakesAtOnce) {
  const Json value =
      Json::object({{"a", 1}, {"stepz", 2}, {"n", 99}, {"l", Json::array({"x", 1})}});
  ObjectReader reader(value, "plan");
  EXPECT_EQ(reader.string("a"), "");
  EXPECT_EQ(reader.integer("missing", 5), 5);
  EXPECT_EQ(reader.integer("n", 0, 10), 0);
  EXPECT_EQ(reader.strings("l"), (std::vector<std::string>{"x"}));
  EXPECT_TRUE(reader.array("steps").empty());
  reader.mistake("plan.bad", "a", "is odd");
  const Status status = reader.finish();
  EXPECT_EQ(error_text(status),
            "`plan.a` is integer instead of string [json.type]\n"
            "  use the file as rgx wrote it\n"
            "`plan.missing` is missing [json.missing_member]\n"
            "  use the file as rgx wrote it\n"
            "`plan.n` is 99, outside 0 to 10 [json.range]\n"
            "`plan.l[1]` is integer instead of string [json.type]\n"
            "  use the file as rgx wrote it\n"
            "`plan.steps` is missing [json.missing_member]\n"
            "  use the file as rgx wrote it\n"
            "`plan.a` is odd [plan.bad]\n"
            "`plan.stepz` is not known [json.unknown_member]\n"
            "  did you mean `steps`?");
}

TEST(ObjectReader, RefusesUnknownMembersAndVersions) {
  const Json value = Json::object({{"schema", "rgx.test/v2"}, {"x\x1B", 1}});
  ObjectReader reader(value, "test");
  reader.schema("rgx.test/v1");
  const Status status = reader.finish();
  EXPECT_TRUE(refused(status, "json.schema", "is `rgx.test/v2` instead of `rgx.test/v1`"));
  EXPECT_TRUE(refused(status, "json.schema", "`test.x\\x1b` is not known [json.unknown_member]"));
}

TEST(ObjectReader, AValueThatIsNoObjectIsOneMistake) {
  const Json value = Json::array({1});
  ObjectReader reader(value, "plan");
  EXPECT_EQ(reader.string("a"), "");
  EXPECT_FALSE(reader.boolean("b"));
  EXPECT_EQ(error_text(reader.finish()),
            "`plan` is array instead of object [json.type]\n  use the file as rgx wrote it");
}

}  // namespace
}  // namespace rgx
