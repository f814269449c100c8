#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/posix_world.h"
#include "engine/worktrees.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;
using rgx::test::ScratchDir;

using Paths = std::vector<std::string>;

class GitWorktrees : public testing::Test {
 protected:
  void SetUp() override {
    scratch.write("work/a.c", "one\n");
    scratch.write("work/sub/odd\nname", "two\n");
    scratch.write("work/run.sh", "three\n");
    scratch.write("work/crlf.txt", "four\n");
    scratch.write("work/.gitattributes", "*.txt text eol=crlf\n");
    if (!git("init -q -b main .")) {
      GTEST_SKIP() << "there is no git to make a repository with";
    }
    git("config user.name tester");
    git("config user.email t@example.org");
    std::filesystem::permissions(scratch / "work/run.sh", std::filesystem::perms(0755));
    std::filesystem::create_symlink("sub", scratch / "work/link");
    std::filesystem::create_symlink("/etc", scratch / "work/outside");
    git("add -A");
    ASSERT_TRUE(git("commit -q -m one"));
    base = says("rev-parse HEAD");
    std::filesystem::create_directory(scratch / "state");
    worktrees = open_worktrees(root(), scratch / "state/worktrees", *processes);
  }
  bool git(const std::string& arguments) const {
    const std::string command = "cd '" + root() +
                                "' && env -i PATH=/usr/bin:/bin GIT_CONFIG_NOSYSTEM=1 "
                                "HOME=/nonexistent git " +
                                arguments + " > ../out 2>&1";
    return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
  }
  std::string says(const std::string& arguments) const {
    EXPECT_TRUE(git(arguments)) << scratch.read("out");
    std::string out = scratch.read("out");
    while (out.ends_with('\n')) {
      out.pop_back();
    }
    return out;
  }
  std::string root() const { return scratch / "work"; }
  WorktreeCommit commit_of(const std::string& tree) const {
    return {.run = run, .from = {base}, .tree = tree, .message = "subject\n\nRgx-Run: r\n"};
  }

  ScratchDir scratch;
  std::string base;
  RunId run{"r-0123456789ab"};
  std::unique_ptr<Sandbox> sandbox = real_sandbox();
  std::unique_ptr<ProcessRunner> processes = real_process_runner(*sandbox);
  std::unique_ptr<Worktrees> worktrees;
};

TEST_F(GitWorktrees, HasTheBytesOfTheCommitOnABranchOfItsOwn) {
  scratch.write("work/a.c", "not committed\n");
  const auto made = worktrees->make(run, base);
  ASSERT_TRUE(accepted(made));
  EXPECT_EQ(*made->workspace->read("a.c", 100), "one\n");
  EXPECT_EQ(*made->workspace->read("crlf.txt", 100), "four\n");  // no filter had a hand in it
  EXPECT_EQ((*made->workspace->state("run.sh"))->mode & 0111U, 0111U);
  EXPECT_EQ(*made->repository->head(), base);
  EXPECT_EQ(*worktrees->tip(run), base);
  EXPECT_EQ(says("rev-parse --abbrev-ref HEAD"), "main");
  EXPECT_NE(says("worktree list --porcelain").find("locked rgx run r-0123456789ab"),
            std::string::npos);
  EXPECT_EQ(*worktrees->list(), std::vector<RunId>{run});
  EXPECT_EQ(scratch.read("work/a.c"), "not committed\n");
}

TEST_F(GitWorktrees, HalfMadeOneIsMadeAnew) {
  ASSERT_TRUE(accepted(worktrees->make(run, base)));
  std::filesystem::remove(scratch / "work/.git/worktrees/r-0123456789ab/HEAD");
  std::filesystem::remove(scratch / "state/worktrees/r-0123456789ab/a.c");
  scratch.write("work/.git/refs/heads/rgx/r-0123456789ab.lock", "");
  const auto again = worktrees->make(run, base);
  ASSERT_TRUE(accepted(again));
  EXPECT_EQ(*again->workspace->read("a.c", 100), "one\n");
}

TEST_F(GitWorktrees, BranchesOfSomebodyElseAreInTheWay) {
  ASSERT_TRUE(git("branch rgx"));
  EXPECT_TRUE(refused(worktrees->make(run, base), "worktree.branch_blocked", "branch `rgx`"));
  ASSERT_TRUE(git("branch -D rgx"));
  ASSERT_TRUE(git("commit -q --allow-empty -m two"));
  ASSERT_TRUE(git("branch rgx/r-0123456789ab"));
  EXPECT_TRUE(refused(worktrees->make(run, base), "worktree.branch_moved", "r-0123456789ab"));
}

TEST_F(GitWorktrees, SaysWhenItIsGone) {
  EXPECT_TRUE(refused(worktrees->open(run), "worktree.gone", "its folder is gone"));
  ASSERT_TRUE(accepted(worktrees->make(run, base)));
  std::filesystem::remove_all(scratch / "work/.git/worktrees");
  EXPECT_TRUE(refused(worktrees->open(run), "worktree.gone", "git does not know it any more"));
  EXPECT_TRUE(refused(worktrees->differing(run, base), "worktree.gone", "git does not know it"));
}

TEST_F(GitWorktrees, CommitsExactlyTheChangesOnceAndOnlyWhereTheBranchIs) {
  ASSERT_TRUE(accepted(worktrees->make(run, base)));
  const auto tree = worktrees->write_tree(
      base,
      {{"a.c", "new\n", false}, {"sub/odd\nname", std::nullopt, false}, {"new/x", "x", true}});
  ASSERT_TRUE(accepted(tree));
  const auto commit = worktrees->commit(commit_of(*tree));
  ASSERT_TRUE(accepted(commit));
  EXPECT_EQ(says("rev-parse rgx/r-0123456789ab"), *commit);
  EXPECT_EQ(says("rev-parse rgx/r-0123456789ab^"), base);
  EXPECT_EQ(says("diff-tree -r -z --name-status HEAD " + *commit),
            std::string("M\0a.c\0A\0new/x\0D\0sub/odd\nname\0", 29));
  EXPECT_EQ(says("ls-tree " + *commit + " new/x").substr(0, 6), "100755");
  EXPECT_EQ(says("log -1 --format=%an%ae rgx/r-0123456789ab"), "testert@example.org");
  EXPECT_EQ(*worktrees->tree_of(*commit), *tree);
  // The same again is the same commit; anything else needs the branch to be where it was.
  EXPECT_EQ(*worktrees->commit(commit_of(*tree)), *commit);
  WorktreeCommit other = commit_of(*tree);
  other.message = "another\n";
  EXPECT_TRUE(refused(worktrees->commit(other), "worktree.branch_moved", commit->substr(0, 12)));
  EXPECT_EQ(says("status --porcelain"), "");
}

TEST_F(GitWorktrees, TellsWhatDiffersAndGoesWithoutATrace) {
  const auto made = worktrees->make(run, base);
  ASSERT_TRUE(accepted(made));
  EXPECT_EQ(*worktrees->differing(run, base), Paths{});
  scratch.write("state/worktrees/r-0123456789ab/a.c", "changed\n");
  scratch.write("state/worktrees/r-0123456789ab/new", "new\n");
  EXPECT_EQ(*worktrees->differing(run, base), (Paths{"a.c", "new"}));
  EXPECT_TRUE(accepted(worktrees->remove(run)));
  EXPECT_TRUE(accepted(worktrees->remove(run)));
  EXPECT_FALSE(std::filesystem::exists(scratch / "work/.git/worktrees"));
  EXPECT_EQ(*worktrees->differing(run, base), Paths{});
  EXPECT_TRUE(refused(worktrees->remove_branch(run, std::string(40, '0')), "worktree.branch_moved",
                      base.substr(0, 12)));
  ASSERT_TRUE(git("checkout -q rgx/r-0123456789ab"));
  EXPECT_TRUE(
      refused(worktrees->remove_branch(run, base), "worktree.branch_in_use", "checked out"));
  ASSERT_TRUE(git("checkout -q main"));
  EXPECT_TRUE(accepted(worktrees->remove_branch(run, base)));
  EXPECT_EQ(*worktrees->tip(run), std::nullopt);
  EXPECT_TRUE(accepted(worktrees->remove_branch(run, base)));
}

class BaseTree : public GitWorktrees {
 protected:
  void SetUp() override {
    GitWorktrees::SetUp();
    if (IsSkipped() || HasFatalFailure()) {
      return;
    }
    scratch.write("work/a.c", "not committed\n");
    scratch.write("work/untracked", "not tracked\n");
    ASSERT_TRUE(git("rm -q --cached run.sh"));
    auto opened = open_repository(root(), *processes);
    ASSERT_TRUE(accepted(opened));
    repository = std::move(opened->view);
    auto files = open_workspace(root());
    ASSERT_TRUE(accepted(files));
    workspace = std::move(*files);
    auto tree = open_base(base, *repository, *workspace);
    ASSERT_TRUE(accepted(tree));
    opened_base = std::move(*tree);
  }

  std::unique_ptr<RepositoryView> repository;
  std::unique_ptr<Workspace> workspace;
  OpenBase opened_base;
};

TEST_F(BaseTree, IsTheCommitWhateverIsCheckedOut) {
  RepositoryView& view = *opened_base.view;
  EXPECT_EQ(*view.head(), base);
  EXPECT_EQ(*view.read("a.c"), "one\n");
  const auto files = view.files({"."});
  ASSERT_TRUE(accepted(files));
  EXPECT_EQ(*files, (std::vector<RepositoryFile>{{".gitattributes", 20},
                                                 {"a.c", 4},
                                                 {"crlf.txt", 5},
                                                 {"run.sh", 6},
                                                 {"sub/odd\nname", 4}}));
  EXPECT_EQ(view.files({"sub"})->size(), 1U);
  EXPECT_TRUE(refused(view.files({"untracked"}), "repository.no_such_path", base.substr(0, 12)));
  EXPECT_TRUE(refused(view.files({"../x"}), "repository.path_outside", "no path inside"));
  EXPECT_EQ(*view.untracked({"."}), Paths{});
  EXPECT_TRUE(refused(view.read("untracked"), "repository.unreadable", "untracked"));
}

TEST_F(BaseTree, IsAWorkspaceThatNobodyChanges) {
  Workspace& files = *opened_base.workspace;
  EXPECT_EQ((*files.state("a.c"))->digest, digest_bytes("one\n"));
  EXPECT_EQ((*files.state("run.sh"))->mode, 0755U);
  EXPECT_EQ(*files.state("untracked"), std::nullopt);
  EXPECT_TRUE(refused(files.state("link"), "workspace.symlink", "link"));
  EXPECT_TRUE(refused(files.state("link/x"), "workspace.symlink", "link"));
  EXPECT_TRUE(refused(files.read("sub", 10), "workspace.not_regular", "sub"));
  EXPECT_TRUE(refused(files.read("a.c", 3), "workspace.too_large", "a.c"));
  EXPECT_EQ(*files.kind("sub"), EntryKind::directory);
  EXPECT_EQ(*files.kind("link"), EntryKind::symlink);
  EXPECT_EQ(files.list(".")->size(), 7U);
  EXPECT_TRUE(refused(files.write("a.c", "x", std::nullopt), "workspace.read_only", "a.c"));
  EXPECT_TRUE(refused(files.make_directory("x"), "workspace.read_only", "x"));
}

TEST_F(BaseTree, ResolvesLinksAsTheyAreCommitted) {
  std::filesystem::remove(scratch / "work/link");
  Workspace& files = *opened_base.workspace;
  EXPECT_EQ(*files.resolve("link/x"), "sub/x");
  EXPECT_EQ(*files.resolve("a.c"), "a.c");
  EXPECT_EQ(*files.resolve("new/place"), "new/place");
  EXPECT_EQ(*files.resolve("outside/passwd"), "abs:/etc/passwd");
  EXPECT_EQ(*files.resolve("."), ".");
}

}  // namespace
}  // namespace rgx::engine
