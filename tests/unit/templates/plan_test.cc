#include "templates/plan.h"

#include "base/canonical.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/templates/plan_fixture.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace rgx::templates {
namespace {

TEST(PlanJson, ComesBackAsItWas) {
  Plan plan = plan_of({exec_step("b", {"x"}, {}), edit_step("a", "f")});
  plan.parameters = Json::object(
      {{"p", Json::object({{"type", "list of path"},
                           {"value", Json::array({Json("x")})},
                           {"origins", Json::array({Json("human"), Json("template")})}})}});
  plan.facts = Json::object({{"f", Json::object({{"probe", "search.text"},
                                                 {"with", Json::object()},
                                                 {"value", Json::object()}})}});
  plan.steps[0].tool.hosts = std::vector<std::string>{"a.org:443"};
  plan.steps[0].timeout_ms = 5;
  plan.steps[0].on_interrupted = OnInterrupted::rerun;
  plan.steps[1].pins = {Pin{"f", digest_bytes("f"), std::nullopt}, Pin{"g", {}, StepId("b")}};
  plan.steps[1].provenance = {{Axis::write, Origin::model}, {Axis::content, Origin::network}};
  const auto again = plan_from_json(to_json(plan));
  ASSERT_TRUE(test::accepted(again));
  EXPECT_EQ(*again, plan);
}

TEST(PlanJson, AllMistakesComeAtOnce) {
  Json json = to_json(plan_of({edit_step("a", "f")}));
  json.set("intent", 3);
  json.as_object().erase("facts");
  json.as_object().at("steps").as_array()[0].set("idempotent", "yes");
  json.as_object().at("template").set("digest", "md5:0");
  const auto plan = plan_from_json(json);
  ASSERT_FALSE(plan.has_value());
  const std::string text = to_string(plan.error());
  for (const char* part : {"plan.intent", "facts", "plan.steps[0].idempotent", "plan.bad_digest"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(PlanJson, ParametersAreRead) {
  Json json = to_json(plan_of({edit_step("a", "f")}));
  json.set("parameters", Json::object({{"p", Json::object({{"type", "lists of path"},
                                                           {"value", 1},
                                                           {"origins", Json::array()}})}}));
  const auto plan = plan_from_json(json);
  ASSERT_TRUE(test::refused(plan, "plan.bad_value", "no type of a parameter"));
  EXPECT_EQ(plan.error().diagnostics.size(), 2U);
}

TEST(PlanJson, AValueThatIsNoPlanIsRefused) {
  EXPECT_FALSE(plan_from_json(Json()).has_value());
  EXPECT_FALSE(plan_from_json(Json::array()).has_value());
  EXPECT_FALSE(plan_from_json(Json("x")).has_value());
}

RC_GTEST_PROP(PlanJson, NoValueCrashesTheReader, ()) {
  // Replaces one member somewhere by a value of another kind.
  Json json = to_json(plan_of({edit_step("a", "f")}));
  static const std::vector<Json> kValues = {Json(),
                                            Json(true),
                                            Json(7),
                                            Json("x"),
                                            Json::array(),
                                            Json::object(),
                                            Json::array({Json(1)})};
  Json* at = &json;
  for (int depth = *rc::gen::inRange(1, 5); depth > 0; --depth) {
    if (at->is_object() && !at->as_object().empty()) {
      auto member = at->as_object().begin();
      std::advance(member, *rc::gen::inRange<std::size_t>(0, at->as_object().size()));
      at = &member->second;
    } else if (at->is_array() && !at->as_array().empty()) {
      at = &at->as_array().front();
    }
  }
  *at = kValues[*rc::gen::inRange<std::size_t>(0, kValues.size())];
  const auto plan = plan_from_json(json);
  RC_ASSERT(plan.has_value() || !plan.error().diagnostics.empty());
}

}  // namespace
}  // namespace rgx::templates
