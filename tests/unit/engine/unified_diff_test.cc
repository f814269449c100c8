#include "engine/unified_diff.h"

#include <gtest/gtest.h>

#include "tests/support/error_matchers.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

Result<std::string> patched(std::string_view bytes, std::string_view diff) {
  RGX_TRY(const UnifiedDiff parsed, parse_unified_diff(diff));
  return apply_unified_diff(bytes, parsed, "a.c");
}

constexpr std::string_view kDiff =
    "diff --git a/a.c b/a.c\nindex 1..2 100644\n--- a/a.c\n+++ b/a.c\n"
    "@@ -1,3 +1,3 @@ int main\n one\n-two\n+TWO\n three\n";

TEST(UnifiedDiff, ReplacesWhereItSays) {
  EXPECT_EQ(patched("one\ntwo\nthree\nfour\n", kDiff), "one\nTWO\nthree\nfour\n");
}

TEST(UnifiedDiff, MovesToTheOnlyPlaceWhereItFits) {
  EXPECT_EQ(patched("zero\none\ntwo\nthree\n", kDiff), "zero\none\nTWO\nthree\n");
}

TEST(UnifiedDiff, SeveralPlacesAreNoPlace) {
  EXPECT_TRUE(refused(patched("x\none\ntwo\nthree\none\ntwo\nthree\n", kDiff), "patch.not_unique",
                      "several places"));
}

TEST(UnifiedDiff, ContextMustMatchByteForByte) {
  EXPECT_TRUE(refused(patched("one\ntwo \nthree\n", kDiff), "patch.no_match", "`-1`"));
  EXPECT_TRUE(refused(patched("one\r\ntwo\r\nthree\r\n", kDiff), "patch.no_match", "a.c"));
  EXPECT_TRUE(refused(patched("", kDiff), "patch.no_match", "a.c"));
}

TEST(UnifiedDiff, KeepsLineEndsAndAMissingLastOne) {
  EXPECT_EQ(patched("one\r\ntwo\r\n", "@@ -1,2 +1,2 @@\n one\r\n-two\r\n+TWO\r\n"),
            "one\r\nTWO\r\n");
  EXPECT_EQ(patched("one\ntwo",
                    "@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+TWO\n"
                    "\\ No newline at end of file\n"),
            "one\nTWO");
  EXPECT_EQ(patched("one\ntwo", "@@ -2 +2 @@\n-two\n\\ No newline at end of file\n+two\n"),
            "one\ntwo\n");
}

TEST(UnifiedDiff, LaterHunksFollowTheShiftOfEarlierOnes) {
  EXPECT_EQ(patched("a\nx\nb\nx\n", "@@ -1 +1,2 @@\n a\n+new\n@@ -4 +5 @@\n-x\n+y\n"),
            "a\nnew\nx\nb\ny\n");
}

TEST(UnifiedDiff, AddsWithoutContextBehindTheLineItNames) {
  EXPECT_EQ(patched("a\nb\n", "@@ -1,0 +2 @@\n+new\n"), "a\nnew\nb\n");
  EXPECT_EQ(patched("", "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+new\n"), "new\n");
}

TEST(UnifiedDiff, CountsMustHold) {
  EXPECT_TRUE(refused(patched("a\n", "@@ -1,2 +1 @@\n-a\n"), "patch.syntax", "line 3"));
  EXPECT_TRUE(refused(patched("a\n", "@@ -1 +1 @@\n-a\n-b\n"), "patch.syntax", "more lines"));
  EXPECT_TRUE(refused(patched("a\n", "@@ -1,x +1 @@\n-a\n"), "patch.syntax", "malformed"));
  EXPECT_TRUE(
      refused(patched("a\n", "@@ -99999999999999999999 +1 @@\n-a\n"), "patch.syntax", "malformed"));
  EXPECT_TRUE(refused(patched("a\n", "@@ -0,0 +0,0 @@\n"), "patch.syntax", "empty"));
  EXPECT_TRUE(refused(patched("a\n", "hello\n"), "patch.syntax", "there is no hunk"));
  EXPECT_TRUE(refused(patched("a\n", ""), "patch.syntax", "there is no hunk"));
}

TEST(UnifiedDiff, IsAboutOneFile) {
  const std::string two = std::string(kDiff) + "diff --git a/b b/b\n--- a/b\n+++ b/b\n";
  EXPECT_TRUE(refused(parse_unified_diff(two), "patch.many_files", "more than one file"));
  EXPECT_TRUE(refused(parse_unified_diff("GIT binary patch\n"), "patch.syntax", "binary"));
}

TEST(UnifiedDiff, KnowsFilesThatAreMadeAndDeleted) {
  const auto made = parse_unified_diff("--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+new\n");
  ASSERT_TRUE(accepted(made));
  EXPECT_TRUE(made->makes_file);
  const auto gone = parse_unified_diff("--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n");
  ASSERT_TRUE(accepted(gone));
  EXPECT_TRUE(gone->deletes_file);
}

}  // namespace
}  // namespace rgx::engine
