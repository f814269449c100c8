#include "cli/project_detect.h"

#include <gtest/gtest.h>

#include <map>

namespace rgx::cli {
namespace {

using Texts = std::map<std::string, std::string, std::less<>>;

std::vector<TestCommand> find(const Texts& texts) {
  ProjectFiles project;
  for (const auto& [path, text] : texts) {
    project.paths.push_back(path);
  }
  project.read = [&texts](std::string_view path) -> std::optional<std::string> {
    const auto found = texts.find(path);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  };
  return find_test_commands(project);
}

std::vector<std::string> first_argv(const Texts& texts) {
  const auto found = find(texts);
  return found.empty() ? std::vector<std::string>{} : found.front().argv;
}

using Words = std::vector<std::string>;

TEST(TestCommand, OfCTest) {
  const Words ctest = {"ctest",
                       "--build-and-test",
                       ".",
                       "build/rgx",
                       "--build-generator",
                       "Unix Makefiles",
                       "--build-noclean",
                       "--test-command",
                       "ctest",
                       "--output-on-failure"};
  EXPECT_EQ(first_argv({{"CMakeLists.txt", "project(x)\nEnable_Testing ( )\n"}}), ctest);
  EXPECT_EQ(first_argv({{"CMakeLists.txt", "include(CTest)\n"}}), ctest);
  EXPECT_EQ(find({{"CMakeLists.txt", "include(CTest)\n"}}).front().writes, Words{"build/rgx/**"});
  EXPECT_TRUE(find({{"CMakeLists.txt", "# enable_testing()\nmy_enable_testing()\n"}}).empty());
}

TEST(TestCommand, OfMake) {
  EXPECT_EQ(first_argv({{"Makefile", "all:\n\nall test: x\n"}}), (Words{"make", "test"}));
  EXPECT_EQ(first_argv({{"Makefile", "check:: x\n"}}), (Words{"make", "check"}));
  EXPECT_TRUE(
      find({{"Makefile", "test := a\ntest ::= b\n\ttest: c\n# test: d\nlatest: e\n"}}).empty());
}

TEST(TestCommand, OfNpm) {
  EXPECT_EQ(first_argv({{"package.json", R"({"scripts":{"test":"node --test"}})"}}),
            (Words{"npm", "test"}));
  EXPECT_TRUE(find({{"package.json",
                     R"({"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}})"}})
                  .empty());
  EXPECT_TRUE(find({{"package.json", "{broken"}}).empty());
}

TEST(TestCommand, OfPytest) {
  const Words pytest = {"pytest", "-p", "no:cacheprovider"};
  EXPECT_EQ(first_argv({{"pyproject.toml", "[tool.pytest.ini_options]\n"}}), pytest);
  EXPECT_EQ(first_argv({{"tests/test_a.py", ""}}), pytest);
  EXPECT_TRUE(find({{"contest.py", ""}, {"test_data.txt", ""}}).empty());
}

TEST(TestCommand, OfUnittest) {
  const std::string test = "import unittest\n";
  const Words pytest = {"pytest", "-p", "no:cacheprovider"};
  EXPECT_EQ(first_argv({{"tests/__init__.py", ""}, {"tests/test_a.py", test}}),
            (Words{"python3", "-m", "unittest"}));
  EXPECT_EQ(first_argv({{"test_a.py", test}}), (Words{"python3", "-m", "unittest"}));
  EXPECT_EQ(first_argv({{"tests/test_a.py", test}}),
            (Words{"python3", "-m", "unittest", "discover", "-s", "tests"}));
  // What would not run all of them.
  EXPECT_EQ(first_argv({{"tests/test_a.py", test}, {"tests/b_test.py", test}}), pytest);
  EXPECT_EQ(first_argv({{"a/test_a.py", test}, {"b/test_b.py", test}}), pytest);
  EXPECT_EQ(first_argv({{"tests/test_a.py", test}, {"tests/conftest.py", test}}), pytest);
  EXPECT_EQ(first_argv({{"tests/test_a.py", test}, {"setup.cfg", "[tool:pytest]\n"}}), pytest);
  EXPECT_EQ(first_argv({{"test_a.py", "import pytest\nimport unittest\n"}}), pytest);
}

TEST(TestCommand, OfCargoAndGo) {
  EXPECT_EQ(first_argv({{"Cargo.toml", ""}}), (Words{"cargo", "test"}));
  EXPECT_EQ(first_argv({{"go.mod", ""}}), (Words{"go", "test", "./..."}));
}

TEST(TestCommand, SeveralAreToldInAFixedOrder) {
  const auto found = find({{"go.mod", ""}, {"Makefile", "test:\n"}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].found_in, "Makefile, target test");
  EXPECT_EQ(found[1].found_in, "go.mod");
}

TEST(Languages, AreThoseWithMostFilesFirst) {
  EXPECT_EQ(find_languages({"a.py", "src/b.c", "src/c.c", "x.cc", ".sh", "Makefile", "d.unknown"}),
            (Words{"C", "C++", "Python"}));
}

}  // namespace
}  // namespace rgx::cli
