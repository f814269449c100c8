#include "engine/judge_files.h"

#include <algorithm>
#include <array>

#include "base/path.h"
#include "base/text.h"

namespace rgx::engine {

namespace {

/// A folder of this name, at any depth, and everything below it.
constexpr std::array<std::string_view, 16> kFolders = {
    ".buildkite", ".circleci", ".github",  ".gitlab", ".husky", "__mocks__", "__tests__", "ci",
    "cmake",      "e2e",       "fixtures", "jenkins", "spec",   "test",      "testdata",  "tests"};

/// A file of this name, at any depth.
constexpr std::array<std::string_view, 56> kNames = {".bazelrc",
                                                     ".coveragerc",
                                                     ".gitlab-ci.yml",
                                                     ".mocharc.json",
                                                     ".npmrc",
                                                     ".pre-commit-config.yaml",
                                                     ".travis.yml",
                                                     "BUILD",
                                                     "BUILD.bazel",
                                                     "CMakeLists.txt",
                                                     "CMakePresets.json",
                                                     "CTestCustom.cmake",
                                                     "Cargo.lock",
                                                     "Cargo.toml",
                                                     "Dockerfile",
                                                     "GNUmakefile",
                                                     "Gemfile",
                                                     "Gemfile.lock",
                                                     "Jenkinsfile",
                                                     "Justfile",
                                                     "MODULE.bazel",
                                                     "Makefile",
                                                     "Pipfile",
                                                     "Pipfile.lock",
                                                     "Rakefile",
                                                     "Taskfile.yml",
                                                     "WORKSPACE",
                                                     "azure-pipelines.yml",
                                                     "build.gradle",
                                                     "build.gradle.kts",
                                                     "build.rs",
                                                     "build.sbt",
                                                     "composer.json",
                                                     "composer.lock",
                                                     "configure",
                                                     "configure.ac",
                                                     "conftest.py",
                                                     "go.mod",
                                                     "go.sum",
                                                     "go.work",
                                                     "gradlew",
                                                     "makefile",
                                                     "meson.build",
                                                     "meson_options.txt",
                                                     "mvnw",
                                                     "noxfile.py",
                                                     "package-lock.json",
                                                     "package.json",
                                                     "pnpm-lock.yaml",
                                                     "poetry.lock",
                                                     "pom.xml",
                                                     "pyproject.toml",
                                                     "pytest.ini",
                                                     "rust-toolchain.toml",
                                                     "setup.cfg",
                                                     "setup.py"};
constexpr std::array<std::string_view, 6> kMoreNames = {
    "settings.gradle", "sitecustomize.py", "tox.ini", "tsconfig.json", "uv.lock", "yarn.lock"};

/// The end of a file's name, before which there is something.
constexpr std::array<std::string_view, 21> kEnds = {
    ".bats",     ".cmake",   ".mk",       ".spec.js",  ".spec.jsx", ".spec.mjs", ".spec.ts",
    ".spec.tsx", ".test.js", ".test.jsx", ".test.mjs", ".test.ts",  ".test.tsx", "Test.java",
    "Tests.cs",  "_spec.rb", "_test.c",   "_test.cc",  "_test.cpp", "_test.go",  "_test.py"};

/// The beginning of the name of a file of these languages.
constexpr std::string_view kTestHead = "test_";
constexpr std::array<std::string_view, 6> kTestHeadEnds = {".c",  ".cc", ".cpp",
                                                           ".py", ".rb", ".sh"};

/// Files that steer a runner, by the beginning of their name: `jest.config.ts`.
constexpr std::array<std::string_view, 8> kHeads = {
    "babel.config.", "cypress.config.",    "eslint.config.", "jest.config.",
    "karma.conf.",   "playwright.config.", "vite.config.",   "vitest.config."};

template <std::size_t Size>
bool is_among(const std::array<std::string_view, Size>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_judge_name(std::string_view name) {
  const auto ends = [name](std::string_view end) {
    return name.size() > end.size() && name.ends_with(end);
  };
  return is_among(kNames, name) || is_among(kMoreNames, name) || std::ranges::any_of(kEnds, ends) ||
         (name.starts_with(kTestHead) && std::ranges::any_of(kTestHeadEnds, ends)) ||
         (name.starts_with("requirements") && name.ends_with(".txt")) ||
         std::ranges::any_of(kHeads,
                             [name](std::string_view head) { return name.starts_with(head); });
}

}  // namespace

bool is_judge_file(std::string_view path) {
  const auto parts = split(path, '/');
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (is_among(kFolders, parts[i])) {
      return true;
    }
  }
  return is_judge_name(parts.back());
}

std::set<std::string> files_named_by_checks(const templates::Plan& plan) {
  std::set<std::string> named;
  for (const templates::Step& check : plan.acceptance) {
    if (const Json* path = check.tool.with.find("path"); path != nullptr && path->is_string()) {
      named.insert(path->as_string());
    }
    const Json* argv = check.tool.with.find("argv");
    if (argv == nullptr || !argv->is_array()) {
      continue;
    }
    for (const Json& word : argv->as_array()) {
      // A word that is no path, like `-j2`, names no file that a run could have changed.
      if (auto path = normal_path(word.as_string()); path && *path != ".") {
        named.insert(std::move(*path));
      }
    }
  }
  return named;
}

}  // namespace rgx::engine
