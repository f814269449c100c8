#include "policy/test_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "policy/loading.h"

namespace rgx::policy {
namespace {

using yaml::MappingReader;
using yaml::Mistakes;

std::optional<Facts> read_request(const yaml::Node& node, const std::string& name,
                                  Mistakes& mistakes) {
  const auto request = request_from_json(yaml::to_json(node), "the request");
  auto facts = request ? derive(*request) : Result<Facts>(fail(request.error()));
  if (facts) {
    return std::move(*facts);
  }
  for (const Diagnostic& diagnostic : facts.error().diagnostics) {
    mistakes.add(diagnostic.code, node.place, "case `" + name + "`: " + diagnostic.message,
                 diagnostic.remedy);
  }
  return std::nullopt;
}

std::optional<TestCase> read_case(const yaml::Node& node, Mistakes& mistakes) {
  MappingReader reader(node, "a case", mistakes);
  TestCase test;
  test.place = node.place;
  test.name = reader.required_string("name");
  loading::check_text(test.name, reader.place_of("name"), "`name`", mistakes);
  const yaml::Node* request = reader.required_node("request");
  if (reader.required_node("decision") != nullptr) {
    const auto decision = reader.word("decision", kEffectNames);
    test.decision = static_cast<Effect>(decision.value_or(0));
  }
  if (const auto rules = reader.strings("rules")) {
    std::set<std::string> ids;
    for (const MappingReader::Text& rule : *rules) {
      ids.insert(rule.value);
    }
    test.rules.emplace(ids.begin(), ids.end());
  }
  reader.finish();
  if (request == nullptr) {
    return std::nullopt;
  }
  auto facts = read_request(*request, test.name, mistakes);
  if (!facts) {
    return std::nullopt;
  }
  test.facts = std::move(*facts);
  return test;
}

void read_cases(const yaml::Node& list, TestFile& tests, Mistakes& mistakes) {
  if (list.items.empty()) {
    mistakes.add("policy.no_cases", list.place, "`cases` is empty, so nothing is tested",
                 "add a case: {name, request, decision}");
  }
  if (!loading::within(list.items.size(), kTestCasesMax, list.place, "cases", mistakes)) {
    return;
  }
  std::set<std::string> names;
  for (const auto& item : list.items) {
    auto test = read_case(*item, mistakes);
    if (!test) {
      continue;
    }
    if (!names.insert(test->name).second) {
      mistakes.add("policy.duplicate_case", test->place,
                   "there are two cases of the name `" + printable(test->name) + "`",
                   "give each case a name of its own");
    }
    tests.cases.push_back(std::move(*test));
  }
}

std::vector<std::string> deciding_rules(const Decision& decision) {
  std::set<std::string> ids;
  for (const RuleHit& hit : decision.deciding) {
    ids.insert(hit.rule);
  }
  return {ids.begin(), ids.end()};
}

std::string listed(const std::vector<std::string>& rules) {
  return rules.empty() ? "no rule" : "`" + join(rules, "`, `") + "`";
}

CaseResult run_case(const PolicySet& policy, const TestCase& test, std::int64_t now_unix_ms) {
  CaseResult result;
  result.decision = decide(policy, test.facts, {.now_unix_ms = now_unix_ms});
  const std::vector<std::string> decided = deciding_rules(result.decision);
  if (result.decision.effect != test.decision) {
    result.difference = "expected " + std::string(to_string(test.decision)) + ", got " +
                        std::string(to_string(result.decision.effect)) + " by " + listed(decided);
  } else if (test.rules && *test.rules != decided) {
    result.difference =
        "expected the decision of " + listed(*test.rules) + ", got that of " + listed(decided);
  }
  result.passed = result.difference.empty();
  return result;
}

}  // namespace

Result<TestFile> load_test_file(std::string_view text, std::string_view file) {
  RGX_TRY(const yaml::Node root, yaml::parse(text, file));
  Mistakes mistakes;
  MappingReader reader(root, "the tests", mistakes);
  reader.schema("rgx.policy-test/v1");
  TestFile tests;
  tests.file = file;
  tests.policy = reader.required_string("policy");
  if (const std::string now = reader.required_string("now"); !now.empty()) {
    const auto time = parse_time(now);
    if (time) {
      tests.now_unix_ms = *time;
    } else {
      mistakes.add("policy.test_time", reader.place_of("now"),
                   "`" + printable(now) + "` is not a time",
                   "write it as \"2026-12-01T00:00:00Z\", in quotes");
    }
  }
  if (reader.required_node("cases") != nullptr) {
    if (const yaml::Node* cases = reader.sequence("cases")) {
      read_cases(*cases, tests, mistakes);
    }
  }
  reader.finish();
  if (!mistakes.empty()) {
    return fail(std::move(mistakes).error());
  }
  return tests;
}

Result<PolicySet> stack_alone(Policy policy) {
  policy.default_deny = true;
  for (const BudgetField& field : kRunBudgetFields) {
    policy.run_budget.emplace(field.name, 0);
  }
  policy.step_budget.emplace("wall_ms", 0);
  std::vector<Policy> layers;
  layers.push_back(std::move(policy));
  return PolicySet::stack(std::move(layers));
}

Result<TestReport> run_tests(const TestFile& tests, Policy policy) {
  TestReport report;
  std::set<std::string> uncovered;
  for (const Rule& rule : policy.rules) {
    uncovered.insert(rule.id);
  }
  report.rules.assign(uncovered.begin(), uncovered.end());
  RGX_TRY(const PolicySet alone, stack_alone(std::move(policy)));
  for (const TestCase& test : tests.cases) {
    report.results.push_back(run_case(alone, test, tests.now_unix_ms));
    for (const RuleHit& hit : report.results.back().decision.deciding) {
      uncovered.erase(hit.rule);
    }
  }
  report.uncovered.assign(uncovered.begin(), uncovered.end());
  return report;
}

}  // namespace rgx::policy
