// The rules, applied to this repository. A failure lists what breaks a rule, as path:line: message.
#include "tests/tidy/banned_calls.h"
#include "tests/tidy/doc_rules.h"
#include "tests/tidy/file_rules.h"
#include "tests/tidy/include_rules.h"
#include "tests/tidy/orphan_rules.h"
#include "tests/tidy/source_tree.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace rgx::tidy {
namespace {

const Tree& tree() {
  static const Tree repository = read_tree(RGX_SOURCE_DIR);
  return repository;
}

template <class Rule>
std::string broken_by_files(Rule rule) {
  std::string text;
  for (const auto& [path, bytes] : tree()) {
    text += to_string(rule(path, bytes));
  }
  return text;
}

TEST(Repository, IsFound) {
  EXPECT_TRUE(tree().contains("CMakeLists.txt"));
  EXPECT_TRUE(tree().contains("base/result.h"));
  EXPECT_FALSE(tree().contains("build/build.ninja"));
}

TEST(Repository, HasNoOrphans) {
  EXPECT_EQ(to_string(check_orphans(tree())), "");
}

TEST(Repository, CallsNothingBanned) {
  EXPECT_EQ(broken_by_files(check_banned_calls), "");
}

TEST(Repository, IncludesFromTheRootAndWithinLayers) {
  const auto layers = tree().find("cmake/RgxLayers.cmake");
  ASSERT_NE(layers, tree().end());
  const LibraryTable libraries = parse_library_table(layers->second);
  ASSERT_EQ(libraries.size(), std::size_t{8});
  EXPECT_EQ(broken_by_files([&libraries](std::string_view path, std::string_view) {
              return check_includes(path, tree(), libraries);
            }),
            "");
}

TEST(Repository, KeepsFilesAndLinesShort) {
  EXPECT_EQ(broken_by_files(check_sizes), "");
}

TEST(Repository, HasCleanWhitespace) {
  EXPECT_EQ(broken_by_files(check_whitespace), "");
}

TEST(Repository, HasNoUnfinishedOrForeignWords) {
  EXPECT_EQ(broken_by_files(check_words), "");
}

TEST(Repository, SuppressesOnlyNamedChecks) {
  EXPECT_EQ(broken_by_files(check_suppressions), "");
}

TEST(Repository, DocumentsItsDiagnosticCodes) {
  EXPECT_EQ(to_string(check_codes(tree())), "");
}

TEST(Repository, DocumentsItsExitCodes) {
  EXPECT_EQ(to_string(check_exit_codes(tree())), "");
}

TEST(Repository, HasNoBrokenLinks) {
  EXPECT_EQ(broken_by_files(
                [](std::string_view path, std::string_view) { return check_links(tree(), path); }),
            "");
}

}  // namespace
}  // namespace rgx::tidy
