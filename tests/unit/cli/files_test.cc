#include "cli/files.h"

#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

namespace rgx::cli {
namespace {

using rgx::test::accepted;
using rgx::test::refused;
using rgx::test::ScratchDir;

std::size_t entries(const std::filesystem::path& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++count;
  }
  return count;
}

TEST(ReadFile, ReadsUpToTheLimit) {
  const ScratchDir scratch;
  const std::string file = scratch.write("a", "12345");
  const auto read = read_file({.path = file, .bytes_max = 5});
  ASSERT_TRUE(accepted(read));
  EXPECT_EQ(*read, "12345");
  EXPECT_TRUE(refused(read_file({.path = file, .bytes_max = 4}), "file.too_large",
                      "has 5 bytes; the limit is 4"));
}

TEST(ReadFile, BoundsWhatHasNoSize) {
  EXPECT_TRUE(refused(read_file({.path = "/dev/zero", .bytes_max = 1000}), "file.too_large",
                      "has more than 1000 bytes"));
}

TEST(ReadFile, PipeWithoutAWriterDoesNotHang) {
  const ScratchDir scratch;
  const std::string pipe = scratch / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto read = read_file({.path = pipe, .bytes_max = 9});
  ASSERT_TRUE(accepted(read));
  EXPECT_EQ(*read, "");
  EXPECT_TRUE(
      refused(read_file({.path = pipe, .bytes_max = 9, .ownership = Ownership::root_or_user}),
              "file.not_a_file", "is not a regular file"));
}

TEST(ReadFile, PipeWithAWriterIsReadToItsEnd) {
  const ScratchDir scratch;
  const std::string pipe = scratch / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const int writer = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(::write(writer, "12345", 5), 5);
  std::thread late([writer] { ::close(writer); });
  const auto read = read_file({.path = pipe, .bytes_max = 9});
  late.join();
  ::close(reader);
  ASSERT_TRUE(accepted(read));
  EXPECT_EQ(*read, "12345");
}

TEST(Exists, WhatCannotBeLookedAtCountsAsThere) {
  const ScratchDir scratch;
  EXPECT_FALSE(exists(scratch / "a"));
  EXPECT_FALSE(exists(scratch / "a/b"));
  std::filesystem::create_symlink("nowhere", scratch / "link");
  EXPECT_TRUE(exists(scratch / "link"));
  EXPECT_TRUE(exists(scratch / "link/a"));
  EXPECT_TRUE(exists(scratch / std::string(5000, 'x')));
}

TEST(CanonicalPath, FollowsLinksOfWhatExists) {
  const ScratchDir scratch;
  const std::string real = canonical_path(scratch.path().string());
  std::filesystem::create_directories(scratch / "to");
  std::filesystem::create_symlink("to", scratch / "from");
  EXPECT_EQ(canonical_path(scratch / "from/a/b"), real + "/to/a/b");
  EXPECT_EQ(canonical_path(scratch / "to"), real + "/to");
}

TEST(ReadFile, SaysWhatIsWrong) {
  const ScratchDir scratch;
  const auto missing = read_file({.path = scratch / "none", .bytes_max = 1});
  EXPECT_TRUE(refused(missing, "file.missing", "does not exist"));
  EXPECT_EQ(missing.error().kind, ErrorKind::usage);
  EXPECT_TRUE(refused(read_file({.path = scratch.path().string(), .bytes_max = 1}),
                      "file.not_a_file", "is not a regular file"));
}

TEST(ReadFile, OwnedFilesMustBeSafe) {
  const ScratchDir scratch;
  const std::string file = scratch.write("policy.yaml", "x");
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  EXPECT_TRUE(
      accepted(read_file({.path = file, .bytes_max = 9, .ownership = Ownership::root_or_user})));
  for (const unsigned mode : {0620U, 0602U}) {
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    const auto read =
        read_file({.path = file, .bytes_max = 9, .ownership = Ownership::root_or_user});
    EXPECT_TRUE(refused(read, "file.unsafe", "writable by others"));
    EXPECT_EQ(read.error().kind, ErrorKind::environment);
  }
}

TEST(ReadFile, FilesOfTheOrganisationNeedSafeFolders) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "needs root, who owns the files of an organisation";
  }
  const ScratchDir scratch;
  const std::string file = scratch.write("etc/policy.yaml", "x");
  ASSERT_EQ(::chmod(file.c_str(), 0644), 0);
  ASSERT_EQ(::chmod((scratch / "etc").c_str(), 0755), 0);
  const ReadRequest request{.path = file, .bytes_max = 9, .ownership = Ownership::root};
  EXPECT_TRUE(accepted(read_file(request)));
  ASSERT_EQ(::chmod((scratch / "etc").c_str(), 0775), 0);
  EXPECT_TRUE(refused(read_file(request), "file.unsafe", "etc` is writable by others"));
  ASSERT_EQ(::chmod((scratch / "etc").c_str(), 0755), 0);
  ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
  EXPECT_TRUE(refused(read_file(request), "file.unsafe", "belongs to user 12345"));
}

TEST(WriteFile, ReplacesOrRefuses) {
  const ScratchDir scratch;
  const std::string file = scratch / "a";
  ASSERT_TRUE(accepted(write_file(file, "one", 0600, IfExists::refuse)));
  EXPECT_TRUE(refused(write_file(file, "two", 0600, IfExists::refuse), "file.exists",
                      "is never overwritten"));
  EXPECT_EQ(scratch.read("a"), "one");
  ASSERT_TRUE(accepted(write_file(file, "three", 0600, IfExists::replace)));
  EXPECT_EQ(scratch.read("a"), "three");
  EXPECT_EQ(entries(scratch.path()), 1U) << "a temporary file is left";
}

TEST(WriteFile, KeepsTheModeItWasGiven) {
  const ScratchDir scratch;
  ASSERT_TRUE(accepted(write_file(scratch / "a", "x", 0600, IfExists::refuse)));
  struct stat status = {};
  ASSERT_EQ(::stat((scratch / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(WriteFile, AFailureLeavesNothing) {
  const ScratchDir scratch;
  EXPECT_TRUE(refused(write_file(scratch / "no/such/folder", "x", 0600, IfExists::replace),
                      "file.unwritable", "No such file or directory"));
  std::filesystem::create_directory(scratch / "folder");
  EXPECT_TRUE(refused(write_file(scratch / "folder", "x", 0600, IfExists::replace),
                      "file.not_a_file", "is not a regular file"));
  EXPECT_EQ(entries(scratch.path()), 1U);
}

TEST(MakeFolder, MakesParentsAndTakesWhatIsThere) {
  const ScratchDir scratch;
  ASSERT_TRUE(accepted(make_folder(scratch / "a/b/c")));
  EXPECT_TRUE(accepted(make_folder(scratch / "a/b/c")));
  scratch.write("file", "");
  EXPECT_TRUE(refused(make_folder(scratch / "file"), "file.not_a_folder", "is no folder"));
}

}  // namespace
}  // namespace rgx::cli
