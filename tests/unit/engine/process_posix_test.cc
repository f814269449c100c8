#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "engine/posix_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/recording_sandbox.h"
#include "tests/support/scratch_dir.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;
using rgx::test::ScratchDir;
using End = ProcessOutcome::End;

constexpr std::int64_t kLongMs = 60'000;  // never waited for

/// Processes, zombies apart, whose command line holds `marker`.
std::size_t count_alive(const std::string& marker) {
  std::size_t count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string line((std::istreambuf_iterator<char>(file)), {});
    count += line.find(marker) != std::string::npos ? 1U : 0U;
  }
  return count;
}

class PosixProcess : public testing::Test {
 protected:
  static ProcessSpec shell(const std::string& script) {
    ProcessSpec spec;
    spec.program = "/bin/sh";
    spec.argv = {"sh", "-c", script};
    spec.env = {{"PATH", "/usr/bin:/bin"}};
    spec.cwd = "/";
    spec.timeout_ms = kLongMs;
    spec.grace_ms = 100;
    return spec;
  }
  Result<ProcessOutcome> run(const ProcessSpec& spec) { return runner->run(spec, cancel); }
  /// A number of seconds that no other process sleeps for.
  std::string marker() {
    static std::atomic<int> counter{0};
    return "7" + std::to_string(getpid()) + std::to_string(100 + counter.fetch_add(1));
  }

  ScratchDir scratch;
  rgx::test::RecordingSandbox sandbox;
  std::unique_ptr<ProcessRunner> runner = real_process_runner(sandbox);
  CancelFlag cancel{false};
};

TEST_F(PosixProcess, GivesStatusAndBothStreams) {
  const auto outcome = run(shell("echo out; echo err >&2; exit 7"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::exited);
  EXPECT_EQ(outcome->code, 7);
  EXPECT_EQ(outcome->out.bytes, "out\n");
  EXPECT_EQ(outcome->out.bytes_total, 4);
  EXPECT_EQ(outcome->err.bytes, "err\n");
  EXPECT_EQ(outcome->leftovers, 0);
  EXPECT_GE(outcome->wall_ms, 0);
}

TEST_F(PosixProcess, EnvironmentAndFolderAreExactlyThoseGiven) {
  auto spec = shell("/usr/bin/env; pwd; read x || echo no input");
  spec.env = {{"A", "1 2"}, {"B", ""}};
  spec.cwd = scratch.path();
  const auto outcome = run(spec);
  ASSERT_TRUE(accepted(outcome));
  // The shell itself adds PWD (and some `_`).
  EXPECT_NE(outcome->out.bytes.find("A=1 2\n"), std::string::npos);
  EXPECT_NE(outcome->out.bytes.find("B=\n"), std::string::npos);
  EXPECT_EQ(outcome->out.bytes.find("HOME="), std::string::npos);
  EXPECT_NE(outcome->out.bytes.find("\n" + scratch.path().string() + "\nno input\n"),
            std::string::npos)
      << outcome->out.bytes;
}

TEST_F(PosixProcess, NoDescriptorIsInherited) {
  const int leaked = dup(2);
  ASSERT_GE(leaked, 0);
  const auto outcome = run(shell("ls /proc/self/fd | wc -l"));
  close(leaked);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->out.bytes, "4\n");  // 0, 1, 2 and the folder that `ls` reads
}

TEST_F(PosixProcess, RunsInASessionOfItsOwnWithoutPrivilegesOrCoreDumps) {
  const auto outcome =
      run(shell("set -- $(cat /proc/self/stat); echo $(( $$ == $6 )); "
                "grep NoNewPrivs /proc/self/status; ulimit -c; umask"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->out.bytes, "1\nNoNewPrivs:\t1\n0\n0022\n");
}

TEST_F(PosixProcess, HasNoCapabilitiesAlsoAsRoot) {
  const auto outcome =
      run(shell("grep -E 'Cap(Inh|Prm|Eff|Amb)' /proc/self/status | tr -d '0\\n'"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->out.bytes, "CapInh:\tCapPrm:\tCapEff:\tCapAmb:\t");
}

TEST_F(PosixProcess, SignalIsTold) {
  const auto outcome = run(shell("kill -SEGV $$"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::signalled);
  EXPECT_EQ(outcome->code, SIGSEGV);
}

TEST_F(PosixProcess, BlockedAndIgnoredSignalsOfRgxDoNotReachTheProgram) {
  struct sigaction ignore = {};
  struct sigaction before = {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGTERM, &ignore, &before);
  const auto outcome = run(shell("kill -TERM $$; echo survived"));
  sigaction(SIGTERM, &before, nullptr);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::signalled);
  EXPECT_EQ(outcome->code, SIGTERM);
}

TEST_F(PosixProcess, StatusIsToldAlsoWhereTheEndOfChildrenIsIgnored) {
  const auto before = signal(SIGCHLD, SIG_IGN);
  auto spec = shell("exit 7");
  spec.timeout_ms = 10'000;
  const auto outcome = run(spec);
  signal(SIGCHLD, before);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::exited);
  EXPECT_EQ(outcome->code, 7);
}

TEST_F(PosixProcess, LastBytesOfAFloodAreKeptAndAllAreCounted) {
  auto spec = shell(
      "head -c 3000000 /dev/zero | tr '\\0' 'a'; printf end; "
      "head -c 1000 /dev/zero >&2");
  spec.output_bytes_max = 1000;
  const auto outcome = run(spec);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->out.bytes, std::string(997, 'a') + "end");
  EXPECT_EQ(outcome->out.bytes_total, 3000003);
  EXPECT_EQ(outcome->err.bytes_total, 1000);
}

TEST_F(PosixProcess, TimeoutEndsTheWholeTree) {
  const std::string mark = marker();
  auto spec = shell("sleep " + mark + " & sleep " + mark + " & wait");
  spec.timeout_ms = 200;
  const auto outcome = run(spec);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::timed_out);
  EXPECT_EQ(count_alive(mark), 0U);
}

TEST_F(PosixProcess, TreeThatIgnoresTheRequestIsKilled) {
  const std::string mark = marker();
  auto spec = shell("trap '' TERM; (trap '' TERM; sleep " + mark + ") & while :; do sleep " + mark +
                    "; done");
  spec.timeout_ms = 200;
  spec.grace_ms = 200;
  const auto outcome = run(spec);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::timed_out);
  EXPECT_GE(outcome->wall_ms, 400);
  EXPECT_EQ(count_alive(mark), 0U);
}

TEST_F(PosixProcess, GraceLetsTheTreeTidyUp) {
  auto spec = shell("trap 'echo tidy; exit 3' TERM; echo ready; while :; do sleep 0.01; done");
  spec.timeout_ms = 500;
  spec.grace_ms = kLongMs;
  const auto outcome = run(spec);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::timed_out);
  EXPECT_EQ(outcome->out.bytes, "ready\ntidy\n");
}

TEST_F(PosixProcess, ProcessesThatEscapeTheSessionAreEndedWithTheProgram) {
  const std::string mark = marker();
  // Double fork and a session of their own: their parent is gone, their group is another.
  const auto outcome =
      run(shell("(setsid sh -c 'sleep " + mark + " & sleep " + mark +
                "' </dev/null >/dev/null 2>&1 &); (sleep " + mark + " &); exit 0"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::exited);
  EXPECT_EQ(outcome->code, 0);
  EXPECT_GE(outcome->leftovers, 2);
  EXPECT_EQ(count_alive(mark), 0U);
}

TEST_F(PosixProcess, LeftoverThatHoldsTheOutputDoesNotDelayTheEnd) {
  const std::string mark = marker();
  const auto outcome = run(shell("sleep " + mark + " & echo done"));
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->out.bytes, "done\n");
  EXPECT_EQ(count_alive(mark), 0U);
}

TEST_F(PosixProcess, CancellationEndsTheTree) {
  const std::string mark = marker();
  auto spec = shell("echo started; sleep " + mark);
  std::thread canceller([this, &mark] {
    while (count_alive(mark) == 0) {
      std::this_thread::yield();
    }
    cancel.store(true);
  });
  const auto outcome = run(spec);
  canceller.join();
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::cancelled);
  EXPECT_EQ(outcome->out.bytes, "started\n");
  EXPECT_EQ(count_alive(mark), 0U);
}

TEST_F(PosixProcess, RunsSideBySideDoNotTouchEachOther) {
  const std::string file = scratch / "go";
  std::thread other([this, &file] {
    for (int i = 0; i < 20; ++i) {
      const auto outcome = run(shell("(setsid sleep 1000 &); exit 0"));
      ASSERT_TRUE(accepted(outcome));
      EXPECT_EQ(outcome->code, 0);
    }
    rgx::test::write_file(file, "");
  });
  // Lives while the other thread's leftovers are killed twenty times.
  const auto outcome = run(shell("while [ ! -e " + file + " ]; do sleep 0.01; done; echo alive"));
  other.join();
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->end, End::exited);
  EXPECT_EQ(outcome->out.bytes, "alive\n");
}

TEST_F(PosixProcess, OutputIsToldWhileItComes) {
  auto spec = shell("echo 12345; echo 1234567 >&2");
  std::int64_t told = 0;
  spec.on_output = [&told](std::int64_t bytes) { told += bytes; };
  ASSERT_TRUE(accepted(runner->run(spec, cancel)));
  EXPECT_EQ(told, 14);
}

TEST_F(PosixProcess, TreeEndsWhenRgxDies) {
  const std::string mark = marker();
  const std::string ready = scratch / "ready";
  const pid_t pid = fork();
  if (pid == 0) {
    const auto spec = shell("(setsid sleep " + mark + " &); touch " + ready + "; sleep " + mark);
    static_cast<void>(runner->run(spec, cancel));
    _exit(0);
  }
  while (!std::filesystem::exists(ready)) {
    std::this_thread::yield();
  }
  kill(pid, SIGKILL);
  int status = 0;
  waitpid(pid, &status, 0);
  while (count_alive(mark) != 0) {  // the test's own time limit is the bound
    std::this_thread::yield();
  }
  EXPECT_EQ(count_alive(mark), 0U);
}

TEST_F(PosixProcess, ProgramThatIsNotTheAdmittedOneDoesNotStart) {
  auto spec = shell("touch " + (scratch / "ran"));
  spec.program_digest = digest_bytes("another program");
  const auto outcome = run(spec);
  EXPECT_TRUE(refused(outcome, "process.program_changed", "`/bin/sh` is not the one"));
  EXPECT_EQ(outcome.error().kind, ErrorKind::drift);
  EXPECT_FALSE(std::filesystem::exists(scratch / "ran"));
}

TEST_F(PosixProcess, ProgramWithTheRightDigestStarts) {
  auto spec = shell("exit 4");
  spec.program_digest = digest_bytes(rgx::test::read_file("/bin/sh"));
  const auto outcome = run(spec);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->code, 4);
}

TEST_F(PosixProcess, ScriptRunsUnderItsOwnName) {
  const std::string script = scratch.write("tool.sh", "#!/bin/sh\necho \"$0 $1\"\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ProcessSpec spec = shell("");
  spec.program = script;
  spec.argv = {"tool", "x"};
  spec.program_digest = digest_bytes(rgx::test::read_file(script));
  const auto outcome = run(spec);
  ASSERT_TRUE(accepted(outcome));
  EXPECT_EQ(outcome->out.bytes, script + " x\n");
}

TEST_F(PosixProcess, WhatCannotStartIsAnErrorThatSaysWhy) {
  ProcessSpec spec = shell("");
  spec.program = scratch / "none";
  EXPECT_TRUE(refused(run(spec), "process.not_started", "No such file"));
  spec.program = scratch.write("text", "no program");
  std::filesystem::permissions(spec.program, std::filesystem::perms::owner_all);
  EXPECT_TRUE(refused(run(spec), "process.not_started", "(exec): Exec format error"));
  spec.program = scratch.path();
  EXPECT_TRUE(refused(run(spec), "process.not_started", "Permission denied"));
  spec = shell("");
  spec.cwd = scratch / "none";
  EXPECT_TRUE(refused(run(spec), "process.not_started", "(working directory): No such file"));
}

TEST_F(PosixProcess, ManyInParallelAreAllReaped) {
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, &good] {
      for (int k = 0; k < 25; ++k) {
        const auto outcome = run(shell("exit 5"));
        good += outcome && outcome->end == End::exited && outcome->code == 5 ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(good.load(), 100);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // no child is left, dead or alive
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace rgx::engine
