#include "engine/judge_files.h"

#include <gtest/gtest.h>

namespace rgx::engine {
namespace {

TEST(JudgeFiles, AreTestsBuildsAndPipelinesOfCommonLanguages) {
  for (const char* path : {"tests/a.c",
                           "src/deep/test/x",
                           "pkg/store_test.go",
                           "test_store.py",
                           "a/conftest.py",
                           "ui/form.spec.ts",
                           "ui/form.test.jsx",
                           "CMakeLists.txt",
                           "lib/rules.mk",
                           "package.json",
                           "web/package-lock.json",
                           "pyproject.toml",
                           "Cargo.toml",
                           "go.sum",
                           ".github/workflows/ci.yml",
                           ".gitlab-ci.yml",
                           "jest.config.ts",
                           "requirements-dev.txt",
                           "src/StoreTest.java",
                           "spec/store_spec.rb",
                           "Makefile",
                           "src/__tests__/a.js"}) {
    EXPECT_TRUE(is_judge_file(path)) << path;
  }
}

TEST(JudgeFiles, AreNotTheSources) {
  for (const char* path :
       {"src/ring.c", "src/latest.c", "src/contest.py", "docs/testing.md", "test_store.md",
        "_test.go", "src/protest/a.c", "packages.json", "tests", "src/inspect.ts", "README.md"}) {
    EXPECT_FALSE(is_judge_file(path)) << path;
  }
}

TEST(JudgeFiles, NamedByChecksAreScriptsFoldersAndFiles) {
  templates::Plan plan;
  templates::Step tests;
  tests.tool.use = "check.tests";
  tests.tool.with = Json::object({{"argv", Json::array_of({"python3", "./scripts/run.py", "-v"})}});
  templates::Step file;
  file.tool.use = "check.file";
  file.tool.with = Json::object({{"path", "docs/api.md"}});
  plan.acceptance = {tests, file};
  const std::set<std::string> named = files_named_by_checks(plan);
  EXPECT_TRUE(named.contains("scripts/run.py"));
  EXPECT_TRUE(named.contains("docs/api.md"));
  EXPECT_FALSE(named.contains("src/ring.c"));
}

}  // namespace
}  // namespace rgx::engine
