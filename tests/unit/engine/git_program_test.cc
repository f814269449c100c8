#include "engine/git_program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "engine/clean_files.h"
#include "engine/git_repository.h"
#include "engine/posix_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/git_scratch.h"
#include "tests/support/scripted_process.h"

// Repositories that only the program git reads, and what they must not make it do.

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::GitScratch;
using rgx::test::refused;

/// Confines nothing: what is turned off by settings must stay so without the kernel's help.
class OpenSandbox final : public Sandbox {
 public:
  SandboxStrength strength() override { return SandboxStrength::none; }
  Result<std::unique_ptr<PreparedSandbox>> prepare(const SandboxSpec& /*spec*/) override {
    class Nothing final : public PreparedSandbox {
     public:
      int enter() noexcept override { return 0; }
      [[nodiscard]] SandboxStrength strength() const override { return SandboxStrength::none; }
    };
    return std::unique_ptr<PreparedSandbox>(std::make_unique<Nothing>());
  }
};

constexpr const char* kStart =
    "mkdir d e; echo a >a; echo b >d/b; echo c >e/c; git add -A; git commit -qm one\n";

class GitByProgram : public testing::Test {
 protected:
  void make(const std::string& script) {
    ASSERT_TRUE(scratch.make("work", kStart + script)) << scratch.printed();
  }
  Result<OpenRepository> open() { return open_repository(scratch / "work", *processes); }
  std::string why() {
    auto opened = open();
    EXPECT_TRUE(accepted(opened));
    return opened ? opened->why_program : "";
  }
  std::vector<std::string> files() {
    auto opened = open();
    EXPECT_TRUE(accepted(opened));
    std::vector<std::string> paths;
    const auto listed = opened->view->files({"."});
    EXPECT_TRUE(accepted(listed));
    for (const RepositoryFile& file : *listed) {
      paths.push_back(file.path);
    }
    return paths;
  }
  Result<GitCommitted> commit(const std::vector<std::string>& places) {
    RGX_TRY(const auto repository, open_git(scratch / "work", *processes));
    return repository->commit("second", places);
  }
  /// Everything that is ever asked.
  void use_everything() {
    auto opened = open();
    ASSERT_TRUE(accepted(opened));
    ASSERT_FALSE(opened->why_program.empty());
    EXPECT_TRUE(accepted(opened->view->files({"."})));
    EXPECT_TRUE(accepted(opened->view->untracked({"."})));
    EXPECT_TRUE(accepted(opened->view->read_at("HEAD", "a")));
    auto workspace = open_workspace(scratch / "work");
    EXPECT_TRUE(accepted(check_clean(scratch / "work", {"a", "d/b"}, **workspace, *processes)));
    auto repository = open_git(scratch / "work", *processes);
    ASSERT_TRUE(accepted(repository));
    EXPECT_TRUE(accepted((*repository)->changed_paths()));
    EXPECT_TRUE(accepted((*repository)->difference("HEAD")));
    EXPECT_TRUE(accepted((*repository)->log(10)));
    EXPECT_TRUE(accepted((*repository)->make_branch("topic", "HEAD")));
    EXPECT_TRUE(accepted((*repository)->commit("second", {"a"})));
  }

  GitScratch scratch;
  std::unique_ptr<Sandbox> sandbox = real_sandbox();
  std::unique_ptr<ProcessRunner> processes = real_process_runner(*sandbox);
};

struct Kind {
  const char* name;
  const char* script;
  const char* why;
};

std::ostream& operator<<(std::ostream& out, const Kind& kind) {
  return out << kind.name;
}

class GitKinds : public GitByProgram, public testing::WithParamInterface<Kind> {};

// Each is read, changed and committed, and git finds nothing wrong with what was made.
TEST_P(GitKinds, IsReadAndWritten) {
  make(GetParam().script);
  EXPECT_EQ(why(), GetParam().why);
  EXPECT_EQ(files().front(), "a");
  auto opened = open();
  const auto head = opened->view->head();
  ASSERT_TRUE(accepted(head));
  EXPECT_EQ(*head + "\n", scratch.says("work", "git rev-parse HEAD"));
  EXPECT_EQ(opened->view->read_at("HEAD", "a").value(), "a\n");
  ASSERT_TRUE(scratch.shell("work", "echo changed >a; echo new >n; echo b2 >d/b"));
  EXPECT_EQ(opened->view->untracked({"."}).value(), std::vector<std::string>{"n"});
  const auto made = commit({"a", "n"});
  ASSERT_TRUE(accepted(made));
  EXPECT_TRUE(accepted(made->index_updated));
  EXPECT_EQ(made->files, 2U);
  EXPECT_EQ(scratch.says("work", "git rev-parse HEAD; git show HEAD:a; git status --porcelain"),
            made->id + "\nchanged\n M d/b\n");
  EXPECT_EQ(scratch.says("work", "git ls-tree -r --name-only HEAD | tr '\\n' ' '"), "a d/b e/c n ");
  EXPECT_EQ(scratch.says("work", "git fsck --strict"), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, GitKinds,
    testing::Values(
        Kind{"Sparse", "git sparse-checkout set d", "it has a configuration for each work tree"},
        Kind{"SparseByHand",
             "git config core.sparseCheckout true; printf '/a\\n/d\\n' >.git/info/sparse-checkout; "
             "git read-tree -mu HEAD",
             "it is a sparse checkout"},
        Kind{"SparseByTheIndex", "git update-index --skip-worktree e/c; rm e/c",
             "it is a sparse checkout"},
        Kind{"SparseIndex",
             "git sparse-checkout set --sparse-index d; git config -f .git/config "
             "core.repositoryFormatVersion 1",
             "it has a configuration for each work tree"},
        Kind{"WorktreeConfig",
             "git config core.repositoryFormatVersion 1; git config extensions.worktreeConfig true",
             "it has a configuration for each work tree"},
        Kind{"SplitIndex", "git update-index --split-index", "its index is split"},
        Kind{
            "PreciousObjects",
            "git config core.repositoryFormatVersion 1; git config extensions.preciousObjects true",
            "it has an extension that libgit2 does not know"},
        Kind{"Promisor", "git config remote.origin.promisor true", "it is a partial clone"},
        Kind{"Include",
             "echo '[user]' >more; echo more >>.git/info/exclude; mv more .git/more; git "
             "config include.path more",
             "its configuration includes other files"}),
    [](const auto& kind) { return std::string(kind.param.name); });

TEST_F(GitByProgram, Sha256IsReadAndWritten) {
  ASSERT_TRUE(scratch.make("other", ""));
  std::filesystem::create_directories(scratch / "work");
  ASSERT_TRUE(scratch.shell("work", "git init -q -b main --object-format=sha256 .; " +
                                        std::string(kStart).insert(0,
                                                                   "git config user.name t; git "
                                                                   "config user.email t; ")));
  EXPECT_EQ(why(), "its objects are not named by SHA-1");
  EXPECT_EQ(open()->view->head()->size(), 64U);
  ASSERT_TRUE(scratch.shell("work", "echo changed >a"));
  const auto made = commit({"."});
  ASSERT_TRUE(accepted(made));
  EXPECT_EQ(made->id.size(), 64U);
  EXPECT_EQ(scratch.says("work", "git status --porcelain; git fsck --strict"), "");
}

TEST_F(GitByProgram, FirstCommitCanBeMade) {
  ASSERT_TRUE(scratch.make("work", "git config extensions.worktreeConfig true; echo a >a"));
  EXPECT_TRUE(refused(open()->view->head(), "repository.no_commits", "no commit yet"));
  const auto made = commit({"a"});
  ASSERT_TRUE(accepted(made));
  EXPECT_EQ(scratch.says("work", "git log --format=%H; git status --porcelain"), made->id + "\n");
}

TEST_F(GitByProgram, WorkingTreeEncodingIsKept) {
  make(
      "printf 'u.txt text working-tree-encoding=UTF-16LE\\n' >.gitattributes; git add -A; git "
      "commit "
      "-qm rules; printf 'a\\0\\n\\0' >u.txt");
  EXPECT_EQ(why(), "files of it have a `working-tree-encoding`");
  ASSERT_TRUE(accepted(commit({"."})));
  EXPECT_EQ(scratch.says("work", "git show HEAD:u.txt; git status --porcelain"), "a\n");
}

TEST_F(GitByProgram, FilesOutsideASparseCheckoutAreNoneOfThisRun) {
  make("git sparse-checkout set d");
  EXPECT_EQ(files(), (std::vector<std::string>{"a", "d/b"}));
  auto workspace = open_workspace(scratch / "work");
  const auto report = check_clean(scratch / "work", {"a", "e/c"}, **workspace, *processes);
  ASSERT_TRUE(accepted(report));
  ASSERT_EQ(report->files.size(), 1U);
  EXPECT_EQ(report->files.front().path, "e/c");
}

TEST_F(GitByProgram, ObjectsThatWereNotFetchedAreTold) {
  make("git config uploadpack.allowFilter true");
  ASSERT_TRUE(scratch.shell(".",
                            "mv work source; git clone -q --filter=blob:none --no-checkout "
                            "\"file://$PWD/source\" work"))
      << scratch.printed();
  const auto opened = open();
  ASSERT_TRUE(accepted(opened));
  EXPECT_TRUE(refused(opened->view->read_at("HEAD", "a"), "repository.not_fetched",
                      "this partial clone does not have"));
  EXPECT_EQ(scratch.says("work", "git rev-list --objects --missing=print HEAD | grep -c '^?'"),
            "3\n");
}

// What a repository can name to be started, one after the other, with and without the kernel's
// help. The canary is a filter, too: it prints what it reads.
TEST_F(GitByProgram, NothingThatTheRepositoryNamesIsStarted) {
  const std::string canary = scratch.canary();
  make(
      "git config extensions.worktreeConfig true\n"
      "printf '* filter=evil diff=evil merge=evil\\na -filter\\n' >.git/info/attributes\n"
      "mkdir .git/evil; for h in pre-commit post-commit reference-transaction post-index-change "
      "prepare-commit-msg commit-msg fsmonitor-watchman post-checkout; do cp '" +
      canary + "' .git/evil/$h; cp '" + canary +
      "' .git/hooks/$h; done\n"
      "git config core.hooksPath .git/evil\n"
      "for k in core.fsmonitor core.sshCommand core.gitProxy core.pager core.editor core.askPass "
      "sequence.editor core.alternateRefsCommand credential.helper diff.external diff.evil.command "
      "diff.evil.textconv merge.evil.driver filter.evil.clean filter.evil.smudge "
      "filter.evil.process gpg.program gpg.ssh.program interactive.diffFilter pager.log pager.diff "
      "uploadpack.packObjectsHook remote.origin.uploadpack; do git config $k '" +
      canary +
      "'; done\n"
      "for k in status log diff commit config ls-files rev-parse cat-file update-index; do git "
      "config "
      "alias.$k \"!" +
      canary +
      "\"; done\n"
      "git config filter.evil.required true; git config 'filter.od=d.na.me.clean' '" +
      canary +
      "'\n"
      "git config commit.gpgSign true; git config log.showSignature true\n"
      "git config remote.origin.url \"ext::" +
      canary +
      "\"; git config remote.origin.promisor true\n"
      "git config protocol.ext.allow always; git config gc.auto 1; git config core.preloadIndex "
      "true\n"
      "echo changed >a; echo changed >d/b; echo new >n");
  ASSERT_FALSE(scratch.canary_ran());
  use_everything();
  EXPECT_FALSE(scratch.canary_ran());
  EXPECT_TRUE(refused(commit({"d/b"}), "git.filtered", "`evil`"));
  OpenSandbox open_sandbox;
  processes = real_process_runner(open_sandbox);
  ASSERT_TRUE(scratch.shell("work", "echo again >a; rm .git/refs/heads/topic"));
  use_everything();
  EXPECT_FALSE(scratch.canary_ran());
  // The trap works: git itself steps into it.
  ASSERT_TRUE(scratch.shell("work", "git status || true"));
  EXPECT_TRUE(scratch.canary_ran());
}

// Where a setting was forgotten the kernel holds: git may execute itself and nothing else.
TEST_F(GitByProgram, TheKernelLetsGitStartNothing) {
  if (sandbox->strength() == SandboxStrength::none) {
    GTEST_SKIP() << "this kernel has no Landlock";
  }
  const std::string canary = scratch.canary();
  make("git config extensions.worktreeConfig true");
  const auto places = find_git_places(scratch / "work");
  ASSERT_TRUE(accepted(places));
  const auto git = GitProgram::open(places->value(), "", *processes);
  ASSERT_TRUE(accepted(git));
  const auto answer = git->ask({"-c", "alias.evil=!" + canary, "evil"});
  ASSERT_TRUE(accepted(answer));
  EXPECT_NE(answer->status, 0);
  EXPECT_FALSE(scratch.canary_ran());
}

TEST_F(GitByProgram, FormatThatGitDoesNotKnowIsTold) {
  make(
      "git config core.repositoryFormatVersion 1; git config extensions.refStorage "
      "reftable-of-later");
  EXPECT_TRUE(refused(open(), "repository.git_too_old", "install a newer git"));
  ASSERT_TRUE(scratch.make("other", kStart));
  ASSERT_TRUE(scratch.shell(".",
                            "rm -rf work; mv other work; cd work; git config "
                            "core.repositoryFormatVersion 99"));
  EXPECT_TRUE(refused(open(), "repository.git_too_old", "install a newer git"));
}

TEST_F(GitByProgram, WithoutGitTheReasonIsTold) {
  make("git config extensions.worktreeConfig true");
  const auto places = find_git_places(scratch / "work");
  ASSERT_TRUE(accepted(places));
  EXPECT_TRUE(refused(GitProgram::open(places->value(), "it is so", *processes, {scratch / "none"}),
                      "repository.needs_git", "(it is so), and the program git cannot be used"));
  ASSERT_TRUE(scratch.shell("work", "cp /usr/bin/git git"));
  EXPECT_TRUE(refused(GitProgram::open(places->value(), "", *processes, {scratch / "work/git"}),
                      "repository.needs_git",
                      "is inside the workspace, where steps can change it"));
}

TEST_F(GitByProgram, ThatDoesNotEndOrStopTalkingIsTold) {
  make("git config extensions.worktreeConfig true");
  const auto places = find_git_places(scratch / "work");
  ASSERT_TRUE(accepted(places));
  rgx::test::CallLog log;
  rgx::test::ScriptedProcess script(log);
  const std::string before =
      "git --no-pager --no-replace-objects --git-dir=" + places->value().git_dir +
      " --work-tree=" + places->value().root + " ";
  ProcessOutcome outcome;
  outcome.end = ProcessOutcome::End::timed_out;
  script.on(before + "head", outcome);
  outcome.end = ProcessOutcome::End::signalled;
  outcome.code = 9;
  script.on(before + "fall", outcome);
  outcome.end = ProcessOutcome::End::exited;
  outcome.code = 0;
  outcome.out = {"end", std::int64_t{1} << 40};
  script.on(before + "talk", outcome);
  const auto git = GitProgram::open(places->value(), "", script);
  ASSERT_TRUE(accepted(git));
  EXPECT_TRUE(refused(git->ask({"head"}), "repository.git_failed", "did not end within 120 s"));
  EXPECT_TRUE(refused(git->ask({"fall"}), "repository.git_failed", "ended by signal 9"));
  EXPECT_TRUE(refused(git->ask({"talk"}), "repository.git_failed", "more than 64 MiB"));
}

// What is granted: nothing of the work tree may be written, and git's folders for writes only.
TEST_F(GitByProgram, IsHeldToTheRepository) {
  make("git config extensions.worktreeConfig true");
  const auto places = find_git_places(scratch / "work");
  ASSERT_TRUE(accepted(places));
  rgx::test::CallLog log;
  rgx::test::ScriptedProcess script(log);
  const auto git = GitProgram::open(places->value(), "", script);
  ASSERT_TRUE(accepted(git));
  ASSERT_TRUE(accepted(git->ask({"status"})));
  ASSERT_TRUE(accepted(git->ask({"write-tree"}, {.writes = true})));
  const std::vector<ProcessSpec> specs = script.specs();
  for (const ProcessSpec& spec : specs) {
    EXPECT_FALSE(spec.sandbox.network);
    EXPECT_EQ(spec.env.at("GIT_NO_LAZY_FETCH"), "1");
    EXPECT_EQ(spec.env.at("GIT_ALLOW_PROTOCOL"), "");
    EXPECT_EQ(spec.env.at("GIT_OPTIONAL_LOCKS"), "0");
    EXPECT_EQ(spec.env.at("GIT_TERMINAL_PROMPT"), "0");
  }
  EXPECT_EQ(specs[specs.size() - 2].sandbox.write_below, std::vector<std::string>{"/dev/null"});
  EXPECT_EQ(specs.back().sandbox.write_below,
            (std::vector<std::string>{"/dev/null", scratch / "work/.git"}));
}

TEST_F(GitByProgram, OutcomesSayWhatHeldIt) {
  make("git config extensions.worktreeConfig true");
  const auto repository = open_git(scratch / "work", *processes);
  ASSERT_TRUE(accepted(repository));
  EXPECT_EQ((*repository)->confinement(), to_string(sandbox->strength()));
}

TEST_F(GitByProgram, WorkTreeElsewhereIsRefused) {
  make(
      "git config extensions.worktreeConfig true; mkdir ../other; git config core.worktree "
      "\"$(cd ../other; pwd)\"");
  EXPECT_TRUE(refused(open(), "repository.elsewhere", "has its work tree at"));
}

TEST_F(GitByProgram, ForeignOwnerIsRefused) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "only root can give a repository away";
  }
  make("git config extensions.worktreeConfig true");
  ASSERT_EQ(chown((scratch / "work/.git").c_str(), 12345, 12345), 0);
  EXPECT_TRUE(refused(open(), "repository.foreign_owner", "belongs to another user"));
}

TEST_F(GitByProgram, DamageIsTold) {
  make("git config extensions.worktreeConfig true; printf garbage >.git/index");
  EXPECT_TRUE(refused(open()->view->files({"."}), "repository.broken", "git fsck"));
}

TEST_F(GitByProgram, LockOfAnotherGitIsToldAndNothingIsLost) {
  make("git config extensions.worktreeConfig true; echo x >a; : >.git/index.lock");
  const std::string head = scratch.says("work", "git rev-parse HEAD");
  const auto made = commit({"a"});
  ASSERT_TRUE(accepted(made));
  EXPECT_TRUE(refused(made->index_updated, "repository.broken", "index.lock"));
  EXPECT_EQ(scratch.says("work",
                         "rm .git/index.lock; git reset -q; git status --porcelain; git "
                         "rev-parse HEAD~1"),
            head);
  ASSERT_TRUE(scratch.shell("work", "echo y >a; : >.git/refs/heads/main.lock"));
  EXPECT_TRUE(refused(commit({"a"}), "repository.broken", "main.lock"));
  EXPECT_EQ(scratch.says("work", "rm .git/refs/heads/main.lock; git rev-parse HEAD"),
            made->id + "\n");
}

}  // namespace
}  // namespace rgx::engine
