#include "tests/unit/policy/policy_support.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/clock.h"
#include "base/text.h"
#include "base/yaml/mapping_reader.h"
#include "tests/support/scratch_dir.h"

namespace rgx::policy::test {
namespace {

template <class T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", to_string(result.error()).c_str());
    std::abort();
  }
  return std::move(*result);
}

std::string run_case(const PolicySet& policy, std::int64_t now, const yaml::Node& node,
                     yaml::Mistakes& mistakes) {
  yaml::MappingReader reader(node, "a case", mistakes);
  const std::string name = reader.required_string("name");
  const yaml::Node* request_node = reader.required_node("request");
  const std::string wanted = reader.required_string("decision");
  const auto rules = reader.strings("rules");
  reader.finish();
  if (request_node == nullptr) {
    return name + ": no request";
  }
  const auto request = request_from_json(yaml::to_json(*request_node), "request");
  const auto facts = request ? derive(*request) : Result<Facts>(fail(request.error()));
  if (!facts) {
    return name + ": " + to_string(facts.error());
  }
  const Decision decision = decide(policy, *facts, {.now_unix_ms = now});
  std::set<std::string> decided;
  for (const RuleHit& hit : decision.deciding) {
    decided.insert(hit.rule);
  }
  std::set<std::string> expected;
  for (const auto& rule : rules.value_or(std::vector<yaml::MappingReader::Text>{})) {
    expected.insert(rule.value);
  }
  if (to_string(decision.effect) != wanted || (rules && decided != expected)) {
    return name + ": decided otherwise\n" + describe(decision);
  }
  return {};
}

}  // namespace

std::string org(std::string_view body) {
  return "schema: rgx.policy/v1\nname: top\nlayer: org\n"
         "default: deny\n" +
         std::string(body) +
         "\nbudgets:\n  run: {tokens: 100, cost_usd_micros: 100, wall_ms: 1000, steps: 10, "
         "files_changed: 10, bytes_written: 1000, model_calls: 1, agents: 1, processes: 10}\n"
         "  step: {wall_ms: 500}\n";
}

std::string lower(std::string_view layer, std::string_view body) {
  return "schema: rgx.policy/v1\nname: " + std::string(layer) + "\nlayer: " + std::string(layer) +
         "\n" + std::string(body);
}

Policy must_load(std::string_view text, std::string_view file) {
  return must(load_policy(text, file));
}

PolicySet must_stack(const std::vector<std::string>& texts) {
  std::vector<Policy> layers;
  for (const std::string& text : texts) {
    layers.push_back(must_load(text, "p" + std::to_string(layers.size()) + ".yaml"));
  }
  return must(PolicySet::stack(std::move(layers)));
}

Facts must_derive(std::string_view request) {
  return must(derive(must(request_from_json(must(parse_json(request)), "request"))));
}

Decision eval(const PolicySet& policy, std::string_view request, std::int64_t now) {
  return decide(policy, must_derive(request), {.now_unix_ms = now});
}

std::string_view answer(const Decision& decision) {
  return to_string(decision.effect);
}

std::string deciding(const Decision& decision) {
  std::vector<std::string> ids;
  for (const RuleHit& hit : decision.deciding) {
    ids.push_back(hit.rule);
  }
  return join(ids, ",");
}

std::string text_of(const Decision& decision) {
  return describe(decision);
}

std::vector<std::string> run_cases(const std::string& path, std::size_t& count) {
  const yaml::Node root = must(yaml::parse(rgx::test::read_file(path), path));
  yaml::Mistakes mistakes;
  yaml::MappingReader file(root, "the tests", mistakes);
  file.schema("rgx.policy-test/v1");
  const std::string policy_file = file.required_string("policy");
  const std::int64_t now = must(parse_time(file.required_string("now")));
  const yaml::Node* cases = file.sequence("cases");
  file.finish();
  const auto policy_path = std::filesystem::path(path).parent_path() / policy_file;
  const PolicySet policy =
      must(PolicySet::stack({must_load(rgx::test::read_file(policy_path), policy_file)}));
  std::vector<std::string> failures;
  count = 0;
  for (const auto& item : cases == nullptr ? yaml::Node().items : cases->items) {
    ++count;
    std::string failure = run_case(policy, now, *item, mistakes);
    if (!failure.empty()) {
      failures.push_back(std::move(failure));
    }
  }
  for (const Diagnostic& diagnostic : mistakes.all()) {
    failures.push_back(to_string(diagnostic.place) + ": " + diagnostic.message);
  }
  return failures;
}

}  // namespace rgx::policy::test
