#include "templates/expression.h"

#include "tests/support/error_matchers.h"
#include "tests/unit/templates/sample_template.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rgx::templates {
namespace {

yaml::Node scalar(std::string text, yaml::Style style = yaml::Style::quoted) {
  yaml::Node node;
  node.kind = yaml::Node::Kind::string;
  node.text = std::move(text);
  node.style = style;
  node.place = Place{"t.yaml", 5, 10};
  return node;
}

struct World {
  Arguments arguments = {{"from", human("foo")},
                         {"count", Value{Json(3), Origin::template_}},
                         {"on", human(true)},
                         {"scope", human(Json::array({Json("src"), Json("lib")}))},
                         {"evil", human("${params.from}$(reboot)")}};
  FactValues facts = {{"hits", hits({"src/a.c", "lib/b.c"})}};

  [[nodiscard]] Result<Value> expanded(const std::string& text, const Value* item = nullptr) const {
    return expand(scalar(text), Scope{arguments, facts, item});
  }
  [[nodiscard]] Json json(const std::string& text) const {
    const auto value = expanded(text);
    EXPECT_TRUE(test::accepted(value));
    return value ? value->json : Json();
  }
};

TEST(Expression, AWholeReferenceKeepsItsType) {
  const World world;
  EXPECT_EQ(world.json("${params.count}"), Json(3));
  EXPECT_EQ(world.json("${params.on}"), Json(true));
  EXPECT_EQ(world.json("${ params.scope }"), Json::array({Json("src"), Json("lib")}));
  EXPECT_EQ(world.json("${facts.hits.paths}"), Json::array({Json("src/a.c"), Json("lib/b.c")}));
}

TEST(Expression, ASplicedListStandsItemByItem) {
  const World world;
  yaml::Node list;
  list.kind = yaml::Node::Kind::sequence;
  for (const char* text : {"fmt", "${params.scope | splice}", "${facts.hits.paths}"}) {
    list.items.push_back(std::make_shared<yaml::Node>(scalar(text)));
  }
  const auto value = expand(list, Scope{world.arguments, world.facts, nullptr});
  ASSERT_TRUE(test::accepted(value));
  EXPECT_EQ(value->json, Json::array({Json("fmt"), Json("src"), Json("lib"),
                                      Json::array({Json("src/a.c"), Json("lib/b.c")})}));
  EXPECT_NE(value->origins, OriginSet(Origin::human));
}

TEST(Expression, AnEmbeddedReferenceBecomesText) {
  const World world;
  EXPECT_EQ(world.json("n=${params.count}, ${params.on}, ${params.from}"), Json("n=3, true, foo"));
  EXPECT_EQ(world.json("${params.from}${params.from}"), Json("foofoo"));
  EXPECT_TRUE(test::refused(world.expanded("x ${params.scope}"), "expression.type",
                            "inside a text is a list"));
}

TEST(Expression, DollarsWithoutBraceAreLiteral) {
  const World world;
  EXPECT_EQ(world.json("$5 and $$ and $HOME"), Json("$5 and $$ and $HOME"));
  EXPECT_EQ(world.json("$${params.from}"), Json("${params.from}"));
  EXPECT_EQ(world.json("$$${params.from}"), Json("$${params.from}"));
  EXPECT_EQ(world.json("a$${x}${params.from}"), Json("a${x}foo"));
  EXPECT_EQ(world.json(""), Json(""));
}

TEST(Expression, WhatAnExpansionYieldsIsNeverExpandedAgain) {
  const World world;
  EXPECT_EQ(world.json("${params.evil}"), Json("${params.from}$(reboot)"));
  EXPECT_EQ(world.json("run ${params.evil}"), Json("run ${params.from}$(reboot)"));
}

TEST(Expression, FiltersApplyLeftToRight) {
  const World world;
  EXPECT_EQ(world.json("${facts.hits.paths | basename | join(', ')}"), Json("a.c, b.c"));
  EXPECT_EQ(world.json("${params.from|upper|replace(\"O\",'0')}"), Json("F00"));
  EXPECT_EQ(world.json("[${params.scope | json}]"), Json("[[\"src\",\"lib\"]]"));
}

TEST(Expression, ItemsAreSeenOnlyInsideForEach) {
  const World world;
  const Value item{Json::object({{"path", "x"}}), Origin::repository};
  const auto value = world.expanded("${item.path}", &item);
  ASSERT_TRUE(test::accepted(value));
  EXPECT_EQ(value->json, Json("x"));
  EXPECT_TRUE(test::refused(world.expanded("${item}"), "expression.unknown_name",
                            "outside a step with `for_each`"));
  EXPECT_TRUE(test::refused(world.expanded("${item.pth}", &item), "expression.unknown_name",
                            "did you mean `path`?"));
}

TEST(Expression, OriginsAreTheUnionOfTheParts) {
  const World world;
  EXPECT_EQ(world.expanded("${params.from}")->origins, OriginSet(Origin::human));
  EXPECT_EQ(world.expanded("literal")->origins, OriginSet(Origin::template_));
  OriginSet mixed = Origin::human;
  mixed.add(Origin::template_);
  EXPECT_EQ(world.expanded("x${params.from}")->origins, mixed);
  EXPECT_EQ(world.expanded("${facts.hits.paths | join}")->origins, OriginSet(Origin::repository));
}

TEST(Expression, UnknownNamesAreRefusedWithTheNearest) {
  const World world;
  EXPECT_TRUE(test::refused(world.expanded("${params.form}"), "expression.unknown_name",
                            "no parameter `form`"));
  EXPECT_TRUE(test::refused(world.expanded("${params.form}"), "expression.unknown_name",
                            "did you mean `from`?"));
  EXPECT_TRUE(test::refused(world.expanded("${facts.hit.paths}"), "expression.unknown_name",
                            "did you mean `hits`?"));
  EXPECT_TRUE(test::refused(world.expanded("${facts.hits.path}"), "expression.unknown_name",
                            "did you mean `paths`?"));
}

struct SyntaxCase {
  std::string text;
  std::string message;
  std::uint32_t column;
};

TEST(Expression, SyntaxErrorsHaveTheirColumn) {
  // Behind a quote the place of the whole scalar is given: it may have been an escape.
  // The scalar stands at column 10 and is quoted: its text begins at column 11.
  const SyntaxCase cases[] = {
      {"ab${", "a reference has no name", 15},
      {"ab${params.from", "`${` has no `}`", 13},
      {"${params}", "needs a name after a dot", 19},
      {"${params.}", "is not a name", 13},
      {"${env.HOME}", "`env` is not `params`", 13},
      {"${params.from | upcase}", "there is no filter `upcase`", 27},
      {"${params.from | }", "a filter has no name", 27},
      {"${params.from | join(1)}", "argument of a filter is a quoted text", 32},
      {"${params.from | replace('a')}", "takes 2 arguments, not 1", 27},
      {"${params.from | upper('a')}", "takes 0 arguments, not 1", 27},
      {"${params.scope | join('a', 'b')}", "takes 0 or 1 arguments, not 2", 28},
      {"${params.from | replace('', 'b')}", "needs a text to look for", 27},
      {"${params.scope | join('a}", "quoted text does not end", 33},
      {"${params.scope | join('a'}", "do not end", 10},
      {"${params.from ! x}", "unexpected `!`", 25},
      {"${facts.hits.}", "a member has no name", 24},
      {"${params.from | relative('/etc')}", "needs a folder", 27},
  };
  const World world;
  for (const SyntaxCase& one : cases) {
    const auto value = world.expanded(one.text);
    ASSERT_TRUE(test::refused(value, "expression.syntax", one.message)) << one.text;
    EXPECT_EQ(value.error().first().place.line, 5U);
    EXPECT_EQ(value.error().first().place.column, one.column) << one.text;
  }
}

TEST(Expression, OutputsOfStepsStandOnlyWhereTheyMay) {
  const World world;
  EXPECT_TRUE(test::refused(world.expanded("${steps.find.count}"), "expression.output",
                            "no output of a step may stand here"));
  EXPECT_TRUE(
      test::refused(world.expanded("${steps.find}"), "expression.syntax", "names no output"));
}

TEST(Expression, ColumnsFallBackToTheScalarBehindEscapes) {
  EXPECT_EQ(place_in(scalar("ab", yaml::Style::plain), 2).column, 12U);
  EXPECT_EQ(place_in(scalar("ab"), 2).column, 13U);
  EXPECT_EQ(place_in(scalar("a\nb"), 3).column, 10U);
  EXPECT_EQ(place_in(scalar("a\"b"), 3).column, 10U);
  EXPECT_EQ(place_in(scalar("ab", yaml::Style::block), 2).column, 10U);
}

TEST(Expression, TooManyFiltersAreRefused) {
  const World world;
  std::string text = "${params.from";
  for (int index = 0; index < 9; ++index) {
    text += "|upper";
  }
  EXPECT_TRUE(
      test::refused(world.expanded(text + "}"), "expression.syntax", "more than 8 filters"));
}

TEST(Expression, ExpansionIsBounded) {
  World world;
  world.arguments["from"] = human(std::string(60000, 'a'));
  std::string text;
  for (int index = 0; index < 20; ++index) {
    text += "${params.from}.";
  }
  EXPECT_TRUE(test::refused(world.expanded(text), "expression.too_large", "more than 1 MiB"));
}

RC_GTEST_PROP(Expression, EscapedTextComesBackAsItIs, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("$", "{", "}", "${", "a", "|", " ", "文"));
  std::string text;
  for (const std::string& part : parts) {
    text += part;
  }
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const bool opens = text.compare(at, 2, "${") == 0;
    escaped += opens ? "$${" : std::string(1, text[at]);
    at += opens ? 2 : 1;
  }
  // `$` directly before `${` would be read as the escape of what follows.
  RC_PRE(text.find("$${") == std::string::npos);
  const World world;
  const auto value = world.expanded(escaped);
  RC_ASSERT(value.has_value());
  RC_ASSERT(value->json == Json(text));
}

RC_GTEST_PROP(Expression, NoTextCrashesTheParser, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "${", "}", "params", ".", "from", "|", "join", "(", ")", "'", ",", "item", "$", " ", "x"));
  std::string text;
  for (const std::string& part : parts) {
    text += part;
  }
  const World world;
  const auto value = world.expanded(text);
  RC_ASSERT(value.has_value() || !value.error().diagnostics.empty());
}

}  // namespace
}  // namespace rgx::templates
