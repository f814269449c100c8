#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "engine/posix_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// libgit2 1.5 forgets the matches of a pattern over a configuration that it then refuses. The name
// is the one that the sanitizer calls.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libpcre2-8.so";
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
#endif
#endif

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;
using rgx::test::ScratchDir;

/// A repository opened with real processes, which the view may need.
Result<OpenRepository> open_at(const std::string& start) {
  static const std::unique_ptr<Sandbox> kSandbox = real_sandbox();
  static const std::unique_ptr<ProcessRunner> kProcesses = real_process_runner(*kSandbox);
  return open_repository(start, *kProcesses);
}

class GitRepository : public testing::Test {
 protected:
  void SetUp() override {
    if (!git("init -q -b main .")) {
      GTEST_SKIP() << "there is no git to make a repository with";
    }
    git("config user.name t");
    git("config user.email t@example.org");
  }
  /// Runs the git program in the work tree, without anybody's configuration.
  bool git(const std::string& arguments) const {
    const std::string command =
        "cd '" + std::string(work()) +
        "' && env -i PATH=/usr/bin:/bin GIT_CONFIG_NOSYSTEM=1 HOME=/nonexistent "
        "GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' git " +
        arguments + " >/dev/null 2>&1";
    return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
  }
  std::string work() const { return scratch / "work"; }
  std::string put(std::string_view path, std::string_view bytes) {
    return scratch.write("work/" + std::string(path), bytes);
  }
  void commit_all() {
    ASSERT_TRUE(git("add -A"));
    ASSERT_TRUE(git("commit -q -m one"));
  }
  std::unique_ptr<RepositoryView> view() {
    auto opened = open_at(work());
    EXPECT_TRUE(accepted(opened));
    return opened ? std::move(opened->view) : nullptr;
  }
  static std::vector<std::string> paths(const std::vector<RepositoryFile>& files) {
    std::vector<std::string> all;
    for (const RepositoryFile& file : files) {
      all.push_back(file.path);
    }
    return all;
  }

  ScratchDir scratch;
  bool made = std::filesystem::create_directories(scratch / "work");
};

using Paths = std::vector<std::string>;

TEST_F(GitRepository, IsFoundFromBelow) {
  put("src/deep/a.c", "a");
  const auto opened = open_at(work() + "/src/deep");
  ASSERT_TRUE(accepted(opened));
  EXPECT_EQ(opened->root, work());
}

TEST_F(GitRepository, ListsTrackedRegularFilesOnly) {
  put("src/b.c", "bb");
  put("src/a.c", "a");
  put("src-x/c.c", "c");
  put("untracked-later", "");
  std::filesystem::create_symlink("src/a.c", work() + "/link");
  ASSERT_TRUE(git("add src src-x link"));
  ASSERT_TRUE(git("commit -q -m one"));
  const auto repository = view();
  const auto files = repository->files({"."});
  ASSERT_TRUE(accepted(files));
  EXPECT_EQ(*files,
            (std::vector<RepositoryFile>{{"src-x/c.c", 1}, {"src/a.c", 1}, {"src/b.c", 2}}));
  EXPECT_EQ(paths(*repository->files({"src"})), (Paths{"src/a.c", "src/b.c"}));
  EXPECT_EQ(paths(*repository->files({"src/a.c", "src", "src"})), (Paths{"src/a.c", "src/b.c"}));
}

TEST_F(GitRepository, ListsWhatGitNeitherTracksNorIgnores) {
  put("src/a.c", "a");
  put(".gitignore", "build/\n");
  commit_all();
  put("src/new.c", "n");
  put("src/deep/new.c", "n");
  put("build/a.o", "o");
  put("other.txt", "o");
  const auto all = view()->untracked({"."});
  ASSERT_TRUE(accepted(all));
  EXPECT_EQ(*all, (Paths{"other.txt", "src/deep/new.c", "src/new.c"}));
  const auto below = view()->untracked({"src", "build", "missing"});
  ASSERT_TRUE(accepted(below));
  EXPECT_EQ(*below, (Paths{"src/deep/new.c", "src/new.c"}));
  EXPECT_TRUE(refused(view()->untracked({"../x"}), "repository.path_outside", "../x"));
}

TEST_F(GitRepository, ListsWhatIsThereNow) {
  put("a", "a");
  put("b", "b");
  put("d/x", "x");
  commit_all();
  put("a", "longer");
  std::filesystem::remove(work() + "/b");
  std::filesystem::remove_all(work() + "/d");
  std::filesystem::create_directory_symlink(scratch.path(), work() + "/d");
  scratch.write("x", "outside");
  const auto files = view()->files({"."});
  ASSERT_TRUE(accepted(files));
  EXPECT_EQ(*files, (std::vector<RepositoryFile>{{"a", 6}}));
}

TEST_F(GitRepository, SeesWhatIsStagedAfterItWasOpened) {
  put("a", "a");
  commit_all();
  const auto repository = view();
  ASSERT_EQ(repository->files({"."})->size(), 1U);
  put("b", "b");
  ASSERT_TRUE(git("add b"));
  EXPECT_EQ(repository->files({"."})->size(), 2U);
}

TEST_F(GitRepository, PathsThatDoNotExistOrLeaveAreRefused) {
  put("a", "a");
  commit_all();
  const auto repository = view();
  EXPECT_TRUE(refused(repository->files({"none"}), "repository.no_such_path", "`none`"));
  EXPECT_TRUE(refused(repository->files({"../x"}), "repository.path_outside", "`../x`"));
  EXPECT_TRUE(refused(repository->files({"abs:/etc"}), "repository.path_outside", "`abs:/etc`"));
  EXPECT_TRUE(refused(repository->read("../x"), "repository.path_outside", ""));
}

TEST_F(GitRepository, ReadsFilesOfTheWorkTreeButNoLinks) {
  put("a", "in the work tree");
  scratch.write("secret", "s");
  std::filesystem::create_symlink(scratch / "secret", work() + "/link");
  const auto repository = view();
  EXPECT_EQ(*repository->read("a"), "in the work tree");
  EXPECT_TRUE(refused(repository->read("link"), "repository.unreadable", "`link`"));
  EXPECT_TRUE(refused(repository->read("none"), "repository.unreadable", "No such file"));
  put("large", std::string((16U << 20) + 1, 'x'));
  EXPECT_TRUE(refused(repository->read("large"), "repository.too_large", "16 MiB"));
}

TEST_F(GitRepository, ReadsFilesOfACommit) {
  put("d/a", "first");
  commit_all();
  const auto repository = view();
  const auto head = repository->head();
  ASSERT_TRUE(accepted(head));
  EXPECT_EQ(head->size(), 40U);
  put("d/a", "second");
  EXPECT_EQ(*repository->read_at(*head, "d/a"), "first");
  EXPECT_EQ(*repository->read_at("main", "d/a"), "first");
  EXPECT_EQ(*repository->read_at("HEAD", "none"), std::nullopt);
  EXPECT_TRUE(
      refused(repository->read_at("nowhere", "d/a"), "repository.no_such_revision", "`nowhere`"));
  EXPECT_TRUE(refused(repository->read_at("HEAD", "d"), "repository.unreadable", "`d`"));
}

TEST_F(GitRepository, WithoutCommitHasNoHeadButFiles) {
  put("a", "a");
  ASSERT_TRUE(git("add a"));
  const auto repository = view();
  EXPECT_TRUE(refused(repository->head(), "repository.no_commits", "no commit yet"));
  EXPECT_EQ(repository->files({"."})->size(), 1U);
}

TEST_F(GitRepository, ConflictIsTold) {
  put("a", "base\n");
  commit_all();
  ASSERT_TRUE(git("checkout -q -b other"));
  put("a", "theirs\n");
  ASSERT_TRUE(git("commit -q -a -m two"));
  ASSERT_TRUE(git("checkout -q main"));
  put("a", "ours\n");
  ASSERT_TRUE(git("commit -q -a -m three"));
  EXPECT_FALSE(git("merge other"));
  EXPECT_TRUE(refused(view()->files({"."}), "repository.unmerged", "`a` has an unresolved"));
}

TEST_F(GitRepository, NameThatCannotBeTakenIsSaidToBeTheCause) {
  put("a\x1b[1m", "a");
  EXPECT_TRUE(refused(view()->read("a\x1b[1m"), "path.control", "`a\\x1b[1m` contains a control"));
}

TEST_F(GitRepository, PipeInPlaceOfGitsFilesDoesNotHang) {
  put("d/a", "a");
  commit_all();
  for (const char* name :
       {"HEAD", "config", "config.worktree", "index", "packed-refs", "shallow", "commondir",
        "MERGE_HEAD", "refs/heads/main", "refs/heads/deep/er", "refs/tags/v1", "logs/HEAD",
        "info/exclude", "info/attributes", "objects/info/alternates", "objects/info/commit-graph",
        "objects/pack/multi-pack-index", "objects/pack/pack-1.idx", "objects/ab/cd"}) {
    const std::string file = work() + "/.git/" + name;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    const bool was_there = std::rename(file.c_str(), (file + ".kept").c_str()) == 0;
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0) << name;
    EXPECT_TRUE(refused(open_at(work()), "repository.broken", "is not a regular file")) << name;
    EXPECT_TRUE(refused(open_at(work() + "/d"), "repository.broken", "is not a regular")) << name;
    ASSERT_EQ(::unlink(file.c_str()), 0);
    if (was_there) {
      ASSERT_EQ(std::rename((file + ".kept").c_str(), file.c_str()), 0);
    }
  }
  EXPECT_TRUE(accepted(open_at(work())));
}

TEST_F(GitRepository, LinkToAPipeIsAPipe) {
  put("a", "a");
  commit_all();
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink(scratch / "pipe", work() + "/.git/refs/heads/link");
  EXPECT_TRUE(refused(open_at(work()), "repository.broken", "refs/heads/link"));
}

TEST_F(GitRepository, PipeInPlaceOfTheRepositoryIsTold) {
  ASSERT_TRUE(std::filesystem::remove_all(work() + "/.git") > 0);
  ASSERT_EQ(::mkfifo((work() + "/.git").c_str(), 0600), 0);
  EXPECT_TRUE(refused(open_at(work()), "repository.broken", ".git` is not a regular file"));
}

TEST_F(GitRepository, PipesThatTheConfigurationNamesDoNotHang) {
  put("a", "a");
  commit_all();
  const std::string pipe = scratch / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string config = scratch.read("work/.git/config");
  for (const std::string& more :
       {std::string("[include]\n\tpath = ../../pipe\n"), "[include] path=\"" + pipe + "\"\n",
        std::string("[includeIf \"gitdir:/\"]\n\tPath = ../../pipe\n"),
        "[core]\n\texcludesFile = " + pipe + "\n", "[core]\n\tattributesFile = " + pipe + "\n"}) {
    put(".git/config", config + more);
    EXPECT_TRUE(refused(open_at(work()), "repository.broken", "not a regular file")) << more;
  }
  put(".git/config", config + "[include]\n\tpath = more\n");
  put(".git/more", "[include]\n\tpath = ../../pipe\n");
  EXPECT_TRUE(refused(open_at(work()), "repository.broken", "not a regular file"));
  put(".git/config", config);
  EXPECT_TRUE(accepted(open_at(work())));
}

TEST_F(GitRepository, PipeInPlaceOfRulesInTheWorkTreeDoesNotHang) {
  put("d/a", "a");
  commit_all();
  const auto repository = view();
  for (const char* name : {".gitignore", ".gitattributes", "d/.gitignore", "d/.gitattributes"}) {
    const std::string file = work() + "/" + name;
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    EXPECT_TRUE(refused(repository->untracked({"."}), "repository.broken", name));
    ASSERT_EQ(::unlink(file.c_str()), 0);
  }
  EXPECT_TRUE(accepted(repository->untracked({"."})));
  ASSERT_EQ(::mkfifo((work() + "/d/pipe").c_str(), 0600), 0);
  EXPECT_TRUE(accepted(repository->untracked({"."})));
}

// A path longer than any that can be opened: what comes after it is looked at all the same.
TEST_F(GitRepository, DepthHidesNoPipe) {
  put("a", "a");
  commit_all();
  const std::string name(200, 'd');
  int at = ::open(work().c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < 40; ++i) {
    ASSERT_EQ(::mkdirat(at, name.c_str(), 0700), 0);
    const int below = ::openat(at, name.c_str(), O_RDONLY | O_DIRECTORY);
    ::close(at);
    at = below;
  }
  ::close(at);
  const auto repository = view();
  put("z/z", "z");
  ASSERT_EQ(::mkfifo((work() + "/z/.gitignore").c_str(), 0600), 0);
  const auto found = repository->untracked({"."});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().first().code, "repository.broken");
}

TEST_F(GitRepository, FileInPlaceOfAFolderIsTold) {
  put("a", "a");
  commit_all();
  std::filesystem::remove_all(work() + "/.git/info");
  EXPECT_TRUE(accepted(open_at(work())));
  put(".git/info", "no folder");
  EXPECT_TRUE(refused(open_at(work()), "repository.broken", "cannot be looked through"));
}

TEST_F(GitRepository, EndlessFilesAreNotRead) {
  put("a", "a");
  commit_all();
  for (const char* name :
       {"index", "config", "packed-refs", "HEAD", "info/exclude", "refs/heads/main"}) {
    const std::string file = work() + "/.git/" + name;
    const bool was_there = std::filesystem::exists(file);
    std::filesystem::copy_file(was_there ? file : work() + "/.git/config", file + ".kept");
    if (!was_there) {
      put(".git/" + std::string(name), "");
    }
    std::filesystem::resize_file(file, std::uintmax_t{300} << 20);  // takes no space
    EXPECT_TRUE(refused(open_at(work()), "repository.too_large", name)) << name;
    std::filesystem::remove(file);
    if (was_there) {
      std::filesystem::rename(file + ".kept", file);
    } else {
      std::filesystem::remove(file + ".kept");
    }
  }
  EXPECT_TRUE(accepted(open_at(work())));
}

TEST_F(GitRepository, SizeOfACommittedFileIsKnownBeforeItIsRead) {
  put("a", std::string((std::size_t{16} << 20) + 1, '0'));
  commit_all();
  EXPECT_TRUE(refused(view()->read_at("HEAD", "a"), "repository.too_large", "16 MiB"));
}

TEST_F(GitRepository, SubmoduleIsNoPlaceToSearch) {
  put("a", "a");
  commit_all();
  const std::string head = view()->head().value();
  ASSERT_TRUE(git("update-index --add --cacheinfo 160000," + head + ",sub/module"));
  put("sub/module/b", "b");
  EXPECT_EQ(paths(view()->files({"."}).value()), std::vector<std::string>{"a"});
  EXPECT_EQ(paths(view()->files({"sub"}).value()), std::vector<std::string>{});
  for (const char* place : {"sub/module", "sub/module/b"}) {
    EXPECT_TRUE(refused(view()->files({"a", place}), "repository.submodule", "`sub/module` is a"));
  }
}

TEST_F(GitRepository, EndlessRevisionIsCutShort) {
  put("a", "a");
  commit_all();
  const auto found = view()->commit_id(std::string(100000, 'x'));
  EXPECT_TRUE(refused(found, "repository.no_such_revision", "x...`"));
  EXPECT_LT(rgx::test::error_text(found).size(), 1000U);
}

TEST_F(GitRepository, WorkTreeElsewhereIsRefused) {
  put("a", "a");
  commit_all();
  std::filesystem::create_directories(scratch / "other");
  ASSERT_TRUE(git("config core.worktree '" + std::string(scratch / "other") + "'"));
  EXPECT_TRUE(refused(open_at(work()), "repository.elsewhere", "has its work tree at"));
}

TEST_F(GitRepository, DamagedCommitIsNoMissingCommit) {
  put("a", "a");
  commit_all();
  const auto opened = view();
  const auto head = opened->head();
  ASSERT_TRUE(accepted(head));
  const std::string object = ".git/objects/" + head->substr(0, 2) + "/" + head->substr(2);
  ASSERT_EQ(::chmod((work() + "/" + object).c_str(), 0600), 0);
  put(object, "damaged");
  EXPECT_TRUE(refused(view()->commit_id(*head), "repository.broken", "git fsck"));
}

TEST_F(GitRepository, BareIsRefused) {
  ASSERT_TRUE(git("init -q --bare ../bare.git"));
  EXPECT_TRUE(refused(open_at(scratch / "bare.git"), "repository.bare", "no work tree"));
}

TEST_F(GitRepository, ForeignOwnerIsRefusedWithARemedy) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "only root can give a repository away";
  }
  put("a", "a");
  commit_all();
  ASSERT_EQ(chown(work().c_str(), 12345, 12345), 0);
  ASSERT_EQ(chown((work() + "/.git").c_str(), 12345, 12345), 0);
  const auto opened = open_at(work());
  EXPECT_TRUE(refused(opened, "repository.foreign_owner", "belongs to another user"));
  EXPECT_NE(rgx::test::error_text(opened).find("chown"), std::string::npos);
}

TEST(OpenRepository, NoneIsFound) {
  const ScratchDir scratch;
  EXPECT_TRUE(refused(open_at(scratch.path()), "repository.none", "no git repository"));
  EXPECT_TRUE(refused(open_at(scratch / "none"), "repository.none", "no git repository"));
}

}  // namespace
}  // namespace rgx::engine
