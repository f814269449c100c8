#include "policy/lint.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/text.h"
#include "policy/lint_relations.h"
#include "policy/matching.h"
#include "policy/shipped.h"
#include "tests/support/scratch_dir.h"
#include "tests/unit/policy/generators.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

constexpr std::string_view kDate = "2026-12-01T00:00:00Z";

std::vector<LintFinding> lint_of(std::string_view text, std::int64_t within_days = 30) {
  return lint(must_load(text), text,
              {.now_unix_ms = parse_time(kDate).value(), .within_days = within_days});
}

/// `code rule`, sorted as lint() sorts.
std::vector<std::string> found(std::string_view text) {
  std::vector<std::string> all;
  for (const LintFinding& finding : lint_of(text)) {
    all.push_back(std::string(finding.code.substr(5)) +
                  (finding.rule.empty() ? "" : " " + finding.rule));
  }
  return all;
}

/// A rule as one line of YAML; `why` and `remedy` are added.
std::string rule(std::string_view id, std::string_view effect, std::string_view members) {
  return "  - {id: " + std::string(id) + ", effect: " + std::string(effect) + ", " +
         std::string(members) + ", why: \"because\", remedy: \"do this instead\"}\n";
}

std::string with_rules(const std::vector<std::string>& rules, std::string_view more = {}) {
  return org("rules:\n" + join(rules, "") + std::string(more));
}

using Codes = std::vector<std::string>;

TEST(Lint, NothingIsSaidOfWhatShips) {
  for (const EmbeddedFile& file : shipped_policies()) {
    for (const LintFinding& finding : lint_of(file.bytes)) {
      // maintainer.yaml is about package registries; that is its purpose.
      EXPECT_EQ(finding.code, "lint.shared_host") << file.name << ": " << finding.message;
      EXPECT_EQ(file.name, "maintainer.yaml") << finding.message;
    }
  }
}

TEST(Lint, EveryCodeHasASectionInItsPage) {
  const std::string page = rgx::test::read_file(RGX_SOURCE_DIR "/docs/policy-lint.md");
  std::set<std::string_view> sections;
  for (const std::string_view line : split(page, '\n')) {
    if (line.starts_with("## `lint.")) {
      sections.insert(line.substr(4, line.size() - 5));
    }
  }
  std::set<std::string_view> codes;
  for (const LintCode& code : lint_codes()) {
    codes.insert(code.code);
    EXPECT_NE(page.find("| `" + std::string(code.code) + "` | " +
                        std::string(to_string(code.severity)) + " |"),
              std::string::npos)
        << code.code;
  }
  EXPECT_EQ(sections, codes);
}

TEST(Lint, FindsRulesThatSayTheSame) {
  const std::string a = rule("a", "deny", "tool: [shell, exec], write: [\"x/**\", \"y\"]");
  const std::string b = rule("b", "deny", "tool: [exec, shell], write: [\"y\", \"x/**\"]");
  const auto findings = lint_of(with_rules({a, b}));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "lint.duplicate_rule");
  EXPECT_EQ(findings[0].rule, "b");
  EXPECT_EQ(findings[0].message, "rule `b` says the same as rule `a` (line 6)");
  EXPECT_EQ(findings[0].place.line, 7U);
  EXPECT_EQ(findings[0].severity, Severity::warning);
}

TEST(Lint, FindsDenialsThatOthersContain) {
  const std::string wide = rule("wide", "deny", "write: [\"src/**\"]");
  EXPECT_EQ(found(with_rules({wide, rule("n", "deny", "write: [\"src/a/*\"]")})),
            Codes{"rule_shadowed n"});
  EXPECT_EQ(
      found(with_rules({rule("n", "deny", "tool: [\"file.edit\"], write: [\"src/a\"]"), wide})),
      Codes{"rule_shadowed n"});
  EXPECT_EQ(found(with_rules({wide, rule("n", "require_approval", "write: [\"src/a\"]")})),
            Codes{"rule_shadowed n"});
  // Not inside, asks for another thing, or may not be excepted.
  EXPECT_EQ(found(with_rules({wide, rule("n", "deny", "write: [\"src/a\", \"lib/b\"]")})), Codes{});
  EXPECT_EQ(found(with_rules({wide, rule("n", "deny", "read: [\"src/a\"]")})), Codes{});
  EXPECT_EQ(found(with_rules({wide, rule("n", "deny", "hard: true, write: [\"src/a\"]")})),
            Codes{});
  EXPECT_EQ(found(with_rules({rule("wide", "require_approval", "write: [\"src/**\"]"),
                              rule("n", "deny", "write: [\"src/a\"]")})),
            Codes{});
}

TEST(Lint, ComparesWhatApprovalsAskFor) {
  const auto pair = [](std::string_view first, std::string_view second) {
    return found(with_rules(
        {rule("wide", "require_approval", "write: [\"src/**\"], approval: " + std::string(first)),
         rule("n", "require_approval", "write: [\"src/a\"], approval: " + std::string(second))}));
  };
  EXPECT_EQ(pair("{count: 2}", "{count: 1}"), Codes{"rule_shadowed n"});
  EXPECT_EQ(pair("{count: 1}", "{count: 1, self: true}"), Codes{"rule_shadowed n"});
  EXPECT_EQ(pair("{count: 1}", "{count: 2}"), Codes{});
  EXPECT_EQ(pair("{count: 1, self: true}", "{count: 1}"), Codes{});
  EXPECT_EQ(pair("{count: 1}", "{count: 1, group: g}"), Codes{});
}

TEST(Lint, AnExceptionLeavesTheNarrowRuleItsUse) {
  const std::string exception =
      "exceptions:\n  - {rule: wide, write: [\"src/a/b\"], owner: o, ticket: t, reason: r, "
      "expires: \"2027-06-01\"}\n";
  EXPECT_EQ(found(with_rules({rule("wide", "deny", "write: [\"src/**\"]"),
                              rule("n", "deny", "write: [\"src/a/*\"]")},
                             exception)),
            Codes{});
}

TEST(Lint, FindsGrantsThatOthersContain) {
  const std::string wide =
      rule("wide", "allow", "tool: [\"file.*\"], read: [\"**\"], write: [\"src/**\"]");
  const std::string narrow = rule("n", "allow", "tool: [\"file.edit\"], write: [\"src/a\"]");
  EXPECT_EQ(found(with_rules({wide, narrow})), Codes{"rule_shadowed n"});
  // It grants an axis, a tool, or steps of an origin that the other does not.
  EXPECT_EQ(found(with_rules(
                {wide, rule("n", "allow", "tool: [\"file.edit\"], read: [\"abs:/usr/**\"]")})),
            Codes{});
  EXPECT_EQ(found(with_rules(
                {rule("wide", "allow",
                      "tool: [\"file.*\"], write: [\"src/**\"], provenance: {write: [human]}"),
                 narrow})),
            Codes{});
}

TEST(Lint, FindsGrantsThatAreDenied) {
  const std::string allow = rule(
      "a", "allow", "tool: [\"file.edit\"], read: [\"**\"], write: [\"src/**\", \"gen/x/**\"]");
  EXPECT_EQ(found(with_rules({allow, rule("d", "deny", "tool: [\"file.*\"]")})),
            Codes{"rule_shadowed a"});
  EXPECT_EQ(found(with_rules({allow, rule("d", "deny", "write: [\"gen/**\"]")})),
            Codes{"denied_pattern a"});
  EXPECT_EQ(found(with_rules({allow, rule("d", "deny", "write: [\"gen/**\"], risk: [high]")})),
            Codes{});
  EXPECT_EQ(found(with_rules({allow, rule("d", "deny", "tool: [exec], write: [\"gen/**\"]")})),
            Codes{});
  EXPECT_EQ(found(with_rules({rule("a", "allow",
                                   "tool: [\"file.edit\"], read: [\"src/a\"], "
                                   "write: [\"src/a\", \".git/hooks/*\", \"x/.envrc\"]")})),
            (Codes{"denied_pattern a", "denied_pattern a"}));
}

TEST(Lint, FindsRulesThatCannotMatch) {
  EXPECT_EQ(found(with_rules({rule("d", "deny", "tool: [\"file.read\"], write: [\"x\"]")})),
            Codes{"rule_unused d"});
  EXPECT_EQ(
      found(with_rules({rule("d", "deny", "tool: [\"file.edit\"], provenance: {hosts: [model]}")})),
      Codes{"rule_unused d"});
  EXPECT_EQ(
      found(with_rules({rule(
          "d", "deny", "tool: [\"file.edit\"], provenance: {hosts: [model], content: [model]}")})),
      Codes{"dead_selector d"});
  EXPECT_EQ(
      found(with_rules({rule(
          "a", "allow", "tool: [\"file.read\"], read: [\"x\"], hosts: [\"a.example.org:443\"]")})),
      Codes{"dead_selector a"});
  EXPECT_EQ(found(with_rules({rule("a", "allow", "tool: [exec], argv: [make, all]")})),
            Codes{"rule_unused a"});
  EXPECT_EQ(
      found(org("risk:\n  levels:\n    - {level: high, tool: [\"git.log\"], write: [\"x\"]}\n")),
      Codes{"rule_unused"});
  // A lower layer may use the programs of those above.
  EXPECT_EQ(found(lower("repository",
                        "rules:\n" + rule("a", "allow", "tool: [exec], argv: [make, all]"))),
            Codes{});
}

TEST(Lint, FindsRulesThatAllowTooMuch) {
  const auto allow = [](std::string_view members, std::string_view more = {}) {
    return found(with_rules({rule("a", "allow", members)}, more));
  };
  EXPECT_EQ(allow("tool: [\"file.edit\"], write: [\"**\"]"), Codes{"broad_path a"});
  EXPECT_EQ(allow("tool: [\"file.edit\"], write: [\"**\"], provenance: {write: [human]}"), Codes{});
  EXPECT_EQ(allow("tool: [\"file.edit\"], write: [\"src/**\"]"), Codes{});
  EXPECT_EQ(allow("tool: [\"file.read\"], read: [\"**\"]"), Codes{});
  EXPECT_EQ(allow("tool: [\"file.read\"], read: [\"abs:/**\"]"), Codes{"broad_path a"});
  EXPECT_EQ(allow("tool: [\"file.read\"], read: [\"home:**\"]"), Codes{"broad_path a"});
  EXPECT_EQ(allow("read: [\"src/**\"]"), Codes{"broad_tool a"});
  EXPECT_EQ(allow("tool: \"*\", read: [\"src/**\"]"), Codes{"broad_tool a"});
  const std::string make = "programs:\n  make: {paths: [\"/usr/bin/make\"]}\n";
  EXPECT_EQ(allow("tool: [exec], argv: [make, \"**\"]", make), Codes{"broad_argv a"});
  EXPECT_EQ(allow("tool: [exec], argv: [make, test, \"**\"]", make), Codes{});
  EXPECT_EQ(allow("tool: [exec], argv: [make, \"**\"]",
                  "programs:\n  make: {paths: [\"/usr/bin/make\"], grammar: shipped}\n"),
            Codes{});
  EXPECT_EQ(allow("tool: [shell], analysis: partial"), Codes{"broad_argv a"});
  EXPECT_EQ(allow("tool: [\"http.get\"], hosts: [\"gist.github.com:443\"]"),
            Codes{"shared_host a"});
  EXPECT_EQ(allow("tool: [\"http.get\"], hosts: [\"notgithub.com:443\"]"), Codes{});
}

TEST(Lint, TellsOfDenialsBySpelling) {
  EXPECT_EQ(found(with_rules(
                {rule("d", "deny", "tool: [exec], argv: [git, push, \"--force\", \"**\"]")})),
            Codes{"deny_by_argv d"});
  EXPECT_EQ(found(with_rules({rule("d", "deny", "tool: [exec], argv: [git, \"**\"]")})), Codes{});
}

TEST(Lint, FindsPatternsInsideOthers) {
  EXPECT_EQ(found(with_rules({rule("d", "deny", "write: [\"a/b\", \"c\", \"a/**\"]")})),
            Codes{"pattern_covered d"});
  EXPECT_EQ(found(with_rules({rule("d", "deny", "write: [\"c\", \"c\"]")})),
            Codes{"pattern_covered d"});
  EXPECT_EQ(found(with_rules({rule("d", "deny", "env: [A_B, \"A_*\"], tool: [exec]")})),
            Codes{"pattern_covered d"});
}

TEST(Lint, FindsProgramsThatNothingStarts) {
  const std::string programs = "programs:\n  make: {paths: [\"/usr/bin/make\"]}\n";
  EXPECT_EQ(found(org(programs)), Codes{"program_unused"});
  EXPECT_EQ(
      found(org(programs + "delegate:\n  - {to: repository, tool: [exec], programs: [make]}\n")),
      Codes{});
}

TEST(Lint, WatchesTheEndOfExceptions) {
  const auto until = [](std::string_view day, std::int64_t within = 30) {
    std::vector<std::string> codes;
    for (const LintFinding& finding : lint_of(
             with_rules({rule("d", "deny", "write: [\"src/**\"]")},
                        "exceptions:\n  - {rule: d, write: [\"src/a\"], owner: dana, ticket: T-1, "
                        "reason: r, expires: \"" +
                            std::string(day) + "\"}\n"),
             within)) {
      codes.push_back(std::string(finding.code.substr(5)) + " " + finding.message);
    }
    return join(codes, "; ");
  };
  EXPECT_EQ(until("2026-11-30"),
            "exception_expired the exception to `d` (T-1) ended with 2026-11-30, so the rule is in "
            "force again");
  EXPECT_EQ(until("2026-12-01", 1),
            "exception_expiring the exception to `d` (T-1) ends with 2026-12-01");
  EXPECT_EQ(until("2026-12-01", 0), "");
  EXPECT_EQ(until("2026-12-30"),
            "exception_expiring the exception to `d` (T-1) ends with 2026-12-30");
  EXPECT_EQ(until("2026-12-31"), "");
}

TEST(Lint, FindsExceptionsThatLiftNothing) {
  const std::string exception =
      "exceptions:\n  - {rule: d, write: [\"lib/a\"], owner: o, ticket: t, reason: r, "
      "expires: \"2027-06-01\"}\n";
  EXPECT_EQ(found(with_rules({rule("d", "deny", "write: [\"src/**\"]")}, exception)),
            Codes{"exception_unused d"});
}

TEST(Lint, WantsRemediesThatHelp) {
  const auto remedy = [](std::string_view text) {
    return found(
        org("rules:\n  - {id: d, effect: deny, tool: [shell], why: \"no shell\", remedy: \"" +
            std::string(text) + "\"}\n"));
  };
  for (const std::string_view text :
       {"none", "N/A", "To.Do", "-", "no shell", "No Shell", "...", "tbd."}) {
    EXPECT_EQ(remedy(text), Codes{"no_remedy d"}) << text;
  }
  for (const std::string_view text :
       {"use `exec`", "frag Dana", "问 Dana", "no other way is known"}) {
    EXPECT_EQ(remedy(text), Codes{}) << text;
  }
}

TEST(Lint, FindsValuesThatACommentCutsOff) {  // reference case G08
  const auto at = [](std::string_view line) {
    const std::string text = org("rules:\n  - id: d\n    effect: deny\n    tool: [shell]\n    " +
                                 std::string(line) + "\n    remedy: \"do this\"\n");
    std::vector<std::string> places;
    for (const LintFinding& finding : lint_of(text)) {
      places.push_back(std::string(finding.code) + " " + to_string(finding.place));
    }
    return places;
  };
  EXPECT_EQ(at("why: see issue #12"), Codes{"lint.comment p.yaml:9:20"});
  EXPECT_EQ(at("why: see issue # 12"), Codes{});
  EXPECT_EQ(at("why: \"see issue #12\""), Codes{});
  EXPECT_EQ(at("why: 'it''s #12'"), Codes{});
  EXPECT_EQ(at("why: it's issue #12"), Codes{"lint.comment p.yaml:9:21"});
  EXPECT_EQ(at("#why\n    why: text"), Codes{});
}

TEST(Lint, ComparesLargePoliciesToTheEnd) {
  std::vector<std::string> rules;
  for (int number = 0; number < 1000; ++number) {
    const std::string id = "r" + std::to_string(number);
    std::string members = "write: [\"d";
    members.append(id).append("/**\", \"e").append(id).append("/*.c\"]");
    rules.push_back(rule(id, "deny", members));
  }
  EXPECT_EQ(found(with_rules(rules)), Codes{});
}

TEST(Lint, GivesUpOnComparisonsWithoutEnd) {
  std::string list;
  for (int number = 0; number < 1000; ++number) {
    list += "a" + std::to_string(number) + ", ";
  }
  std::vector<std::string> rules;
  for (int number = 0; number < 20; ++number) {
    rules.push_back(rule("r" + std::to_string(number), "deny",
                         "read: [" + list + "b" + std::to_string(number) + "]"));
  }
  for (std::string& text : rules) {
    text.replace(text.find("a999, "), 6, "");
  }
  EXPECT_EQ(found(with_rules(rules)), Codes{"unfinished r0"});
}

/// What `dead_selector` and `rule_unused` rely on: a step of each tool with all that it can have.
TEST(Lint, KnowsTheAxesOfEveryTool) {
  const auto request_of = [](const templates::ToolContract& tool) {
    std::string with;
    for (const templates::ToolInput& input : tool.inputs) {
      std::string value;
      switch (input.type) {
        case templates::InputType::path:
          value = "\"a/b\"";
          break;
        case templates::InputType::paths:
          value = "[\"a/b\"]";
          break;
        case templates::InputType::argv:
          value = "[\"make\"]";
          break;
        case templates::InputType::environment:
          value = "{\"CI\":\"1\"}";
          break;
        case templates::InputType::url:
          value = "\"https://example.org/\"";
          break;
        case templates::InputType::string:
          value = "\"ls\"";
          break;
        case templates::InputType::identifier:
          value = "\"x\"";
          break;
        case templates::InputType::edits:
        case templates::InputType::schema:
        case templates::InputType::integer:
          continue;
      }
      if (input.axis == templates::Axis::content || input.name == "glob" || input.name == "base") {
        continue;
      }
      with += (with.empty() ? "" : ",") + ("\"" + std::string(input.name) + "\":") + value;
    }
    return "{\"use\":\"" + std::string(tool.name) + "\",\"with\":{" + with + "}" +
           (tool.declares ? R"(,"read":["a"],"write":["b"],"hosts":["example.org:443"])" : "") +
           "}";
  };
  for (const templates::ToolContract& tool : templates::tools()) {
    const Facts facts = must_derive(request_of(tool));
    const FactView view(facts, [](std::string_view) { return false; });
    std::set<templates::Axis> had;
    for (const Element& element : view.elements) {
      had.insert(element.axis);
    }
    const auto axes = linting::axes_of(tool);
    EXPECT_EQ(had, std::set<templates::Axis>(axes.begin(), axes.end())) << tool.name;
  }
}

/// The theorem behind `lint.rule_shadowed` and `lint.duplicate_rule`.
RC_GTEST_PROP(LintTheorem, SuperfluousRulesChangeNoDecision, ()) {
  std::vector<Policy> layers = {*gen_policy(Layer::org)};
  Policy& policy = layers.front();
  // Twins and narrower sisters, so that there is something to find.
  const std::size_t count = policy.rules.size();
  for (std::size_t index = 0; index < count; ++index) {
    Rule twin = policy.rules[index];
    twin.id += "-twin";
    if (*rc::gen::arbitrary<bool>()) {
      twin.when.tools = {"file.edit"};
    }
    if (twin.when.write && *rc::gen::arbitrary<bool>()) {
      twin.when.write->resize(1);
    }
    policy.rules.push_back(std::move(twin));
  }
  std::set<std::string> superfluous;
  for (const LintFinding& finding : lint(policy, "", {.now_unix_ms = kNow})) {
    if (finding.code == "lint.rule_shadowed" || finding.code == "lint.duplicate_rule") {
      superfluous.insert(finding.rule);
    }
  }
  const PolicySet before = stack_of(layers);
  std::erase_if(policy.rules,
                [&superfluous](const Rule& rule) { return superfluous.contains(rule.id); });
  std::erase_if(policy.exceptions, [&superfluous](const Exception& exception) {
    return superfluous.contains(exception.rule);
  });
  const PolicySet after = stack_of(layers);
  for (int round = 0; round < 20; ++round) {
    const Facts facts = *gen_facts();
    const DecideContext context{.now_unix_ms = kNow};
    const Decision one = decide(before, facts, context);
    const Decision two = decide(after, facts, context);
    RC_ASSERT(one.effect == two.effect);
    RC_ASSERT(one.risk == two.risk);
    RC_ASSERT(one.approvals == two.approvals);
  }
  RC_TAG(superfluous.empty() ? "none" : "some");
}

}  // namespace
}  // namespace rgx::policy::test
