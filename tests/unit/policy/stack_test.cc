#include <gtest/gtest.h>

#include "policy/decision.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

using rgx::test::refused;

Result<PolicySet> stack(const std::vector<std::string>& texts) {
  std::vector<Policy> layers;
  for (const std::string& text : texts) {
    layers.push_back(must_load(text, "p" + std::to_string(layers.size()) + ".yaml"));
  }
  return PolicySet::stack(std::move(layers));
}

TEST(PolicySet, NeedsALayer) {
  EXPECT_TRUE(refused(stack({}), "policy.no_layers", "no policy to decide by"));
}

TEST(PolicySet, NeedsLayersInDescendingOrder) {
  EXPECT_TRUE(refused(stack({org(""), org("")}), "policy.layer_order",
                      "p1.yaml: layer `org` cannot stand below layer `org` of p0.yaml"));
  EXPECT_TRUE(refused(stack({lower("repository", "default: deny\n"), org("")}),
                      "policy.layer_order", "in the order org, user, repository, run"));
}

TEST(PolicySet, TopLayerNamesDefaultAndEveryBudget) {
  const auto result = stack({lower("user", "budgets:\n  run: {tokens: 5}\n")});
  ASSERT_TRUE(refused(result, "policy.missing_default", "add `default: deny`"));
  EXPECT_EQ(result.error().diagnostics.size(), 1U + 8U + 1U);
  EXPECT_TRUE(refused(stack({lower("user", "default: deny\n"), org("")}), "policy.layer_order",
                      "budgets.run.tokens"));
}

TEST(PolicySet, LowerLayerCannotSupplyABudgetThatTheTopLacks) {
  const std::string top = lower("org", "default: deny\nbudgets:\n  run: {tokens: 1}\n");
  const std::string below =
      lower("run", "budgets:\n  run: {cost_usd_micros: 1}\n  step: {wall_ms: 1}\n");
  EXPECT_TRUE(
      refused(stack({top, below}), "policy.missing_budget", "`budgets.run.cost_usd_micros`"));
}

TEST(PolicySet, StrictestOfAllLayersCounts) {
  const PolicySet policy =
      must_stack({org("review: none\nsandbox: best_effort\nconcurrency: {process: 4, model: 2}\n"),
                  lower("repository",
                        "sandbox: required\nconcurrency: {process: 2}\n"
                        "budgets:\n  run: {tokens: 7, steps: 99}\n  step: {wall_ms: 20}\n"),
                  lower("run", "concurrency: {process: 3}\nbudgets:\n  run: {tokens: 50}\n")});
  EXPECT_EQ(policy.budget().tokens, 7);
  EXPECT_EQ(policy.budget().steps, 10);
  EXPECT_EQ(policy.budget().processes, 10);
  EXPECT_EQ(policy.step_wall_ms(), 20);
  EXPECT_EQ(policy.slots("process"), 2);
  EXPECT_EQ(policy.slots("model"), 2);
  EXPECT_EQ(policy.slots("network"), 1);
  EXPECT_EQ(policy.review(), Review::none);
  EXPECT_EQ(policy.sandbox(), SandboxDemand::required);
}

TEST(PolicySet, UnsaidReviewAndSandboxAreStrict) {
  const PolicySet policy = must_stack({org("")});
  EXPECT_EQ(policy.review(), Review::plan);
  EXPECT_EQ(policy.sandbox(), SandboxDemand::required);
}

TEST(PolicySet, StepsNeverOutlastTheRun) {
  const PolicySet policy = must_stack({org(""), lower("run", "budgets:\n  run: {wall_ms: 100}\n")});
  EXPECT_EQ(policy.step_wall_ms(), 100);
}

TEST(PolicySet, GroupsMustHaveAnApprover) {
  EXPECT_TRUE(
      refused(stack({org("gates: {high: {count: 1, group: security}}\n")}), "policy.unknown_group",
              "p0.yaml:5:9: gate `high` asks for group `security`, which no approver is in"));
  EXPECT_TRUE(refused(stack({org(""), lower("repository", R"(rules:
  - {id: r, effect: require_approval, approval: {group: g}, why: "w", remedy: "m"}
)")}),
                      "policy.unknown_group", "rule `r` asks for group `g`"));
}

TEST(PolicySet, OnlyTheTopLayerListsApprovers) {
  const std::string approvers = "approvers: [{name: a, public_key: \"ed25519:AAAAAAAA\"}]\n";
  EXPECT_TRUE(refused(stack({org(""), lower("user", approvers)}), "policy.approver_layer",
                      "list approvers in the top layer, p0.yaml"));
}

TEST(PolicySet, ExceptionsFromLowerLayersRulesAreLookedUp) {
  const auto top = [](std::string_view rule) {
    return org("exceptions:\n  - {layer: repository, rule: " + std::string(rule) +
               ", write: [\"x/a\"], owner: o, ticket: t, reason: r, expires: \"2027-01-31\"}\n");
  };
  const std::string below = lower("repository", R"(rules:
  - {id: soft, effect: deny, write: ["x/**"], why: "w", remedy: "m"}
  - {id: hard-one, effect: deny, hard: true, write: ["x/**"], why: "w", remedy: "m"}
)");
  EXPECT_TRUE(rgx::test::accepted(stack({top("soft"), below})));
  EXPECT_TRUE(rgx::test::accepted(stack({top("soft")})));
  EXPECT_TRUE(refused(stack({top("sofd"), below}), "policy.unknown_rule",
                      "there is no rule `sofd` in p1.yaml"));
  EXPECT_TRUE(refused(stack({top("hard-one"), below}), "policy.exception_hard",
                      "rule `hard-one` of p1.yaml is hard"));
}

TEST(PolicySet, LowerLayersAddOnlyDelegatedPrograms) {
  const PolicySet policy =
      must_stack({org("delegate: [{to: repository, tool: exec, programs: [ninja, make]}]\n"
                      "programs: {make: {paths: [\"/usr/bin/make\"]}}\n"),
                  lower("repository",
                        "programs:\n  make: {paths: [\"/opt/evil/make\"]}\n"
                        "  ninja: {paths: [\"/usr/bin/ninja\"]}\n"
                        "  curl: {paths: [\"/usr/bin/curl\"]}\n")});
  ASSERT_NE(policy.find_program("make"), nullptr);
  EXPECT_EQ(policy.find_program("make")->paths, std::vector<std::string>{"/usr/bin/make"});
  EXPECT_NE(policy.find_program("ninja"), nullptr);
  EXPECT_EQ(policy.find_program("curl"), nullptr);
}

TEST(PolicySet, DescribesItsLayers) {
  const std::string top = org("");
  const PolicySet policy = must_stack({top, lower("run", "")});
  EXPECT_EQ(
      pretty(policy.describe_layers()),
      pretty(Json::array({Json::object({{"digest", digest_bytes(top).to_string()},
                                        {"file", "p0.yaml"},
                                        {"layer", "org"},
                                        {"name", "top"}}),
                          Json::object({{"digest", digest_bytes(lower("run", "")).to_string()},
                                        {"file", "p1.yaml"},
                                        {"layer", "run"},
                                        {"name", "run"}})})));
}

TEST(PolicySet, CopiesOutliveTheOriginal) {
  std::optional<PolicySet> copy;
  {
    const PolicySet original = must_stack({org(R"(rules:
  - {id: r, effect: allow, tool: "file.read", read: ["**"], why: "w", remedy: "m"}
)")});
    copy = original;
  }
  EXPECT_EQ(deciding(eval(*copy, R"({"use":"file.read","with":{"path":"a"}})")), "r");
}

}  // namespace
}  // namespace rgx::policy::test
