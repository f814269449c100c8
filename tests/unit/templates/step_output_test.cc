#include "templates/step_output.h"

#include "templates/condition_domain.h"
#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rgx::templates {
namespace {

Json output(const std::string& step, const std::string& member, Json filters = Json()) {
  Json body = Json::object({{"step", step}, {"member", member}});
  if (!filters.is_null()) {
    body.set("filters", std::move(filters));
  }
  return Json::object({{kOutputKey.data(), std::move(body)}});
}

Json filter(const std::string& name, const std::vector<std::string>& arguments) {
  return Json::object({{"name", name}, {"arguments", Json::array_of(arguments)}});
}

Json text(Json pieces) {
  return Json::object({{kTextKey.data(), std::move(pieces)}});
}

Json part(const std::string& name, Json operand) {
  return Json::object({{name, std::move(operand)}});
}

/// `find` found two files; `tests` was skipped.
Json look_up(const OutputReference& reference) {
  if (reference.step.text() != "find") {
    return {};
  }
  if (reference.member == "count") {
    return 2;
  }
  return reference.member == "paths" ? Json::array_of({"a.c", "b.c"}) : Json();
}

TEST(StepOutput, WholeOutputKeepsItsType) {
  EXPECT_EQ(close_value(output("find", "count"), look_up).value(), Json(2));
  EXPECT_EQ(close_value(output("find", "paths"), look_up).value(), Json::array_of({"a.c", "b.c"}));
}

TEST(StepOutput, TextIsMadeOfLiteralsAndOutputs) {
  const Json joined = output("find", "paths", Json::array({filter("join", {", "})}));
  const Json value = text(Json::array({"found ", output("find", "count"), ": ", joined}));
  EXPECT_TRUE(test::accepted(check_open(value)));
  EXPECT_EQ(close_value(value, look_up).value(), Json("found 2: a.c, b.c"));
}

TEST(StepOutput, ValuesBelowAreClosed) {
  const Json value = Json::object({{"a", Json::array({1, output("find", "count")})}, {"b", "x"}});
  EXPECT_EQ(close_values(value, look_up).value(),
            Json::object({{"a", Json::array({1, 2})}, {"b", "x"}}));
  ASSERT_EQ(outputs_in(value).size(), 1U);
  EXPECT_EQ(outputs_in(value)[0], (OutputReference{StepId("find"), "count"}));
}

TEST(StepOutput, MissingAndIllTypedOutputsAreErrors) {
  EXPECT_TRUE(test::refused(close_value(output("tests", "tests.failed"), look_up), "output.missing",
                            "step `tests` left no output `tests.failed`"));
  EXPECT_TRUE(test::refused(close_value(text(Json::array({output("find", "paths")})), look_up),
                            "output.type", "a list"));
}

TEST(StepOutput, ShapeIsChecked) {
  const auto refused = [](const Json& value, const std::string& message) {
    return test::refused(check_open(value), "plan.bad_output", message);
  };
  EXPECT_TRUE(refused(output("Not A Step", "count"), "does not name a step and a member"));
  EXPECT_TRUE(refused(output("find", "a..b"), "does not name a step and a member"));
  EXPECT_TRUE(refused(output("find", "count", Json::array()), "has no filter"));
  EXPECT_TRUE(refused(output("find", "count", Json::array({filter("uper", {})})), "not known"));
  EXPECT_TRUE(
      refused(output("find", "count", Json::array({filter("replace", {"", "b"})})), "empty text"));
  EXPECT_TRUE(refused(text(Json::array()), "no parts"));
  EXPECT_TRUE(refused(text(Json::array({"only literal"})), "is missing"));
  EXPECT_TRUE(refused(text(Json::array({"a", "b", output("find", "count")})), "neither"));
  EXPECT_TRUE(test::refused(
      check_open(Json::object({{kOutputKey.data(), Json::object({{"step", "find"}})}})),
      "json.missing_member", "member"));
}

TEST(Condition, Operators) {
  const auto value = [](const Json& condition) {
    EXPECT_TRUE(test::accepted(check_condition(condition)));
    return holds(condition, look_up);
  };
  const Json count = output("find", "count");
  EXPECT_TRUE(value(part("equals", Json::array({count, 2}))));
  EXPECT_FALSE(value(part("equals", Json::array({count, "2"}))));
  EXPECT_TRUE(value(part("in", Json::array({count, Json::array({1, 2})}))));
  EXPECT_TRUE(value(part("in", Json::array({"a.c", output("find", "paths")}))));
  EXPECT_FALSE(value(part("in", Json::array({"c.c", output("find", "paths")}))));
  EXPECT_FALSE(value(part("empty", count)));
  EXPECT_TRUE(value(part("empty", output("tests", "exit_code"))));
  EXPECT_TRUE(value(part("not", part("empty", output("find", "paths")))));
  const Json yes = part("equals", Json::array({count, 2}));
  const Json no = part("equals", Json::array({count, 3}));
  EXPECT_FALSE(value(part("all", Json::array({yes, no}))));
  EXPECT_TRUE(value(part("any", Json::array({no, yes}))));
}

TEST(Condition, ShapeIsChecked) {
  const auto refused = [](const Json& condition, const std::string& message) {
    return test::refused(check_condition(condition), "plan.bad_condition", message);
  };
  EXPECT_TRUE(refused(Json(true), "is not one of `equals`"));
  EXPECT_TRUE(refused(part("equal", Json::array({1, 2})), "unknown part `equal`"));
  EXPECT_TRUE(refused(part("equals", Json::array({1})), "other than two values"));
  EXPECT_TRUE(refused(part("in", Json::array({1, 2})), "what is no list"));
  EXPECT_TRUE(refused(part("all", Json::array()), "no list of conditions"));
  EXPECT_TRUE(refused(part("empty", Json::object({{"a", 1}})), "compares a mapping"));
  Json deep = part("empty", "");
  for (int level = 0; level < 20; ++level) {
    deep = part("not", std::move(deep));
  }
  EXPECT_TRUE(refused(deep, "deeper than 16"));
}

TEST(Condition, ThatCanNeverHoldIsFound) {
  const auto tried = [](const Json& condition, Shape shape) {
    return can_hold(condition,
                    [shape](const OutputReference&) { return Domain{shape, std::nullopt}; });
  };
  const Json count = output("find", "count");
  const auto equals = [&count](Json value) {
    return part("equals", Json::array({count, std::move(value)}));
  };
  EXPECT_EQ(tried(equals(3), Shape::integer), Satisfiable::sometimes);
  EXPECT_EQ(tried(equals("3"), Shape::integer), Satisfiable::never);
  EXPECT_EQ(tried(part("all", Json::array({equals(1), equals(2)})), Shape::integer),
            Satisfiable::never);
  EXPECT_EQ(tried(part("any", Json::array({equals(1), equals(2)})), Shape::integer),
            Satisfiable::sometimes);
  EXPECT_EQ(tried(part("not", equals(1)), Shape::integer), Satisfiable::sometimes);
  EXPECT_EQ(tried(part("in", Json::array({"a.c", output("find", "paths")})), Shape::texts),
            Satisfiable::sometimes);
}

RC_GTEST_PROP(Condition, IsNeverNeverWhenSomeOutputMakesItHold, ()) {
  const auto value = *rc::gen::inRange(0, 4);
  Json condition = part("empty", output("find", "count"));
  for (int level = *rc::gen::inRange(0, 5); level > 0; --level) {
    const Json leaf =
        part("equals", Json::array({output("find", "count"), *rc::gen::inRange(0, 4)}));
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        condition = part("not", std::move(condition));
        break;
      case 1:
        condition = part("all", Json::array({std::move(condition), leaf}));
        break;
      default:
        condition = part("any", Json::array({leaf, std::move(condition)}));
    }
  }
  const bool held = holds(condition, [value](const OutputReference&) { return Json(value); });
  if (held) {
    RC_ASSERT(can_hold(condition, [](const OutputReference&) {
                return Domain{Shape::integer, std::nullopt};
              }) == Satisfiable::sometimes);
  }
}

}  // namespace
}  // namespace rgx::templates
