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
    scratch.write("root/src/a.c", "");
    std::filesystem::create_symlink("src", scratch / "root/link");
    std::filesystem::create_symlink(scratch.path(), scratch / "root/out");
    auto opened = open_workspace(scratch / "root");
    ASSERT_TRUE(accepted(opened));
    workspace = std::move(*opened);
  }
  std::optional<std::string> resolved(const std::string& path) {
    policy::Facts facts;
    facts.reads.push_back({path, std::nullopt});
    const auto result = resolve(facts, policy, *workspace);
    EXPECT_TRUE(accepted(result));
    return result->reads.at(0).resolved;
  }
  ScratchDir scratch;
  policy::PolicySet policy = rgx::test::make_policy();
  std::unique_ptr<Workspace> workspace;
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
  EXPECT_EQ(resolved("out/secret"), "abs:" + (scratch / "secret"));
  EXPECT_EQ(resolved("out/**"), "abs:" + (scratch / "**"));
  EXPECT_EQ(resolved("abs:" + (scratch / "root/src/a.c")), "src/a.c");
}

TEST_F(Resolve, FileWhoseNameLooksLikeAPatternIsAFile) {
  std::filesystem::create_symlink("src/a.c", scratch / "root/[id].ts");
  EXPECT_EQ(resolved("[id].ts"), "src/a.c");
}

TEST_F(Resolve, ProgramGetsPathAndDigest) {
  policy::Facts facts;
  facts.argv = {"true"};
  facts.program = policy::ProgramFact{"true", std::nullopt, std::nullopt};
  const auto result = resolve(facts, policy, *workspace);
  ASSERT_TRUE(accepted(result));
  EXPECT_EQ(result->program->path, "/usr/bin/true");
  EXPECT_EQ(result->program->digest, digest_bytes(rgx::test::read_file("/usr/bin/true")));
  facts.program->name = "missing";
  EXPECT_EQ(resolve(facts, policy, *workspace)->program->path, std::nullopt);
  facts.program->name = "unknown";
  EXPECT_EQ(resolve(facts, policy, *workspace)->program->path, std::nullopt);
}

class FindProgram : public testing::Test {
 protected:
  std::string tool(std::string_view name, mode_t mode = 0755) {
    std::string path = scratch.write(name, "#!/bin/sh\n");
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  }
  std::optional<FoundProgram> find(const std::vector<std::string>& candidates) {
    return find_program(candidates, "/workspace", why);
  }
  ScratchDir scratch;
  std::string why;
};

TEST_F(FindProgram, FirstThatExistsIsTaken) {
  const std::string b = tool("b");
  const auto found = find({scratch / "a", b, tool("c")});
  ASSERT_TRUE(found.has_value()) << why;
  EXPECT_EQ(found->path, b);
  EXPECT_EQ(found->digest, digest_bytes("#!/bin/sh\n"));
}

TEST_F(FindProgram, PathStaysAsWrittenAndTheDigestIsOfWhatItLeadsTo) {
  tool("real");
  std::filesystem::create_symlink("real", scratch / "link");
  const auto found = find({scratch / "link"});
  ASSERT_TRUE(found.has_value()) << why;
  EXPECT_EQ(found->path, scratch / "link");
}

TEST_F(FindProgram, UntrustedOneIsNotPassedOverForTheNext) {
  EXPECT_FALSE(find({tool("open", 0757), tool("good")}).has_value());
  EXPECT_NE(why.find("can be written by others"), std::string::npos) << why;
}

TEST_F(FindProgram, SaysWhyNot) {
  EXPECT_FALSE(find({scratch / "none"}).has_value());
  EXPECT_EQ(why, "none of its paths exists");
  EXPECT_FALSE(find({tool("data", 0644)}).has_value());
  EXPECT_NE(why.find("no executable file"), std::string::npos) << why;
  EXPECT_FALSE(find({scratch.path()}).has_value());
  EXPECT_NE(why.find("no executable file"), std::string::npos) << why;
  EXPECT_FALSE(find_program({tool("in")}, scratch.path(), why).has_value());
  EXPECT_NE(why.find("inside the workspace"), std::string::npos) << why;
  std::filesystem::create_directories(scratch / "shared");
  const std::string inner = tool("shared/x");
  ASSERT_EQ(chmod((scratch / "shared").c_str(), 0777), 0);
  EXPECT_FALSE(find({inner}).has_value());
  EXPECT_NE(why.find("folder that others can write"), std::string::npos) << why;
}

TEST_F(FindProgram, FileOfAnotherUserIsNotTrusted) {
  if (geteuid() != 0) {
    GTEST_SKIP() << "only root can give a file away";
  }
  const std::string theirs = tool("theirs");
  ASSERT_EQ(chown(theirs.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(find({theirs}).has_value());
  EXPECT_NE(why.find("belongs to another user"), std::string::npos) << why;
}

}  // namespace
}  // namespace rgx::engine
