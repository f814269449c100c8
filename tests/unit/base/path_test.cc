#include "base/path.h"

#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rgx {
namespace {

using test::refused;

TEST(NormalPath, RemovesWhatSaysNothing) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a", "a"},
      {"a/b", "a/b"},
      {"a/./b//c", "a/b/c"},
      {"./a", "a"},
      {"a/", "a"},
      {".", "."},
      {"./", "."},
      {"a/..", "."},
      {"a/../b", "b"},
      {"a/b/../../c", "c"},
      {"...", "..."},
      {"a/..b", "a/..b"},
      {".git/config", ".git/config"},
      {"home:.ssh/id", "home:.ssh/id"},
      {"home:", "home:."},
      {"home:.", "home:."},
      {"home:a/../b", "home:b"},
      {"abs:/etc/passwd", "abs:/etc/passwd"},
      {"abs:/", "abs:/"},
      {"abs://etc//x/", "abs:/etc/x"},
      {"a/home:b", "a/home:b"},
      {"源/文件.c", "源/文件.c"},
      {"a b", "a b"},
      {"a\\b", "a\\b"},
  };
  for (const auto& [given, normal] : cases) {
    EXPECT_EQ(normal_path(given), normal) << given;
  }
}

TEST(NormalPath, RefusesToLeaveItsRoot) {
  for (const char* bad : {"..", "../a", "a/../..", "a/../../b", "home:..", "home:../x", "abs:/..",
                          "abs:/../etc", "./.."}) {
    EXPECT_TRUE(refused(normal_path(bad), "path.escapes", "leaves its root")) << bad;
  }
}

TEST(NormalPath, RefusesALeadingSlash) {
  EXPECT_TRUE(refused(normal_path("/etc/passwd"), "path.absolute", "starts with `/`"));
  EXPECT_TRUE(refused(normal_path("//a"), "path.absolute", "`abs:/...`"));
  EXPECT_TRUE(refused(normal_path("home:/.ssh"), "path.absolute", "starts with `/`"));
}

TEST(NormalPath, NeverTurnsAWorkspacePathIntoAPrefixedOne) {
  for (const char* bad : {"./home:.ssh/id", "a/../home:.ssh/id", "./abs:/etc", "abs:etc", "abs:"}) {
    EXPECT_TRUE(refused(normal_path(bad), "path.prefix", "path `")) << bad;
  }
}

TEST(NormalPath, RefusesControlAndInvisibleCharacters) {
  const std::vector<std::string> names = {
      "a\nb", "a\tb", std::string("a\0b", 3), "a\u202Eb", "a\u200B", "\u00ADa", "a\x7F"};
  for (const std::string& bad : names) {
    EXPECT_TRUE(refused(normal_path(bad), "path.control", "invisible character")) << bad;
  }
  EXPECT_TRUE(refused(normal_path("a\u202Eb"), "path.control", "a\\u{202e}b"));
}

TEST(NormalPath, RefusesInvalidUtf8EmptyAndLong) {
  EXPECT_TRUE(refused(normal_path("a\xFF"), "path.utf8", "`a\\xff` is not valid UTF-8"));
  EXPECT_TRUE(refused(normal_path(""), "path.empty", "path is empty"));
  EXPECT_TRUE(refused(normal_path(std::string(256, 'a')), "path.too_long", "255 bytes"));
  EXPECT_EQ(normal_path(std::string(255, 'a')), std::string(255, 'a'));
  std::string longest;
  while (longest.size() + 2 <= kPathBytesMax) {
    longest += "a/";
  }
  EXPECT_TRUE(normal_path(longest).has_value());
  EXPECT_TRUE(refused(normal_path(longest + "a"), "path.too_long", "4096 bytes"));
}

RC_GTEST_PROP(NormalPath, IsIdempotent, ()) {
  const auto parts =
      *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
          "a", "b", ".", "..", "", "home:", "abs:", "/", "home:x", "c.d", "abs:/"}));
  std::string path;
  for (const std::string& part : parts) {
    path += part + (part.ends_with(':') ? "" : "/");
  }
  const auto once = normal_path(path);
  if (once) {
    RC_ASSERT((normal_path(*once) == once));
  }
}

}  // namespace
}  // namespace rgx
