#include "templates/seal.h"
#include "templates/step_output.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/templates/plan_fixture.h"

#include <gtest/gtest.h>

namespace rgx::templates {
namespace {

Step search_step(std::string id, std::vector<StepId> needs = {}) {
  Step step;
  step.id = StepId(std::move(id));
  step.tool.use = "search.text";
  step.tool.with = Json::object({{"paths", Json::array_of({"src"})}, {"word", "fetch"}});
  step.needs = std::move(needs);
  step.idempotent = true;
  return step;
}

Step check_step(std::string id, std::vector<StepId> needs = {}) {
  Step step;
  step.id = StepId(std::move(id));
  step.tool.use = "check.secrets";
  step.tool.with = Json::object({{"new_max", 0}});
  step.needs = std::move(needs);
  step.idempotent = true;
  return step;
}

Json output(const std::string& step, const std::string& member) {
  return Json::object({{kOutputKey.data(), Json::object({{"step", step}, {"member", member}})}});
}

Json equals(Json left, Json right) {
  return Json::object({{"equals", Json::array({std::move(left), std::move(right)})}});
}

/// A plan that uses every optional member.
Plan full_plan() {
  Step write;
  write.id = StepId("note");
  write.tool.use = "file.write";
  write.tool.with = Json::object(
      {{"path", "NOTE"},
       {"content",
        Json::object({{kTextKey.data(), Json::array({"hits: ", output("find", "count")})}})}});
  write.needs = {StepId("find")};
  write.phase = "change";
  write.gate = StepGate{2, "security", false, "write the note?"};
  write.risk = "high";
  write.budget = {{"bytes_written", 4096}, {"wall_ms", 1000}};
  write.retry = Retry{3, 500, {"timed_out", "transient"}};
  write.when = Json::object({{"not", equals(output("find", "count"), 0)}});
  Step find = search_step("find");
  find.phase = "look";
  Plan plan = plan_of({find, write});
  plan.phases = {"look", "change"};
  plan.workspace = "worktree";
  plan.includes = {TemplateReference{"other", "1.2.0", digest_bytes("other")}};
  plan.acceptance = {check_step("acceptance[1]"), check_step("acceptance[2]")};
  return plan;
}

Result<SealedPlan> sealed(Plan plan) {
  return seal(DraftKey::make(std::move(plan)));
}

template <class Change>
testing::AssertionResult refused(Change change, const std::string& code,
                                 const std::string& message) {
  Plan plan = full_plan();
  change(plan);
  return test::refused(sealed(std::move(plan)), code, message);
}

TEST(SealOptions, EveryMemberSurvivesTheFile) {
  const auto plan = sealed(full_plan());
  ASSERT_TRUE(test::accepted(plan));
  const auto again = read_sealed_plan(write_sealed_plan(*plan), "plan.json");
  ASSERT_TRUE(test::accepted(again));
  EXPECT_EQ(again->plan(), plan->plan());
  EXPECT_EQ(again->digest(), plan->digest());
  EXPECT_NE(plan->find(StepId("acceptance[2]")), nullptr);
}

TEST(SealOptions, MembersNobodyUsesAreAbsent) {
  const auto plan = sealed(plan_of({search_step("find")}));
  ASSERT_TRUE(test::accepted(plan));
  for (const std::string_view key :
       {"acceptance", "includes", "phases", "phase", "gate", "risk", "budget", "retry", "when"}) {
    EXPECT_EQ(plan->bytes().find("\"" + std::string(key) + "\":"), std::string::npos) << key;
  }
}

TEST(SealOptions, EveryMemberIsInTheDigest) {
  const Digest digest = sealed(full_plan())->digest();
  const std::vector<std::function<void(Plan&)>> changes = {
      [](Plan& plan) { plan.acceptance.pop_back(); },
      [](Plan& plan) { plan.includes[0].version = "1.2.1"; },
      [](Plan& plan) { plan.workspace = "in_place"; },
      [](Plan& plan) { plan.phases.emplace_back("after"); },
      [](Plan& plan) { plan.steps[1].gate->count = 1; },
      [](Plan& plan) { plan.steps[1].gate->self = true; },
      [](Plan& plan) { plan.steps[1].risk = "critical"; },
      [](Plan& plan) { plan.steps[1].budget["wall_ms"] = 999; },
      [](Plan& plan) { plan.steps[1].retry->reasons = {"failed"}; },
      [](Plan& plan) { plan.steps[1].when = equals(output("find", "count"), 1); },
  };
  for (const auto& change : changes) {
    Plan plan = full_plan();
    change(plan);
    const auto other = sealed(std::move(plan));
    ASSERT_TRUE(test::accepted(other));
    EXPECT_NE(other->digest(), digest);
  }
}

TEST(SealOptions, MistakesOfOptions) {
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[1].gate->count = 0; }, "plan.bad_option",
                      "has a gate without a count"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[1].risk = "huge"; }, "plan.bad_option",
                      "unknown risk `huge`"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[1].budget["steps"] = 1; }, "plan.bad_option",
                      "bound of `steps`"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[1].retry->attempts_max = 11; }, "plan.bad_option",
                      "beyond 2 to 10 attempts"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[1].retry->reasons = {"transient", "failed"}; },
                      "plan.bad_option", "beyond 2 to 10 attempts"));
  EXPECT_TRUE(
      refused([](Plan& plan) { plan.workspace = "cloud"; }, "plan.bad_value", "workspace `cloud`"));
}

TEST(SealOptions, MistakesOfOutputsAndConditions) {
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[1].when = equals(1, 1); }, "plan.bad_condition",
                      "no run can change"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[1].when = equals(output("find", "count"), "3"); },
                      "plan.never_true", "the condition of step `note` can never hold"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[1].when = equals(output("find", "cuont"), 3); },
                      "plan.unknown_output",
                      "step `note` uses `cuont` of `find`, which has no such"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[1].when = equals(output("fnid", "count"), 3); },
                      "plan.unknown_output", "which is no step"));
  EXPECT_TRUE(refused(
      [](Plan& plan) {
        plan.phases.clear();
        plan.steps[0].phase.reset();
        plan.steps[1].phase.reset();
        plan.steps[1].needs.clear();
      },
      "plan.unordered_output", "without an order between them"));
  EXPECT_TRUE(
      refused([](Plan& plan) { plan.steps[1].tool.with.set("path", output("find", "count")); },
              "tool.open_input", "input `path` cannot be an output of another step"));
}

TEST(SealOptions, MistakesOfPhases) {
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[0].phase.reset(); }, "plan.bad_phase",
                      "step `find` is of no phase"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[0].phase = "search"; }, "plan.bad_phase",
                      "the phase `search`, which the plan does not name"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.phases = {"change", "look"}; }, "plan.bad_phase",
                      "step `find` does not come after `note`"));
}

TEST(SealOptions, MistakesOfAcceptance) {
  EXPECT_TRUE(refused([](Plan& plan) { plan.acceptance[1].id = StepId("acceptance[3]"); },
                      "plan.bad_id", "is not number 2 of `acceptance`"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.acceptance[0].needs = {StepId("find")}; },
                      "plan.bad_acceptance", "has needs"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.acceptance[0].tool = search_step("x").tool; },
                      "plan.bad_acceptance", "uses `search.text`, which neither checks nor asks"));
  EXPECT_TRUE(refused([](Plan& plan) { plan.steps[0].id = StepId("acceptance"); }, "plan.bad_id",
                      "`acceptance` is no step id"));
}

TEST(SealOptions, AcceptanceDoesNotRaceWithSteps) {
  Plan plan = plan_of({edit_step("edit", "a.c")});
  plan.acceptance = {check_step("acceptance[1]"), check_step("acceptance[2]")};
  EXPECT_TRUE(test::accepted(sealed(std::move(plan))));
}

}  // namespace
}  // namespace rgx::templates
