#include "engine/resolve.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "engine/posix_world.h"
#include "engine/program_lookup.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::ScratchDir;

class Resolve : public testing::Test {
 protected:
  void SetUp() override {
    scratch_.write("root/src/a.c", "");
    std::filesystem::create_symlink("src", scratch_ / "root/link");
    std::filesystem::create_symlink(scratch_.path(), scratch_ / "root/out");
    auto opened = open_workspace(scratch_ / "root");
    ASSERT_TRUE(accepted(opened));
    workspace_ = std::move(*opened);
  }
  std::optional<std::string> resolved(const std::string& path) {
    policy::Facts facts;
    facts.reads.push_back({path, std::nullopt});
    const auto result = resolve(facts, policy_, *workspace_);
    EXPECT_TRUE(accepted(result));
    return result->reads.at(0).resolved;
  }
  ScratchDir scratch_;
  policy::PolicySet policy_ = rgx::test::make_policy();
  std::unique_ptr<Workspace> workspace_;
};

TEST_F(Resolve, PathThatLeadsNowhereElseHasNoOtherForm) {
  EXPECT_EQ(resolved("src/a.c"), std::nullopt);
  EXPECT_EQ(resolved("src/none"), std::nullopt);
  EXPECT_EQ(resolved("**"), std::nullopt);
  EXPECT_EQ(resolved("src/*.c"), std::nullopt);
  EXPECT_EQ(resolved("none/**"), std::nullopt);
  EXPECT_EQ(resolved("."), std::nullopt);
  EXPECT_EQ(resolved("home:.ssh/x"), std::nullopt);
  EXPECT_EQ(resolved("abs:/none/x"), std::nullopt);
}

TEST_F(Resolve, LinksAreFollowedInTheLiteralPart) {
  EXPECT_EQ(resolved("link/a.c"), "src/a.c");
  EXPECT_EQ(resolved("link/**"), "src/**");
  EXPECT_EQ(resolved("link/*.c"), "src/*.c");
  EXPECT_EQ(resolved("out/secret"), "abs:" + (scratch_ / "secret"));
  EXPECT_EQ(resolved("out/**"), "abs:" + (scratch_ / "**"));
  EXPECT_EQ(resolved("abs:" + (scratch_ / "root/src/a.c")), "src/a.c");
}

TEST_F(Resolve, FileWhoseNameLooksLikeAPatternIsAFile) {
  std::filesystem::create_symlink("src/a.c", scratch_ / "root/[id].ts");
  EXPECT_EQ(resolved("[id].ts"), "src/a.c");
}

TEST_F(Resolve, ProgramGetsPathAndDigest) {
  policy::Facts facts;
  facts.argv = {"true"};
  facts.program = policy::ProgramFact{"true", std::nullopt, std::nullopt};
  const auto result = resolve(facts, policy_, *workspace_);
  ASSERT_TRUE(accepted(result));
  EXPECT_EQ(result->program->path, "/usr/bin/true");
  EXPECT_EQ(result->program->digest, digest_bytes(rgx::test::read_file("/usr/bin/true")));
  facts.program->name = "missing";
  EXPECT_EQ(resolve(facts, policy_, *workspace_)->program->path, std::nullopt);
  facts.program->name = "unknown";
  EXPECT_EQ(resolve(facts, policy_, *workspace_)->program->path, std::nullopt);
}

class FindProgram : public testing::Test {
 protected:
  std::string tool(std::string_view name, mode_t mode = 0755) {
    std::string path = scratch_.write(name, "#!/bin/sh\n");
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  }
  std::optional<FoundProgram> find(const std::vector<std::string>& candidates) {
    return find_program(candidates, "/workspace", why_);
  }
  ScratchDir scratch_;
  std::string why_;
};

TEST_F(FindProgram, FirstThatExistsIsTaken) {
  const std::string b = tool("b");
  const auto found = find({scratch_ / "a", b, tool("c")});
  ASSERT_TRUE(found.has_value()) << why_;
  EXPECT_EQ(found->path, b);
  EXPECT_EQ(found->digest, digest_bytes("#!/bin/sh\n"));
}

TEST_F(FindProgram, PathStaysAsWrittenAndTheDigestIsOfWhatItLeadsTo) {
  tool("real");
  std::filesystem::create_symlink("real", scratch_ / "link");
  const auto found = find({scratch_ / "link"});
  ASSERT_TRUE(found.has_value()) << why_;
  EXPECT_EQ(found->path, scratch_ / "link");
}

TEST_F(FindProgram, UntrustedOneIsNotPassedOverForTheNext) {
  EXPECT_FALSE(find({tool("open", 0757), tool("good")}).has_value());
  EXPECT_NE(why_.find("can be written by others"), std::string::npos) << why_;
}

TEST_F(FindProgram, SaysWhyNot) {
  EXPECT_FALSE(find({scratch_ / "none"}).has_value());
  EXPECT_EQ(why_, "none of its paths exists");
  EXPECT_FALSE(find({tool("data", 0644)}).has_value());
  EXPECT_NE(why_.find("no executable file"), std::string::npos) << why_;
  EXPECT_FALSE(find({scratch_.path()}).has_value());
  EXPECT_NE(why_.find("no executable file"), std::string::npos) << why_;
  EXPECT_FALSE(find_program({tool("in")}, scratch_.path(), why_).has_value());
  EXPECT_NE(why_.find("inside the workspace"), std::string::npos) << why_;
  std::filesystem::create_directories(scratch_ / "shared");
  const std::string inner = tool("shared/x");
  ASSERT_EQ(chmod((scratch_ / "shared").c_str(), 0777), 0);
  EXPECT_FALSE(find({inner}).has_value());
  EXPECT_NE(why_.find("folder that others can write"), std::string::npos) << why_;
}

TEST_F(FindProgram, FileOfAnotherUserIsNotTrusted) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "only root can give a file away";
  }
  const std::string theirs = tool("theirs");
  ASSERT_EQ(chown(theirs.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(find({theirs}).has_value());
  EXPECT_NE(why_.find("belongs to another user"), std::string::npos) << why_;
}

}  // namespace
}  // namespace rgx::engine
