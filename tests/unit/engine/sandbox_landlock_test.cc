#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>

#include "engine/exec_view.h"
#include "engine/posix_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::refused;
using rgx::test::ScratchDir;

class Landlock : public testing::Test {
 protected:
  void SetUp() override {
    if (sandbox->strength() == SandboxStrength::none) {
      GTEST_SKIP() << "this kernel has no Landlock";
    }
    scratch.write("in/readable", "r");
    scratch.write("in/deep/readable", "r");
    scratch.write("out/secret", "s");
    std::filesystem::create_directories(scratch / "in/build");
    spec.read_below = system_view();
    spec.read_below.push_back(scratch / "in");
    spec.write_below = {scratch / "in/build", "/dev/null"};
  }
  /// Exit status of a shell script inside the sandbox.
  int run(const std::string& script) {
    ProcessSpec shell;
    shell.program = "/bin/sh";
    shell.argv = {"sh", "-c", script};
    shell.env = {{"PATH", "/usr/bin:/bin"}, {"S", scratch.path()}};
    shell.cwd = scratch / "in";
    shell.timeout_ms = 60'000;
    shell.sandbox = spec;
    const CancelFlag cancel{false};
    const auto outcome = runner->run(shell, cancel);
    EXPECT_TRUE(accepted(outcome));
    if (!outcome) {
      return -1;
    }
    EXPECT_EQ(outcome->sandbox, SandboxStrength::landlock);
    said = outcome->out.bytes + outcome->err.bytes;
    return outcome->end == ProcessOutcome::End::exited ? outcome->code : -2;
  }

  ScratchDir scratch;
  std::unique_ptr<Sandbox> sandbox = real_sandbox();
  std::unique_ptr<ProcessRunner> runner = real_process_runner(*sandbox);
  SandboxSpec spec;
  std::string said;
};

TEST_F(Landlock, DataIsReadAndNeverExecuted) {
  scratch.write("data/program", "#!/bin/sh\necho started\n");
  std::filesystem::permissions(scratch / "data/program", std::filesystem::perms::owner_all);
  EXPECT_NE(run("cat $S/data/program"), 0);
  spec.data_below = {scratch / "data", scratch / "none"};
  EXPECT_EQ(run("cat $S/data/program && ls $S/data"), 0) << said;
  EXPECT_NE(run("$S/data/program"), 0);
  EXPECT_EQ(said.find("started\n"), std::string::npos) << said;
  EXPECT_NE(run("echo x >$S/data/program"), 0);
  spec.read_below.push_back(scratch / "data");
  EXPECT_EQ(run("$S/data/program"), 0) << said;
}

TEST_F(Landlock, ReadsWhatIsGrantedAndNothingElse) {
  EXPECT_EQ(run("cat readable deep/readable >/dev/null"), 0) << said;
  EXPECT_NE(run("cat $S/out/secret"), 0);
  EXPECT_NE(said.find("Permission denied"), std::string::npos) << said;
  EXPECT_NE(run("ls $S/out"), 0);
  EXPECT_NE(run("ls $S"), 0);
}

TEST_F(Landlock, WritesWhatIsGrantedAndNothingElse) {
  EXPECT_EQ(run("echo x > build/new && mkdir build/d && mv build/new build/d/ && rm -r build/d"), 0)
      << said;
  EXPECT_NE(run("echo x > readable"), 0);
  EXPECT_NE(run("echo x > new"), 0);
  EXPECT_NE(run("rm readable"), 0);
  EXPECT_NE(run("mkdir d"), 0);
  EXPECT_NE(run("echo x > $S/out/new"), 0);
  EXPECT_EQ(scratch.read("in/readable"), "r");
}

TEST_F(Landlock, LinksAndRenamesDoNotLeadOut) {
  EXPECT_NE(run("ln -s $S/out/secret build/link && cat build/link"), 0);
  EXPECT_NE(run("ln $S/out/secret build/hard"), 0);
  EXPECT_NE(run("mv readable build/"), 0);
  EXPECT_EQ(run("echo y > build/y"), 0);
  EXPECT_NE(run("mv build/y ."), 0);
  EXPECT_NE(run("cat /proc/self/root$S/out/secret"), 0);
}

TEST_F(Landlock, TruncatingIsWriting) {
  EXPECT_NE(run("truncate -s 0 readable"), 0);
  EXPECT_EQ(scratch.read("in/readable"), "r");
}

TEST_F(Landlock, SingleFileMayBeGranted) {
  scratch.write("in/report.xml", "");
  spec.write_below.push_back(scratch / "in/report.xml");
  EXPECT_EQ(run("echo x > report.xml"), 0) << said;
  EXPECT_NE(run("rm report.xml"), 0);
  EXPECT_EQ(scratch.read("in/report.xml"), "x\n");
}

TEST_F(Landlock, ChildrenAreHeldToo) {
  EXPECT_NE(run("sh -c 'setsid cat $S/out/secret'"), 0);
}

TEST_F(Landlock, ProcessesOutsideAreOutOfReach) {
  EXPECT_NE(run("cat /proc/" + std::to_string(getpid()) + "/environ"), 0);
}

TEST_F(Landlock, NetworkIsOffUnlessGranted) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_GE(listener, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 8), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  if (!std::filesystem::exists("/bin/bash")) {
    close(listener);
    GTEST_SKIP() << "no bash to connect with";
  }
  const std::string connect =
      "bash -c '</dev/tcp/127.0.0.1/" + std::to_string(ntohs(address.sin_port)) + "'";
  EXPECT_NE(run(connect), 0);
  spec.network = true;
  EXPECT_EQ(run(connect), 0) << said;
  close(listener);
}

TEST_F(Landlock, PlaceToWriteMustExistAndBeNoLink) {
  SandboxSpec only;
  only.write_below = {scratch / "none"};
  EXPECT_TRUE(refused(sandbox->prepare(only), "process.sandbox", "No such file"));
  std::filesystem::create_directory_symlink(scratch / "out", scratch / "in/link");
  only.write_below = {scratch / "in/link"};
  EXPECT_TRUE(refused(sandbox->prepare(only), "process.sandbox", "symbolic links"));
  only.write_below = {};
  only.read_below = {scratch / "none"};
  EXPECT_TRUE(accepted(sandbox->prepare(only)));
}

TEST_F(Landlock, CommonProgramsWorkInTheSystemView) {
  EXPECT_EQ(run("true && ls /usr/bin >/dev/null && echo x | sed s/x/y/ && id -u && date"), 0)
      << said;
  if (std::filesystem::exists("/usr/bin/python3")) {
    EXPECT_EQ(run("python3 -c 'import os, sys, ssl, subprocess; print(os.cpu_count())'"), 0)
        << said;
  }
}

}  // namespace
}  // namespace rgx::engine
