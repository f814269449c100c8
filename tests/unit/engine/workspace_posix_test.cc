#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "engine/posix_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;
using rgx::test::ScratchDir;

class PosixWorkspace : public testing::Test {
 protected:
  void SetUp() override {
    scratch.write("root/src/a.c", "old\r\n");
    scratch.write("outside.txt", "secret");
    auto opened = open_workspace(scratch / "root");
    ASSERT_TRUE(accepted(opened));
    workspace = std::move(*opened);
  }
  std::string path(std::string_view relative) {
    return scratch / ("root/" + std::string(relative));
  }
  void link(std::string_view name, const std::string& target) {
    std::filesystem::create_symlink(target, path(name));
  }
  Digest old_digest() { return digest_bytes("old\r\n"); }
  std::size_t count_entries(std::string_view folder) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path(folder))) {
      ++count;
    }
    return count;
  }

  ScratchDir scratch;
  std::unique_ptr<Workspace> workspace;
};

TEST_F(PosixWorkspace, StateIsDigestSizeAndMode) {
  ASSERT_EQ(chmod(path("src/a.c").c_str(), 0640), 0);
  const auto state = workspace->state("src/a.c");
  ASSERT_TRUE(accepted(state));
  ASSERT_TRUE(state->has_value());
  EXPECT_EQ(**state, (FileState{old_digest(), 5, 0640}));
}

TEST_F(PosixWorkspace, MoveKeepsBytesAndMode) {
  ASSERT_EQ(chmod(path("src/a.c").c_str(), 0750), 0);
  scratch.write("root/lib/x.c", "x");
  ASSERT_TRUE(accepted(workspace->move_file("src/a.c", "lib/b.c", old_digest())));
  EXPECT_EQ(*workspace->state("src/a.c"), std::nullopt);
  EXPECT_EQ(**workspace->state("lib/b.c"), (FileState{old_digest(), 5, 0750}));
}

TEST_F(PosixWorkspace, MoveNeverReplaces) {
  scratch.write("root/src/b.c", "b");
  link("src/link", "/etc/passwd");
  for (const char* target : {"src/b.c", "src/link"}) {
    EXPECT_TRUE(refused(workspace->move_file("src/a.c", target, old_digest()), "workspace.changed",
                        "exists already"));
  }
  EXPECT_EQ(*workspace->read("src/a.c", 100), "old\r\n");
  EXPECT_EQ(*workspace->read("src/b.c", 100), "b");
}

TEST_F(PosixWorkspace, MoveOfWhatIsNotExpectedIsDrift) {
  EXPECT_TRUE(refused(workspace->move_file("src/a.c", "src/b.c", digest_bytes("other")),
                      "workspace.changed", "is not the file"));
  EXPECT_TRUE(refused(workspace->move_file("src/none.c", "src/b.c", old_digest()),
                      "workspace.changed", "is gone"));
  EXPECT_EQ(*workspace->state("src/b.c"), std::nullopt);
}

TEST_F(PosixWorkspace, MoveGoesThroughNoLinkAndNeverOutside) {
  scratch.write("elsewhere/x", "");
  link("away", scratch / "elsewhere");
  EXPECT_TRUE(refused(workspace->move_file("src/a.c", "away/a.c", old_digest()),
                      "workspace.symlink", "away/a.c"));
  EXPECT_TRUE(refused(workspace->move_file("away/a.c", "src/b.c", old_digest()),
                      "workspace.symlink", "away/a.c"));
  EXPECT_FALSE(workspace->move_file("src/a.c", "../a.c", old_digest()));
  EXPECT_EQ(*workspace->read("src/a.c", 100), "old\r\n");
}

TEST_F(PosixWorkspace, MoveIntoAFolderThatIsNotThereChangesNothing) {
  EXPECT_TRUE(refused(workspace->move_file("src/a.c", "none/a.c", old_digest()), "workspace.io",
                      "none/a.c"));
  EXPECT_EQ(*workspace->read("src/a.c", 100), "old\r\n");
}

TEST_F(PosixWorkspace, MissingFileHasNoState) {
  EXPECT_EQ(*workspace->state("src/none.c"), std::nullopt);
  EXPECT_EQ(*workspace->state("none/none.c"), std::nullopt);
}

TEST_F(PosixWorkspace, LinkIsNeverFollowed) {
  link("inside", "src/a.c");
  link("leads_out", scratch / "outside.txt");
  link("folder", "src");
  link("above", "..");
  for (const char* name : {"inside", "leads_out", "folder/a.c", "above/outside.txt"}) {
    EXPECT_TRUE(refused(workspace->state(name), "workspace.symlink", "symbolic link")) << name;
    EXPECT_TRUE(refused(workspace->read(name, 100), "workspace.symlink", name)) << name;
    EXPECT_TRUE(
        refused(workspace->write(name, "x", digest_bytes("secret")), "workspace.symlink", name))
        << name;
  }
  EXPECT_EQ(scratch.read("outside.txt"), "secret");
}

TEST_F(PosixWorkspace, PathOutsideIsRefused) {
  for (const char* name : {"../outside.txt", "src/../../outside.txt", "/etc/passwd"}) {
    EXPECT_FALSE(workspace->read(name, 100).has_value()) << name;
    EXPECT_FALSE(workspace->write(name, "x", std::nullopt).has_value()) << name;
  }
  EXPECT_TRUE(refused(workspace->read("abs:/etc/passwd", 100), "workspace.outside",
                      "`abs:/etc/passwd` leaves the workspace"));
  EXPECT_TRUE(refused(workspace->read("../outside.txt", 100), "path.escapes", "leaves its root"));
}

TEST_F(PosixWorkspace, FifoDoesNotHang) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(refused(workspace->state("pipe"), "workspace.not_regular", "`pipe`"));
  EXPECT_TRUE(refused(workspace->read("pipe", 100), "workspace.not_regular", "not a regular"));
  EXPECT_TRUE(refused(workspace->write("pipe", "x", digest_bytes("")), "workspace.not_regular",
                      "not a regular"));
}

TEST_F(PosixWorkspace, FolderIsNoFile) {
  EXPECT_TRUE(refused(workspace->read("src", 100), "workspace.not_regular", "`src`"));
  EXPECT_TRUE(
      refused(workspace->write("src", "x", std::nullopt), "workspace.not_regular", "`src`"));
  EXPECT_TRUE(refused(workspace->write(".", "x", std::nullopt), "workspace.not_regular", "`.`"));
}

TEST_F(PosixWorkspace, FileBeyondTheLimitIsRefusedAndNotRead) {
  const int fd = open(path("huge").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(ftruncate(fd, off_t{1} << 40), 0);
  close(fd);
  EXPECT_TRUE(refused(workspace->read("huge", 1000), "workspace.too_large", "larger"));
}

TEST_F(PosixWorkspace, WriteReplacesTheFileAndKeepsItsMode) {
  ASSERT_EQ(chmod(path("src/a.c").c_str(), 0755), 0);
  struct stat before = {};
  ASSERT_EQ(stat(path("src/a.c").c_str(), &before), 0);
  ASSERT_TRUE(accepted(workspace->write("src/a.c", "new\n", old_digest())));
  struct stat after = {};
  ASSERT_EQ(stat(path("src/a.c").c_str(), &after), 0);
  EXPECT_EQ(scratch.read("root/src/a.c"), "new\n");
  EXPECT_EQ(after.st_mode, before.st_mode);
  EXPECT_NE(after.st_ino, before.st_ino);  // replaced as a whole, never written into
  EXPECT_EQ(count_entries("src"), 1U);
}

TEST_F(PosixWorkspace, WriteOfAnotherFileThanExpectedIsDrift) {
  const auto status = workspace->write("src/a.c", "new", digest_bytes("something else"));
  EXPECT_TRUE(refused(status, "workspace.changed", "not the file that the plan was made for"));
  EXPECT_EQ(status.error().kind, ErrorKind::drift);
  EXPECT_EQ(scratch.read("root/src/a.c"), "old\r\n");
  EXPECT_EQ(count_entries("src"), 1U);
}

TEST_F(PosixWorkspace, NewFileMustNotExist) {
  ASSERT_TRUE(accepted(workspace->write("src/b.c", "b", std::nullopt)));
  EXPECT_EQ(scratch.read("root/src/b.c"), "b");
  EXPECT_TRUE(refused(workspace->write("src/b.c", "c", std::nullopt), "workspace.changed",
                      "exists already"));
  EXPECT_TRUE(
      refused(workspace->write("src/c.c", "c", digest_bytes("c")), "workspace.changed", "is gone"));
}

TEST_F(PosixWorkspace, ReadOnlyFileIsKept) {
  ASSERT_EQ(chmod(path("src/a.c").c_str(), 0444), 0);
  EXPECT_TRUE(refused(workspace->write("src/a.c", "new", old_digest()), "workspace.read_only",
                      "read-only"));
  EXPECT_EQ(scratch.read("root/src/a.c"), "old\r\n");
  EXPECT_EQ(count_entries("src"), 1U);
}

TEST_F(PosixWorkspace, RootIsHeldAlsoWhenItMoves) {
  std::filesystem::rename(scratch / "root", scratch / "moved");
  std::filesystem::create_symlink(scratch.path() / "elsewhere", scratch / "root");
  ASSERT_TRUE(accepted(workspace->write("src/a.c", "new", old_digest())));
  EXPECT_EQ(scratch.read("moved/src/a.c"), "new");
}

TEST_F(PosixWorkspace, ResolveTellsWhereLinksLead) {
  link("inside", "src/a.c");
  link("folder", "src");
  link("leads_out", scratch / "outside.txt");
  link("above", "../..");
  link("dangling", "nowhere/x");
  EXPECT_EQ(*workspace->resolve("src/a.c"), "src/a.c");
  EXPECT_EQ(*workspace->resolve("."), ".");
  EXPECT_EQ(*workspace->resolve("inside"), "src/a.c");
  EXPECT_EQ(*workspace->resolve("folder/b.c"), "src/b.c");
  EXPECT_EQ(*workspace->resolve("leads_out"), "abs:" + (scratch / "outside.txt"));
  EXPECT_EQ(*workspace->resolve("above"), "abs:" + scratch.path().parent_path().string());
  EXPECT_EQ(*workspace->resolve("dangling/y"), "nowhere/x/y");
  EXPECT_EQ(*workspace->resolve("none/x"), "none/x");
  EXPECT_EQ(*workspace->resolve("abs:" + path("src")), "src");
}

TEST_F(PosixWorkspace, ResolveOfALoopIsRefused) {
  link("x", "y");
  link("y", "x");
  EXPECT_TRUE(refused(workspace->resolve("x"), "workspace.symlink", "`x`"));
}

TEST_F(PosixWorkspace, KindDoesNotFollow) {
  link("folder", "src");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(*workspace->kind("src"), EntryKind::directory);
  EXPECT_EQ(*workspace->kind("src/a.c"), EntryKind::file);
  EXPECT_EQ(*workspace->kind("folder"), EntryKind::symlink);
  EXPECT_EQ(*workspace->kind("pipe"), EntryKind::other);
  EXPECT_EQ(*workspace->kind("none/x"), EntryKind::missing);
  EXPECT_EQ(*workspace->kind("."), EntryKind::directory);
}

TEST_F(PosixWorkspace, ListIsSorted) {
  scratch.write("root/b", "");
  scratch.write("root/.hidden", "");
  link("a", "b");
  EXPECT_EQ(*workspace->list("."), (std::vector<Entry>{{".hidden", EntryKind::file},
                                                       {"a", EntryKind::symlink},
                                                       {"b", EntryKind::file},
                                                       {"src", EntryKind::directory}}));
}

TEST_F(PosixWorkspace, MakesFoldersButNotThroughLinks) {
  ASSERT_TRUE(accepted(workspace->make_directory("build/x/y")));
  ASSERT_TRUE(accepted(workspace->make_directory("build/x/y")));
  EXPECT_TRUE(std::filesystem::is_directory(path("build/x/y")));
  link("out", scratch.path().string());
  EXPECT_TRUE(refused(workspace->make_directory("out/x"), "workspace.symlink", "`out/x`"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "x"));
}

TEST_F(PosixWorkspace, OnlyItsOwnLeftoversAreRemoved) {
  const std::string ours = ".rgx-00112233445566778899aabbccddeeff.tmp";
  scratch.write("root/src/" + ours, "half");
  scratch.write("root/src/.rgx-00112233445566778899aabbccddeef.tmp", "short");
  scratch.write("root/src/.rgx-00112233445566778899AABBCCDDEEFF.tmp", "upper");
  scratch.write("root/src/" + ours + ".c", "longer");
  std::filesystem::create_directory(path("src/.rgx-ffffffffffffffffffffffffffffffff.tmp"));
  EXPECT_EQ(*workspace->remove_leftovers("src"), 1U);
  EXPECT_EQ(count_entries("src"), 5U);
  EXPECT_FALSE(std::filesystem::exists(path("src/" + ours)));
  EXPECT_EQ(*workspace->remove_leftovers("none"), 0U);
}

TEST(OpenWorkspace, NeedsADirectory) {
  const ScratchDir scratch;
  scratch.write("file", "");
  EXPECT_TRUE(refused(open_workspace(scratch / "none"), "workspace.missing", "no directory"));
  EXPECT_TRUE(refused(open_workspace(scratch / "file"), "workspace.missing", "not a directory"));
}

TEST_F(PosixWorkspace, LeavesOutBuildTreesThatNameTheirPlace) {
  scratch.write("root/build/cmake/CMakeCache.txt", "CMAKE_HOME_DIRECTORY=/elsewhere");
  scratch.write("root/build/meson/meson-private/build.dat", "x");
  scratch.write("root/build/make/a.o", "made");
  scratch.write("root/build/kept/CMakeCache.txt", "tracked");
  std::filesystem::create_directories(scratch / "copy");
  CopyRequest request;
  request.to = scratch / "copy";
  request.files = {"src/a.c", "build/kept/CMakeCache.txt"};
  request.kept = {*Glob::parse("build/**")};
  const auto copy = workspace->copy(request);
  ASSERT_TRUE(accepted(copy));
  EXPECT_EQ((*copy)->kind("build/cmake").value(), EntryKind::missing);
  EXPECT_EQ((*copy)->kind("build/meson").value(), EntryKind::missing);
  EXPECT_EQ((*copy)->read("build/make/a.o", 100).value(), "made");
  EXPECT_EQ((*copy)->read("build/kept/CMakeCache.txt", 100).value(), "tracked");
}

TEST_F(PosixWorkspace, CopiesWhatAJudgeNeedsAndLinksTheRest) {
  scratch.write("root/new.c", "new");
  scratch.write("root/build/made.o", "made");
  scratch.write("root/build/deep/x.o", "x");
  scratch.write("root/other/ignored", "ignored");
  scratch.write("root/agent/left", "left");
  scratch.write("root/.git/config", "[core]");
  link("link.c", "src/a.c");
  ASSERT_EQ(chmod(path("src/a.c").c_str(), 0750), 0);
  std::filesystem::create_directories(scratch / "copy");
  CopyRequest request;
  request.to = scratch / "copy";
  request.files = {"src/a.c", "new.c"};
  request.kept = {*Glob::parse("build/**")};
  request.left_out = {*Glob::parse("agent/**")};
  const auto copy = workspace->copy(request);
  ASSERT_TRUE(accepted(copy));
  EXPECT_EQ((*copy)->root(), scratch / "copy");
  EXPECT_EQ((*copy)->read("src/a.c", 100).value(), "old\r\n");
  EXPECT_EQ((*copy)->state("src/a.c").value()->mode, 0750U);
  EXPECT_EQ((*copy)->read("build/deep/x.o", 100).value(), "x");
  EXPECT_EQ((*copy)->kind("agent/left").value(), EntryKind::missing);
  EXPECT_EQ((*copy)->kind(".git").value(), EntryKind::missing);
  EXPECT_EQ(std::filesystem::read_symlink(scratch / "copy/link.c"), "src/a.c");
  EXPECT_EQ(std::filesystem::read_symlink(scratch / "copy/other"), path("other"));
  EXPECT_EQ(std::filesystem::last_write_time(scratch / "copy/src/a.c"),
            std::filesystem::last_write_time(path("src/a.c")));
}

}  // namespace
}  // namespace rgx::engine
