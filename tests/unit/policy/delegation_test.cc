#include <gtest/gtest.h>

#include "policy/decision.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

std::string repository(std::string_view rules) {
  return lower("repository", rules);
}

constexpr std::string_view kRepositoryRules = R"(rules:
  - id: builds
    effect: allow
    tool: [exec, "file.write"]
    argv: [make, "**"]
    read: ["**"]
    write: ["**"]
    env: ["CI", "LD_*"]
    hosts: ["a.org:443"]
    why: "w"
    remedy: "m"
  - {id: writes, effect: allow, tool: "file.write", write: ["**"], why: "w", remedy: "m"}
)";

std::string top(std::string_view delegation) {
  return org(
      "programs:\n  make: {paths: [\"/usr/bin/make\"]}\n"
      "  ninja: {paths: [\"/usr/bin/ninja\"]}\ndelegate:\n  - " +
      std::string(delegation) + "\n");
}

std::string make(std::string_view more) {
  return R"({"use":"exec","with":{"argv":["make"]},)" + std::string(more) + "}";
}

TEST(Delegation, LowerLayerGrantsInsideTheEnvelope) {
  const PolicySet policy = must_stack(
      {top(R"({to: repository, tool: exec, programs: [make], read: ["**"], write: ["build/**"],
    env: ["CI"]})"),
       repository(kRepositoryRules)});
  const Decision decision = eval(policy, make(R"("read":["src/**"],"write":["build/o"])"));
  EXPECT_EQ(answer(decision), "allow") << describe(decision);
  EXPECT_EQ(deciding(decision), "builds");
  EXPECT_EQ(decision.deciding.front().layer, Layer::repository);
}

TEST(Delegation, NothingOutsideTheEnvelopeIsGranted) {
  const PolicySet policy =
      must_stack({top(R"({to: repository, tool: exec, programs: [make], read: ["src/**"],
    write: ["build/**"], env: ["CI"]})"),
                  repository(kRepositoryRules)});
  struct Case {
    std::string request;
    std::string_view element;
  };
  const std::vector<Case> cases = {
      {make(R"("read":["src/**"],"write":["dist/o"])"), "dist/o"},
      {make(R"("read":["src/**"],"write":["**"])"), "**"},
      {make(R"("read":["README"],"write":[])"), "README"},
      {make(R"("read":[],"write":[],"hosts":["a.org:443"])"), "a.org:443"},
      {R"({"use":"exec","with":{"argv":["make"],"env":{"LD_PRELOAD":"x"}},"read":[],"write":[]})",
       "LD_PRELOAD"},
      {R"({"use":"file.write","with":{"path":"build/x"}})", "build/x"},
  };
  for (const Case& test : cases) {
    const Decision decision = eval(policy, test.request);
    EXPECT_EQ(answer(decision), "deny") << test.request;
    ASSERT_EQ(decision.ungranted.size(), 1U) << describe(decision);
    EXPECT_EQ(decision.ungranted.front().element, test.element);
    EXPECT_NE(text_of(decision).find("layer `repository` may not grant this"), std::string::npos)
        << describe(decision);
  }
}

TEST(Delegation, ProgramMustBeNamed) {
  const PolicySet policy = must_stack(
      {top(R"({to: repository, tool: exec, programs: [ninja], read: ["**"], write: ["build/**"]})"),
       repository(kRepositoryRules)});
  EXPECT_EQ(answer(eval(policy, make(R"("read":[],"write":[])"))), "deny");
}

TEST(Delegation, WithoutOneALowerLayerGrantsNothing) {
  const PolicySet policy = must_stack({org(""), repository(kRepositoryRules)});
  EXPECT_EQ(answer(eval(policy, R"({"use":"file.write","with":{"path":"a"}})")), "deny");
}

TEST(Delegation, ToAnotherLayerDoesNotCount) {
  const PolicySet policy = must_stack({top(R"({to: user, tool: "file.*", write: ["**"]})"),
                                       lower("user", ""), repository(kRepositoryRules)});
  EXPECT_EQ(answer(eval(policy, R"({"use":"file.write","with":{"path":"a"}})")), "deny");
}

TEST(Delegation, PassesOnOnlyWhatItHas) {
  const auto with_user = [](std::string_view user_write, std::string_view top_write) {
    return must_stack(
        {top("{to: user, tool: \"file.*\", write: [\"" + std::string(top_write) + "\"]}"),
         lower("user", "delegate: [{to: repository, tool: \"file.*\", write: [\"" +
                           std::string(user_write) + "\"]}]\n"),
         repository(kRepositoryRules)});
  };
  const std::string_view write = R"({"use":"file.write","with":{"path":"src/a"}})";
  EXPECT_EQ(answer(eval(with_user("src/**", "**"), write)), "allow");
  EXPECT_EQ(answer(eval(with_user("**", "src/**"), write)), "allow");
  EXPECT_EQ(answer(eval(with_user("**", "lib/**"), write)), "deny");
  EXPECT_EQ(answer(eval(with_user("lib/**", "**"), write)), "deny");
}

TEST(Delegation, StepWithoutElementsNeedsItsToolDelegated) {
  const std::string asks = repository(
      R"(rules: [{id: asks, effect: allow, tool: "human.approve", why: "w", remedy: "m"}]
)");
  const std::string_view ask = R"({"use":"human.approve"})";
  EXPECT_EQ(answer(eval(must_stack({top(R"({to: repository, tool: exec})"), asks}), ask)), "deny");
  EXPECT_EQ(answer(eval(must_stack({top(R"({to: repository, tool: "human.*"})"), asks}), ask)),
            "allow");
}

TEST(Delegation, LowerDenialsAndQuestionsCountWithoutOne) {
  const std::string allows = org(R"(rules:
  - {id: all, effect: allow, tool: "file.read", read: ["**"], why: "w", remedy: "m"}
)");
  const std::string_view read = R"({"use":"file.read","with":{"path":"a"}})";
  const auto below = [](std::string_view layer, std::string_view effect) {
    return lower(layer, "rules:\n  - {id: below, effect: " + std::string(effect) +
                            ", read: [\"a\"], why: \"w\", remedy: \"m\"}\n");
  };
  for (const std::string_view layer : {"user", "repository", "run"}) {
    EXPECT_EQ(deciding(eval(must_stack({allows, below(layer, "deny")}), read)), "below");
    EXPECT_EQ(answer(eval(must_stack({allows, below(layer, "require_approval")}), read)),
              "require_approval");
  }
}

TEST(Exceptions, LiftOnlyTheirOwnLayersRulesAndLowerOnes) {
  const std::string allow_and_deny = R"(rules:
  - {id: all, effect: allow, tool: "file.read", read: ["**"], why: "w", remedy: "m"}
  - {id: frozen, effect: deny, read: ["x/**"], why: "w", remedy: "m"}
)";
  const std::string exception =
      R"(, rule: frozen, read: ["x/a"], owner: o, ticket: t, reason: r, expires: "2027-01-31"})";
  const std::string_view read = R"({"use":"file.read","with":{"path":"x/a"}})";
  // The same id in a lower layer is another rule.
  const std::string below = repository(
      "rules:\n  - {id: frozen, effect: deny, read: [\"x/**\"], why: \"w\", remedy: "
      "\"m\"}\nexceptions:\n  - {layer: repository" +
      exception + "\n");
  const Decision decision = eval(must_stack({org(allow_and_deny), below}), read);
  EXPECT_EQ(answer(decision), "deny");
  EXPECT_EQ(decision.deciding.front().layer, Layer::org);
  EXPECT_EQ(decision.exceptions, std::vector<std::string>{"frozen (t)"});
  const std::string above = org(allow_and_deny + "exceptions:\n  - {layer: org" + exception +
                                "\n  - {layer: repository" + exception + "\n");
  EXPECT_EQ(answer(eval(must_stack({above, below}), read)), "allow");
}

TEST(Exceptions, NeverLiftAHardRule) {
  // Loading and stacking refuse such an exception; deciding does not rely on that.
  Policy policy = must_load(org(R"(rules:
  - {id: all, effect: allow, tool: "file.read", read: ["**"], why: "w", remedy: "m"}
  - {id: frozen, effect: deny, read: ["x/**"], why: "w", remedy: "m"}
exceptions:
  - {rule: frozen, read: ["x/a"], owner: o, ticket: t, reason: r, expires: "2027-01-31"}
)"));
  policy.rules.back().hard = true;
  const auto stack = PolicySet::stack({policy});
  ASSERT_TRUE(stack.has_value());
  EXPECT_EQ(deciding(eval(*stack, R"({"use":"file.read","with":{"path":"x/a"}})")), "frozen");
}

TEST(Exceptions, CoverEveryForm) {
  const PolicySet policy = must_stack({org(R"(rules:
  - {id: all, effect: allow, tool: "file.read", read: ["**"], why: "w", remedy: "m"}
  - {id: frozen, effect: deny, read: ["x/**"], why: "w", remedy: "m"}
exceptions:
  - {rule: frozen, read: ["x/a"], owner: o, ticket: t, reason: r, expires: "2027-01-31"}
)")});
  Facts facts = must_derive(R"({"use":"file.read","with":{"path":"x/a"}})");
  const DecideContext now{.now_unix_ms = kNow};
  EXPECT_EQ(answer(decide(policy, facts, now)), "allow");
  facts.reads.front().resolved = "x/b";
  EXPECT_EQ(deciding(decide(policy, facts, now)), "frozen");
  Facts tree = must_derive(R"({"use":"search.text","with":{"paths":["x"]}})");
  tree.tool = "file.read";
  EXPECT_EQ(deciding(decide(policy, tree, now)), "frozen");
}

}  // namespace
}  // namespace rgx::policy::test
