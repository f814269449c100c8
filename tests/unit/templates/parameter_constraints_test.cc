#include "templates/parameter_constraints.h"

#include "tests/support/error_matchers.h"
#include "tests/unit/templates/sample_template.h"

#include <gtest/gtest.h>

namespace rgx::templates {
namespace {

Parameter of_type(ParameterType type, const Constraints& constraints) {
  Parameter parameter;
  parameter.name = "p";
  parameter.type = type;
  parameter.constraints = constraints;
  return parameter;
}

Constraints range(std::int64_t min, std::int64_t max) {
  Constraints constraints;
  constraints.min = min;
  constraints.max = max;
  return constraints;
}

Constraints matching(std::string_view pattern) {
  Constraints constraints;
  constraints.pattern = pattern;
  return constraints;
}

TEST(ParameterConstraints, BoundsAreThoseOfTheNormalForm) {
  const Parameter rounds = of_type(ParameterType::integer, range(1, 5));
  EXPECT_TRUE(test::accepted(check_argument(rounds, "1")));
  EXPECT_TRUE(test::accepted(check_argument(rounds, 5)));
  EXPECT_TRUE(test::refused(check_argument(rounds, 0), "parameter.value", "is 0"));
  EXPECT_TRUE(test::refused(check_argument(rounds, "6"), "parameter.value", "is 6"));
  const Parameter wait = of_type(ParameterType::duration, range(1000, 60000));
  EXPECT_TRUE(test::accepted(check_argument(wait, "1m")));
  EXPECT_TRUE(test::refused(check_argument(wait, "2m"), "parameter.value", "is 120000"));
}

TEST(ParameterConstraints, PatternsMatchTheWholeText) {
  const Parameter ticket = of_type(ParameterType::string, matching("[A-Z]+-[0-9]+|none"));
  EXPECT_TRUE(test::accepted(check_argument(ticket, "SEC-12")));
  EXPECT_TRUE(test::accepted(check_argument(ticket, "none")));
  for (const char* value : {"SEC-12 ", "xSEC-12", "nonesuch", "sec-12", ""}) {
    EXPECT_TRUE(test::refused(check_argument(ticket, value), "parameter.value",
                              "which its template does not take"))
        << value;
  }
}

TEST(ParameterConstraints, ALineFeedIsNoEnd) {
  const Parameter word = of_type(ParameterType::text, matching("[a-z]+"));
  EXPECT_TRUE(test::accepted(check_argument(word, "abc")));
  EXPECT_TRUE(test::refused(check_argument(word, "abc\n"), "parameter.value", "does not take"));
  EXPECT_TRUE(test::refused(check_argument(word, "abc\n; rm"), "parameter.value", "does not take"));
}

TEST(ParameterConstraints, OfAListHoldForEachItem) {
  Constraints constraints = matching("src/.*");
  constraints.items_max = 2;
  constraints.length_max = 6;
  Parameter files = of_type(ParameterType::list, constraints);
  files.of = ParameterType::path;
  const auto check = [&files](std::initializer_list<Json> items) {
    return check_argument(files, Json::array(items));
  };
  EXPECT_TRUE(test::accepted(check({"src/a", "src/b"})));
  EXPECT_TRUE(test::refused(check({"src/a", "lib/b"}), "parameter.value", "`lib/b`"));
  EXPECT_TRUE(test::refused(check({"src/abc"}), "parameter.value", "longer than 6 bytes"));
  EXPECT_TRUE(test::refused(check({"src/a", "src/b", "src/c"}), "parameter.value", "has 3 items"));
}

Result<Template> with_parameter(std::string_view text) {
  return parse_template(
      "schema: rgx.template/v1\nname: t\nversion: \"1\"\nsummary: s\n"
      "parameters:\n  p: {description: d, " +
          std::string(text) +
          "}\nsteps:\n  - {id: s, use: \"search.text\", with: {word: a, paths: "
          "[\".\"]}}\n",
      "t.yaml");
}

TEST(ParameterConstraints, AreReadFromATemplate) {
  const auto source = with_parameter(
      "type: list, of: string, required: true, pattern: \"a+\", length_max: 3, items_max: 2");
  ASSERT_TRUE(test::accepted(source));
  Constraints expected = matching("a+");
  expected.length_max = 3;
  expected.items_max = 2;
  EXPECT_EQ(source->parameters.front().constraints, expected);
}

TEST(ParameterConstraints, ThatCannotHoldAreMistakes) {
  struct Mistake {
    const char* text;
    const char* message;
  };
  const Mistake mistakes[] = {
      {"type: string, required: true, min: 1", "`min` of parameter `p` says nothing"},
      {"type: boolean, required: true, max: 1", "`max` of parameter `p` says nothing"},
      {"type: integer, required: true, pattern: a", "`pattern` of parameter `p` says nothing"},
      {"type: integer, required: true, length_max: 1", "`length_max` of parameter `p`"},
      {"type: string, required: true, items_max: 1", "`items_max` of parameter `p`"},
      {"type: integer, required: true, min: 2, max: 1", "is greater than its `max`"},
      {"type: string, required: true, pattern: \"a)(b\"", "cannot be read"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_TRUE(
        test::refused(with_parameter(mistake.text), "template.bad_parameter", mistake.message))
        << mistake.text;
  }
}

TEST(ParameterConstraints, HoldForADefaultToo) {
  EXPECT_TRUE(test::refused(with_parameter("type: integer, default: 9, max: 5"), "parameter.value",
                            "in a default: parameter `p` is 9"));
}

}  // namespace
}  // namespace rgx::templates
