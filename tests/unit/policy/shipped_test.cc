#include "policy/shipped.h"

#include <gtest/gtest.h>

#include "policy/test_file.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/shared_vectors.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

void expect_cases(const std::string& path, std::size_t at_least) {
  std::size_t count = 0;
  for (const std::string& failure : run_cases(path, count)) {
    ADD_FAILURE() << failure;
  }
  EXPECT_GE(count, at_least);
}

std::string_view bytes_of(std::string_view name) {
  const auto file = find_shipped_policy(name);
  return file ? file->bytes : std::string_view{};
}

TEST(ShippedPolicies, AreThoseOfTheFolder) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : shipped_policies()) {
    names.emplace_back(file.name);
    EXPECT_EQ(file.bytes, rgx::test::read_file(RGX_SOURCE_DIR "/policies/" + names.back()));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"ci.yaml", "default.yaml", "maintainer.yaml",
                                             "read-only.yaml", "regulated.yaml", "strict.yaml"}));
}

TEST(ShippedPolicies, AreFoundByTheNameInTheFile) {
  for (const std::string_view name : starting_policies()) {
    EXPECT_EQ(must_load(bytes_of(name)).name, name);
  }
  EXPECT_FALSE(find_shipped_policy("").has_value());
  EXPECT_FALSE(find_shipped_policy("strict.yaml").has_value());
}

TEST(ShippedPolicies, ToStartFromAreUserLayersWithAllThatATopNeeds) {
  EXPECT_EQ(starting_policies(), (std::vector<std::string_view>{"ci", "maintainer", "read-only",
                                                                "regulated", "strict"}));
  for (const std::string_view name : starting_policies()) {
    const PolicySet policy = must_stack({std::string(bytes_of(name))});
    EXPECT_EQ(policy.layers().front().layer, Layer::user) << name;
    EXPECT_EQ(policy.budget().tokens + policy.budget().agents + policy.budget().model_calls, 0)
        << name;
  }
}

TEST(ShippedPolicies, DecideTheirCasesByEveryRule) {
  for (const EmbeddedFile& file : shipped_policies()) {
    const std::string stem(file.name.substr(0, file.name.rfind('.')));
    const std::string path = RGX_SOURCE_DIR "/policies/" + stem + ".test.yaml";
    expect_cases(path, 13);
    const auto tests = load_test_file(rgx::test::read_file(path), path);
    ASSERT_TRUE(tests) << path;
    const auto report = run_tests(*tests, must_load(file.bytes));
    ASSERT_TRUE(report) << path;
    EXPECT_EQ(report->uncovered, std::vector<std::string>{}) << path;
  }
}

/// The steps that a repository's own layer would allow itself, under each shipped policy.
TEST(ShippedPolicies, LetARepositoryAllowNoMoreThanTheyDelegate) {
  const std::string greedy = lower("repository", R"(
rules:
  - id: all
    effect: allow
    read: ["**", "home:**", "abs:/**"]
    write: ["**", "home:**", "abs:/**"]
    hosts: ["example.org:443"]
    refs: ["**"]
    env: [LD_PRELOAD]
    analysis: partial
    why: "everything"
    remedy: "none"
  - id: tests
    effect: allow
    tool: [exec]
    argv: ["ctest", "**"]
    read: ["**"]
    write: ["**"]
    why: "tests"
    remedy: "none"
)");
  for (const std::string_view name : starting_policies()) {
    const PolicySet policy = must_stack({std::string(bytes_of(name)), greedy});
    for (const std::string_view request :
         {R"({"use":"file.read","with":{"path":"home:.ssh/id_rsa"}})",
          R"({"use":"file.write","with":{"path":"abs:/etc/hosts"}})",
          R"({"use":"http.get","with":{"url":"https://example.org/"}})",
          R"({"use":"shell","with":{"script":"ls"},"read":[],"write":[]})",
          R"({"use":"exec","with":{"argv":["curl","x"]},"read":[],"write":[]})",
          R"({"use":"file.delete","with":{"path":"src/a.c"}})"}) {
      EXPECT_EQ(answer(eval(policy, request)), "deny") << name << " " << request;
    }
    EXPECT_EQ(answer(eval(policy, R"({"use":"exec","with":{"argv":["ctest"]},"read":["**"],
                                      "write":["build/log"]})")),
              name == "read-only" ? "deny" : "allow")
        << name;
  }
}

TEST(ShippedPolicies, DefaultIsATopLayerWithItsBudgets) {
  const PolicySet policy = must_stack({std::string(bytes_of("default"))});
  EXPECT_EQ(policy.layers().front().layer, Layer::org);
  const RunBudget expected{.tokens = 0,
                           .cost_usd_micros = 0,
                           .wall_ms = 1800000,
                           .steps = 1000,
                           .files_changed = 500,
                           .bytes_written = 64LL << 20,
                           .model_calls = 0,
                           .agents = 0,
                           .processes = 64};
  EXPECT_EQ(policy.budget(), expected);
  EXPECT_EQ(policy.step_wall_ms(), 900000);
  EXPECT_EQ(policy.slots("process"), 2);
  EXPECT_EQ(policy.slots("model"), 1);
  EXPECT_EQ(policy.sandbox(), SandboxDemand::best_effort);
  EXPECT_EQ(policy.review(), Review::none);
}

TEST(ShippedPolicies, DefaultLetsARepositoryAllowItsTests) {
  const std::string repository = lower("repository", R"(
rules:
  - id: tests
    effect: allow
    tool: [exec, "check.tests"]
    argv: ["ctest", "--test-dir", "build", "**"]
    read: ["**"]
    write: ["build/**"]
    why: "the tests"
    remedy: "run ctest on build/"
  - id: curl
    effect: allow
    tool: [exec, "http.get"]
    argv: ["curl", "**"]
    read: ["**"]
    write: ["build/**"]
    hosts: ["example.org:443"]
    why: "downloads"
    remedy: "none"
)");
  const PolicySet policy = must_stack({std::string(bytes_of("default")), repository});
  EXPECT_EQ(answer(eval(policy, R"({"use":"exec","with":{"argv":["ctest","--test-dir","build"]},
                                    "read":["**"],"write":["build/**"]})")),
            "allow");
  EXPECT_EQ(answer(eval(policy, R"({"use":"exec","with":{"argv":["curl","x"]},
                                    "read":["**"],"write":["build/**"]})")),
            "deny");
  EXPECT_EQ(answer(eval(policy, R"({"use":"http.get","with":{"url":"https://example.org/"}})")),
            "deny");
}

TEST(PaymentsExample, DecidesItsCases) {
  RGX_REQUIRE_VECTORS(path, "examples/payments.test.yaml");
  expect_cases(path.string(), 4);
}

TEST(PaymentsExample, AnswersAsItsAuthorMeant) {
  RGX_REQUIRE_VECTORS(path, "examples/payments.yaml");
  const PolicySet policy = must_stack({rgx::test::read_file(path)});
  struct Case {
    std::string_view request;
    std::string_view answer;
    std::string_view rules;
  };
  const std::vector<Case> cases = {
      {R"({"use":"file.read","with":{"path":"src/a.c"}})", "allow", "read-workspace"},
      {R"({"use":"exec","with":{"argv":["ctest","--test-dir","build","-j2"]},"read":["**"],
          "write":["build/**"]})",
       "require_approval", "build-files"},  // ctest may write build/x/CMakeLists.txt
      {R"({"use":"exec","with":{"argv":["ctest","--test-dir","build","-j2"]},"read":["**"],
          "write":["build/Testing/Temporary/LastTest.log"]})",
       "allow", "run-tests"},
      {R"({"use":"exec","with":{"argv":["ctest","--test-dir","build"]}})", "deny", ""},
      {R"({"use":"exec","with":{"argv":["ninja"]},"read":["**"],"write":["build/**"]})", "deny",
       ""},
      {R"({"use":"exec","with":{"argv":["ctest","--test-dir","build"],"env":{"CTEST_X":"1"}},
          "read":["**"],"write":["build/log"]})",
       "allow", "run-tests"},
      {R"({"use":"exec","with":{"argv":["ctest","--test-dir","build"],"env":{"LD_PRELOAD":"x"}},
          "read":["**"],"write":["build/**"]})",
       "deny", ""},
      {R"({"use":"http.get","with":{"url":"https://api.osv.dev/v1/query"}})", "allow",
       "advisories"},
      {R"({"use":"http.get","with":{"url":"https://api.osv.dev.evil.org/"}})", "deny", ""},
      {R"({"use":"file.edit","with":{"path":"src/CMakeLists.txt"}})", "require_approval",
       "build-files"},
      {R"({"use":"file.read","with":{"path":"home:.ssh/id_rsa"}})", "deny", "no-keys"},
      {R"({"use":"agent.run","with":{"adapter":"x"},"read":["**"],"write":["src/**"]})", "deny",
       "frozen,gates.critical"},
  };
  for (const Case& test : cases) {
    const Decision decision = eval(policy, test.request);
    EXPECT_EQ(answer(decision), test.answer) << test.request << "\n" << describe(decision);
    EXPECT_EQ(deciding(decision), test.rules) << test.request << "\n" << describe(decision);
  }
}

TEST(PaymentsExample, ExceptionEndsWithItsDay) {
  RGX_REQUIRE_VECTORS(path, "examples/payments.yaml");
  const PolicySet policy = must_stack({rgx::test::read_file(path)});
  const std::string_view request = R"({"use":"file.edit","with":{"path":"src/ledger/hash.c"}})";
  constexpr std::int64_t kEnd = 1801440000000;  // 2027-02-01T00:00:00Z
  const Decision before = eval(policy, request, kEnd - 1);
  EXPECT_EQ(answer(before), "allow");
  EXPECT_EQ(before.exceptions, std::vector<std::string>{"frozen (SEC-812)"});
  const Decision after = eval(policy, request, kEnd);
  EXPECT_EQ(answer(after), "deny");
  EXPECT_EQ(deciding(after), "frozen");
}

}  // namespace
}  // namespace rgx::policy::test
