#include "engine/exec_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/error_matchers.h"
#include "tests/support/memory_workspace.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::CallLog;
using rgx::test::MemoryWorkspace;
using rgx::test::refused;

class MakeExecView : public testing::Test {
 protected:
  Result<ExecView> view(const std::vector<std::string>& reads,
                        const std::vector<std::string>& writes) {
    policy::Facts facts;
    facts.tool = "exec";
    for (const std::string& path : reads) {
      facts.reads.push_back({path, std::nullopt});
    }
    for (const std::string& path : writes) {
      facts.writes.push_back({path, std::nullopt});
    }
    return make_exec_view(facts, "/scratch", workspace);
  }
  static bool has(const std::vector<std::string>& all, const std::string& path) {
    return std::find(all.begin(), all.end(), path) != all.end();
  }

  CallLog log;
  MemoryWorkspace workspace{log};
};

TEST_F(MakeExecView, NothingOfTheWorkspaceWithoutAGrant) {
  const auto made = view({}, {});
  ASSERT_TRUE(accepted(made));
  for (const auto& path : made->sandbox.read_below) {
    EXPECT_FALSE(path.starts_with("/workspace")) << path;
  }
  EXPECT_EQ(made->sandbox.write_below,
            (std::vector<std::string>{"/scratch", "/dev/null", "/dev/zero", "/dev/full"}));
  EXPECT_FALSE(made->sandbox.network);
}

TEST_F(MakeExecView, FolderPatternGrantsTheFolder) {
  workspace.put("src/a.c", "").put("report.xml", "");
  const auto made = view({"src/**", "**"}, {"src/**", "report.xml"});
  ASSERT_TRUE(accepted(made));
  EXPECT_TRUE(has(made->sandbox.read_below, "/workspace/src"));
  EXPECT_TRUE(has(made->sandbox.read_below, "/workspace"));
  EXPECT_TRUE(has(made->sandbox.write_below, "/workspace/src"));
  EXPECT_TRUE(has(made->sandbox.write_below, "/workspace/report.xml"));
  EXPECT_TRUE(made->made.empty());
}

TEST_F(MakeExecView, MissingFolderToWriteIsMade) {
  const auto made = view({}, {"build/out/**"});
  ASSERT_TRUE(accepted(made));
  EXPECT_EQ(made->made, std::vector<std::string>{"build/out"});
  EXPECT_EQ(*workspace.kind("build/out"), EntryKind::directory);
}

TEST_F(MakeExecView, WholeRootLeavesOutWhatIsProtected) {
  workspace.put("src/a.c", "")
      .put(".git/config", "")
      .put(".rgx/policy.yaml", "")
      .put("Makefile", "");
  workspace.put_link("link", "/etc");
  const auto made = view({}, {"**"});
  ASSERT_TRUE(accepted(made));
  EXPECT_TRUE(has(made->sandbox.write_below, "/workspace/src"));
  EXPECT_TRUE(has(made->sandbox.write_below, "/workspace/Makefile"));
  for (const char* name : {"", "/.git", "/.rgx", "/link"}) {
    EXPECT_FALSE(has(made->sandbox.write_below, std::string("/workspace") + name)) << name;
  }
}

TEST_F(MakeExecView, PatternThatIsNoPlaceIsRefusedNotWidened) {
  workspace.put("src/a.c", "");
  for (const char* pattern : {"src/*.c", "*", "src/*/x/**", "**/*.o", "home:x/**"}) {
    EXPECT_TRUE(refused(view({}, {pattern}), "exec.grant_unsupported", pattern)) << pattern;
    EXPECT_TRUE(refused(view({pattern}, {}), "exec.grant_unsupported", pattern)) << pattern;
  }
}

TEST_F(MakeExecView, PlaceToWriteMustBeWhatThePatternSays) {
  workspace.put("src/a.c", "").put_link("link", "src");
  EXPECT_TRUE(refused(view({}, {"src"}), "exec.grant_unsupported", "it is a folder"));
  EXPECT_TRUE(refused(view({}, {"src/a.c/**"}), "exec.grant_unsupported", "it is a file"));
  EXPECT_TRUE(refused(view({}, {"link/**"}), "exec.grant_unsupported", "a link"));
  EXPECT_TRUE(refused(view({}, {"new.xml"}), "exec.grant_unsupported", "does not exist yet"));
}

TEST_F(MakeExecView, GrantOutsideTheWorkspaceIsAbsolute) {
  const auto made = view({"abs:/srv/data/**"}, {"abs:/srv/out/**"});
  ASSERT_TRUE(accepted(made));
  EXPECT_TRUE(has(made->sandbox.read_below, "/srv/data"));
  EXPECT_TRUE(has(made->sandbox.write_below, "/srv/out"));
}

TEST_F(MakeExecView, HostsTurnTheNetworkOn) {
  policy::Facts facts;
  facts.hosts = {"example.org:443"};
  const auto made = make_exec_view(facts, "/scratch", workspace);
  ASSERT_TRUE(accepted(made));
  EXPECT_TRUE(made->sandbox.network);
}

}  // namespace
}  // namespace rgx::engine
