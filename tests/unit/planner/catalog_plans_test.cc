#include "planner/compile.h"
#include "templates/seal.h"
#include "tests/support/error_matchers.h"
#include "tests/support/memory_repository.h"
#include "tests/unit/planner/shipped_templates.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

// The plans that the shipped templates make of one small repository.

namespace rgx::planner {
namespace {

test::MemoryRepository project() {
  test::MemoryRepository repository;
  repository.track("src/a.py", "#!/usr/bin/env python3\n__version__ = \"1.2.0\"\nprint (1)\n")
      .track("src/b.c", "/* SPDX-License-Identifier: MIT */\n")
      .track("tools/fix.py", "# SPDX-License-Identifier: MIT\n")
      .track("package.json",
             "{\n  \"version\": \"1.2.0\",\n  \"dependencies\": {\"lodash\": \"^4.0.0\"}\n}\n")
      .track("package-lock.json", "{\n  \"lockfileVersion\": 3\n}\n")
      .track("CHANGELOG.md", "# Changes\n\n## [Unreleased]\n\n- more\n")
      .add_untracked(
          ".rgx/config.yaml",
          "schema: rgx.config/v1\nproject: {test_argv: [make, test], format_argv: [black], "
          "format_files: [\"**/*.py\"]}\n");
  return repository;
}

/// Ids of the steps of the sealed plan; the mistakes where there is none.
std::vector<std::string> steps_of(const std::string& intent) {
  auto repository = project();
  auto answer = compile(CompileRequest{intent, {}, {}}, shipped(), repository);
  if (!answer) {
    return {to_string(answer.error())};
  }
  auto* compiled = std::get_if<Compiled>(&*answer);
  if (compiled == nullptr) {
    return {"asks: " + std::get<Question>(*answer).text};
  }
  const auto plan = templates::seal(std::move(compiled->draft));
  if (!plan) {
    return {to_string(plan.error())};
  }
  std::vector<std::string> ids;
  for (const templates::Step& step : plan->plan().steps) {
    ids.push_back(step.id.text());
  }
  return ids;
}

using Ids = std::vector<std::string>;

TEST(CatalogPlans, EachTemplateMakesItsSteps) {
  EXPECT_EQ(steps_of("replace print with write"), (Ids{"edit[src/a.py]", "tests"}));
  EXPECT_EQ(steps_of("audit src"), (Ids{"calls", "licenses", "secrets"}));
  EXPECT_EQ(steps_of("rewrite `print \\((\\d)\\)` as `print(\\1)`"),
            (Ids{"edit[src/a.py]", "tests"}));
  EXPECT_EQ(steps_of("run the script tools/fix.py over src"),
            (Ids{"edit[src/a.py]", "edit[src/b.c]", "tests"}));
  EXPECT_EQ(steps_of("upgrade lodash to 4.17.21"),
            (Ids{"manifest[package.json]", "lock[package-lock.json]", "tests"}));
  EXPECT_EQ(steps_of("format src"), (Ids{"format", "tests"}));
  EXPECT_EQ(steps_of("add MIT license headers"), (Ids{"hash[src/a.py]"}));
  EXPECT_EQ(
      steps_of("prepare release 2.0.0"),
      (Ids{"changelog[CHANGELOG.md]", "version[package.json]", "version[src/a.py]", "tests"}));
  EXPECT_EQ(steps_of("run the tests"), (Ids{"tests"}));
}

TEST(CatalogPlans, VerificationStandsBetweenEditsAndTests) {
  auto repository = project();
  CompileRequest request;
  request.template_name = "codemod";
  request.set = {
      {"pattern", "print"}, {"replacement", "write"}, {"verify", "node"}, {"verify", "--check"}};
  auto answer = compile(request, shipped(), repository);
  ASSERT_TRUE(test::accepted(answer));
  const auto plan = templates::seal(std::move(std::get<Compiled>(*answer).draft));
  ASSERT_TRUE(test::accepted(plan));
  const auto& steps = plan->plan().steps;
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[1].id.text(), "verify[src/a.py]");
  EXPECT_EQ(*steps[1].tool.with.find("argv"),
            Json::array({Json("node"), Json("--check"), Json("src/a.py")}));
  EXPECT_EQ(steps[2].needs.size(), 2U);
}

TEST(CatalogPlans, NothingToDoIsSaid) {
  for (const char* intent : {"replace nowhere with other", "rewrite `nowhere` as `other`",
                             "upgrade lodash to 4.0.0", "add MIT license headers under tools"}) {
    const Ids said = steps_of(intent);
    ASSERT_EQ(said.size(), 1U) << intent;
    EXPECT_NE(said.front().find("instantiate.nothing_to_do"), std::string::npos) << said.front();
  }
  EXPECT_NE(steps_of("upgrade nothing-here to 1.0").front().find("fact.no_dependency"),
            std::string::npos);
  EXPECT_NE(steps_of("format CHANGELOG.md").front().find("fact.nothing_found"), std::string::npos);
}

}  // namespace
}  // namespace rgx::planner
