#include "base/canonical.h"
#include "planner/facts.h"
#include "templates/regex.h"
#include "tests/support/error_matchers.h"
#include "tests/support/memory_repository.h"
#include "tests/unit/planner/shipped_templates.h"

#include <gtest/gtest.h>

// The probes that know where projects keep things: versions, dependencies, formatters.

namespace rgx::planner {
namespace {

Result<Json> fact(std::string_view fact, RepositoryView& repository) {
  const auto source = parsed_template(
      "schema: rgx.template/v1\nname: t\nversion: \"1\"\nsummary: s\nfacts: {f: " +
      std::string(fact) + "}\nsteps: [{id: s, use: exec, with: {argv: [\"true\"]}}]\n");
  RGX_TRY(const templates::FactValues values, evaluate_facts(source, {}, repository));
  return values.at("f").value.json;
}

/// What the edits of a fact's `files` make of one file.
std::string edited(const Json& value, std::string_view path, std::string bytes) {
  for (const Json& file : value.find("files")->as_array()) {
    if (file.find("path")->as_string() != path) {
      continue;
    }
    for (const Json& edit : file.find("edits")->as_array()) {
      const auto regex = templates::Regex::parse(edit.find("pattern")->as_string());
      EXPECT_TRUE(test::accepted(regex));
      const auto replaced = regex->replace_all(bytes, edit.find("to")->as_string(), 1U << 20U);
      EXPECT_EQ(replaced->count, 1) << edit.find("pattern")->as_string();
      bytes = replaced->bytes;
    }
    return bytes;
  }
  return "not edited";
}

struct Place {
  const char* path;
  const char* before;
  const char* after;
};

TEST(ProjectVersions, EveryKindOfFileIsChangedInItsPlaceOnly) {
  const Place places[] = {
      {"package.json",
       "{\n  \"name\": \"a\",\n  \"version\": \"1.2.3\",\n  \"x\": {\"version\": \"1.2.3\"}\n}",
       "{\n  \"name\": \"a\",\n  \"version\": \"2.0.0\",\n  \"x\": {\"version\": \"1.2.3\"}\n}"},
      {"package-lock.json",
       "{\n \"name\": \"a\",\n \"version\": \"1.2.3\",\n \"packages\": {\n  \"\": {\n   \"name\": "
       "\"a\",\n   "
       "\"version\": \"1.2.3\"\n  },\n  \"node_modules/b\": {\"version\": \"1.2.3\"}}}",
       "{\n \"name\": \"a\",\n \"version\": \"2.0.0\",\n \"packages\": {\n  \"\": {\n   \"name\": "
       "\"a\",\n   "
       "\"version\": \"2.0.0\"\n  },\n  \"node_modules/b\": {\"version\": \"1.2.3\"}}}"},
      {"pyproject.toml",
       "[build-system]\nversion = \"1.2.3\"\n[project]\nname = \"a\"\n\nversion = \"1.2.3\"\n",
       "[build-system]\nversion = \"1.2.3\"\n[project]\nname = \"a\"\n\nversion = \"2.0.0\"\n"},
      {"rust/Cargo.toml",
       "[package]\nname = \"core\"\nversion = \"1.2.3\"\n[dependencies]\nb = \"1.2.3\"\n",
       "[package]\nname = \"core\"\nversion = \"2.0.0\"\n[dependencies]\nb = \"1.2.3\"\n"},
      {"rust/Cargo.lock",
       "[[package]]\nname = \"b\"\nversion = \"1.2.3\"\n\n[[package]]\nname = \"core\"\nversion = "
       "\"1.2.3\"\n",
       "[[package]]\nname = \"b\"\nversion = \"1.2.3\"\n\n[[package]]\nname = \"core\"\nversion = "
       "\"2.0.0\"\n"},
      {"setup.cfg", "[metadata]\nname = a\nversion = 1.2.3\n",
       "[metadata]\nname = a\nversion = 2.0.0\n"},
      {"setup.py", "setup(name='a', version='1.2.3')\n", "setup(name='a', version='2.0.0')\n"},
      {"CMakeLists.txt",
       "cmake_minimum_required(VERSION 3.20)\nproject(a\n  VERSION 1.2.3\n  LANGUAGES C)\n",
       "cmake_minimum_required(VERSION 3.20)\nproject(a\n  VERSION 2.0.0\n  LANGUAGES C)\n"},
      {"VERSION", "1.2.3\n", "2.0.0\n"},
      {"a/__init__.py", "x = '1.2.3'\n__version__ = \"1.2.3\"\n",
       "x = '1.2.3'\n__version__ = \"2.0.0\"\n"},
      {"include/a.h", "#define A_API 1\n#define A_VERSION \"1.2.3\"\n",
       "#define A_API 1\n#define A_VERSION \"2.0.0\"\n"},
      {"cmd/version.go", "package main\n\nconst Version = \"1.2.3\"\n",
       "package main\n\nconst Version = \"2.0.0\"\n"},
      {"src/version.ts", "export const VERSION = '1.2.3';\n", "export const VERSION = '2.0.0';\n"},
  };
  test::MemoryRepository repository;
  for (const Place& place : places) {
    repository.track(place.path, place.before);
  }
  const auto value = fact("{probe: project.versions, with: {version: \"2.0.0\"}}", repository);
  ASSERT_TRUE(test::accepted(value));
  EXPECT_EQ(*value->find("current"), Json("1.2.3"));
  EXPECT_TRUE(value->find("others")->as_array().empty());
  for (const Place& place : places) {
    EXPECT_EQ(edited(*value, place.path, place.before), place.after) << place.path;
  }
}

TEST(ProjectVersions, OtherVersionsAndOtherPeoplesFilesStay) {
  test::MemoryRepository repository;
  repository.track("VERSION", "1.2.3\n")
      .track("plugin/package.json", "{\n  \"version\": \"0.1.0\"\n}")
      .track("vendor/b/VERSION", "1.2.3\n")
      .track("notes.txt", "version 1.2.3");
  const auto value = fact("{probe: project.versions, with: {version: \"2.0.0\"}}", repository);
  ASSERT_TRUE(test::accepted(value));
  EXPECT_EQ(canonical(*value->find("paths")), R"(["VERSION"])");
  EXPECT_EQ(canonical(*value->find("others")),
            R"([{"path":"plugin/package.json","version":"0.1.0"}])");
}

TEST(ProjectVersions, TheSameVersionChangesNothing) {
  test::MemoryRepository repository;
  repository.track("VERSION", "2.0.0\n");
  const auto value = fact("{probe: project.versions, with: {version: \"2.0.0\"}}", repository);
  ASSERT_TRUE(test::accepted(value));
  EXPECT_TRUE(value->find("files")->as_array().empty());
}

TEST(ProjectVersions, NoVersionNamesTheRemedy) {
  test::MemoryRepository repository;
  repository.track("a.c", "");
  EXPECT_TRUE(test::refused(fact("{probe: project.versions, with: {version: \"2\"}}", repository),
                            "fact.no_version", "no file of the project says its version"));
}

constexpr const char* kUpgrade =
    "{probe: project.dependencies, with: {package: left-pad, version: \"2.0.1\", "
    "registry: \"http://127.0.0.1:8081/simple\"}}";

TEST(ProjectDependencies, ManifestsKeepWhatStandsBeforeTheVersion) {
  const Place places[] = {
      {"package.json", "{\"dependencies\": {\"left-pad\": \"^1.0.0\", \"left-pad-x\": \"1.0.0\"}}",
       "{\"dependencies\": {\"left-pad\": \"^2.0.1\", \"left-pad-x\": \"1.0.0\"}}"},
      {"requirements.txt", "a==1.0.0\nleft-pad[x] ~= 1.0.0  # why\n",
       "a==1.0.0\nleft-pad[x] ~= 2.0.1  # why\n"},
      {"py/pyproject.toml", "dependencies = [\"left-pad>=1.0,<3\", \"b==1.0\"]\n",
       "dependencies = [\"left-pad>=2.0.1,<3\", \"b==1.0\"]\n"},
      {"rust/Cargo.toml",
       "[dependencies]\nleft-pad = { features = [\"a\"], version = \"1.0\" }\nb = \"1.0\"\n",
       "[dependencies]\nleft-pad = { features = [\"a\"], version = \"2.0.1\" }\nb = \"1.0\"\n"},
      {"go/go.mod", "module m\n\nrequire (\n\tleft-pad v1.0.0\n\tb v1.0.0\n)\n",
       "module m\n\nrequire (\n\tleft-pad v2.0.1\n\tb v1.0.0\n)\n"},
  };
  test::MemoryRepository repository;
  for (const Place& place : places) {
    repository.track(place.path, place.before);
  }
  repository.track("node_modules/x/package.json", "{\"dependencies\": {\"left-pad\": \"1.0.0\"}}");
  const auto value = fact(kUpgrade, repository);
  ASSERT_TRUE(test::accepted(value));
  EXPECT_EQ(value->find("files")->as_array().size(), std::size(places));
  EXPECT_EQ(canonical(*value->find("current")), R"(["1.0","1.0.0"])");
  for (const Place& place : places) {
    EXPECT_EQ(edited(*value, place.path, place.before), place.after) << place.path;
  }
  EXPECT_TRUE(value->find("locks")->as_array().empty());
}

TEST(ProjectDependencies, TrackedLockFilesAreMadeAgain) {
  test::MemoryRepository repository;
  repository.track("web/package.json", "{\"dependencies\": {\"left-pad\": \"1.0.0\"}}")
      .track("web/package-lock.json", "{}")
      .track("pyproject.toml", "dependencies = [\"left-pad==1.0.0\"]\n")
      .track("requirements.txt", "left-pad==1.0.0\n")
      .track("requirements.lock.json", "{}");
  const auto value = fact(kUpgrade, repository);
  ASSERT_TRUE(test::accepted(value));
  const auto& locks = value->find("locks")->as_array();
  ASSERT_EQ(locks.size(), 2U);
  EXPECT_EQ(canonical(locks[0]),
            R"({"argv":["python3","-m","pip","install","--dry-run","--ignore-installed","--quiet",)"
            R"("--no-input","--no-cache-dir","--disable-pip-version-check",)"
            R"("--index-url=http://127.0.0.1:8081/simple","--report","requirements.lock.json",)"
            R"("--requirement","requirements.txt"],"cwd":".","env":{},"hosts":["127.0.0.1:8081"],)"
            R"("path":"requirements.lock.json",)"
            R"("reads":["requirements.lock.json","pyproject.toml","requirements.txt"],)"
            R"("writes":["requirements.lock.json"]})");
  EXPECT_EQ(canonical(*locks[1].find("argv")),
            R"(["npm","install","--package-lock-only","--ignore-scripts","--no-audit","--no-fund",)"
            R"("--registry=http://127.0.0.1:8081/simple"])");
  EXPECT_EQ(canonical(*locks[1].find("cwd")), R"("web")");
  EXPECT_EQ(canonical(*locks[1].find("writes")), R"(["web/package-lock.json","web/package.json"])");
}

TEST(ProjectDependencies, MistakesAreNamed) {
  test::MemoryRepository repository;
  repository.track("package.json", "{}");
  EXPECT_TRUE(test::refused(fact(kUpgrade, repository), "fact.no_dependency", "`left-pad`"));
  EXPECT_TRUE(test::refused(
      fact("{probe: project.dependencies, with: {package: a, version: \"1\", registry: ftp}}",
           repository),
      "fact.input_type", "no URL"));
}

TEST(ProjectFormatter, ListsTheFilesThatItTakes) {
  test::MemoryRepository repository;
  repository.track("src/a.c", "")
      .track("src/a.py", "")
      .track("lib/b.c", "")
      .add_untracked(
          ".rgx/config.yaml",
          "schema: rgx.config/v1\nproject: {test_argv: [make], format_argv: [clang-format, -i], "
          "format_files: [\"**/*.c\"], format_writes: [\"build/**\"]}\n");
  const auto value = fact("{probe: project.formatter, with: {paths: [src]}}", repository);
  ASSERT_TRUE(test::accepted(value));
  EXPECT_EQ(canonical(*value), R"({"argv":["clang-format","-i"],"count":1,"paths":["src/a.c"],)"
                               R"("writes":["src/a.c","build/**"]})");
  EXPECT_TRUE(
      test::refused(fact("{probe: project.formatter, with: {exclude: [\"**\"]}}", repository),
                    "fact.nothing_found", "no file that the formatter takes"));
}

TEST(ProjectFormatter, WithoutOneNamesTheRemedy) {
  test::MemoryRepository repository;
  repository.add_untracked(".rgx/config.yaml",
                           "schema: rgx.config/v1\nproject: {test_argv: [make]}\n");
  EXPECT_TRUE(test::refused(fact("{probe: project.formatter}", repository), "fact.no_formatter",
                            "needs the project's formatter"));
}

}  // namespace
}  // namespace rgx::planner
