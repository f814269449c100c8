#include <gtest/gtest.h>

#include "policy/decision.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/policy/policy_support.h"

// Published bypasses of other policy engines and permission systems, as far as paths (C) and
// precedence, trust and budgets (E) are decided here. Each must be denied, or refused at load.

namespace rgx::policy::test {
namespace {

using rgx::test::refused;

/// Reads everything of the workspace, writes src/, runs ls and cat.
PolicySet broad(std::string_view more = "") {
  return must_stack({org(R"(programs:
  ls: {paths: ["/usr/bin/ls"]}
  cat: {paths: ["/usr/bin/cat"]}
rules:
  - {id: reads, effect: allow, tool: ["file.*", exec], read: ["**"], why: "w", remedy: "m"}
  - {id: writes, effect: allow, tool: ["file.*", exec], write: ["src/**", "*"], why: "w",
     remedy: "m"}
  - {id: lists, effect: allow, tool: exec, argv: [ls, "**"], why: "w", remedy: "m"}
  - {id: cats, effect: allow, tool: exec, argv: [cat, "**"], why: "w", remedy: "m"}
)" + std::string(more))});
}

std::string file(std::string_view tool, std::string_view path) {
  return R"({"use":"file.)" + std::string(tool) + R"(","with":{"path":")" + std::string(path) +
         R"("}})";
}

std::string_view decided(const PolicySet& policy, const std::string& request) {
  return to_string(eval(policy, request).effect);
}

Result<Facts> derived(const std::string& request) {
  return derive(*request_from_json(*parse_json(request), "request"));
}

TEST(BypassC01, PrefixOfANameIsNotItsFolder) {
  const PolicySet policy = must_stack({org(R"(rules:
  - {id: r, effect: allow, tool: "file.read", read: ["src/**"], why: "w", remedy: "m"}
)")});
  EXPECT_EQ(decided(policy, file("read", "src/x")), "allow");
  EXPECT_EQ(decided(policy, file("read", "src-evil/x")), "deny");
}

TEST(BypassC02, DotsDoNotLeaveTheWorkspace) {
  EXPECT_TRUE(refused(derived(file("read", "src/../../etc/passwd")), "tool.input_type", "leaves"));
  EXPECT_EQ(must_derive(file("read", "src/../a")).reads.front().path, "a");
}

TEST(BypassC04, LinkOutOfTheWorkspaceIsJudgedByItsTarget) {
  Facts facts = must_derive(file("edit", "src/link"));
  facts.writes.front().resolved = "abs:/home/me/.bashrc";
  EXPECT_EQ(answer(decide(broad(), facts, {})), "deny");
}

TEST(BypassC05, LinkInsideTheWorkspaceIsJudgedByItsTarget) {
  Facts facts = must_derive(file("write", "src/link"));
  facts.writes.front().resolved = ".git/hooks/pre-commit";
  EXPECT_EQ(deciding(decide(broad(), facts, {})), "rgx.protected");
}

TEST(BypassC06, ProtectedNamesIgnoreCase) {
  for (const std::string_view path :
       {".cUrSoR/mcp.json", ".GIT/config", "JENKINSFILE", ".GitHub/Workflows/x.yml"}) {
    EXPECT_EQ(deciding(eval(broad(), file("write", path))), "rgx.protected") << path;
  }
}

TEST(BypassC08, AbsolutePathsAreNotWorkspacePaths) {
  for (const std::string_view program : {"ls", "cat"}) {
    EXPECT_EQ(decided(broad(), R"({"use":"exec","with":{"argv":[")" + std::string(program) +
                                   R"(","/etc/passwd"]},"read":["abs:/etc/passwd"],"write":[]})"),
              "deny");
  }
}

TEST(BypassC09, ProcIsNoWayBackIn) {
  EXPECT_EQ(decided(broad(), file("read", "abs:/proc/self/root/usr/bin/X")), "deny");
  EXPECT_EQ(decided(broad(), file("read", "abs:/proc/self/environ")), "deny");
}

TEST(BypassC13, WritingOutsideIsDenied) {
  EXPECT_EQ(decided(broad(), file("write", "abs:/tmp/x")), "deny");
}

TEST(BypassC14, CommandAxisDoesNotSatisfyPathAxis) {
  EXPECT_EQ(decided(broad(), R"({"use":"exec","with":{"argv":["ls","/tmp"]},"read":["abs:/tmp"],
                                 "write":[]})"),
            "deny");
}

TEST(BypassC16, PatternsMatchDotfiles) {
  const PolicySet policy =
      broad("  - {id: env, effect: deny, read: [\"**/*.env\"], why: \"w\", remedy: \"m\"}\n");
  EXPECT_EQ(deciding(eval(policy, file("read", ".env"))), "env");
  EXPECT_EQ(deciding(eval(policy, file("read", "a/.env"))), "env");
}

TEST(BypassC17, DeniedFileInsideAnAllowedFolder) {
  const PolicySet policy = broad(
      "  - {id: secret, effect: deny, read: [\"src/secret.txt\"], why: \"w\", remedy: \"m\"}\n");
  EXPECT_EQ(deciding(eval(policy, file("read", "src/secret.txt"))), "secret");
  EXPECT_EQ(deciding(eval(policy, R"({"use":"exec","with":{"argv":["cat","src/secret.txt"]},
                                      "read":["src/**"],"write":[]})")),
            "secret");
}

TEST(BypassC18, PatternOfTheParentIsRefused) {
  EXPECT_TRUE(refused(
      load_policy(org("rules:\n  - {id: r, effect: deny, read: [\"..\"], why: \"w\", remedy: "
                      "\"m\"}\n"),
                  "p.yaml"),
      "path.escapes", "p.yaml:6:34"));
}

TEST(BypassC20, DenialsOutsideTheWorkspaceNameTheirRoot) {
  const PolicySet policy = must_stack({org(R"(rules:
  - {id: r, effect: allow, tool: "file.read", read: ["abs:/srv/**"], why: "w", remedy: "m"}
  - {id: env, effect: deny, read: ["**/.env", "abs:/**/.env"], why: "w", remedy: "m"}
)")});
  EXPECT_EQ(deciding(eval(policy, file("read", "abs:/srv/app/.env"))), "env");
}

TEST(BypassC21, MissingProtectedFilesAreProtected) {
  EXPECT_EQ(deciding(eval(broad(), file("write", ".claude/settings.json"))), "rgx.protected");
}

TEST(BypassC22, DenyingOnePatternDoesNotBlockOthers) {
  const PolicySet policy =
      broad("  - {id: env, effect: deny, read: [\"**/.env*\"], why: \"w\", remedy: \"m\"}\n");
  EXPECT_EQ(decided(policy, file("read", "AGENTS.md")), "allow");
}

TEST(BypassC24, SelectorsThatNothingReadsAreRefused) {
  EXPECT_TRUE(refused(load_policy(org("rules:\n  - {id: r, effect: deny, tool: \"Write(docs/**)\", "
                                      "why: \"w\", remedy: \"m\"}\n"),
                                  "p.yaml"),
                      "policy.unknown_tool", "there is no tool `Write(docs/**)`"));
  EXPECT_TRUE(refused(load_policy(org("rules:\n  - {id: r, effect: deny, paths: [\"docs/**\"], "
                                      "why: \"w\", remedy: \"m\"}\n"),
                                  "p.yaml"),
                      "yaml.unknown_key", "`paths` is not a key of rule `r`"));
}

TEST(BypassC25, LeadingSlashIsRefusedAsAmbiguous) {
  EXPECT_TRUE(refused(load_policy(org("rules:\n  - {id: r, effect: deny, read: [\"/src/**\"], "
                                      "why: \"w\", remedy: \"m\"}\n"),
                                  "p.yaml"),
                      "path.absolute", "abs:"));
}

TEST(BypassC29, OtherSpellingsOfGitAreProtected) {
  EXPECT_EQ(deciding(eval(broad(), file("write", "git~1/config"))), "rgx.protected");
  EXPECT_EQ(deciding(eval(broad(), file("write", "GIT~1"))), "rgx.protected");
  EXPECT_TRUE(
      refused(derived(file("write", ".g\\u200cit/config")), "tool.input_type", "invisible"));
}

TEST(BypassC30, HooksAndConfigurationOfGitAreProtected) {
  for (const std::string_view path : {".git/hooks/post-checkout", ".git/config",
                                      ".git/modules/x/hooks/y", "sub/.git/config", ".git"}) {
    EXPECT_EQ(deciding(eval(broad(), file("write", path))), "rgx.protected") << path;
  }
}

TEST(BypassC32, FilesThatOtherProgramsTrustAreProtected) {
  for (const std::string_view path :
       {".mcp.json", ".envrc", ".gitmodules", ".ripgreprc", ".npmrc", ".pre-commit-config.yaml",
        ".husky/pre-commit", ".devcontainer/devcontainer.json", ".github/workflows/ci.yml",
        ".gitlab-ci.yml", ".vscode/tasks.json", ".rgx/policy.yaml", "a/b/.envrc"}) {
    EXPECT_EQ(deciding(eval(broad(), file("write", path))), "rgx.protected") << path;
    EXPECT_TRUE(is_protected(path)) << path;
  }
  for (const std::string_view path : {"src/git.c", "github/workflows", ".gitignore", ".github/x.md",
                                      "src/.envrc.sample", "rgx/policy.yaml"}) {
    EXPECT_FALSE(is_protected(path)) << path;
  }
}

TEST(BypassC34, WorktreePointerIsProtected) {
  EXPECT_EQ(deciding(eval(broad(), file("write", ".git"))), "rgx.protected");
}

TEST(BypassC36, SyntaxOfOtherListsIsRefusedAndStarIsOneLevel) {
  EXPECT_TRUE(refused(load_policy(org("rules:\n  - {id: r, effect: deny, read: [\"!docs\"], why: "
                                      "\"w\", remedy: \"m\"}\n"),
                                  "p.yaml"),
                      "glob.unsupported", "!docs"));
  const PolicySet policy = must_stack({org(R"(rules:
  - {id: r, effect: allow, tool: "file.read", read: ["docs/*"], why: "w", remedy: "m"}
)")});
  EXPECT_EQ(decided(policy, file("read", "docs/b.md")), "allow");
  EXPECT_EQ(decided(policy, file("read", "docs/a/b.md")), "deny");
}

TEST(BypassC38, ControlBytesInPathsAreRefused) {
  EXPECT_TRUE(refused(derived(file("write", "sub\\r")), "tool.input_type", "control"));
}

TEST(BypassD01, HostIsNoPrefix) {
  const PolicySet policy = must_stack({org(R"(rules:
  - {id: r, effect: allow, tool: "http.get", hosts: ["modelcontextprotocol.io:443"], why: "w",
     remedy: "m"}
)")});
  const auto get = [&policy](std::string_view url) {
    return decided(policy, R"({"use":"http.get","with":{"url":")" + std::string(url) + R"("}})");
  };
  EXPECT_EQ(get("https://modelcontextprotocol.io/x"), "allow");
  EXPECT_EQ(get("https://modelcontextprotocol.io.example.com/"), "deny");
  EXPECT_EQ(get("http://modelcontextprotocol.io/"), "deny");
  EXPECT_EQ(get("https://169.254.169.254/"), "deny");
}

TEST(BypassE01, SamePatternInAllowAndDeny) {
  const PolicySet policy = broad(
      "  - {id: same, effect: deny, tool: \"file.read\", read: [\"**\"], why: \"w\", remedy: "
      "\"m\"}\n");
  EXPECT_EQ(deciding(eval(policy, file("read", "a"))), "same");
}

TEST(BypassE02, DenyBeatsAsking) {
  const PolicySet policy = broad(R"(  - {id: asks, effect: require_approval, why: "w", remedy: "m"}
  - {id: no-ls, effect: deny, argv: [ls, "**"], why: "w", remedy: "m"}
)");
  const Decision decision =
      eval(policy, R"({"use":"exec","with":{"argv":["ls","x"]},"read":[],"write":[]})");
  EXPECT_EQ(deciding(decision), "no-ls");
}

TEST(BypassE04, RunLayerCannotLiftAnything) {
  const PolicySet policy = must_stack(
      {org(""), lower("run",
                      "rules:\n  - {id: all, effect: allow, tool: \"*\", read: [\"**\"], "
                      "why: \"w\", remedy: \"m\"}\n")});
  EXPECT_EQ(decided(policy, file("read", "a")), "deny");
}

TEST(BypassE05, EmptyListsAreRefusedNotUnset) {
  EXPECT_TRUE(
      refused(load_policy(org("rules:\n  - {id: r, effect: allow, tool: [], read: [\"**\"], "
                              "why: \"w\", remedy: \"m\"}\n"),
                          "p.yaml"),
              "policy.empty_list", "`tool` of rule `r`"));
}

TEST(BypassE06, LayersDoNotMixDenialsAway) {
  const std::string allow = R"(rules:
  - {id: allow, effect: allow, tool: "file.read", read: ["**"], why: "w", remedy: "m"}
)";
  const std::string deny = R"(rules:
  - {id: deny, effect: deny, tool: "file.read", read: ["**"], why: "w", remedy: "m"}
)";
  EXPECT_EQ(deciding(eval(must_stack({org(allow), lower("repository", deny)}), file("read", "a"))),
            "deny");
  const std::string delegates = "delegate: [{to: repository, tool: \"*\", read: [\"**\"]}]\n";
  EXPECT_EQ(deciding(eval(must_stack({org(delegates + deny), lower("repository", allow)}),
                          file("read", "a"))),
            "deny");
}

TEST(BypassE09, RepositoryOnlyNarrows) {
  EXPECT_TRUE(refused(load_policy(lower("repository", "default: allow\n"), "p.yaml"),
                      "yaml.bad_value", "`default` is `allow`"));
  const PolicySet policy =
      must_stack({org("review: plan\nsandbox: required\n"),
                  lower("repository",
                        "review: none\nsandbox: best_effort\nbudgets:\n  run: {tokens: 999}\n"
                        "gates: {medium: {count: 0}}\n")});
  EXPECT_EQ(policy.review(), Review::plan);
  EXPECT_EQ(policy.sandbox(), SandboxDemand::required);
  EXPECT_EQ(policy.budget().tokens, 100);
}

TEST(BypassE18, InvisibleTextIsRefused) {
  EXPECT_TRUE(refused(load_policy(org("rules:\n  - {id: r, effect: deny, tool: shell, why: "
                                      "\"a\\u202eb\", remedy: \"m\"}\n"),
                                  "p.yaml"),
                      "yaml.deceptive_character", "u{202e}"));
}

TEST(BypassE20, NamesThatCannotMatchAreRefused) {
  EXPECT_TRUE(
      refused(load_policy(org("rules:\n  - {id: r, effect: deny, tool: my_server.tool, why: "
                              "\"w\", remedy: \"m\"}\n"),
                          "p.yaml"),
              "policy.unknown_tool", "my_server.tool"));
}

TEST(BypassE21, RequestsCarryNoPolicy) {
  EXPECT_TRUE(refused(
      request_from_json(*parse_json(R"({"use":"file.read","with":{"path":"a"},"sandbox":"off"})"),
                        "request"),
      "json.unknown_member", "sandbox"));
  EXPECT_TRUE(refused(
      derived(R"({"use":"file.read","with":{"path":"a","dangerouslyDisableSandbox":true}})"),
      "tool.unknown_input", "dangerouslyDisableSandbox"));
}

TEST(BypassE24, UnknownToolsAreDenied) {
  Facts facts = must_derive(file("read", "a"));
  facts.tool = "file.reveal";
  EXPECT_EQ(deciding(decide(broad(), facts, {})), "rgx.facts");
}

TEST(BypassE25, DenyListsNameRealTools) {
  EXPECT_TRUE(refused(load_policy(org("rules:\n  - {id: r, effect: deny, tool: bash, why: \"w\", "
                                      "remedy: \"m\"}\n"),
                                  "p.yaml"),
                      "policy.unknown_tool", "there is no tool `bash`"));
}

TEST(BypassF05, TrustedReadsAreAllowed) {
  const PolicySet policy = must_stack({org(R"(rules:
  - {id: r, effect: allow, tool: ["git.status", "git.diff", "git.log"], read: ["**"], why: "w",
     remedy: "m"}
)")});
  for (const std::string_view tool : {"git.status", "git.diff", "git.log"}) {
    EXPECT_EQ(decided(policy, R"({"use":")" + std::string(tool) + R"("})"), "allow") << tool;
  }
}

TEST(BypassF14, DenialsAlwaysSayWhatToDo) {
  for (const std::string& request :
       {file("write", "docs/a"), file("read", "abs:/x"), std::string(R"({"use":"git.log"})"),
        std::string(R"({"use":"exec","with":{"argv":["rm","-r"]}})"), file("write", ".envrc")}) {
    const Decision decision = eval(broad(), request);
    EXPECT_EQ(answer(decision), "deny") << request;
    EXPECT_FALSE(decision.remedy.empty()) << request;
  }
}

TEST(Protected, PatternsOfWritesAreDeniedWhereTheyMayHitAtTheRoot) {
  const PolicySet policy = must_stack({org(R"(programs: {make: {paths: ["/usr/bin/make"]}}
rules:
  - {id: all, effect: allow, tool: exec, argv: [make], read: ["**"], write: ["**"], why: "w",
     remedy: "m"}
)")});
  const auto write = [&policy](std::string_view pattern) {
    return deciding(eval(policy, R"({"use":"exec","with":{"argv":["make"]},"read":[],"write":[")" +
                                     std::string(pattern) + "\"]}"));
  };
  for (const std::string_view pattern : {"**", "*", ".*", ".g*/**", ".[!x]it/config", ".[Gg]it",
                                         "**/config", "sub/.git/**", "?envrc", "**/*.yml"}) {
    EXPECT_EQ(write(pattern), "rgx.protected") << pattern;
  }
  for (const std::string_view pattern : {"build/**", "src/*.c", "build/*", "x*/**"}) {
    EXPECT_EQ(write(pattern), "all") << pattern;
  }
}

TEST(Protected, OnlyAnOrgLayerOpensIt) {
  const std::string rules = R"(rules:
  - {id: all, effect: allow, tool: "file.write", write: ["**"], why: "w", remedy: "m"}
)";
  const PolicySet policy =
      must_stack({org("relax_protected: [\".github/workflows/docs.yml\"]\n" + rules)});
  EXPECT_EQ(deciding(eval(policy, file("write", ".github/workflows/docs.yml"))), "all");
  EXPECT_EQ(deciding(eval(policy, file("write", ".github/workflows/ci.yml"))), "rgx.protected");
  Facts facts = must_derive(file("write", ".github/workflows/docs.yml"));
  facts.writes.front().resolved = ".git/config";
  EXPECT_EQ(deciding(decide(policy, facts, {})), "rgx.protected");
  const PolicySet closed = must_stack({org("relax_protected: [\".envrc\"]\n")});
  EXPECT_EQ(answer(eval(closed, file("write", ".envrc"))), "deny");
}

TEST(Protected, CoversEveryListedName) {
  EXPECT_GT(protected_paths().size(), 35U);
  for (const Glob& glob : protected_paths()) {
    std::string path = glob.pattern();
    for (std::size_t at = path.find("**"); at != std::string::npos; at = path.find("**")) {
      path.replace(at, 2, "x");
    }
    for (std::size_t at = path.find('*'); at != std::string::npos; at = path.find('*')) {
      path.replace(at, 1, "1");
    }
    EXPECT_TRUE(is_protected(path)) << path;
  }
}

}  // namespace
}  // namespace rgx::policy::test
