#include <gtest/gtest.h>

#include <algorithm>

#include "policy/policy.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

/// A policy with one rule; `body` are its lines after `effect`. The rule starts at line 6.
std::string with_rule(std::string_view effect, std::string_view body) {
  std::string text = "rules:\n  - id: r\n    effect: " + std::string(effect) + "\n";
  text += body;
  text += "    why: \"w\"\n    remedy: \"m\"\n";
  return org(text);
}

Result<Policy> load(const std::string& text) {
  return load_policy(text, "p.yaml");
}

std::string codes(const Result<Policy>& result) {
  std::string all;
  if (!result) {
    for (const Diagnostic& diagnostic : result.error().diagnostics) {
      all += (all.empty() ? "" : " ") + std::to_string(diagnostic.place.line) + ":" +
             std::to_string(diagnostic.place.column) + ":" + diagnostic.code;
    }
  }
  return all;
}

TEST(LoadPolicy, ReadsEveryPart) {
  const Policy policy = must_load(R"(schema: rgx.policy/v1
name: whole
layer: org
default: deny
review: none
sandbox: best_effort
relax_protected: [".github/workflows/docs.yml"]
delegate:
  - {to: run, tool: exec, programs: [make], read: ["**"], write: [], env: ["CI"]}
programs:
  make: {paths: ["/usr/bin/make", "/bin/make"], grammar: shipped}
approvers:
  - {name: ann, public_key: "ed25519:AAAAAAAA", groups: [g]}
rules:
  - id: all-matchers
    effect: require_approval
    tool: ["file.*", exec]
    argv: [make, "*", "**"]
    read: ["src/**"]
    write: ["home:x", "abs:/y"]
    refs: ["refs/heads/*"]
    hosts: ["*.a.org:443"]
    env: ["A_*"]
    risk: [low, critical]
    provenance: {content: [model, network]}
    analysis: partial
    approval: {count: 2, group: g, self: true}
    hard: true
    why: "w"
    remedy: "m"
risk:
  default: low
  levels: [{level: high, tool: shell}]
gates:
  high: {count: 1}
  critical: {effect: deny}
budgets:
  run: {tokens: 1, cost_usd_micros: 2, wall_ms: 3, steps: 4, files_changed: 5, bytes_written: 6,
        model_calls: 7, agents: 8, processes: 9}
  step: {wall_ms: 10, tokens: 11}
concurrency: {process: 3}
require_checks: [{tool: "git.*", checks: ["check.tests"]}]
exceptions: []
)");
  EXPECT_EQ(policy.name, "whole");
  EXPECT_TRUE(policy.default_deny);
  EXPECT_EQ(policy.review, Review::none);
  EXPECT_EQ(policy.sandbox, SandboxDemand::best_effort);
  EXPECT_EQ(policy.protected_allow.front().pattern(), ".github/workflows/docs.yml");
  ASSERT_EQ(policy.delegations.size(), 1U);
  EXPECT_EQ(policy.delegations.front().to, Layer::run);
  EXPECT_EQ(policy.delegations.front().tools, std::vector<std::string>{"exec"});
  EXPECT_TRUE(policy.delegations.front().write.empty());
  EXPECT_EQ(policy.programs.at("make").paths.size(), 2U);
  EXPECT_EQ(policy.approvers.front().groups, std::vector<std::string>{"g"});
  ASSERT_EQ(policy.rules.size(), 1U);
  const Rule& rule = policy.rules.front();
  EXPECT_EQ(rule.place, (Place{"p.yaml", 15, 5}));
  EXPECT_EQ(rule.when.tools, (std::vector<std::string>{"file.*", "exec"}));
  EXPECT_EQ(rule.when.argv->tokens, (std::vector<std::string>{"make", "*", "**"}));
  EXPECT_EQ(rule.when.write->size(), 2U);
  EXPECT_EQ(rule.when.refs, std::vector<std::string>{"refs/heads/*"});
  EXPECT_EQ(rule.when.hosts, std::vector<std::string>{"*.a.org:443"});
  EXPECT_EQ(rule.when.env, std::vector<std::string>{"A_*"});
  EXPECT_EQ(rule.when.risk, (std::vector<Risk>{Risk::low, Risk::critical}));
  EXPECT_TRUE(rule.when.provenance.at(templates::Axis::content).has(templates::Origin::network));
  EXPECT_EQ(rule.when.analysis, Analysis::partial);
  EXPECT_EQ(rule.approval, (ApprovalDemand{2, "g", true}));
  EXPECT_TRUE(rule.hard);
  EXPECT_EQ(policy.risk_default, Risk::low);
  EXPECT_EQ(policy.risk_rules.front().level, Risk::high);
  EXPECT_EQ(policy.gates.at(Risk::critical).effect, Effect::deny);
  EXPECT_EQ(policy.gates.at(Risk::high).approval->count, 1);
  EXPECT_EQ(policy.run_budget.size(), 9U);
  EXPECT_EQ(policy.step_budget.at("tokens"), 11);
  EXPECT_EQ(policy.concurrency.at("process"), 3);
  EXPECT_EQ(policy.require_checks.at("git.*"), std::vector<std::string>{"check.tests"});
}

TEST(LoadPolicy, DigestIsOfTheBytes) {
  const std::string text = org("");
  EXPECT_EQ(must_load(text).digest, digest_bytes(text));
}

TEST(LoadPolicy, ReportsAllMistakesAtOnceSortedByPosition) {
  const auto result = load_policy(R"(schema: rgx.policy/v1
name: Bad Name
layer: organisation
default: deny
rulez: []
rules:
  - id: a
    effect: alow
    tool: "file.edlt"
    write: ["/src/**"]
    why: "w"
    remedy: "m"
  - id: a
    effect: deny
    wirte: ["src/**"]
    why: "w"
)",
                                  "p.yaml");
  EXPECT_EQ(codes(result),
            "2:7:policy.name 3:8:yaml.bad_value 5:1:yaml.unknown_key 8:13:yaml.bad_value "
            "9:11:policy.unknown_tool 10:13:path.absolute 13:5:yaml.missing_key "
            "13:5:policy.duplicate_rule 15:5:yaml.unknown_key");
  const std::string text = rgx::test::error_text(result);
  for (const std::string_view words : {"did you mean `file.edit`?", "did you mean `allow`?",
                                       "did you mean `rules`?", "did you mean `write`?", "abs:",
                                       "p.yaml:13:5: rule `a` stands twice, first at p.yaml:7:5"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
}

struct Refusal {
  std::string_view name;
  std::string text;
  std::string_view code;
  std::string_view message;
};

void expect_refused(const std::vector<Refusal>& cases) {
  for (const Refusal& test : cases) {
    EXPECT_TRUE(refused(load(test.text), test.code, test.message)) << test.name << "\n"
                                                                   << test.text;
  }
}

TEST(LoadPolicy, RefusesBadRules) {
  expect_refused({
      {"empty tool list", with_rule("allow", "    tool: []\n"), "policy.empty_list",
       "`tool` of rule `r` is an empty list"},
      {"empty path list", with_rule("deny", "    write: []\n"), "policy.empty_list",
       "leave the key out to ask nothing"},
      {"no value", with_rule("deny", "    write:\n"), "yaml.empty_value", "`write`"},
      {"unknown prefix", with_rule("deny", "    tool: \"files.*\"\n"), "policy.unknown_tool",
       "there is no tool `files.*`"},
      {"early double star", with_rule("deny", "    argv: [make, \"**\", x]\n"),
       "policy.argv_pattern", "only at the end"},
      {"any program", with_rule("allow", "    argv: [\"**\"]\n"), "policy.argv_pattern",
       "start with a name from `programs`"},
      {"program path", with_rule("allow", "    argv: [\"/usr/bin/make\"]\n"), "policy.argv_pattern",
       "starts with `/usr/bin/make`"},
      {"number in argv", with_rule("allow", "    argv: [make, 2]\n"), "yaml.type", "quote it"},
      {"host without port", with_rule("deny", "    hosts: [\"a.org\"]\n"), "policy.host_pattern",
       "`a.org` is no host pattern"},
      {"url as host", with_rule("deny", "    hosts: [\"https://a.org:443\"]\n"),
       "policy.host_pattern", "a name and a port"},
      {"variable", with_rule("deny", "    env: [\"A*B\"]\n"), "policy.env_pattern", "`A*B`"},
      {"ref", with_rule("deny", "    refs: [\"!main\"]\n"), "glob.unsupported", "!main"},
      {"negated path", with_rule("deny", "    read: [\"!src\"]\n"), "glob.unsupported", "!src"},
      {"escaping path", with_rule("deny", "    read: [\"..\"]\n"), "path.escapes", "`..`"},
      {"braces", with_rule("deny", "    read: [\"{a,b}\"]\n"), "glob.unsupported", "{a,b}"},
      {"origin", with_rule("deny", "    provenance: {write: [modle]}\n"), "yaml.bad_value",
       "did you mean `model`?"},
      {"axis", with_rule("deny", "    provenance: {writes: [model]}\n"), "yaml.unknown_key",
       "did you mean `write`?"},
      {"no axis", with_rule("deny", "    provenance: {}\n"), "policy.empty_list", "names no axis"},
      {"risk", with_rule("deny", "    risk: [hihg]\n"), "yaml.bad_value", "did you mean `high`?"},
      {"approval of a denial", with_rule("deny", "    approval: {count: 1}\n"),
       "policy.approval_effect", "does not ask for one"},
      {"no approval at all", with_rule("require_approval", "    approval: {count: 0}\n"),
       "yaml.range", "`count` is 0"},
      {"hard allow", with_rule("allow", "    hard: true\n"), "policy.hard_effect", "`hard`"},
      {"mode", with_rule("deny", "    mode: warn\n"), "policy.unsupported_key",
       "`mode` of rule `r` is not supported by this version"},
      {"invisible character", with_rule("deny", "    argv: [\"ma\\u200bke\"]\n"),
       "yaml.deceptive_character", "u{200b}"},
      {"no remedy", org("rules:\n  - {id: r, effect: deny, why: \"w\"}\n"), "yaml.missing_key",
       "`remedy`"},
      {"empty remedy", org("rules:\n  - {id: r, effect: deny, why: \"w\", remedy: \"\"}\n"),
       "policy.text", "`remedy` of rule `r` is empty"},
      {"long why",
       org("rules:\n  - {id: r, effect: deny, remedy: \"m\", why: \"" + std::string(1001, 'x') +
           "\"}\n"),
       "policy.limit", "1001 bytes"},
      {"rule is no mapping", org("rules: [deny]\n"), "yaml.type", "instead of a mapping"},
      {"rules are no list", org("rules: {a: {}}\n"), "yaml.type", "`rules`"},
  });
}

TEST(LoadPolicy, RefusesBadTables) {
  expect_refused({
      {"relative program", org("programs:\n  make: {paths: [\"make\"]}\n"), "policy.program_path",
       "no absolute, normal path"},
      {"dotted program", org("programs:\n  make: {paths: [\"/usr/../make\"]}\n"),
       "policy.program_path", "/usr/../make"},
      {"program name", org("programs:\n  \"bin/make\": {paths: [\"/usr/bin/make\"]}\n"),
       "policy.name", "`bin/make` is no name of a program"},
      {"grammar", org("programs:\n  make: {paths: [\"/usr/bin/make\"], grammar: mine}\n"),
       "policy.unsupported_key", "write `grammar: shipped`"},
      {"sha256", org("programs:\n  make: {paths: [\"/usr/bin/make\"], sha256: \"00\"}\n"),
       "policy.unsupported_key", "`sha256` of program `make`"},
      {"repository program",
       lower("repository", "programs:\n  make: {paths: [\"/home/me/repo/make\"]}\n"),
       "policy.program_path", "below /usr"},
      {"key", org("approvers: [{name: a, public_key: \"rsa:AAAAAAAA\", groups: []}]\n"),
       "policy.approver_key", "`rsa:AAAAAAAA` is no public key"},
      {"key characters", org("approvers: [{name: a, public_key: \"ed25519:AAAA AAAA\"}]\n"),
       "policy.approver_key", "openssl pkey -pubout"},
      {"approver twice",
       org("approvers:\n  - {name: a, public_key: \"ed25519:AAAAAAAA\"}\n"
           "  - {name: a, public_key: \"ed25519:BBBBBBBB\"}\n"),
       "policy.duplicate_approver", "`a` stands twice"},
      {"approvers of a repository",
       lower("repository", "approvers: [{name: a, public_key: \"ed25519:AAAAAAAA\"}]\n"),
       "policy.approver_layer", "may not list approvers"},
      {"relaxing repository", lower("repository", "relax_protected: [\".git/**\"]\n"),
       "policy.relax_layer", "only a policy of layer `org` may"},
      {"delegation upwards", lower("repository", "delegate: [{to: user, tool: exec}]\n"),
       "policy.delegation_layer", "cannot delegate to layer `user`"},
      {"delegation to itself", org("delegate: [{to: org, tool: exec}]\n"),
       "policy.delegation_layer", "cannot delegate to layer `org`"},
      {"delegated hosts", org("delegate: [{to: run, tool: exec, hosts: [\"a.org:1\"]}]\n"),
       "policy.unsupported_key", "`hosts` of a delegation"},
      {"gate of nothing", org("gates: {low: {}}\n"), "policy.gate", "gate `low`"},
      {"gate of both", org("gates: {low: {effect: deny, count: 1}}\n"), "policy.gate",
       "either deny or say how many"},
      {"unknown level", org("gates: {hgih: {count: 1}}\n"), "yaml.unknown_key",
       "did you mean `high`?"},
      {"risk of nothing", org("risk: {levels: [{level: high}]}\n"), "policy.empty_list",
       "names nothing to look at"},
      {"negative budget", org("concurrency: {process: 0}\n"), "yaml.range", "from 1 to 1024"},
      {"unknown class", org("concurrency: {proces: 1}\n"), "yaml.unknown_key",
       "did you mean `process`?"},
      {"no check", org("require_checks: [{tool: \"git.commit\", checks: [\"exec\"]}]\n"),
       "policy.unknown_check", "`exec` is no check"},
      {"include", org("include: [x]\n"), "policy.unsupported_key", "`include` of the policy"},
      {"default", "schema: rgx.policy/v1\nname: x\nlayer: org\ndefault: allow\n", "yaml.bad_value",
       "`default` is `allow`"},
      {"version", "schema: rgx.policy/v2\nname: x\nlayer: org\n", "yaml.schema",
       "write `schema: rgx.policy/v1`"},
      {"no mapping", "- a\n", "yaml.type", "the policy"},
      {"empty file", "", "yaml.empty_document", "no value"},
  });
}

TEST(LoadPolicy, RefusesBadBudgets) {
  const auto budgets = [](std::string_view run) {
    return "schema: rgx.policy/v1\nname: x\nlayer: run\nbudgets:\n  run: {" + std::string(run) +
           "}\n";
  };
  expect_refused({
      {"negative", budgets("tokens: -1"), "yaml.range", "`tokens` is -1"},
      {"float", budgets("tokens: 1.5"), "yaml.ambiguous_scalar", "1.5"},
      {"text", budgets("tokens: \"10\""), "yaml.type", "remove the quotes"},
      {"word", budgets("tokens: unlimited"), "yaml.type", "`tokens`"},
      {"no unit", budgets("wall: 10"), "yaml.unknown_key", "`wall` is not a key of `budgets.run`"},
      {"reserved", budgets("lines_changed: 10"), "policy.unsupported_key", "`lines_changed`"},
      {"per step", "schema: rgx.policy/v1\nname: x\nlayer: run\nbudgets:\n  step: {steps: 1}\n",
       "yaml.unknown_key", "`steps` is not a key of `budgets.step`"},
  });
}

/// A deny rule `d` on writes, a hard one `h`, an allow rule `a`, and one exception.
std::string with_exception(std::string_view exception) {
  return org(R"(rules:
  - {id: d, effect: deny, write: ["x/**"], why: "w", remedy: "m"}
  - {id: h, effect: deny, hard: true, write: ["y/**"], why: "w", remedy: "m"}
  - {id: a, effect: allow, write: ["z/**"], why: "w", remedy: "m"}
exceptions:
  - {owner: o, ticket: t, reason: r, )" +
             std::string(exception) + "}\n");
}

TEST(LoadPolicy, RefusesBadExceptions) {
  ASSERT_TRUE(accepted(load(with_exception(R"(rule: d, write: ["x/a"], expires: "2027-01-31")"))));
  expect_refused({
      {"unknown rule", with_exception(R"(rule: dd, write: ["x/a"], expires: "2027-01-31")"),
       "policy.unknown_rule", "there is no rule `dd`"},
      {"hard rule", with_exception(R"(rule: h, write: ["y/a"], expires: "2027-01-31")"),
       "policy.exception_hard", "rule `h` is hard"},
      {"allow rule", with_exception(R"(rule: a, write: ["z/a"], expires: "2027-01-31")"),
       "policy.exception_scope", "exceptions are for rules that deny or ask"},
      {"selects nothing", with_exception(R"(rule: d, expires: "2027-01-31")"),
       "policy.exception_scope", "selects nothing"},
      {"empty list", with_exception(R"(rule: d, write: [], expires: "2027-01-31")"),
       "policy.empty_list", "`write` of an exception"},
      {"other axis", with_exception(R"(rule: d, read: ["x/a"], expires: "2027-01-31")"),
       "policy.exception_scope", "does not look at `read`"},
      {"no date", with_exception(R"(rule: d, write: ["x/a"], expires: "soon")"), "policy.expires",
       "write it as `2027-01-31`"},
      {"impossible date", with_exception(R"(rule: d, write: ["x/a"], expires: "2027-02-30")"),
       "policy.expires", "2027-02-30"},
      {"a time", with_exception(R"(rule: d, write: ["x/a"], expires: "2027-01-31T00:00:00Z")"),
       "policy.expires", "no date"},
      {"forever", with_exception(R"(rule: d, write: ["x/a"])"), "yaml.missing_key", "`expires`"},
      {"argv", with_exception(R"(rule: d, write: ["x/a"], argv: [x], expires: "2027-01-31")"),
       "policy.unsupported_key", "`argv` of an exception"},
  });
  EXPECT_TRUE(refused(load(lower("repository", R"(exceptions:
  - {rule: frozen, layer: org, write: ["a"], owner: o, ticket: t, reason: r, expires: "2027-01-31"}
)")),
                      "policy.exception_layer", "may not except a rule of layer `org`"));
}

TEST(LoadPolicy, JudgesExamplesOfRules) {
  const auto rule = [](std::string_view examples) {
    return with_rule("allow",
                     "    tool: [\"file.edit\"]\n    read: [\"src/**\"]\n"
                     "    write: [\"src/**\"]\n" +
                         std::string(examples));
  };
  EXPECT_TRUE(accepted(load(rule("    match: [{use: \"file.edit\", with: {path: \"src/a\"}}]\n"))));
  expect_refused({
      {"does not match",
       rule("    match:\n      - {use: \"file.edit\", with: {path: \"lib/a\"}}\n"),
       "policy.example_fails",
       "p.yaml:12:9: rule `r` does not match its example: it does not grant read of `lib/a`"},
      {"other tool", rule("    match: [{use: \"file.read\", with: {path: \"src/a\"}}]\n"),
       "policy.example_fails", "tool `file.read` is not among `file.edit`"},
      {"matches", rule("    not_match: [{use: \"file.edit\", with: {path: \"src/a\"}}]\n"),
       "policy.example_fails", "matches an example that it should not match"},
      {"no request", rule("    match: [{with: {path: \"src/a\"}}]\n"), "json.missing_member",
       "use"},
      {"unknown tool", rule("    match: [{use: \"file.edlt\", with: {path: \"src/a\"}}]\n"),
       "tool.unknown", "example of rule `r`"},
      {"unknown input", rule("    match: [{use: \"file.edit\", with: {file: \"src/a\"}}]\n"),
       "tool.unknown_input", "`file`"},
      {"denial that misses",
       with_rule("deny",
                 "    write: [\"x/**\"]\n"
                 "    match: [{use: \"file.write\", with: {path: \"y\"}}]\n"),
       "policy.example_fails", "not everything that it names is there"},
  });
}

TEST(LoadPolicy, BoundsEveryList) {
  const auto items = [](std::size_t count, std::string_view item) {
    std::string all;
    for (std::size_t index = 0; index < count; ++index) {
      all += (all.empty() ? "" : ", ") + std::string(item);
    }
    return "[" + all + "]";
  };
  expect_refused({
      {"paths", with_rule("deny", "    write: " + items(1001, "\"a\"") + "\n"), "policy.limit",
       "use at most 1000"},
      {"argv", with_rule("deny", "    argv: " + items(101, "a") + "\n"), "policy.limit",
       "use at most 100"},
      {"examples",
       with_rule("deny", "    tool: shell\n    match: " + items(101, "{use: shell}") + "\n"),
       "policy.limit", "use at most 100"},
      {"delegations", org("delegate: " + items(65, "{to: run, tool: exec}") + "\n"), "policy.limit",
       "use at most 64"},
  });
  EXPECT_TRUE(refused(load(org("# " + std::string(200000, 'x') + "\n")), "yaml.too_large", ""));
}

}  // namespace
}  // namespace rgx::policy::test
