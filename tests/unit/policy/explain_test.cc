#include "policy/explain.h"

#include <gtest/gtest.h>

#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

constexpr std::string_view kRules = R"(
rules:
  - id: a-edit
    effect: allow
    tool: ["file.edit"]
    read: ["src/**"]
    write: ["src/**"]
    why: "sources"
    remedy: "change src/"
  - id: b-read
    effect: allow
    tool: ["file.*"]
    read: ["**"]
    why: "reading"
    remedy: "none"
  - id: c-human
    effect: allow
    tool: ["file.edit"]
    write: ["docs/**"]
    provenance: {write: [template]}
    why: "documents"
    remedy: "name the file in the template"
  - id: d-frozen
    effect: deny
    write: ["src/ledger/**"]
    why: "frozen"
    remedy: "ask"
  - id: e-ask
    effect: require_approval
    tool: ["file.edit"]
    write: ["**/Makefile"]
    why: "build files"
    remedy: "ask"
  - id: f-run
    effect: allow
    tool: [exec]
    argv: ["make", "**"]
    why: "make"
    remedy: "none"
exceptions:
  - {rule: d-frozen, write: ["src/ledger/hash.c"], owner: dana, ticket: T-1, reason: fix,
     expires: "2026-12-31"}
)";

Explanation explain_edit(std::string_view path) {
  const PolicySet policy = must_stack({org(kRules)});
  const Facts facts =
      must_derive(R"({"use":"file.edit","with":{"path":")" + std::string(path) + R"("}})");
  Explanation explained = explain(policy, facts, {.now_unix_ms = kNow});
  EXPECT_EQ(explained.decision, decide(policy, facts, {.now_unix_ms = kNow}));
  return explained;
}

std::string said(const Explanation& explained) {
  std::string text;
  for (const RuleSaid& rule : explained.rules) {
    text += rule.rule.substr(0, 1) + "=" + std::string(to_string(rule.what)) + " ";
  }
  return text + std::to_string(explained.other_tools);
}

const RuleSaid& rule_of(const Explanation& explained, std::string_view id) {
  for (const RuleSaid& rule : explained.rules) {
    if (rule.rule == id) {
      return rule;
    }
  }
  static const RuleSaid kNone;
  ADD_FAILURE() << "no rule " << id;
  return kNone;
}

TEST(Explain, SaysOfEachRuleWhatItSaid) {
  EXPECT_EQ(said(explain_edit("src/a.c")), "a=decides b=decides c=silent d=silent e=silent 1");
  EXPECT_EQ(said(explain_edit("src/ledger/a.c")),
            "a=matches b=matches c=silent d=decides e=silent 1");
  EXPECT_EQ(said(explain_edit("src/Makefile")),
            "a=matches b=matches c=silent d=silent e=decides 1");
  EXPECT_EQ(said(explain_edit("src/ledger/hash.c")),
            "a=decides b=decides c=silent d=excepted e=silent 1");
}

TEST(Explain, ListsWhatAnAllowRuleGrants) {
  const Explanation explained = explain_edit("README.md");
  EXPECT_EQ(explained.decision.effect, Effect::deny);
  const RuleSaid& read = rule_of(explained, "b-read");
  ASSERT_EQ(read.grants.size(), 1U);
  EXPECT_EQ(read.grants.front(), (Ungranted{templates::Axis::read, "README.md"}));
  EXPECT_TRUE(rule_of(explained, "a-edit").grants.empty());
}

TEST(Explain, SaysWhatASilentRuleLacks) {
  const Explanation explained = explain_edit("README.md");
  EXPECT_EQ(rule_of(explained, "a-edit").reason, "it grants nothing that the step does");
  EXPECT_EQ(rule_of(explained, "d-frozen").reason, "nothing of the step matches its `write`");
  EXPECT_NE(rule_of(explained, "c-human").reason.find("provenance"), std::string::npos)
      << rule_of(explained, "c-human").reason;
}

TEST(Explain, PrintsAllOfIt) {
  const std::string text = describe(explain_edit("src/ledger/a.c"));
  for (const std::string_view wanted :
       {"deny: file.edit", "writes `src/ledger/a.c`", "deny `d-frozen`: decides",
        "allow `a-edit`: matches, a stronger rule decides; grants read `src/ledger/a.c`",
        "1 rule is for other tools"}) {
    EXPECT_NE(text.find(wanted), std::string::npos) << wanted << " in\n" << text;
  }
}

}  // namespace
}  // namespace rgx::policy::test
