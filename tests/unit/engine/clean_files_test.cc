#include "engine/clean_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/posix_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::ScratchDir;

class CleanFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (!git("init -q -b main .")) {
      GTEST_SKIP() << "there is no git to make a repository with";
    }
    git("config user.name t");
    git("config user.email t@example.org");
    put("a.c", "a\n");
    put("b.c", "b\n");
    put(".gitignore", "out/\n");
    std::filesystem::create_symlink("a.c", work() + "/link.c");
    commit_all();
  }
  bool git(const std::string& arguments) const {
    const std::string command =
        "cd '" + work() +
        "' && env -i PATH=/usr/bin:/bin GIT_CONFIG_NOSYSTEM=1 HOME=/nonexistent git " + arguments +
        " >/dev/null 2>&1";
    return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
  }
  std::string work() const { return scratch / "work"; }
  void put(std::string_view path, std::string_view bytes) {
    scratch.write("work/" + std::string(path), bytes);
  }
  void commit_all() {
    ASSERT_TRUE(git("add -A"));
    ASSERT_TRUE(git("commit -q -m one"));
  }
  CleanReport look(const std::vector<std::string>& paths) {
    auto workspace = open_workspace(work());
    EXPECT_TRUE(accepted(workspace));
    auto report = check_clean(work(), paths, **workspace, *processes);
    EXPECT_TRUE(accepted(report));
    return report ? *report : CleanReport();
  }
  std::string why(const std::string& path) {
    const CleanReport report = look({path});
    return report.files.empty() ? "" : report.files.front().why;
  }

  std::unique_ptr<Sandbox> sandbox = real_sandbox();
  std::unique_ptr<ProcessRunner> processes = real_process_runner(*sandbox);
  ScratchDir scratch;
  bool made = std::filesystem::create_directories(scratch / "work");
};

TEST_F(CleanFiles, CommittedFilesAndNewOnesAreClean) {
  put("other.c", "not asked about");
  EXPECT_TRUE(look({"a.c", "b.c", "new/file.c"}).clean());
}

TEST_F(CleanFiles, AFileWithChangesIsNot) {
  put("a.c", "changed\n");
  const CleanReport report = look({"a.c", "b.c"});
  ASSERT_EQ(report.files.size(), 1U);
  EXPECT_EQ(report.files[0], (UncleanFile{"a.c", "has changes that are not committed"}));
}

TEST_F(CleanFiles, AStagedChangeIsNot) {
  put("a.c", "changed\n");
  ASSERT_TRUE(git("add a.c"));
  EXPECT_EQ(why("a.c"), "has staged changes that are not committed");
  put("new.c", "new\n");
  ASSERT_TRUE(git("add new.c"));
  EXPECT_EQ(why("new.c"), "has staged changes that are not committed");
}

TEST_F(CleanFiles, AFileThatGitDoesNotTrackIsNot) {
  put("new.c", "new\n");
  put("out/made.o", "made\n");
  EXPECT_EQ(why("new.c"), "exists and is not tracked");
  EXPECT_EQ(why("out/made.o"), "exists and is not tracked");
}

TEST_F(CleanFiles, ADeletedFileIsNot) {
  ASSERT_TRUE(std::filesystem::remove(work() + "/a.c"));
  EXPECT_EQ(why("a.c"), "was deleted, which is not committed");
}

TEST_F(CleanFiles, ALinkIsNot) {
  EXPECT_EQ(why("link.c"), "is or goes through a symbolic link");
}

TEST_F(CleanFiles, AFileThatGitIsToldNotToLookAtIsNot) {
  ASSERT_TRUE(git("update-index --assume-unchanged a.c"));
  put("a.c", "hidden\n");
  EXPECT_EQ(why("a.c"),
            "is marked so that git does not look at it (`git update-index`, "
            "`git sparse-checkout`)");
}

TEST_F(CleanFiles, AFileInASubmoduleIsNot) {
  ASSERT_TRUE(git("init -q -b main sub"));
  ASSERT_TRUE(
      git("-C sub -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m x"));
  put("sub/s.c", "s\n");
  commit_all();
  EXPECT_EQ(why("sub/s.c"), "is in a submodule");
  EXPECT_EQ(why("sub"), "is a submodule");
}

TEST_F(CleanFiles, AConflictAndAMergeUnderWayAreTold) {
  ASSERT_TRUE(git("checkout -q -b side"));
  put("a.c", "side\n");
  commit_all();
  ASSERT_TRUE(git("checkout -q main"));
  put("a.c", "main\n");
  commit_all();
  ASSERT_FALSE(git("merge -q side"));
  const CleanReport report = look({"a.c"});
  EXPECT_EQ(report.under_way, "a merge");
  ASSERT_EQ(report.files.size(), 1U);
  EXPECT_EQ(report.files[0].why, "has an unresolved conflict");
}

TEST_F(CleanFiles, NothingIsWrongWhereNothingIsWritten) {
  put("a.c", "changed\n");
  EXPECT_TRUE(look({}).clean());
}

TEST(FilesWritten, AreThosePlannedByName) {
  templates::Plan plan;
  templates::Step edit;
  edit.id = StepId("edit");
  edit.tool.use = "file.edit";
  Json edits = Json::array();
  edits.push(Json::object({{"word", "a"}, {"to", "b"}}));
  edit.tool.with = Json::object({{"path", "src/[a].c"}, {"edits", std::move(edits)}});
  templates::Step tests;
  tests.id = StepId("tests");
  tests.tool.use = "exec";
  tests.tool.with = Json::object({{"argv", Json::array_of({"make"})}});
  tests.tool.read = {"**"};
  tests.tool.write = {"build/**", "report.txt"};
  plan.steps = {edit, tests};
  const auto written = files_written(plan);
  ASSERT_TRUE(accepted(written));
  EXPECT_EQ(*written, (std::vector<std::string>{"report.txt", "src/[a].c"}));
}

}  // namespace
}  // namespace rgx::engine
