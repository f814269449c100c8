#include "base/yaml/mapping_reader.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::yaml {
namespace {

Node node_of(std::string_view text) {
  auto node = parse(text, "f");
  EXPECT_TRUE(test::accepted(node)) << text;
  return node ? std::move(*node) : Node();
}

std::string text_of(Mistakes& mistakes) {
  return mistakes.empty() ? std::string() : to_string(std::move(mistakes).error());
}

TEST(MappingReader, ReadsEveryKindOfMember) {
  const Node node = node_of(
      "schema: rgx.test/v1\ns: text\ni: 5\nb: true\nl: [x, 'y']\none: z\nm: {k: v}\nw: deny\n");
  Mistakes mistakes;
  MappingReader reader(node, "the test", mistakes);
  reader.schema("rgx.test/v1");
  EXPECT_EQ(reader.string("s"), "text");
  EXPECT_EQ(reader.integer("i", 0, 10), 5);
  EXPECT_EQ(reader.boolean("b"), true);
  const auto list = reader.strings("l");
  ASSERT_TRUE(list.has_value());
  ASSERT_EQ(list->size(), 2U);
  EXPECT_EQ((*list)[1].value, "y");
  EXPECT_EQ((*list)[1].style, Style::quoted);
  EXPECT_EQ(to_string((*list)[1].place), "f:5:8");
  const auto one = reader.strings("one", MappingReader::OneIsList::yes);
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->front().value, "z");
  EXPECT_NE(reader.mapping("m"), nullptr);
  constexpr std::array<std::string_view, 2> kWords = {"allow", "deny"};
  EXPECT_EQ(reader.word("w", kWords), 1U);
  EXPECT_EQ(reader.string("absent"), std::nullopt);
  EXPECT_EQ(reader.sequence("absent"), nullptr);
  EXPECT_EQ(to_string(reader.place_of("i")), "f:3:1");
  EXPECT_EQ(to_string(reader.place_of("absent")), "f:1:1");
  reader.finish();
  EXPECT_EQ(text_of(mistakes), "");
}

TEST(MappingReader, CollectsEveryMistakeInTheOrderOfTheFile) {
  const Node node = node_of(
      "schema: rgx.other/v1\n"
      "s: 5\n"
      "i: \"5\"\n"
      "j: 99\n"
      "b: x\n"
      "l: [x, 1, {y: z}]\n"
      "one: z\n"
      "m: [x]\n"
      "w: dney\n"
      "v: banana\n"
      "deny:\n"
      "efect: x\n");
  Mistakes mistakes;
  MappingReader reader(node, "the test", mistakes);
  constexpr std::array<std::string_view, 2> kWords = {"allow", "deny"};
  EXPECT_EQ(reader.strings("deny"), std::nullopt);
  EXPECT_EQ(reader.string("s"), std::nullopt);
  EXPECT_EQ(reader.integer("i", 0, 10), std::nullopt);
  EXPECT_EQ(reader.integer("j", 0, 10), std::nullopt);
  EXPECT_EQ(reader.boolean("b"), std::nullopt);
  EXPECT_EQ(reader.strings("l"), std::nullopt);
  EXPECT_EQ(reader.strings("one"), std::nullopt);
  EXPECT_EQ(reader.mapping("m"), nullptr);
  EXPECT_EQ(reader.word("w", kWords), std::nullopt);
  EXPECT_EQ(reader.word("v", kWords), std::nullopt);
  EXPECT_EQ(reader.required_string("effect"), "");
  reader.schema("rgx.test/v1");
  reader.finish();
  EXPECT_EQ(text_of(mistakes),
            "f:1:1: `effect` is missing in the test [yaml.missing_key]\n"
            "  add it\n"
            "f:1:9: schema is `rgx.other/v1` [yaml.schema]\n"
            "  write `schema: rgx.test/v1`\n"
            "f:2:4: `s` is an integer instead of a string [yaml.type]\n"
            "  quote it\n"
            "f:3:4: `i` is a string instead of an integer [yaml.type]\n"
            "  remove the quotes\n"
            "f:4:4: `j` is 99 [yaml.range]\n"
            "  write an integer from 0 to 10\n"
            "f:5:4: `b` is a string instead of a boolean [yaml.type]\n"
            "  write `true` or `false`\n"
            "f:6:8: `item of l` is an integer instead of a string [yaml.type]\n"
            "  quote it\n"
            "f:6:11: `item of l` is a mapping instead of a string [yaml.type]\n"
            "  quote a text that contains braces or `: `\n"
            "f:7:6: `one` is a string instead of a list [yaml.type]\n"
            "  write a list, as in `[a, b]`\n"
            "f:8:4: `m` is a list instead of a mapping [yaml.type]\n"
            "  write `key: value` lines\n"
            "f:9:4: `w` is `dney` [yaml.bad_value]\n"
            "  did you mean `deny`?\n"
            "f:10:4: `v` is `banana` [yaml.bad_value]\n"
            "  write one of `allow`, `deny`\n"
            "f:11:1: `deny` of the test has no value [yaml.empty_value]\n"
            "  write a value (`[]` for an empty list), or remove the key\n"
            "f:12:1: `efect` is not a key of the test [yaml.unknown_key]\n"
            "  did you mean `effect`?");
}

TEST(MappingReader, AnUnknownKeyWithoutALikelyTypoNamesTheKnownOnes) {
  const Node node = node_of("banana: 1\n");
  Mistakes mistakes;
  MappingReader reader(node, "the rule", mistakes);
  EXPECT_EQ(reader.string("id"), std::nullopt);
  EXPECT_EQ(reader.string("effect"), std::nullopt);
  reader.finish();
  EXPECT_EQ(text_of(mistakes),
            "f:1:1: `banana` is not a key of the rule [yaml.unknown_key]\n"
            "  known keys: effect, id");
}

TEST(MappingReader, AKeyInAnotherCaseIsUnknown) {
  const Node node = node_of("Effect: deny\n");
  Mistakes mistakes;
  MappingReader reader(node, "the rule", mistakes);
  EXPECT_EQ(reader.string("effect"), std::nullopt);
  reader.finish();
  EXPECT_NE(text_of(mistakes).find("did you mean `effect`?"), std::string::npos);
}

TEST(MappingReader, AScalarForAMappingNamesTheColon) {
  const Node node = node_of("a:1");
  Mistakes mistakes;
  MappingReader reader(node, "the file", mistakes);
  EXPECT_EQ(reader.required_string("a"), "");
  reader.schema("rgx.test/v1");
  reader.finish();
  EXPECT_EQ(text_of(mistakes),
            "f:1:1: `the file` is a string instead of a mapping [yaml.type]\n"
            "  put a space behind the colon, as in `key: value`");
}

}  // namespace
}  // namespace rgx::yaml
