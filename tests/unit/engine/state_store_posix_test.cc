#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "engine/state_store.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;
using rgx::test::ScratchDir;

const RunId kRun("r-00112233aabb");

class PosixState : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(scratch / "work");
    root = scratch / "work";
    home = scratch / "state";
    place = home + "/rgx/repositories/" + digest_bytes(root).hex().substr(0, 16);
    auto opened = open_state_store(home, root);
    ASSERT_TRUE(accepted(opened));
    state = std::move(*opened);
  }
  static unsigned mode(const std::string& path) {
    struct stat status = {};
    return lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
  }

  ScratchDir scratch;
  std::string root;
  std::string home;
  std::string place;
  std::unique_ptr<StateStore> state;
};

TEST_F(PosixState, NothingIsMadeBeforeSomethingIsWritten) {
  EXPECT_EQ(*state->has_index(), false);
  EXPECT_TRUE(state->runs()->empty());
  EXPECT_EQ(*state->objects().has(digest_bytes("x")), false);
  EXPECT_TRUE(refused(state->objects().get(digest_bytes("x")), "object.missing", "sha256:"));
  EXPECT_FALSE(std::filesystem::exists(home));
}

TEST_F(PosixState, EverythingIsForTheOwnerOnly) {
  umask(0);
  ASSERT_TRUE(accepted(state->open_index(audit::OpenMode::create)));
  ASSERT_TRUE(accepted(state->create_run(kRun)));
  ASSERT_TRUE(accepted(state->write_run_file(kRun, "plan.json", "{}")));
  const auto object = state->objects().put("bytes");
  umask(022);
  ASSERT_TRUE(accepted(object));
  const std::string hex = object->hex();
  for (const std::string& folder :
       {home + "/rgx", place, place + "/runs", place + "/runs/" + kRun.text(), place + "/objects",
        place + "/objects/" + hex.substr(0, 2)}) {
    EXPECT_EQ(mode(folder), 0700U) << folder;
  }
  for (const std::string& file :
       {place + "/index.jsonl", place + "/runs/" + kRun.text() + "/ledger.jsonl",
        place + "/runs/" + kRun.text() + "/plan.json",
        place + "/objects/" + hex.substr(0, 2) + "/" + hex.substr(2)}) {
    EXPECT_EQ(mode(file), 0600U) << file;
  }
  EXPECT_EQ(*state->has_index(), true);
  EXPECT_EQ(*state->runs(), std::vector<RunId>{kRun});
  EXPECT_EQ(*state->read_run_file(kRun, "plan.json"), "{}");
}

TEST_F(PosixState, RunIsCreatedOnce) {
  ASSERT_TRUE(accepted(state->create_run(kRun)));
  EXPECT_TRUE(refused(state->create_run(kRun), "state.io", "File exists"));
}

TEST_F(PosixState, IndexHasOneWriter) {
  const auto first = state->open_index(audit::OpenMode::create);
  ASSERT_TRUE(accepted(first));
  EXPECT_TRUE(refused(state->open_index(audit::OpenMode::append), "storage.locked", ""));
  EXPECT_TRUE(refused(state->set_aside_torn_index(), "storage.locked", "another process"));
}

TEST_F(PosixState, NamesOfRunsAndFilesAreChecked) {
  EXPECT_TRUE(refused(state->create_run(RunId("../x")), "state.run_name", "`../x`"));
  EXPECT_TRUE(refused(state->open_run(RunId("r-XX112233aabb"), audit::OpenMode::read),
                      "state.run_name", "no run id"));
  EXPECT_TRUE(refused(state->read_run_file(kRun, "../../index.jsonl"), "state.file_name", ".."));
  EXPECT_TRUE(
      refused(state->read_run_file(kRun, "plan.json"), "state.no_such_file", "has no `plan.json`"));
}

TEST_F(PosixState, TornTailIsSetAside) {
  {
    const auto storage = state->open_index(audit::OpenMode::create);
    ASSERT_TRUE(accepted(storage));
    ASSERT_TRUE(accepted((*storage)->append("one\ntwo\nthr")));
  }
  const auto tail = state->set_aside_torn_index();
  ASSERT_TRUE(accepted(tail));
  EXPECT_EQ(tail->offset, 8U);
  EXPECT_EQ(tail->bytes, 3U);
  EXPECT_EQ(tail->digest, digest_bytes("thr"));
  EXPECT_EQ(rgx::test::read_file(place + "/index.jsonl"), "one\ntwo\n");
  EXPECT_EQ(rgx::test::read_file(place + "/index.jsonl.torn-1"), "thr");
  EXPECT_EQ(mode(place + "/index.jsonl.torn-1"), 0600U);
  // Once more: nothing is torn, nothing is overwritten.
  EXPECT_EQ(state->set_aside_torn_index()->bytes, 0U);
  rgx::test::write_file(place + "/index.jsonl", "x");
  ASSERT_TRUE(accepted(state->set_aside_torn_index()));
  EXPECT_EQ(rgx::test::read_file(place + "/index.jsonl.torn-2"), "x");
  EXPECT_EQ(rgx::test::read_file(place + "/index.jsonl.torn-1"), "thr");
}

TEST_F(PosixState, DamageThatIsNoTornTailIsLeftAlone) {
  ASSERT_TRUE(accepted(state->open_index(audit::OpenMode::create)));
  rgx::test::write_file(place + "/index.jsonl", "line\n" + std::string(5U << 20, 'x'));
  EXPECT_TRUE(refused(state->set_aside_torn_index(), "state.index_damaged", "no torn write"));
  EXPECT_EQ(std::filesystem::file_size(place + "/index.jsonl"), (5U << 20) + 5);
}

TEST_F(PosixState, DirectoryThatOthersCanEnterIsRefused) {
  ASSERT_TRUE(accepted(state->objects().put("x")));
  ASSERT_EQ(chmod((home + "/rgx").c_str(), 0755), 0);
  EXPECT_TRUE(refused(state->objects().put("y"), "state.unsafe", "open to other users"));
  ASSERT_EQ(chmod((home + "/rgx").c_str(), 0700), 0);
  EXPECT_TRUE(accepted(state->objects().put("y")));
}

TEST_F(PosixState, LinkInThePlaceOfADirectoryIsRefused) {
  std::filesystem::create_directories(home);
  std::filesystem::create_directories(scratch / "elsewhere");
  std::filesystem::create_symlink(scratch / "elsewhere", home + "/rgx");
  EXPECT_TRUE(refused(state->objects().put("x"), "state.unsafe", "is a link or no directory"));
}

TEST_F(PosixState, StateInTheWorkspaceIsRefused) {
  EXPECT_TRUE(refused(open_state_store(root, root), "state.in_workspace", "inside the workspace"));
  EXPECT_TRUE(refused(open_state_store(root + "/deep/er", root), "state.in_workspace", "steps"));
  std::filesystem::create_symlink(root, scratch / "link");
  EXPECT_TRUE(refused(open_state_store(scratch / "link/x", root), "state.in_workspace", ""));
  EXPECT_TRUE(refused(open_state_store(scratch / "none/../work", root), "state.unsafe", ".."));
  EXPECT_TRUE(refused(open_state_store("relative", root), "state.unsafe", "absolute"));
  EXPECT_TRUE(accepted(open_state_store(scratch / "work-2", root)));
}

TEST_F(PosixState, ScratchIsPrivateAndRemovedWhateverIsInIt) {
  const auto path = state->make_scratch(kRun, 3);
  ASSERT_TRUE(accepted(path));
  EXPECT_EQ(mode(*path), 0700U);
  EXPECT_EQ(mode(*path + "/home"), 0700U);
  EXPECT_EQ(mode(*path + "/tmp"), 0700U);
  rgx::test::write_file(scratch / "kept", "kept");
  std::filesystem::create_symlink(scratch / "kept", *path + "/tmp/link");
  std::filesystem::create_directories(*path + "/tmp/a/b");
  rgx::test::write_file(*path + "/tmp/a/b/c", "x");
  ASSERT_EQ(chmod((*path + "/tmp/a/b").c_str(), 0), 0);
  ASSERT_EQ(chmod((*path + "/tmp/a").c_str(), 0500), 0);
  ASSERT_TRUE(accepted(state->remove_scratch(*path)));
  EXPECT_FALSE(std::filesystem::exists(*path));
  EXPECT_EQ(scratch.read("kept"), "kept");
  EXPECT_TRUE(refused(state->remove_scratch(root), "state.scratch", "no scratch folder"));
  EXPECT_TRUE(std::filesystem::exists(root));
}

TEST_F(PosixState, ScratchIsRemovedHoweverDeepItIs) {
  const auto path = state->make_scratch(kRun, 3);
  ASSERT_TRUE(accepted(path));
  int at = ::open(path->c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int depth = 0; depth < 3000; ++depth) {  // deeper than there are descriptors
    ASSERT_EQ(::mkdirat(at, "d", 0700), 0);
    const int below = ::openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_GE(below, 0);
    ::close(at);
    at = below;
  }
  ::close(at);
  ASSERT_TRUE(accepted(state->remove_scratch(*path)));
  EXPECT_FALSE(std::filesystem::exists(*path));
}

TEST_F(PosixState, LeftoverScratchOfThisRepositoryOnlyIsRemoved) {
  std::filesystem::create_directories(scratch / "other");
  const auto other = open_state_store(home, scratch / "other");
  ASSERT_TRUE(accepted(other));
  const auto ours = state->make_scratch(kRun, 0);
  const auto theirs = (*other)->make_scratch(kRun, 0);
  ASSERT_TRUE(accepted(state->remove_leftover_scratch()));
  EXPECT_FALSE(std::filesystem::exists(*ours));
  EXPECT_TRUE(std::filesystem::exists(*theirs));
  ASSERT_TRUE(accepted((*other)->remove_scratch(*theirs)));
}

TEST_F(PosixState, ObjectsAreFoundByTheirDigest) {
  const std::string bytes("a\0b", 3);
  const auto digest = state->objects().put(bytes);
  ASSERT_TRUE(accepted(digest));
  EXPECT_EQ(*digest, digest_bytes(bytes));
  EXPECT_EQ(*state->objects().put(bytes), *digest);
  EXPECT_EQ(*state->objects().get(*digest), bytes);
  EXPECT_EQ(*state->objects().has(*digest), true);
  EXPECT_EQ(*state->objects().put(""), digest_bytes(""));
  EXPECT_EQ(*state->objects().get(digest_bytes("")), "");
}

TEST_F(PosixState, DamagedObjectIsToldAndWrittenAnew) {
  const auto digest = state->objects().put("bytes");
  const std::string hex = digest->hex();
  const std::string file = place + "/objects/" + hex.substr(0, 2) + "/" + hex.substr(2);
  rgx::test::write_file(file, "other");
  const auto read = state->objects().get(*digest);
  EXPECT_TRUE(refused(read, "object.corrupt", "no longer has the bytes"));
  EXPECT_EQ(read.error().kind, ErrorKind::evidence);
  ASSERT_TRUE(accepted(state->objects().put("bytes")));
  EXPECT_EQ(*state->objects().get(*digest), "bytes");
}

}  // namespace
}  // namespace rgx::engine
