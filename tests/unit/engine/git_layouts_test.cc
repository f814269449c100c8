#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "engine/clean_files.h"
#include "engine/git_repository.h"
#include "engine/posix_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/git_scratch.h"

// Where a repository keeps its things, and what state it can be in: each is read and committed to,
// by libgit2 and by the program git, or refused in one clear message.

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::GitScratch;
using rgx::test::refused;

class GitLayouts : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(scratch.make("origin",
                             "git config uploadpack.allowFilter true\n"
                             "mkdir d; echo a >a; echo b >d/b; git add -A; git commit -qm one\n"
                             "echo a2 >a; git commit -qam two; echo a3 >a; git commit -qam three"))
        << scratch.printed();
  }
  /// Makes `work` by a script in the scratch folder, for the adapter under test.
  void make(const std::string& script) {
    ASSERT_TRUE(
        scratch.shell(".", script +
                               "\ncd work; git config user.name t; git config "
                               "user.email t@example.org\n" +
                               (GetParam() ? "git config extensions.worktreeConfig true" : "true")))
        << scratch.printed();
  }
  Result<OpenRepository> open() { return open_repository(scratch / "work", *processes); }
  void is_read_and_written(std::size_t commits) {
    auto opened = open();
    ASSERT_TRUE(accepted(opened));
    EXPECT_EQ(!opened->why_program.empty(), GetParam());
    EXPECT_EQ(opened->root, scratch / "work");
    EXPECT_EQ(opened->view->read_at("HEAD", "d/b").value(), "b\n");
    EXPECT_EQ(opened->view->files({"."})->front().path, "a");
    auto repository = open_git(scratch / "work", *processes);
    ASSERT_TRUE(accepted(repository));
    EXPECT_EQ((*repository)->log(50)->size(), commits);
    ASSERT_TRUE(scratch.shell("work", "echo changed >a"));
    const auto made = (*repository)->commit("next", {"."});
    ASSERT_TRUE(accepted(made));
    EXPECT_EQ(scratch.says("work", "git rev-parse HEAD; git show HEAD:a; git status --porcelain"),
              made->id + "\nchanged\n");
    EXPECT_EQ((*open_git(scratch / "work", *processes))->log(50)->size(), commits + 1);
  }

  GitScratch scratch;
  std::unique_ptr<Sandbox> sandbox = real_sandbox();
  std::unique_ptr<ProcessRunner> processes = real_process_runner(*sandbox);
};

TEST_P(GitLayouts, Clone) {
  make("git clone -q origin work");
  is_read_and_written(3);
}

TEST_P(GitLayouts, ShallowCloneEndsWhereItEnds) {
  make("git clone -q --depth 2 \"file://$PWD/origin\" work");
  is_read_and_written(2);
}

TEST_P(GitLayouts, ObjectsOfAnotherRepository) {
  make("git clone -q --shared origin work");
  is_read_and_written(3);
}

TEST_P(GitLayouts, LinkedWorkTree) {
  make("cd origin; git worktree add -q ../work -b work; cd ..");
  is_read_and_written(3);
  EXPECT_EQ(scratch.says("origin", "git status --porcelain; git log --format=%s main"),
            "three\ntwo\none\n");
}

TEST_P(GitLayouts, SeparateGitFolder) {
  make("git clone -q --separate-git-dir kept origin work");
  is_read_and_written(3);
}

TEST_P(GitLayouts, SubmoduleItself) {
  make(
      "mkdir above; cd above; git init -q .; git -c protocol.file.allow=always submodule --quiet "
      "add "
      "\"$OLDPWD/origin\" in; cd ..; mv above/in work; mv above/.git/modules/in kept\n"
      "echo 'gitdir: ../kept' >work/.git; git config -f kept/config core.worktree \"$PWD/work\"");
  is_read_and_written(3);
}

TEST_P(GitLayouts, PackedReferencesAndObjects) {
  make("git clone -q origin work; cd work; git pack-refs --all; git gc -q; cd ..");
  is_read_and_written(3);
}

TEST_P(GitLayouts, FirstCommit) {
  make("git init -q -b main work; echo a >work/a");
  EXPECT_TRUE(refused(open()->view->head(), "repository.no_commits", "no commit yet"));
  auto repository = open_git(scratch / "work", *processes);
  ASSERT_TRUE(accepted(repository));
  EXPECT_EQ((*repository)->changed_paths().value(), std::vector<std::string>{"a"});
  EXPECT_EQ((*repository)->log(50)->size(), 0U);
  EXPECT_TRUE(refused((*repository)->difference("HEAD"), "repository.no_such_revision", "HEAD"));
  EXPECT_TRUE(
      refused((*repository)->make_branch("x", "HEAD"), "repository.no_such_revision", "HEAD"));
  ASSERT_TRUE(accepted((*repository)->commit("first", {"a"})));
  EXPECT_EQ(scratch.says("work", "git log --format=%s; git status --porcelain"), "first\n");
}

TEST_P(GitLayouts, BareIsRefused) {
  ASSERT_TRUE(scratch.shell(".", "git clone -q --bare origin work"));
  EXPECT_TRUE(refused(open(), "repository.bare", "no work tree"));
}

TEST_P(GitLayouts, GitFileThatLeadsNowhereIsTold) {
  ASSERT_TRUE(scratch.shell(".", "mkdir work; echo 'gitdir: ../nowhere' >work/.git"));
  EXPECT_TRUE(refused(open(), "repository.broken", "names no folder that exists"));
}

TEST_P(GitLayouts, MissingObjectsOfAnotherRepositoryAreTold) {
  make(
      "git clone -q --shared origin work; cd origin; id=$(git rev-parse HEAD:a)\n"
      "rm -f .git/objects/$(echo $id | cut -c1-2)/$(echo $id | cut -c3-); cd ..");
  EXPECT_TRUE(refused(open()->view->read_at("HEAD", "a"), "repository.broken", "git fsck"));
}

TEST_P(GitLayouts, WhatIsUnderWayIsToldAndNothingIsLost) {
  struct State {
    const char* start;
    const char* end;
  };
  for (const State& state :
       {State{"! git merge -q other", "git merge --abort"},
        State{"! git rebase -q other", "git rebase --abort"},
        State{"! git cherry-pick other", "git cherry-pick --abort"},
        State{"! git revert --no-edit HEAD~1", "git revert --abort"},
        State{"git format-patch -q -1 other --stdout >../p; ! git am -q ../p", "git am --abort"},
        State{"git bisect start", "git bisect reset"}}) {
    std::filesystem::remove_all(scratch / "work");
    make(
        "git clone -q origin work; cd work; git config user.name t; git config user.email t\n"
        "git switch -qc other HEAD~1; echo theirs >a; git commit -qam t; git switch -q main; cd "
        "..");
    ASSERT_TRUE(scratch.shell("work", state.start)) << state.start << scratch.printed();
    const std::string before =
        scratch.says("work", "git status --porcelain; git rev-parse HEAD; cat a");
    auto repository = open_git(scratch / "work", *processes);
    ASSERT_TRUE(accepted(repository));
    EXPECT_TRUE(refused((*repository)->commit("x", {"."}), "git.under_way", "in the middle of"))
        << state.start;
    EXPECT_EQ(scratch.says("work", "git status --porcelain; git rev-parse HEAD; cat a"), before);
    EXPECT_TRUE(scratch.shell("work", state.end)) << state.end << scratch.printed();
  }
}

INSTANTIATE_TEST_SUITE_P(Adapters, GitLayouts, testing::Values(false, true),
                         [](const auto& adapter) {
                           return std::string(adapter.param ? "ByProgram" : "ByLibrary");
                         });

}  // namespace
}  // namespace rgx::engine
