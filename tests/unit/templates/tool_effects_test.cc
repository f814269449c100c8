#include "templates/tool_effects.h"

#include "base/glob.h"
#include "templates/tool.h"
#include "tests/support/error_matchers.h"

#include <gtest/gtest.h>

namespace rgx::templates {
namespace {

using Texts = std::vector<std::string>;

ToolUse use_of(std::string use, std::string_view with) {
  auto json = parse_json(with);
  EXPECT_TRUE(test::accepted(json));
  return ToolUse{std::move(use), json ? *json : Json::object(), {}, {}, {}};
}

Effects effects(const ToolUse& use) {
  auto result = effects_of(use);
  EXPECT_TRUE(test::accepted(result));
  return result ? *result : Effects{};
}

Effects effects(std::string use, std::string_view with) {
  return effects(use_of(std::move(use), with));
}

TEST(ToolEffects, FileToolsTouchTheirPath) {
  const char* edits = R"({"path":"./a/b","edits":[{"word":"x","to":"y"}]})";
  EXPECT_EQ(effects("file.edit", edits).reads, Texts{"a/b"});
  EXPECT_EQ(effects("file.edit", edits).writes, Texts{"a/b"});
  EXPECT_EQ(effects("file.read", R"({"path":"a"})").reads, Texts{"a"});
  EXPECT_EQ(effects("file.read", R"({"path":"a"})").writes, Texts{});
  EXPECT_EQ(effects("file.write", R"({"path":"a","content":""})").reads, Texts{});
  EXPECT_EQ(effects("file.write", R"({"path":"a","content":""})").writes, Texts{"a"});
  EXPECT_EQ(effects("file.patch", R"({"path":"a","diff":""})").reads, Texts{"a"});
  EXPECT_EQ(effects("file.delete", R"({"path":"a"})").writes, Texts{"a"});
  EXPECT_EQ(effects("file.delete", R"({"path":"a"})").reads, Texts{});
  EXPECT_EQ(effects("file.move", R"({"path":"b","to":"a"})").reads, Texts{"b"});
  EXPECT_EQ(effects("file.move", R"({"path":"b","to":"a"})").writes, (Texts{"a", "b"}));
}

TEST(ToolEffects, WildcardsInAFileNameAreEscaped) {
  const Effects found = effects("file.read", R"({"path":"pages/[id]*.tsx"})");
  ASSERT_EQ(found.reads.size(), 1U);
  const auto glob = Glob::parse(found.reads[0]);
  ASSERT_TRUE(test::accepted(glob));
  EXPECT_TRUE(glob->matches("pages/[id]*.tsx"));
  EXPECT_FALSE(glob->matches("pages/i.tsx"));
}

TEST(ToolEffects, PlacesMeanEverythingBelow) {
  EXPECT_EQ(effects("search.text", R"({"word":"x","paths":["src"]})").reads,
            (Texts{"src", "src/**"}));
  EXPECT_EQ(effects("search.text", R"({"word":"x","paths":["."]})").reads, Texts{"**"});
  EXPECT_EQ(effects("search.files", R"({"paths":["a/**","b*"]})").reads,
            (Texts{"a/**", "b*", "b*/**"}));
}

TEST(ToolEffects, ProgramsAreCompleteOnlyWhenDeclared) {
  ToolUse exec = use_of("exec", R"({"argv":["make","test"],"env":{"CI":"1","A":"x"}})");
  Effects found = effects(exec);
  EXPECT_TRUE(found.starts_process);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.argv, (Texts{"make", "test"}));
  EXPECT_EQ(found.env, (Texts{"A", "CI"}));
  exec.read = Texts{"**"};
  EXPECT_FALSE(effects(exec).complete);
  exec.write = Texts{};
  found = effects(exec);
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.reads, Texts{"**"});
  EXPECT_EQ(found.writes, Texts{});
  exec.hosts = Texts{"A.org:443"};
  EXPECT_EQ(effects(exec).hosts, Texts{"a.org:443"});
}

TEST(ToolEffects, ShellAndAgentStartProcessesWithoutArgv) {
  EXPECT_FALSE(effects("shell", R"({"script":"ls"})").complete);
  EXPECT_FALSE(effects("shell", R"({"script":"ls"})").argv.has_value());
  EXPECT_TRUE(effects("agent.run", R"({"adapter":"a","objective":"b"})").starts_process);
}

TEST(ToolEffects, OtherAxes) {
  EXPECT_EQ(effects("http.get", R"({"url":"https://API.osv.dev/x"})").hosts,
            Texts{"api.osv.dev:443"});
  EXPECT_EQ(effects("llm.generate", R"({"prompt":"x","tokens_max":7})").tokens_max, 7);
  EXPECT_EQ(effects("git.branch", R"({"name":"fix"})").refs, Texts{"refs/heads/fix"});
  EXPECT_EQ(effects("git.commit", R"({"message":"m","paths":["src"]})").refs, Texts{"HEAD"});
  EXPECT_EQ(effects("git.status", "{}").reads, Texts{"**"});
  EXPECT_EQ(effects("git.log", "{}"), Effects{});
  EXPECT_EQ(effects("human.approve", R"({"message":"m"})"), Effects{});
  EXPECT_EQ(effects("check.file", R"({"path":"a"})").reads, Texts{"a"});
  EXPECT_EQ(effects("check.secrets", R"({"new_max":0})").reads, Texts{"**"});
}

TEST(ToolEffects, AnUnusableUseHasNone) {
  EXPECT_TRUE(test::refused(effects_of(use_of("exec", "{}")), "tool.missing_input", "`argv`"));
}

TEST(ToolEffects, KnownFilesAreNamedOneByOne) {
  EXPECT_EQ(known_files(use_of("file.move", R"({"path":"b","to":"a"})")), (Texts{"a", "b"}));
  EXPECT_EQ(known_files(use_of("search.text", R"({"word":"x","paths":["a","b*"]})")), Texts{"a"});
  EXPECT_EQ(known_files(use_of("exec", R"({"argv":["a"],"cwd":"sub"})")), Texts{});
}

}  // namespace
}  // namespace rgx::templates
