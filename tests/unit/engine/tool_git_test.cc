#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "engine/posix_world.h"
#include "engine/tool.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;

class GitTools : public testing::Test {
 protected:
  void SetUp() override {
    put("a", "one\n");
    put("sub/b", "two\n");
    if (!git("init -q -b main .")) {
      GTEST_SKIP() << "there is no git to make a repository with";
    }
    git("config user.name tester");
    git("config user.email t@example.org");
    git("add -A");
    ASSERT_TRUE(git("commit -q -m 'first one'"));
    auto opened = open_workspace(scratch / "work");
    ASSERT_TRUE(accepted(opened));
    workspace = std::move(*opened);
  }
  bool git(const std::string& arguments) const {
    const std::string command = "cd '" + (scratch / "work") +
                                "' && env -i PATH=/usr/bin:/bin GIT_CONFIG_NOSYSTEM=1 "
                                "HOME=/nonexistent git " +
                                arguments + " > ../out 2>&1";
    return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
  }
  std::string git_says(const std::string& arguments) const {
    EXPECT_TRUE(git(arguments)) << scratch.read("out");
    return scratch.read("out");
  }
  void put(const std::string& path, std::string_view bytes) const {
    scratch.write("work/" + path, bytes);
  }
  Outcome use(std::string_view tool, const Json& with = Json::object()) {
    templates::Step step;
    step.id = StepId("it");
    step.tool.use = tool;
    step.tool.with = with;
    const policy::Facts facts;
    ToolPorts ports{*workspace, world.repository, world.processes, world.state};
    auto action = find_tool_implementation(tool)({step, facts, {}, RunId("r"), 0, 1000, ports});
    EXPECT_TRUE(accepted(action));
    EXPECT_TRUE(accepted((*action)->begin()));
    (*action)->act(CancelFlag{false});
    return (*action)->finish();
  }
  Outcome commit(const std::vector<std::string>& paths, std::string_view message = "second") {
    return use("git.commit",
               Json::object({{"message", message}, {"paths", Json::array_of(paths)}}));
  }

  rgx::test::ScratchDir scratch;
  rgx::test::EngineWorld world;
  std::unique_ptr<Workspace> workspace;
};

TEST_F(GitTools, StatusNamesWhatDiffers) {
  EXPECT_EQ(use("git.status").summary, "clean");
  EXPECT_TRUE(use("git.status").values.find("clean")->as_boolean());
  put("a", "changed\n");
  put("new file", "x");
  const Outcome outcome = use("git.status");
  EXPECT_EQ(*outcome.values.find("paths"), Json::array_of({"a", "new file"}));
  EXPECT_EQ(outcome.summary, "2 files differ from the last commit");
}

TEST_F(GitTools, DiffCountsAndKeepsThePatch) {
  put("a", "ONE\n");
  const Outcome outcome = use("git.diff");
  EXPECT_EQ(outcome.values.find("files")->as_integer(), 1);
  EXPECT_EQ(outcome.values.find("lines")->as_integer(), 2);
  const std::string diff =
      world.state.memory_objects().stored.at(outcome.outputs.at("diff").digest);
  EXPECT_NE(diff.find("-one\n+ONE\n"), std::string::npos);
  EXPECT_EQ(use("git.diff", Json::object({{"base", "none"}})).error->code,
            "repository.no_such_revision");
}

TEST_F(GitTools, LogBeginsWithTheLastCommit) {
  const Outcome outcome = use("git.log");
  const Json& commits = *outcome.values.find("commits");
  ASSERT_EQ(commits.as_array().size(), 1U);
  EXPECT_EQ(commits.as_array().front().find("subject")->as_string(), "first one");
}

TEST_F(GitTools, BranchIsMadeOnce) {
  const Json with = Json::object({{"name", "topic/x"}});
  EXPECT_EQ(use("git.branch", with).values.find("ref")->as_string(), "refs/heads/topic/x");
  EXPECT_EQ(git_says("rev-parse topic/x"), git_says("rev-parse HEAD"));
  EXPECT_EQ(use("git.branch", with).error->code, "git.branch_exists");
  EXPECT_EQ(use("git.branch", Json::object({{"name", "a..b"}})).error->code, "git.bad_name");
}

TEST_F(GitTools, CommitTakesExactlyTheNamedPaths) {
  put("a", "changed\n");
  put("sub/new", "new\n");
  std::filesystem::remove(scratch / "work/sub/b");
  put("other", "staged\n");
  ASSERT_TRUE(git("add other"));
  const Outcome outcome = commit({"a", "sub"});
  ASSERT_EQ(outcome.state, StepState::succeeded) << outcome.summary;
  EXPECT_EQ(outcome.values.find("files")->as_integer(), 3);
  EXPECT_EQ(git_says("rev-parse HEAD"), outcome.values.find("commit")->as_string() + "\n");
  EXPECT_EQ(git_says("show --format=%an/%s --name-status HEAD"),
            "tester/second\n\nM\ta\nD\tsub/b\nA\tsub/new\n");
  EXPECT_EQ(git_says("status --porcelain"), "A  other\n");
  EXPECT_EQ(git_says("fsck"), "");
}

TEST_F(GitTools, CommitRunsNoHook) {
  scratch.write("work/.git/hooks/pre-commit", "#!/bin/sh\nexit 1\n");
  ASSERT_TRUE(git("config core.hooksPath .git/hooks"));
  std::filesystem::permissions(scratch / "work/.git/hooks/pre-commit",
                               std::filesystem::perms::owner_all);
  put("a", "changed\n");
  EXPECT_EQ(commit({"a"}).state, StepState::succeeded);
}

TEST_F(GitTools, NothingToCommitIsNoFailure) {
  const std::string head = git_says("rev-parse HEAD");
  const Outcome outcome = commit({"."});
  EXPECT_EQ(outcome.state, StepState::succeeded);
  EXPECT_EQ(outcome.summary, "nothing to commit");
  EXPECT_EQ(git_says("rev-parse HEAD"), head);
}

TEST_F(GitTools, CommitWithoutAnAuthorHasADefaultOne) {
  ASSERT_TRUE(git("config --unset user.name"));
  ASSERT_TRUE(git("config --unset user.email"));
  put("a", "changed\n");
  EXPECT_EQ(commit({"a"}).state, StepState::succeeded);
  EXPECT_EQ(git_says("log -1 --format='%an %ae'"), "rgx rgx@localhost\n");
}

TEST_F(GitTools, CommitRefusesConflictsAndWhatIsUnderWay) {
  ASSERT_TRUE(git("switch -q -c other"));
  put("a", "theirs\n");
  ASSERT_TRUE(git("commit -qam theirs"));
  ASSERT_TRUE(git("switch -q main"));
  put("a", "ours\n");
  ASSERT_TRUE(git("commit -qam ours"));
  EXPECT_FALSE(git("merge -q other"));
  EXPECT_EQ(commit({"a"}).error->code, "git.under_way");
  std::filesystem::remove(scratch / "work/.git/MERGE_HEAD");
  EXPECT_EQ(commit({"a"}).error->code, "git.conflicts");
}

// What git would store is stored, and git then sees no change.
TEST_F(GitTools, CommittedBytesAreThoseThatGitWouldCommit) {
  put(".gitattributes",
      "*.auto text=auto\n*.text text\n*.raw -text\n*.c ident\n*.lf eol=lf\n*.crlf eol=crlf\n");
  git("add -A");
  ASSERT_TRUE(git("commit -qm rules"));
  const std::vector<std::string> kinds = {"x.auto", "x.text", "x.raw", "x.c",
                                          "x.lf",   "x.crlf", "plain", "zero.auto"};
  for (const char* crlf : {"unset", "true", "input", "false"}) {
    git("config --unset core.autocrlf");
    ASSERT_TRUE(std::string_view(crlf) == "unset" ||
                git("config core.autocrlf " + std::string(crlf)));
    // New files: git leaves alone what has such line ends in the index already.
    std::vector<std::string> names;
    std::string wanted;
    for (const std::string& kind : kinds) {
      names.push_back(std::string(crlf) + "-" + kind);
      const std::string& name = names.back();
      put(name, std::string("$Id: ") + crlf + " $\r\nline\r\n" +
                    (kind == "zero.auto" ? std::string(1, '\0') : ""));
      wanted += git_says("hash-object " + name);
    }
    ASSERT_EQ(commit({"."}).state, StepState::succeeded) << crlf;
    std::string made;
    for (const std::string& name : names) {
      made += git_says("rev-parse HEAD:" + name);
    }
    EXPECT_EQ(made, wanted) << crlf;
    EXPECT_EQ(git_says("status --porcelain -- '" + std::string(crlf) + "-*'"), "") << crlf;
  }
}

TEST_F(GitTools, CommitRefusesFilesOfAFilter) {
  put(".gitattributes", "*.bin filter=lfs\n");
  put("d/x.bin", "large\n");
  put("a", "changed\n");
  const std::string head = git_says("rev-parse HEAD");
  const Outcome refused = commit({"."});
  ASSERT_EQ(refused.state, StepState::failed);
  EXPECT_EQ(refused.error->code, "git.filtered");
  EXPECT_NE(refused.error->message.find("`d/x.bin` is kept through the filter `lfs`"),
            std::string::npos);
  EXPECT_EQ(git_says("rev-parse HEAD"), head);
  EXPECT_EQ(commit({"a", ".gitattributes"}).state, StepState::succeeded);
  EXPECT_EQ(git_says("status --porcelain"), "?? d/\n");
}

TEST_F(GitTools, CommitRefusesAnEncodingThatOnlyTheWorkTreeKnows) {
  put("d/.gitattributes", "u.txt working-tree-encoding=UTF-16\n");
  put("d/u.txt", "x");
  EXPECT_EQ(commit({"d/u.txt"}).error->code, "git.filtered");
  ASSERT_EQ(commit({"d/.gitattributes"}).state, StepState::succeeded);
}

TEST_F(GitTools, PipesInPlaceOfFilesEndEveryTool) {
  std::filesystem::create_directories(scratch / "work/d");
  ASSERT_EQ(::mkfifo((scratch / "work/d/.gitignore").c_str(), 0600), 0);
  for (const char* tool : {"git.status", "git.diff"}) {
    EXPECT_EQ(use(tool).error->code, "repository.broken") << tool;
  }
  EXPECT_EQ(commit({"a"}).error->code, "repository.broken");
  ASSERT_EQ(::mkfifo((scratch / "work/.git/refs/heads/pipe").c_str(), 0600), 0);
  EXPECT_EQ(use("git.log").error->code, "repository.broken");
  EXPECT_EQ(use("git.branch", Json::object({{"name", "x"}})).error->code, "repository.broken");
}

TEST_F(GitTools, DiffRefusesConflicts) {
  ASSERT_TRUE(git("switch -q -c other"));
  put("a", "theirs\n");
  ASSERT_TRUE(git("commit -qam theirs"));
  ASSERT_TRUE(git("switch -q main"));
  put("a", "ours\n");
  ASSERT_TRUE(git("commit -qam ours"));
  EXPECT_FALSE(git("merge -q other"));
  EXPECT_EQ(use("git.diff").error->code, "git.conflicts");
}

TEST_F(GitTools, AFileThatBecameALinkIsNamedOnce) {
  std::filesystem::remove(scratch / "work/a");
  std::filesystem::create_symlink("sub/b", scratch / "work/a");
  EXPECT_EQ(*use("git.status").values.find("paths"), Json::array_of({"a"}));
  EXPECT_EQ(use("git.diff").values.find("files")->as_integer(), 1);
  EXPECT_EQ(commit({"a"}).values.find("files")->as_integer(), 1);
  EXPECT_EQ(git_says("status --porcelain"), "");
}

TEST_F(GitTools, CommitNeedsABranch) {
  ASSERT_TRUE(git("checkout -q --detach"));
  put("a", "changed\n");
  EXPECT_EQ(commit({"a"}).error->code, "git.detached");
}

}  // namespace
}  // namespace rgx::engine
