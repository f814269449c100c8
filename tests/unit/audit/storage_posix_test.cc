#include "audit/storage_posix.h"

#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>

namespace rgx::audit::test {
namespace {

using rgx::test::accepted;
using rgx::test::refused;
using rgx::test::ScratchDir;

std::unique_ptr<Storage> open(const std::string& path, OpenMode mode) {
  Result<std::unique_ptr<Storage>> storage = open_storage(path, mode);
  EXPECT_TRUE(accepted(storage));
  return storage ? *std::move(storage) : nullptr;
}

TEST(PosixStorage, AppendsSyncsAndReads) {
  const ScratchDir dir;
  const auto storage = open(dir / "ledger", OpenMode::create);
  ASSERT_TRUE(accepted(storage->append("first ")));
  ASSERT_TRUE(accepted(storage->append("second")));
  ASSERT_TRUE(accepted(storage->sync()));
  EXPECT_EQ(storage->size(), 12U);
  EXPECT_EQ(storage->read(0, 100), "first second");
  EXPECT_EQ(storage->read(6, 3), "sec");
  EXPECT_EQ(storage->read(12, 1), "");
  EXPECT_EQ(storage->read(1U << 20U, 1), "");
  EXPECT_EQ(storage->read(~0ULL, 1), "");
  EXPECT_EQ(dir.read("ledger"), "first second");
}

TEST(PosixStorage, NewLedgerIsOwnerOnly) {
  const ScratchDir dir;
  static_cast<void>(open(dir / "ledger", OpenMode::create));
  struct stat status{};
  ASSERT_EQ(::stat((dir / "ledger").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 077U, 0U);
}

TEST(PosixStorage, ContinuesAtTheEnd) {
  const ScratchDir dir;
  dir.write("ledger", "old ");
  const auto storage = open(dir / "ledger", OpenMode::append);
  ASSERT_TRUE(accepted(storage->append("new")));
  ASSERT_TRUE(accepted(storage->sync()));
  EXPECT_EQ(dir.read("ledger"), "old new");
}

TEST(PosixStorage, OpeningSaysWhatIsWrong) {
  const ScratchDir dir;
  dir.write("ledger", "x");
  EXPECT_TRUE(refused(open_storage(dir / "ledger", OpenMode::create), "storage.exists",
                      "there is a ledger already"));
  EXPECT_TRUE(refused(open_storage(dir / "none", OpenMode::append), "storage.missing",
                      "there is no such ledger"));
  EXPECT_TRUE(refused(open_storage(dir / "none", OpenMode::read), "storage.missing", "rgx runs"));
  EXPECT_TRUE(refused(open_storage(dir / "no/where", OpenMode::create), "storage.io",
                      "no such file or directory"));
  EXPECT_TRUE(refused(open_storage(dir / "ledger/x", OpenMode::read), "storage.missing", "ledger"));
  EXPECT_TRUE(refused(open_storage(dir.path().string(), OpenMode::read), "storage.not_a_file",
                      "not a regular file"));
  EXPECT_TRUE(refused(open_storage(dir.path().string(), OpenMode::append), "storage.not_a_file",
                      "not a regular file"));
  EXPECT_EQ(open_storage(dir.path().string(), OpenMode::read).error().kind, ErrorKind::usage);
  EXPECT_EQ(open_storage(dir.path().string(), OpenMode::append).error().kind,
            ErrorKind::environment);
  ASSERT_EQ(::mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(refused(open_storage(dir / "pipe", OpenMode::read), "storage.not_a_file", "pipe"));
  ASSERT_EQ(::symlink((dir / "ledger").c_str(), (dir / "link").c_str()), 0);
  EXPECT_TRUE(refused(open_storage(dir / "link", OpenMode::append), "storage.not_a_file", "link"));
}

TEST(PosixStorage, MissingIsUsageAndTheRestIsEnvironment) {
  const ScratchDir dir;
  dir.write("ledger", "x");
  EXPECT_EQ(open_storage(dir / "none", OpenMode::read).error().kind, ErrorKind::usage);
  EXPECT_EQ(open_storage(dir / "ledger", OpenMode::create).error().kind, ErrorKind::environment);
}

// Scenario 23: one writer, whichever process or thread asks.
TEST(PosixStorage, Scenario23SecondWriterIsRefusedAndTheFirstNamed) {
  const ScratchDir dir;
  auto first = open(dir / "ledger", OpenMode::create);
  const auto second = open_storage(dir / "ledger", OpenMode::append);
  EXPECT_TRUE(refused(second, "storage.locked", "is writing the ledger"));
  EXPECT_EQ(second.error().kind, ErrorKind::environment);
  if (::access("/proc/locks", R_OK) == 0) {
    EXPECT_TRUE(refused(second, "storage.locked", "process " + std::to_string(::getpid()) + " is"));
  }
  EXPECT_TRUE(accepted(open_storage(dir / "ledger", OpenMode::read)));  // readers do not care
  first.reset();
  EXPECT_TRUE(accepted(open_storage(dir / "ledger", OpenMode::append)));
}

TEST(PosixStorage, Scenario23LockEndsWithItsProcess) {
  const ScratchDir dir;
  dir.write("ledger", "");
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = open_storage(dir / "ledger", OpenMode::append);
    const char answer = held ? 'y' : 'n';
    static_cast<void>(::write(ready[1], &answer, 1));
    ::pause();
    ::_exit(0);
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  EXPECT_TRUE(refused(open_storage(dir / "ledger", OpenMode::append), "storage.locked",
                      "is writing the ledger"));
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(accepted(open_storage(dir / "ledger", OpenMode::append)));
  ::close(ready[0]);
  ::close(ready[1]);
}

// Scenario 20: what nobody can find again is no evidence.
TEST(PosixStorage, Scenario20RemovedLedgerStopsTheWriter) {
  const ScratchDir dir;
  const auto storage = open(dir / "ledger", OpenMode::create);
  ASSERT_TRUE(accepted(storage->sync()));
  ASSERT_EQ(::unlink((dir / "ledger").c_str()), 0);
  ASSERT_TRUE(accepted(storage->append("x")));
  EXPECT_TRUE(refused(storage->sync(), "storage.replaced", "removed or replaced"));
  EXPECT_TRUE(refused(storage->append("y"), "storage.replaced", "removed or replaced"));
}

TEST(PosixStorage, Scenario20ReplacedLedgerStopsTheWriter) {
  const ScratchDir dir;
  const auto storage = open(dir / "ledger", OpenMode::create);
  dir.write("other", "");
  ASSERT_EQ(::rename((dir / "other").c_str(), (dir / "ledger").c_str()), 0);
  EXPECT_TRUE(refused(storage->sync(), "storage.replaced", "removed or replaced"));
  dir.write("ledger", "even with the right bytes");
  EXPECT_TRUE(refused(storage->sync(), "storage.replaced", "removed or replaced"));
}

TEST(PosixStorage, SomebodyElsesBytesStopTheWriter) {
  const ScratchDir dir;
  const auto storage = open(dir / "ledger", OpenMode::create);
  ASSERT_TRUE(accepted(storage->append("ours")));
  const int fd = ::open((dir / "ledger").c_str(), O_WRONLY | O_APPEND);
  ASSERT_EQ(::write(fd, "x", 1), 1);
  ::close(fd);
  EXPECT_TRUE(refused(storage->sync(), "storage.changed", "somebody else changed"));
}

TEST(PosixStorage, SomebodyElsesCutStopsTheWriter) {
  const ScratchDir dir;
  const auto storage = open(dir / "ledger", OpenMode::create);
  ASSERT_TRUE(accepted(storage->append("ours")));
  ASSERT_EQ(::truncate((dir / "ledger").c_str(), 1), 0);
  EXPECT_TRUE(refused(storage->sync(), "storage.changed", "somebody else changed"));
}

// Scenario 18: a full disk is an error that stays.
TEST(PosixStorage, Scenario18FullDiskStopsTheWriter) {
  // A limit on file size fails like a full disk, in the middle of a write.
  const ScratchDir dir;
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{8, 8};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto storage = open_storage(dir / "ledger", OpenMode::create);
    const auto stops = [](const Status& status) {
      return static_cast<bool>(refused(status, "storage.no_space", "free space"));
    };
    const bool is_right = storage.has_value() && stops((*storage)->append("0123456789")) &&
                          stops((*storage)->append("x")) && stops((*storage)->sync());
    ::_exit(is_right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(dir.read("ledger"), "01234567");  // half a write: a torn tail, never more after it
}

TEST(PosixStorage, DescriptorsAreNotInherited) {
  const ScratchDir dir;
  const auto storage = open(dir / "ledger", OpenMode::create);
  const std::string path = dir / "ledger";
  bool is_found = false;
  for (int fd = 0; fd < 256; ++fd) {
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    std::string target(4096, '\0');
    const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
    if (size > 0 && target.substr(0, static_cast<std::size_t>(size)) == path) {
      is_found = true;
      EXPECT_NE(::fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
    }
  }
  EXPECT_TRUE(is_found);
}

}  // namespace
}  // namespace rgx::audit::test
