#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "audit/storage_posix.h"
#include "engine/posix_world.h"
#include "engine/resolve.h"
#include "engine/run.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

// A run on the real kernel: files, git, processes, sandbox and state.

namespace rgx::engine {
namespace {

using audit::VerdictKind;
using rgx::test::accepted;
using rgx::test::edit_step;
using rgx::test::exec_step;
using rgx::test::pin_bytes;
using rgx::test::refused;
using rgx::test::ScratchDir;

class RealRun : public testing::Test {
 protected:
  void SetUp() override {
    scratch.write("work/src/a.c", "old\r\nold_one\r\n");
    scratch.write("work/src/b.c", "x = old;");
    scratch.write("work/docs/c.txt", "docs");
    std::string command = "cd '";
    command.append(scratch / "work")
        .append(
            "' && env -i PATH=/usr/bin:/bin GIT_CONFIG_NOSYSTEM=1 HOME=/nonexistent sh -c "
            "'git init -q . && git add -A' >/dev/null");
    if (std::system(command.c_str()) != 0) {  // NOLINT(concurrency-mt-unsafe)
      GTEST_SKIP() << "there is no git to make a repository with";
    }
    rgx::test::PolicyText text;
    text.more_programs =
        "  touch: {paths: [\"/usr/bin/touch\"]}\n  cat: {paths: [\"/usr/bin/cat\"]}\n";
    for (const std::string_view name : {"touch", "cat"}) {
      text.more_rules.append("  - {id: run-")
          .append(name)
          .append(", effect: allow, tool: [exec], argv: [");
      text.more_rules.append(name).append(
          ", \"**\"], read: [\"**\"], write: [\"**\"], why: tests, remedy: none}\n");
    }
    policy = rgx::test::make_policy(text);
    auto opened = open_repository(scratch / "work", *processes);
    ASSERT_TRUE(accepted(opened));
    repository = std::move(opened->view);
    workspace = std::move(*open_workspace(opened->root));
    state = std::move(*open_state_store(scratch / "state", opened->root));
  }
  policy::AdmittedPlan admit(std::vector<templates::Step> steps) {
    const auto sealed = rgx::test::seal_steps(std::move(steps));
    EXPECT_TRUE(accepted(sealed));
    policy::AdmissionInput input;
    input.facts = *resolve_plan(*sealed, policy, *workspace);
    auto admission = policy::admit(*sealed, policy, input);
    EXPECT_TRUE(accepted(admission));
    return std::get<policy::AdmittedPlan>(std::move(*admission));
  }
  Result<RunReport> run(const policy::AdmittedPlan& plan) {
    return engine::run(plan, ports(), fakes.identity, interruption);
  }
  RunPorts ports() {
    return {*clock,     *entropy, *workspace, *repository,
            *processes, *sandbox, *state,     fakes.observer};
  }
  VerdictKind verdict(const RunId& run) {
    const auto storage = state->open_run(run, audit::OpenMode::read);
    EXPECT_TRUE(accepted(storage));
    audit::VerifyOptions options;
    options.root_key = fakes.identity.root_key;
    const auto verdict = audit::verify_ledger(**storage, options);
    EXPECT_TRUE(accepted(verdict));
    return verdict->kind;
  }

  ScratchDir scratch;
  rgx::test::EngineWorld fakes;
  policy::PolicySet policy = rgx::test::make_policy();
  Interruption interruption;
  std::unique_ptr<Clock> clock = real_clock();
  std::unique_ptr<Entropy> entropy = real_entropy();
  std::unique_ptr<Sandbox> sandbox = real_sandbox();
  std::unique_ptr<ProcessRunner> processes = real_process_runner(*sandbox);
  std::unique_ptr<RepositoryView> repository;
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<StateStore> state;
};

TEST_F(RealRun, EditsAndRunsAProgramAndIsVerified) {
  auto edit = edit_step("edit", "src/a.c");
  edit.pins = {pin_bytes("src/a.c", "old\r\nold_one\r\n")};
  const auto report =
      run(admit({edit, edit_step("edit2", "src/b.c"),
                 exec_step("make", {"touch", "build/done"}, {"edit", "edit2"}, {"build/**"})}));
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded)
      << fakes.observer.finished.back().summary << fakes.observer.finished.back().detail;
  EXPECT_EQ(scratch.read("work/src/a.c"), "new\r\nold_one\r\n");
  EXPECT_EQ(scratch.read("work/src/b.c"), "x = new;");
  EXPECT_TRUE(std::filesystem::exists(scratch / "work/build/done"));
  EXPECT_EQ(verdict(report->run), VerdictKind::verified);
  EXPECT_EQ(*state->objects().get(digest_bytes("old\r\nold_one\r\n")), "old\r\nold_one\r\n");
}

TEST_F(RealRun, ProgramCannotWriteBeyondItsGrant) {
  if (sandbox->strength() == SandboxStrength::none) {
    GTEST_SKIP() << "this kernel has no Landlock";
  }
  const auto report = run(admit({exec_step("make", {"touch", "src/new"}, {}, {"build/**"})}));
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_FALSE(std::filesystem::exists(scratch / "work/src/new"));
  EXPECT_NE(fakes.observer.finished.at(0).detail.find("Permission denied"), std::string::npos);
}

TEST_F(RealRun, ProgramCannotReadBeyondItsGrantNorTheState) {
  if (sandbox->strength() == SandboxStrength::none) {
    GTEST_SKIP() << "this kernel has no Landlock";
  }
  ASSERT_EQ(run(admit({exec_step("read", {"cat", "docs/c.txt"})}))->state, RunState::succeeded);
  EXPECT_EQ(run(admit({exec_step("read", {"cat", "src/a.c"})}))->state, RunState::failed);
  EXPECT_EQ(run(admit({exec_step("read", {"cat", scratch / "state/rgx"})}))->state,
            RunState::failed);
}

TEST_F(RealRun, SecondRunWaitsForNobody) {
  const auto plan = admit({edit_step("edit", "src/a.c")});
  const auto lock = state->open_index(audit::OpenMode::create);
  ASSERT_TRUE(accepted(lock));
  const auto report = run(plan);
  EXPECT_TRUE(refused(report, "run.locked", "another run of this repository"));
  EXPECT_EQ(report.error().kind, ErrorKind::environment);
  EXPECT_EQ(scratch.read("work/src/b.c"), "x = old;");
}

/// Kills the process at a chosen reading: the clock is read at every record and around every step.
class KillingClock final : public Clock {
 public:
  KillingClock(Clock& inner, int reading) : inner_(inner), left_(reading) {}
  std::int64_t now_unix_ms() override {
    count();
    return inner_.now_unix_ms();
  }
  std::int64_t monotonic_ms() override {
    count();
    return inner_.monotonic_ms();
  }

 private:
  void count() {
    if (--left_ == 0) {
      raise(SIGKILL);
    }
  }
  Clock& inner_;
  int left_;
};

TEST_F(RealRun, KilledRunLeavesNoHalfWriteAndTheNextOneTidiesUp) {
  constexpr int kReadingsMax = 200;  // above those of the run
  int reading = 1;
  for (bool killed = true; killed && reading < kReadingsMax; ++reading) {
    scratch.write("work/src/a.c", "old");
    const auto plan = admit({edit_step("edit", "src/a.c"),
                             exec_step("make", {"touch", "build/x"}, {"edit"}, {"build/**"})});
    const pid_t pid = fork();
    if (pid == 0) {
      KillingClock killing(*clock, reading);
      RunPorts with_kill{killing,    *entropy, *workspace, *repository,
                         *processes, *sandbox, *state,     fakes.observer};
      static_cast<void>(engine::run(plan, with_kill, fakes.identity, interruption));
      _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    killed = WIFSIGNALED(status);
    const std::string bytes = scratch.read("work/src/a.c");
    EXPECT_TRUE(bytes == "old" || bytes == "new") << bytes;
  }
  EXPECT_GT(reading, 15);
  EXPECT_LT(reading, kReadingsMax);
  // What a kill in the middle of a write leaves.
  scratch.write("work/src/.rgx-00112233445566778899aabbccddeeff.tmp", "half");
  scratch.write("work/src/a.c", "old");
  const auto report = run(admit({edit_step("edit", "src/a.c")}));
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_FALSE(
      std::filesystem::exists(scratch / "work/src/.rgx-00112233445566778899aabbccddeeff.tmp"));
  const auto runs = state->runs();
  ASSERT_TRUE(accepted(runs));
  EXPECT_GT(runs->size(), 10U);
  for (const RunId& run_id : *runs) {
    EXPECT_NE(verdict(run_id), VerdictKind::tampered) << run_id.text();
  }
}

}  // namespace
}  // namespace rgx::engine
