#include "tests/unit/policy/policy_support.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "policy/test_file.h"
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
  const TestFile tests = must(load_test_file(rgx::test::read_file(path), path));
  const auto policy_path = std::filesystem::path(path).parent_path() / tests.policy;
  const TestReport report =
      must(run_tests(tests, must_load(rgx::test::read_file(policy_path), tests.policy)));
  count = report.results.size();
  std::vector<std::string> failures;
  for (std::size_t i = 0; i < count; ++i) {
    if (!report.results[i].passed) {
      failures.push_back(tests.cases[i].name + ": " + report.results[i].difference + '\n' +
                         describe(report.results[i].decision));
    }
  }
  return failures;
}

}  // namespace rgx::policy::test
