#include "cli/trust.h"

#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace rgx::cli {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

TEST(Trust, NothingIsTrustedWithoutAFile) {
  const rgx::test::ScratchDir scratch;
  const auto trusted = is_trusted(scratch / "trusted", digest_bytes("a"));
  ASSERT_TRUE(accepted(trusted));
  EXPECT_FALSE(*trusted);
}

TEST(Trust, HoldsWhatWasRecordedOnce) {
  const rgx::test::ScratchDir scratch;
  const std::string file = scratch / "trusted";
  ASSERT_TRUE(accepted(record_trust(file, digest_bytes("a"), "/repo/\x1b.yaml")));
  ASSERT_TRUE(accepted(record_trust(file, digest_bytes("b"), "/other")));
  const std::string before = scratch.read("trusted");
  ASSERT_TRUE(accepted(record_trust(file, digest_bytes("a"), "/again")));
  EXPECT_EQ(scratch.read("trusted"), before);
  EXPECT_TRUE(is_trusted(file, digest_bytes("a")).value());
  EXPECT_TRUE(is_trusted(file, digest_bytes("b")).value());
  EXPECT_FALSE(is_trusted(file, digest_bytes("c")).value());
  EXPECT_NE(before.find("/repo/\\x1b.yaml"), std::string::npos);
}

TEST(Trust, RefusesADamagedList) {
  const rgx::test::ScratchDir scratch;
  const std::string file = scratch.write("trusted", "# comment\n\nsha256:12 /repo\n");
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  EXPECT_TRUE(refused(is_trusted(file, digest_bytes("a")), "trust.syntax", "trusted:3:1"));
}

TEST(Trust, RefusesAListThatOthersCanWrite) {
  const rgx::test::ScratchDir scratch;
  const std::string file = scratch.write("trusted", "");
  ASSERT_EQ(::chmod(file.c_str(), 0666), 0);
  EXPECT_TRUE(refused(is_trusted(file, digest_bytes("a")), "file.unsafe", "writable by others"));
}

}  // namespace
}  // namespace rgx::cli
