#include <gtest/gtest.h>

#include "policy/decision.h"
#include "tests/support/golden.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

constexpr std::string_view kReadA = R"({"use":"file.read","with":{"path":"src/a"}})";

/// A rule in one line.
std::string rule(std::string_view id, std::string_view effect, std::string_view matchers) {
  return "  - {id: " + std::string(id) + ", effect: " + std::string(effect) + ", " +
         std::string(matchers) + ", why: \"why of " + std::string(id) + "\", remedy: \"remedy of " +
         std::string(id) + "\"}\n";
}

TEST(Decide, AllowNamesTheRulesThatGranted) {
  const PolicySet policy =
      must_stack({org("rules:\n" + rule("wide", "allow", R"(tool: "*", read: ["**"])") +
                      rule("narrow", "allow", R"(tool: "file.read", read: ["src/*"])") +
                      rule("other", "allow", R"(tool: "file.read", read: ["lib/*"])"))});
  const Decision decision = eval(policy, kReadA);
  EXPECT_EQ(answer(decision), "allow");
  EXPECT_EQ(deciding(decision), "narrow,wide");
  EXPECT_EQ(decision.matched, decision.deciding);
  EXPECT_EQ(decision.remedy, "");
  EXPECT_EQ(decision.deciding.front().why, "why of narrow");
  EXPECT_EQ(to_string(decision.deciding.front().place), "p0.yaml:7:5");
}

TEST(Decide, DenyNamesItsRuleAndRemedy) {
  const PolicySet policy =
      must_stack({org("rules:\n" + rule("wide", "allow", R"(tool: "*", read: ["**"])") +
                      rule("stop", "deny", R"(read: ["src/**"])"))});
  const Decision decision = eval(policy, kReadA);
  EXPECT_EQ(answer(decision), "deny");
  EXPECT_EQ(deciding(decision), "stop");
  EXPECT_EQ(decision.matched.size(), 2U);
  EXPECT_EQ(decision.remedy, "remedy of stop");
}

TEST(Decide, DefaultDenyNamesTheElementAndWhatToAdd) {
  const PolicySet policy = must_stack({org("")});
  const Decision decision = eval(policy, kReadA);
  EXPECT_EQ(answer(decision), "deny");
  EXPECT_EQ(decision.deciding.size(), 0U);
  EXPECT_EQ(decision.ungranted, (std::vector<Ungranted>{{templates::Axis::read, "src/a"}}));
  EXPECT_EQ(decision.remedy,
            "no rule grants read of `src/a` to `file.read`: add `read: [\"src/a\"]` to an allow "
            "rule for it, or change the step");
}

TEST(Decide, EveryAxisNeedsAGrant) {
  // A rule for reading and one for writing together allow an edit; either alone does not.
  const std::string reads = rule("reads", "allow", R"(tool: "file.edit", read: ["**"])");
  const std::string writes = rule("writes", "allow", R"(tool: "file.edit", write: ["**"])");
  const std::string_view edit = R"({"use":"file.edit","with":{"path":"a"}})";
  EXPECT_EQ(answer(eval(must_stack({org("rules:\n" + reads)}), edit)), "deny");
  EXPECT_EQ(answer(eval(must_stack({org("rules:\n" + writes)}), edit)), "deny");
  EXPECT_EQ(deciding(eval(must_stack({org("rules:\n" + reads + writes)}), edit)), "reads,writes");
}

TEST(Decide, StepWithoutElementsNeedsARuleForItsTool) {
  const std::string_view ask = R"({"use":"human.approve"})";
  EXPECT_EQ(answer(eval(must_stack({org("")}), ask)), "deny");
  const Decision other =
      eval(must_stack({org("rules:\n" + rule("r", "allow", R"(tool: "file.read", read: ["**"])"))}),
           ask);
  EXPECT_EQ(answer(other), "deny");
  EXPECT_TRUE(other.ungranted.empty());
  EXPECT_NE(other.remedy.find("no rule allows `human.approve`"), std::string::npos);
  EXPECT_EQ(deciding(eval(
                must_stack({org("rules:\n" + rule("asks", "allow", R"(tool: "human.*")"))}), ask)),
            "asks");
}

struct NearCase {
  std::string_view matchers;
  std::string_view request;
  std::string_view reason;
};

TEST(Decide, NearMissesSayTheOneThingThatWasMissing) {
  const std::vector<NearCase> cases = {
      {R"(tool: "file.edit", read: ["**"])", kReadA, "tool `file.read` is not among `file.edit`"},
      {R"(tool: "file.read", read: ["lib/**"])", kReadA, "read `src/a` is not covered by `lib/**`"},
      {R"(tool: "file.read", read: ["**"], provenance: {read: [human]})",
       R"({"use":"file.read","with":{"path":"a"},"provenance":{"read":["model"]}})",
       "provenance of read is `model`, the rule wants only `human`"},
      {R"(tool: "file.read", read: ["**"], risk: [low])", kReadA,
       "risk is `medium`, the rule is for `low`"},
      {R"(tool: exec, argv: [make, test])",
       R"({"use":"exec","with":{"argv":["make","all"]},"read":[],"write":[]})",
       "argv[1] is `all`, the rule wants `test`"},
      {R"(tool: exec, argv: [make])",
       R"({"use":"exec","with":{"argv":["make","all"]},"read":[],"write":[]})",
       "the argv goes on after 1 word with `all`"},
      {R"(tool: exec, argv: [make, "*", x])",
       R"({"use":"exec","with":{"argv":["make","all"]},"read":[],"write":[]})",
       "argv[2] is missing, the rule wants `x`"},
      {R"(tool: exec, argv: [make, "**"])", R"({"use":"exec","with":{"argv":["make"]}})",
       "does not say `analysis: partial`"},
      {R"(tool: "http.get", hosts: ["a.org:443"])",
       R"({"use":"http.get","with":{"url":"https://b.org/"}})",
       "hosts `b.org:443` is not covered by `a.org:443`"},
      {R"(tool: exec, argv: [make])",
       R"({"use":"exec","with":{"argv":["make"],"env":{"CI":"1"}},"read":[],"write":[]})",
       "the rule names no `env`"},
      {R"(tool: exec, argv: [make], env: ["X_*"])",
       R"({"use":"exec","with":{"argv":["make"],"env":{"CI":"1"}},"read":[],"write":[]})",
       "env `CI` is not covered by `X_*`"},
      {R"(tool: "git.*", refs: ["refs/heads/x/*"])",
       R"({"use":"git.branch","with":{"name":"main"}})",
       "refs `refs/heads/main` is not covered by `refs/heads/x/*`"},
  };
  for (const NearCase& test : cases) {
    const PolicySet policy =
        must_stack({org("programs: {make: {paths: [\"/usr/bin/make\"]}}\nrules:\n" +
                        rule("near", "allow", test.matchers))});
    const Decision decision = eval(policy, test.request);
    EXPECT_EQ(answer(decision), "deny") << test.matchers;
    ASSERT_EQ(decision.near_misses.size(), 1U) << test.matchers << "\n" << describe(decision);
    EXPECT_EQ(decision.near_misses.front().rule, "near");
    EXPECT_NE(decision.near_misses.front().reason.find(test.reason), std::string::npos)
        << decision.near_misses.front().reason;
  }
}

TEST(Decide, TwoThingsMissingAreNoNearMiss) {
  const PolicySet policy = must_stack(
      {org("rules:\n" + rule("far", "allow", R"(tool: "file.edit", read: ["lib/**"])"))});
  EXPECT_TRUE(eval(policy, kReadA).near_misses.empty());
}

TEST(Decide, OnlyNearMissLendsItsRemedy) {
  const PolicySet policy = must_stack(
      {org("rules:\n" + rule("near", "allow", R"(tool: "file.read", read: ["lib/**"])"))});
  EXPECT_NE(eval(policy, kReadA).remedy.find("rule `near` says: remedy of near"),
            std::string::npos);
}

TEST(Decide, ProgramsAreStartedByNamesOfTheTable) {
  const PolicySet policy =
      must_stack({org("programs: {make: {paths: [\"/usr/bin/make\"]}}\nrules:\n" +
                      rule("all", "allow", R"(tool: exec, argv: [make, "**"])") +
                      rule("curl", "allow", R"(tool: exec, argv: [curl, "**"])"))});
  const auto exec = [](std::string_view program) {
    return R"({"use":"exec","with":{"argv":[")" + std::string(program) +
           R"("]},"read":[],"write":[]})";
  };
  EXPECT_EQ(answer(eval(policy, exec("make"))), "allow");
  const Decision unlisted = eval(policy, exec("curl"));
  EXPECT_EQ(answer(unlisted), "deny");
  ASSERT_FALSE(unlisted.near_misses.empty());
  EXPECT_EQ(unlisted.near_misses.front().rule, "rgx.program");
  EXPECT_EQ(unlisted.near_misses.front().reason, "`curl` is not in the table `programs`");
  EXPECT_EQ(unlisted.ungranted, (std::vector<Ungranted>{{templates::Axis::argv, "curl"}}));
  const Decision path = eval(policy, exec("/usr/bin/make"));
  EXPECT_EQ(answer(path), "deny");
  EXPECT_NE(text_of(path).find("is a path, and programs are started by name"), std::string::npos);
  EXPECT_EQ(path.remedy, "write the bare name of an entry of `programs`");
}

TEST(Decide, ResolvedProgramMustBeAListedPath) {
  const PolicySet policy =
      must_stack({org("programs: {make: {paths: [\"/usr/bin/make\"]}}\nrules:\n" +
                      rule("all", "allow", R"(tool: exec, argv: [make])"))});
  Facts facts = must_derive(R"({"use":"exec","with":{"argv":["make"]},"read":[],"write":[]})");
  facts.program->path = "/usr/bin/make";
  EXPECT_EQ(answer(decide(policy, facts, {})), "allow");
  facts.program->path = "/tmp/make";
  const Decision decision = decide(policy, facts, {});
  EXPECT_EQ(answer(decision), "deny");
  EXPECT_NE(text_of(decision).find("was resolved to `/tmp/make`"), std::string::npos);
}

TEST(Decide, PartialStepsNeedARuleThatSaysSo) {
  const auto policy = [](std::string_view more) {
    return must_stack({org(
        "programs: {make: {paths: [\"/usr/bin/make\"]}}\nrules:\n" +
        rule("r", "allow",
             R"(tool: exec, argv: [make], read: ["**"], write: ["**"])" + std::string(more)))});
  };
  const std::string_view undeclared = R"({"use":"exec","with":{"argv":["make"]}})";
  const std::string_view half = R"({"use":"exec","with":{"argv":["make"]},"read":["src/**"]})";
  const std::string_view declared =
      R"({"use":"exec","with":{"argv":["make"]},"read":["src/**"],"write":["build/a"]})";
  EXPECT_EQ(answer(eval(policy(""), undeclared)), "deny");
  EXPECT_EQ(answer(eval(policy(""), half)), "deny");
  EXPECT_EQ(answer(eval(policy(""), declared)), "allow");
  EXPECT_EQ(answer(eval(policy(", analysis: partial"), undeclared)), "allow");
  EXPECT_EQ(answer(eval(policy(", analysis: partial"), declared)), "allow");
  EXPECT_EQ(answer(eval(policy(", analysis: full"), undeclared)), "deny");
  EXPECT_NE(eval(policy(""), undeclared).remedy.find("declare its `read` and `write`"),
            std::string::npos);
}

TEST(Decide, PartialElementsAreNotGrantedByOrdinaryRules) {
  // The rule that accepts partial steps names only argv; reading stays ungranted.
  const PolicySet policy =
      must_stack({org("programs: {make: {paths: [\"/usr/bin/make\"]}}\nrules:\n" +
                      rule("starts", "allow", R"(tool: exec, argv: [make], analysis: partial)") +
                      rule("reads", "allow", R"(tool: exec, read: ["**"])"))});
  const Decision decision =
      eval(policy, R"({"use":"exec","with":{"argv":["make"]},"read":["src/a"]})");
  EXPECT_EQ(decision.ungranted, (std::vector<Ungranted>{{templates::Axis::read, "src/a"}}));
}

TEST(Decide, ResolvedFormCountsForDenialsAndGrants) {
  const PolicySet policy = must_stack(
      {org("rules:\n" + rule("reads", "allow", R"(tool: "file.read", read: ["src/**"])") +
           rule("keys", "deny", R"(read: ["home:.ssh/**"])"))});
  Facts facts = must_derive(kReadA);
  facts.reads.front().resolved = "src/b";
  EXPECT_EQ(answer(decide(policy, facts, {})), "allow");
  facts.reads.front().resolved = "abs:/etc/passwd";
  const Decision outside = decide(policy, facts, {});
  EXPECT_EQ(answer(outside), "deny");
  EXPECT_EQ(outside.ungranted.front().element, "src/a -> abs:/etc/passwd");
  facts.reads.front().resolved = "home:.ssh/id";
  EXPECT_EQ(deciding(decide(policy, facts, {})), "keys");
}

TEST(Decide, ApprovalsOfRulesAndGatesAreMerged) {
  const PolicySet policy = must_stack(
      {org("approvers: [{name: a, public_key: \"ed25519:AAAAAAAA\", groups: [g, h]}]\n"
           "risk: {default: high}\ngates: {high: {count: 2}}\nrules:\n" +
           rule("reads", "allow", R"(tool: "file.read", read: ["**"])") +
           rule("ask-g", "require_approval", R"(read: ["src/**"], approval: {group: g})") +
           rule("ask-any", "require_approval", R"(read: ["src/**"], approval: {self: true})") +
           rule("ask-h", "require_approval", R"(read: ["lib/**"], approval: {group: h})"))});
  const Decision decision = eval(policy, kReadA);
  EXPECT_EQ(answer(decision), "require_approval");
  EXPECT_EQ(deciding(decision), "ask-any,ask-g,gates.high");
  // Any two approvals do not make one of `g` needless, nor the other way round.
  EXPECT_EQ(decision.approvals, (std::vector<ApprovalDemand>{{1, "g", false}, {2, "", false}}));
}

TEST(Decide, ApprovalRuleNeverGrants) {
  const PolicySet policy = must_stack(
      {org("rules:\n" + rule("ask", "require_approval", R"(tool: "file.read", read: ["**"])"))});
  const Decision decision = eval(policy, kReadA);
  EXPECT_EQ(answer(decision), "deny");
  EXPECT_TRUE(decision.approvals.empty());
}

TEST(Decide, HighestMatchingRiskWinsAndGatesCount) {
  const PolicySet policy = must_stack(
      {org("risk:\n  default: low\n  levels:\n    - {level: high, tool: \"file.*\"}\n"
           "    - {level: critical, write: [\"src/**\"]}\ngates: {critical: {effect: deny}}\n"
           "rules:\n" +
           rule("all", "allow", R"(tool: "*", read: ["**"], write: ["**"])"))});
  EXPECT_EQ(eval(policy, kReadA).risk, Risk::high);
  EXPECT_EQ(eval(policy, R"({"use":"search.text","with":{"paths":["src"]}})").risk, Risk::low);
  const Decision write = eval(policy, R"({"use":"file.write","with":{"path":"src/a"}})");
  EXPECT_EQ(write.risk, Risk::critical);
  EXPECT_EQ(answer(write), "deny");
  EXPECT_EQ(deciding(write), "gates.critical");
}

TEST(Decide, RiskIsTheStrictestOfAllLayers) {
  const std::string top =
      org("risk: {default: low}\nrules:\n" + rule("all", "allow", R"(tool: "*", read: ["**"])"));
  EXPECT_EQ(eval(must_stack({top, lower("run", "risk: {default: high}\n")}), kReadA).risk,
            Risk::high);
  EXPECT_EQ(eval(must_stack({top, lower("run", "")}), kReadA).risk, Risk::low);
  EXPECT_EQ(eval(must_stack({org("")}), kReadA).risk, Risk::medium);
}

TEST(Decide, DeclaredPatternsAreDeniedWhereTheyMayHit) {
  const PolicySet policy = must_stack(
      {org("programs: {make: {paths: [\"/usr/bin/make\"]}}\nrules:\n" +
           rule("make", "allow", R"(tool: exec, argv: [make], read: ["**"], write: ["out/**"])") +
           rule("stop", "deny", R"(write: ["**/*.key"])"))});
  const auto exec = [](std::string_view write) {
    return R"({"use":"exec","with":{"argv":["make"]},"read":["src"],"write":[")" +
           std::string(write) + "\"]}";
  };
  EXPECT_EQ(answer(eval(policy, exec("out/*.o"))), "allow");
  EXPECT_EQ(deciding(eval(policy, exec("out/**"))), "stop");
  EXPECT_EQ(deciding(eval(policy, exec("out/a.key"))), "stop");
  EXPECT_EQ(answer(eval(policy, exec("**/*.o"))), "deny");
}

TEST(Decide, DeclaredPatternsAreGrantedOnlyWhole) {
  const PolicySet policy =
      must_stack({org("programs: {make: {paths: [\"/usr/bin/make\"]}}\nrules:\n" +
                      rule("make", "allow", R"(tool: exec, argv: [make], write: ["out/*"])"))});
  const auto exec = [](std::string_view write) {
    return R"({"use":"exec","with":{"argv":["make"]},"read":[],"write":[")" + std::string(write) +
           "\"]}";
  };
  EXPECT_EQ(answer(eval(policy, exec("out/*"))), "allow");
  EXPECT_EQ(answer(eval(policy, exec("out/*.o"))), "allow");
  EXPECT_EQ(answer(eval(policy, exec("out/**"))), "deny");
  EXPECT_EQ(answer(eval(policy, exec("*/a"))), "deny");
}

TEST(Decide, PathsWithGlobCharactersAreAlsoLiteral) {
  const PolicySet policy =
      must_stack({org("rules:\n" + rule("all", "allow", R"(tool: "file.read", read: ["**"])") +
                      rule("stop", "deny", R"(read: ["src/?id?.ts"])"))});
  EXPECT_EQ(deciding(eval(policy, R"({"use":"file.read","with":{"path":"src/[id].ts"}})")), "stop");
  EXPECT_EQ(deciding(eval(policy, R"({"use":"file.read","with":{"path":"lib/[id].ts"}})")), "all");
  EXPECT_EQ(deciding(eval(policy, R"({"use":"file.read","with":{"path":"lib/{a}.ts"}})")), "all");
}

std::string with_programs(std::string_view grammar, std::string_view rules) {
  std::string text = "programs:\n";
  for (const char* name : {"cat", "git", "make", "timeout"}) {
    text += "  " + std::string(name) + ": {paths: [\"/usr/bin/" + name + "\"]" +
            std::string(grammar) + "}\n";
  }
  return org(text + "rules:\n" + std::string(rules));
}

std::string exec_of(std::string_view argv, std::string_view declared = "") {
  return R"({"use":"exec","with":{"argv":)" + std::string(argv) + "}" + std::string(declared) + "}";
}

constexpr std::string_view kNothingDeclared = R"(,"read":[],"write":[])";

TEST(Decide, WrappedCommandsAreDecidedThemselves) {
  const std::string rules =
      rule("wrap", "allow", R"(tool: exec, argv: [timeout, "**"], analysis: partial)") +
      rule("make", "allow", R"(tool: exec, argv: [make, "**"])") +
      rule("no-push", "deny", R"(argv: [git, push, "**"])");
  const PolicySet known = must_stack({with_programs(", grammar: shipped", rules)});
  const auto asked = [](const PolicySet& policy, std::string_view argv) {
    return deciding(eval(policy, exec_of(argv, kNothingDeclared)));
  };
  EXPECT_EQ(asked(known, R"(["timeout","30","make"])"), "make,wrap");
  EXPECT_EQ(asked(known, R"(["timeout","30","git","push","-f"])"), "no-push");
  EXPECT_EQ(asked(known, R"(["timeout","30","cat","a"])"), "");  // nothing grants cat
  EXPECT_EQ(asked(known, R"(["make","git","push"])"), "make");
  // Without the wrapper's grammar nobody knows that the inner command is all there is.
  const PolicySet unknown = must_stack({with_programs("", rules)});
  EXPECT_EQ(asked(unknown, R"(["timeout","30","make"])"), "");
  EXPECT_EQ(asked(unknown, R"(["timeout","30","git","push","-f"])"), "no-push");
}

TEST(Decide, GrammarsSayWhatIsNotDeclared) {
  const std::string rules =
      rule("cat", "allow", R"(tool: exec, argv: [cat, "**"], read: ["src/**"])");
  const PolicySet known = must_stack({with_programs(", grammar: shipped", rules)});
  EXPECT_EQ(answer(eval(known, exec_of(R"(["cat","-n","src/a"])"))), "allow");
  EXPECT_EQ(answer(eval(known, exec_of(R"(["cat","lib/a"])"))), "deny");
  EXPECT_EQ(answer(eval(known, exec_of(R"(["cat","src/../../x"])"))), "deny");
  EXPECT_EQ(answer(eval(must_stack({with_programs("", rules)}), exec_of(R"(["cat","src/a"])"))),
            "deny");
}

TEST(Decide, ArgumentsThatAGrammarLacksAreDenied) {
  const std::string rules = rule("git", "allow", R"(tool: exec, argv: [git, "**"], read: ["**"])") +
                            rule("cat", "allow", R"(tool: exec, argv: [cat, "**"], read: ["**"])");
  const PolicySet known = must_stack({with_programs(", grammar: shipped", rules)});
  constexpr std::string_view kDeclared = R"(,"read":["**"],"write":[])";
  const auto asked = [&](const PolicySet& policy, std::string_view argv) {
    return deciding(eval(policy, exec_of(argv, kDeclared)));
  };
  EXPECT_EQ(asked(known, R"(["git","log","--oneline"])"), "git");
  EXPECT_EQ(asked(known, R"(["git","ls-remote","--upload-pa=x"])"), "rgx.arguments");
  EXPECT_EQ(asked(known, R"(["cat","--show-al","a"])"), "rgx.arguments");
  // Code among the arguments needs a rule that takes what is only partly known.
  EXPECT_EQ(asked(known, R"(["git","-c","core.pager=x","log"])"), "");
  const PolicySet unknown = must_stack({with_programs("", rules)});
  EXPECT_EQ(asked(unknown, R"(["git","ls-remote","--upload-pa=x"])"), "git");
}

TEST(Decide, ElementsAreSortedAndArgvIsReadable) {
  const Decision decision = eval(
      must_stack({org("")}),
      R"({"use":"exec","with":{"argv":["sh","-c","a b\n"],"env":{"Z":"1","A":"2"}},"read":["b","a"],
          "write":["c"],"hosts":["h.org:443"]})");
  std::string all;
  for (const Ungranted& item : decision.ungranted) {
    all += std::string(templates::to_string(item.axis)) + "=" + item.element + ";";
  }
  EXPECT_EQ(all, R"(argv=sh -c "a b\n";read=a;read=b;write=c;hosts=h.org:443;env=A;env=Z;)");
}

TEST(Decide, GoldenDecisions) {
  const PolicySet policy = must_stack({org(
      "approvers: [{name: a, public_key: \"ed25519:AAAAAAAA\", groups: [g]}]\n"
      "programs: {make: {paths: [\"/usr/bin/make\"]}}\nrules:\n" +
      rule("reads", "allow", R"(tool: ["file.*", exec], read: ["**"])") +
      rule("writes", "allow", R"(tool: "file.*", write: ["src/**"])") +
      rule("ask", "require_approval", R"(write: ["**/CMakeLists.txt"], approval: {group: g})") +
      rule("frozen", "deny", R"(write: ["src/ledger/**"])") +
      "exceptions:\n  - {rule: frozen, write: [\"src/ledger/hash.c\"], owner: o, ticket: "
      "\"SEC-812\", reason: r, expires: \"2027-01-31\"}\n")});
  const std::vector<std::string_view> requests = {
      R"({"use":"file.edit","with":{"path":"src/a"}})",
      R"({"use":"file.edit","with":{"path":"src/ledger/hash.c"}})",
      R"({"use":"file.edit","with":{"path":"src/ledger/mac.c"}})",
      R"({"use":"file.edit","with":{"path":"src/CMakeLists.txt"}})",
      R"({"use":"file.edit","with":{"path":"README"}})",
      R"({"use":"exec","with":{"argv":["curl","-o","x y"]},"read":["**"],"write":["src/**"]})",
      R"({"use":"file.write","with":{"path":".git/hooks/pre-commit"}})",
  };
  Json all = Json::array();
  std::string text;
  for (const std::string_view request : requests) {
    const Decision decision = eval(policy, request);
    all.push(to_json(decision));
    text += describe(decision) + "\n";
  }
  rgx::test::expect_golden("decision/decisions.json", pretty(all) + "\n");
  rgx::test::expect_golden("decision/decisions.txt", text);
}

}  // namespace
}  // namespace rgx::policy::test
