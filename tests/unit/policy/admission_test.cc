#include "policy/admission.h"

#include <gtest/gtest.h>

#include "base/canonical.h"
#include "policy/step_decision.h"
#include "templates/seal.h"
#include "tests/support/error_matchers.h"
#include "tests/support/golden.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

using templates::SealedPlan;
using templates::Step;

constexpr std::string_view kPolicy = R"(programs:
  make: {paths: ["/usr/bin/make"]}
rules:
  - id: edits
    effect: allow
    tool: ["file.edit", "file.write", "git.commit"]
    read: ["**"]
    write: ["src/**"]
    refs: [HEAD]
    why: "w"
    remedy: "m"
  - id: makes
    effect: allow
    tool: [exec, "check.tests"]
    argv: [make, "**"]
    read: ["**"]
    write: ["build/**"]
    why: "w"
    remedy: "m"
  - {id: frozen, effect: deny, write: ["src/ledger/**"], why: "w", remedy: "m"}
exceptions:
  - {rule: frozen, write: ["src/ledger/hash.c"], owner: o, ticket: t, reason: r,
     expires: "2026-01-31"}
)";

Step edit_step(std::string id, std::string path) {
  Step step;
  step.id = StepId(std::move(id));
  step.tool.use = "file.edit";
  step.tool.with =
      Json::object({{"path", std::move(path)},
                    {"edits", Json::array({Json::object({{"word", "a"}, {"to", "b"}})})}});
  return step;
}

Step make_step(std::string id, std::vector<StepId> needs) {
  Step step;
  step.id = StepId(std::move(id));
  step.tool.use = "exec";
  step.tool.with = Json::object({{"argv", Json::array({"make", "test"})}});
  step.tool.read = {"**"};
  step.tool.write = {"build/**"};
  step.needs = std::move(needs);
  return step;
}

/// Sealed as a reader of a plan file would.
SealedPlan sealed(std::vector<Step> steps) {
  templates::Plan plan;
  plan.intent = "an intent";
  plan.from = {"sample", "1.0.0", digest_bytes("template")};
  plan.steps = std::move(steps);
  const Json body = to_json(plan);
  const std::string file =
      canonical(Json::object({{"digest", digest_of("rgx.plan/v1", body).to_string()},
                              {"plan", body},
                              {"schema", "rgx.sealed-plan/v1"}})) +
      "\n";
  auto read = templates::read_sealed_plan(file, "plan.json");
  EXPECT_TRUE(rgx::test::accepted(read));
  return std::move(*read);
}

AdmissionInput input_for(const SealedPlan& plan) {
  AdmissionInput input;
  for (const Step& step : plan.plan().steps) {
    auto facts = derive(step);
    EXPECT_TRUE(rgx::test::accepted(facts));
    if (facts->program) {
      facts->program->path = "/usr/bin/make";
      facts->program->digest = digest_bytes("make");
    }
    input.facts.emplace(step.id, std::move(*facts));
  }
  input.base_revision = "0123456789abcdef0123456789abcdef01234567";
  input.now_unix_ms = kNow;
  return input;
}

SealedPlan two_steps() {
  return sealed({edit_step("edit", "src/a.c"), make_step("test", {StepId("edit")})});
}

Admission admitted(const SealedPlan& plan, const PolicySet& policy, const AdmissionInput& input) {
  auto admission = admit(plan, policy, input);
  EXPECT_TRUE(rgx::test::accepted(admission));
  return std::move(*admission);
}

Digest digest_for(const SealedPlan& plan, const PolicySet& policy, const AdmissionInput& input) {
  const Admission admission = admitted(plan, policy, input);
  const auto* plan_admitted = std::get_if<AdmittedPlan>(&admission);
  EXPECT_NE(plan_admitted, nullptr);
  return plan_admitted == nullptr ? Digest() : plan_admitted->digest();
}

TEST(Admission, BindsPlanPolicyProgramsAndDecisions) {
  const PolicySet policy = must_stack({org(kPolicy)});
  const SealedPlan plan = two_steps();
  const Admission admission = admitted(plan, policy, input_for(plan));
  ASSERT_TRUE(std::holds_alternative<AdmittedPlan>(admission));
  const auto& result = std::get<AdmittedPlan>(admission);
  EXPECT_EQ(result.plan().digest(), plan.digest());
  EXPECT_EQ(result.decisions().size(), 2U);
  EXPECT_EQ(deciding(result.decision(StepId("edit"))), "edits");
  EXPECT_EQ(deciding(result.decision(StepId("test"))), "makes");
  const Json described = result.describe();
  EXPECT_EQ(described.find("digest")->as_string(),
            digest_of("rgx.admission/v1", *described.find("covers")).to_string());
  rgx::test::expect_golden("admission/example.json", canonical(described) + "\n");
}

TEST(Admission, DigestDependsOnEveryThingCovered) {
  const PolicySet policy = must_stack({org(kPolicy)});
  const SealedPlan plan = two_steps();
  const AdmissionInput input = input_for(plan);
  const Digest before = digest_for(plan, policy, input);

  AdmissionInput revision = input;
  revision.base_revision = "f123456789abcdef0123456789abcdef01234567";
  EXPECT_NE(digest_for(plan, policy, revision), before);

  AdmissionInput program = input;
  program.facts.at(StepId("test")).program->digest = digest_bytes("another make");
  EXPECT_NE(digest_for(plan, policy, program), before);

  AdmissionInput path = input;
  path.facts.at(StepId("edit")).writes.front().resolved = "src/b.c";
  EXPECT_NE(digest_for(plan, policy, path), before);

  EXPECT_NE(digest_for(plan, must_stack({org(std::string(kPolicy) + "# comment\n")}), input),
            before);
  EXPECT_NE(digest_for(plan, must_stack({org(kPolicy), lower("run", "")}), input), before);

  const SealedPlan other =
      sealed({edit_step("edit", "src/b.c"), make_step("test", {StepId("edit")})});
  EXPECT_NE(digest_for(other, policy, input_for(other)), before);
}

TEST(Admission, DigestDependsOnNothingElse) {
  const PolicySet policy = must_stack({org(kPolicy)});
  const SealedPlan plan = two_steps();
  AdmissionInput input = input_for(plan);
  const Digest before = digest_for(plan, policy, input);
  input.now_unix_ms += 1;
  EXPECT_EQ(digest_for(plan, policy, input), before);
  // The same bytes under another file name, as in a copy of the repository elsewhere.
  auto moved = PolicySet::stack({must_load(org(kPolicy), "/elsewhere/p.yaml")});
  ASSERT_TRUE(rgx::test::accepted(moved));
  EXPECT_EQ(digest_for(plan, *moved, input), before);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(digest_for(two_steps(), must_stack({org(kPolicy)}), input), before);
  }
}

TEST(Admission, TimeCountsThroughExceptions) {
  const PolicySet policy = must_stack({org(kPolicy)});
  const SealedPlan plan = sealed({edit_step("edit", "src/ledger/hash.c")});
  AdmissionInput input = input_for(plan);
  EXPECT_TRUE(std::holds_alternative<AdmittedPlan>(admitted(plan, policy, input)));
  input.now_unix_ms += 40LL * 24 * 60 * 60 * 1000;
  const Admission later = admitted(plan, policy, input);
  ASSERT_TRUE(std::holds_alternative<Refusal>(later));
  EXPECT_EQ(deciding(std::get<Refusal>(later).denied.at(StepId("edit"))), "frozen");
}

TEST(Admission, OneDeniedStepRefusesThePlan) {
  const PolicySet policy = must_stack({org(kPolicy)});
  const SealedPlan plan =
      sealed({edit_step("a", "src/a.c"), edit_step("b", "README"), edit_step("c", "src/ledger/x")});
  const Admission admission = admitted(plan, policy, input_for(plan));
  ASSERT_TRUE(std::holds_alternative<Refusal>(admission));
  const auto& refusal = std::get<Refusal>(admission);
  ASSERT_EQ(refusal.denied.size(), 2U);
  EXPECT_TRUE(refusal.denied.contains(StepId("b")));
  EXPECT_TRUE(refusal.denied.contains(StepId("c")));
  EXPECT_TRUE(refusal.over_budget.empty());
  rgx::test::expect_golden("admission/refusal.json", canonical(to_json(refusal)) + "\n");
}

TEST(Admission, WorstCaseOverBudgetRefusesThePlan) {
  const std::string limits = lower("run", "budgets:\n  run: {files_changed: 1, processes: 0}\n");
  const PolicySet policy = must_stack({org(kPolicy), limits});
  const SealedPlan plan = sealed({edit_step("a", "src/a.c"), edit_step("b", "src/b.c"),
                                  make_step("c", {StepId("a"), StepId("b")})});
  const Admission admission = admitted(plan, policy, input_for(plan));
  ASSERT_TRUE(std::holds_alternative<Refusal>(admission));
  const auto& refusal = std::get<Refusal>(admission);
  EXPECT_TRUE(refusal.denied.empty());
  ASSERT_EQ(refusal.over_budget.size(), 2U);
  EXPECT_EQ(refusal.over_budget[0].field, "files_changed");
  EXPECT_EQ(refusal.over_budget[0].needed, 2);
  EXPECT_EQ(refusal.over_budget[0].allowed, 1);
  // Zero is none, not unlimited.
  EXPECT_EQ(refusal.over_budget[1].field, "processes");
  EXPECT_EQ(refusal.over_budget[1].needed, 1);
  EXPECT_EQ(refusal.over_budget[1].allowed, 0);
}

TEST(Admission, RequiredChecksMustComeBefore) {
  const PolicySet policy =
      must_stack({org(std::string(kPolicy) +
                      "require_checks: [{tool: \"git.commit\", checks: [\"check.tests\"]}]\n")});
  Step commit;
  commit.id = StepId("z-commit");
  commit.tool.use = "git.commit";
  commit.tool.with = Json::object({{"message", "m"}, {"paths", Json::array({"lib"})}});
  Step tests = make_step("m-test", {StepId("edit")});
  tests.tool.use = "check.tests";
  const auto plan_with = [&](std::vector<StepId> needs) {
    Step last = commit;
    last.needs = std::move(needs);
    return sealed({edit_step("edit", "src/a.c"), tests, last});
  };
  const SealedPlan bare = plan_with({StepId("edit")});
  const Admission refused = admitted(bare, policy, input_for(bare));
  ASSERT_TRUE(std::holds_alternative<Refusal>(refused));
  const Decision& decision = std::get<Refusal>(refused).denied.at(StepId("z-commit"));
  EXPECT_EQ(deciding(decision), "rgx.require_checks");
  EXPECT_NE(decision.remedy.find("`check.tests`"), std::string::npos);
  // Through another step, too.
  const SealedPlan through = plan_with({StepId("m-test")});
  EXPECT_TRUE(std::holds_alternative<AdmittedPlan>(admitted(through, policy, input_for(through))));
}

TEST(Admission, ApprovalsAreAdmittedAndCovered) {
  const std::string asks = lower("run", R"(rules:
  - {id: asks, effect: require_approval, write: ["src/a.c"], why: "w", remedy: "m"}
)");
  const PolicySet policy = must_stack({org(kPolicy), asks});
  const SealedPlan plan = two_steps();
  const Admission admission = admitted(plan, policy, input_for(plan));
  ASSERT_TRUE(std::holds_alternative<AdmittedPlan>(admission));
  const auto& result = std::get<AdmittedPlan>(admission);
  EXPECT_EQ(answer(result.decision(StepId("edit"))), "require_approval");
  EXPECT_NE(
      canonical(result.describe()).find(R"("approvals":[{"count":1,"group":"","self":false}])"),
      std::string::npos);
}

Decision decided(const PolicySet& policy, const Step& step) {
  const auto facts = derive(step);
  EXPECT_TRUE(rgx::test::accepted(facts));
  return decide_step(policy, step, *facts, kNow);
}

TEST(StepDecision, RiskOfTheStepRaisesAndNeverLowers) {
  const PolicySet policy = must_stack({org(std::string(kPolicy) + R"(risk:
  default: high
gates:
  critical: {effect: deny}
)")});
  Step step = edit_step("a", "src/a.c");
  step.risk = "low";
  EXPECT_EQ(decided(policy, step).risk, Risk::high);
  EXPECT_EQ(answer(decided(policy, step)), "allow");
  step.risk = "critical";
  EXPECT_EQ(decided(policy, step).risk, Risk::critical);
  EXPECT_EQ(deciding(decided(policy, step)), "gates.critical");
}

TEST(StepDecision, GateOfTheStepTightensAndNeverLoosens) {
  const PolicySet policy = must_stack({org(kPolicy)});
  Step step = edit_step("a", "src/a.c");
  step.gate = templates::StepGate{.count = 2, .group = "leads", .self = false, .message = "look"};
  const Decision asked = decided(policy, step);
  EXPECT_EQ(answer(asked), "require_approval");
  EXPECT_EQ(deciding(asked), "rgx.step_gate");
  ASSERT_EQ(asked.approvals.size(), 1U);
  EXPECT_EQ(asked.approvals.front(), (ApprovalDemand{.count = 2, .group = "leads", .self = false}));
  step.tool.with.set("path", "src/ledger/mac.c");
  EXPECT_EQ(answer(decided(policy, step)), "deny");
}

TEST(StepDecision, StepBudgetLowersAndNeverRaises) {
  const PolicySet policy =
      must_stack({org(""), lower("run", "budgets:\n  step: {files_changed: 7}\n")});
  Step step = make_step("a", {});
  step.budget = {{"files_changed", 3}, {"wall_ms", 10}};
  EXPECT_EQ(worst_case(step, policy).files_changed, 3);
  EXPECT_EQ(worst_case(step, policy).wall_ms, 10);
  step.budget = {{"files_changed", 300}, {"wall_ms", 100000}};
  EXPECT_EQ(worst_case(step, policy).files_changed, 7);
  EXPECT_EQ(worst_case(step, policy).wall_ms, 500);
}

TEST(WorstCase, FollowsFromTheContract) {
  const PolicySet policy = must_stack(
      {org(""), lower("run", "budgets:\n  step: {files_changed: 7, bytes_written: 900}\n")});
  const PolicySet plain = must_stack({org("")});
  const RunBudget edit = worst_case(edit_step("a", "src/a.c"), plain);
  EXPECT_EQ(edit, (RunBudget{.wall_ms = 500, .steps = 1, .files_changed = 1}));
  // A name with the characters of a pattern is one file like any other.
  EXPECT_EQ(worst_case(edit_step("a", "src/a[1]*?.c"), plain).files_changed, 1);
  EXPECT_EQ(worst_case(edit_step("a", "src/a.c"), policy).bytes_written, 900);
  const RunBudget make = worst_case(make_step("a", {}), policy);
  EXPECT_EQ(make.processes, 1);
  EXPECT_EQ(make.files_changed, 7);
  EXPECT_EQ(worst_case(make_step("a", {}), plain).files_changed, 0);
  Step write;
  write.tool.use = "file.write";
  write.tool.with = Json::object({{"path", "a"}, {"content", "12345"}});
  EXPECT_EQ(worst_case(write, policy).bytes_written, 5);
  Step model;
  model.tool.use = "llm.generate";
  model.tool.with = Json::object({{"prompt", "p"}, {"tokens_max", 1000}});
  EXPECT_EQ(worst_case(model, policy).tokens, 1000);
  EXPECT_EQ(worst_case(model, policy).model_calls, 1);
  Step slow = make_step("a", {});
  slow.timeout_ms = 100000;
  EXPECT_EQ(worst_case(slow, policy).wall_ms, 500);
  slow.timeout_ms = 20;
  EXPECT_EQ(worst_case(slow, policy).wall_ms, 20);
}

}  // namespace
}  // namespace rgx::policy::test
