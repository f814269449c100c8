#include <gtest/gtest.h>

#include "base/canonical.h"
#include "policy/decision.h"
#include "policy/shell_text.h"
#include "tests/unit/policy/policy_support.h"

// Published bypasses that hide a command in shell text, wrong blocks of the same kind, and two
// siblings of each that nobody published. The policy trusts a few programs for the tool `shell` and
// declares what the script reads and writes, so only the text can make the difference.

namespace rgx::policy::test {
namespace {

struct Case {
  const char* id;
  const char* script;
  const char* answer;
  const char* rules = "";  ///< deciding rules; empty: default deny, or any for `allow`
};

PolicySet trusting() {
  std::string programs = "programs:\n";
  for (const char* name : {"bash", "cat", "diff", "echo", "git", "grep", "make", "rg", "tee",
                           "timeout", "true", "uvx", "xargs"}) {
    programs += std::string("  \"") + name + "\": {paths: [\"/usr/bin/" + name + "\"]}\n";
  }
  std::string rules = R"(rules:
  - {id: no-clean, effect: deny, argv: [git, clean, "**"], why: "w", remedy: "m"}
  - {id: no-add-all, effect: deny, argv: [git, add, "-A", "**"], why: "w", remedy: "m"}
  - {id: no-switch, effect: deny, argv: [git, switch, "-f", "**"], why: "w", remedy: "m"}
  - {id: files, effect: allow, tool: shell, read: ["**"], write: ["notes.md"], why: "w",
     remedy: "m"}
)";
  for (const char* argv :
       {"[cat, \"**\"]", "[diff, \"**\"]", "[echo, \"**\"]", "[git, log, \"**\"]", "[git, fetch]",
        "[git, pull]", "[git, status]", "[git, diff, \"**\"]", "[git, add, \"**\"]",
        "[git, show, \"**\"]", "[git, \"-C\", \"*\", show, \"**\"]", "[grep, \"**\"]",
        "[make, \"**\"]", "[rg, \"**\"]", "[tee, \"**\"]", "[\"true\"]", "[timeout, \"**\"]",
        "[uvx, mcp_github]", "[xargs, \"**\"]"}) {
    rules += "  - {id: r" + std::to_string(rules.size()) +
             ", effect: allow, tool: shell, argv: " + argv + ", why: \"w\", remedy: \"m\"}\n";
  }
  return must_stack({org(programs + rules)});
}

Decision judged(const PolicySet& policy, const std::string& script) {
  const Json request = Json::object({{"use", "shell"},
                                     {"with", Json::object({{"script", script}})},
                                     {"read", Json::array({Json("src/**")})},
                                     {"write", Json::array({Json("notes.md")})}});
  return eval(policy, canonical(request));
}

constexpr Case kCases[] = {
    {"A01", "git log && rm -rf /", "deny"},
    {"A01", "git log\nrm -rf /", "deny"},
    {"A01", "git log | rm -rf /", "deny"},
    {"A02", "git log; rm -rf /", "deny"},
    {"A02", "git log || rm -rf /", "deny"},
    {"A02", "git log;rm -rf /;git log", "deny"},
    {"A04", "true && rm important_file.txt", "deny"},
    {"A04", "true\t&&\trm important_file.txt", "deny"},
    {"A04", "true || true && rm important_file.txt", "deny"},
    {"A05", "echo hi & ls", "deny", "no-add-all,no-clean,no-switch"},
    {"A05", "echo hi &", "deny", "no-add-all,no-clean,no-switch"},
    {"A05", "echo hi&ls", "deny", "no-add-all,no-clean,no-switch"},
    {"A06", "git fetch && git pull && git clean -fd", "deny", "no-clean"},
    {"A06", "git fetch | git clean", "deny", "no-clean"},
    {"A06", "git fetch\n\n  git 'clean' -fd", "deny", "no-clean"},
    {"A08", "echo $(rm -rf /)", "deny", "no-add-all,no-clean,no-switch"},
    {"A08", "echo `rm -rf /`", "deny", "no-add-all,no-clean,no-switch"},
    {"A08", "echo \"$(rm -rf /)\"", "deny", "no-add-all,no-clean,no-switch"},
    {"A08", "echo \"`rm -rf /`\"", "deny", "no-add-all,no-clean,no-switch"},
    {"A09", "echo $(cat $(ls))", "deny", "no-add-all,no-clean,no-switch"},
    {"A10", "diff <(git log) <(rm -rf /)", "deny", "no-add-all,no-clean,no-switch"},
    {"A10", "tee >(rm -rf /)", "deny", "no-add-all,no-clean,no-switch"},
    {"A10", "diff =(rm -rf /) x", "deny", "no-add-all,no-clean,no-switch"},
    {"A12", "git log --format=$(rm -rf /)", "deny", "no-add-all,no-clean,no-switch"},
    {"A13", "(git clean -fd)", "deny", "no-add-all,no-clean,no-switch"},
    {"A13", "{ git clean -fd; }", "deny", "no-add-all,no-clean,no-switch"},
    {"A13", "! git clean -fd", "deny", "no-add-all,no-clean,no-switch"},
    {"A14", "echo \"$\\\n(touch /tmp/pwned)\"", "deny", "no-add-all,no-clean,no-switch"},
    {"A14", "ech\\\no hi", "deny", "no-add-all,no-clean,no-switch"},
    {"A16", "echo \"${v=aa\\140 env| ls -l\\140}${v@P}\"", "deny", "no-add-all,no-clean,no-switch"},
    {"A17", "rg -v -e pattern$IFS.$IFS$HOME/.claude/projects$IFS--pre=sh", "deny",
     "no-add-all,no-clean,no-switch"},
    {"A17", "rg x *", "deny", "no-add-all,no-clean,no-switch"},
    {"A17", "rg x ~/.ssh", "deny", "no-add-all,no-clean,no-switch"},
    {"A18", "cat <<EOF\n$(rm e)\nEOF", "deny", "no-add-all,no-clean,no-switch"},
    {"A20", "PATH=/tmp/bad:$PATH cat <<'EOF' > /tmp/bad/hello.txt\nEOF", "deny",
     "no-add-all,no-clean,no-switch"},
    {"A20", "PATH=bad cat notes.md", "deny", "no-add-all,no-clean,no-switch"},
    {"A20", "PATH+=bad cat notes.md", "deny", "no-add-all,no-clean,no-switch"},
    {"A21", "cat > file.txt << 'EOF'\nEOF", "deny", "no-add-all,no-clean,no-switch"},
    {"A22", "bash -c $'rm\\x20-rf\\x20/'", "deny", "no-add-all,no-clean,no-switch"},
    {"A22", "bash -c 'rm -rf /'", "deny"},
    {"A24", "echo *(e:whoami:)", "deny", "no-add-all,no-clean,no-switch"},
    {"A24", "echo =rm", "deny", "no-add-all,no-clean,no-switch"},
    {"A25", "echo x >| ../../outside", "deny", "no-add-all,no-clean,no-switch"},
    {"A25", "echo x >! ../../outside", "deny", "no-add-all,no-clean,no-switch"},
    {"A26", "echo a\rgit clean", "deny", "no-add-all,no-clean,no-switch"},
    {"A26", "echo a\x0bgit clean", "deny", "no-add-all,no-clean,no-switch"},
    {"A28", "git checkout HEAD -- .; Write-Host \"x\"", "deny"},
    {"A28", "echo 'x", "deny", "no-add-all,no-clean,no-switch"},
    {"A28", "echo x &&", "deny", "no-add-all,no-clean,no-switch"},
    {"A28", "&& echo x", "deny", "no-add-all,no-clean,no-switch"},
    {"A28", "echo x ;; echo y", "deny", "no-add-all,no-clean,no-switch"},
    {"A29", " \t\n", "deny", "no-add-all,no-clean,no-switch"},
    {"A29", "''", "deny", "no-add-all,no-clean,no-switch"},
    {"A30", "export FOO=bar && git status", "deny", "no-add-all,no-clean,no-switch"},
    {"A30", "declare -x FOO=bar && git status", "deny", "no-add-all,no-clean,no-switch"},
    {"A30", "FOO=bar && git status", "deny", "no-add-all,no-clean,no-switch"},
    {"A30", "alias git=rm; git status", "deny", "no-add-all,no-clean,no-switch"},
    {"A30", "eval git status", "deny", "no-add-all,no-clean,no-switch"},
    {"A32", "timeout 30 bash -c 'cd x && git push'", "deny"},
    {"A32", "timeout 30 git add -A", "deny", "no-add-all"},
    {"A33", "xargs -n 1 git add -A", "deny", "no-add-all"},
    {"A33", "echo x | xargs git clean", "deny", "no-clean"},
    {"A34", "/usr/bin/git add x", "deny"},
    {"A36", "/home/me/Downloads/uvx mcp_github", "deny"},
    {"A37", "./uvx mcp_github", "deny"},
    {"B04", "history -s x; history -a /home/me/.bashrc", "deny", "no-add-all,no-clean,no-switch"},
    {"B09", "git log | xargs -I% unlink %", "deny"},
    {"B26", "git logout", "deny"},
    {"B26", "git logs && echo x", "deny"},
    {"C13", "echo B > /tmp/x", "deny", "no-add-all,no-clean,no-switch"},
    {"F01", "echo 'query { test }'", "allow"},
    {"F01", "echo 'a; rm -rf /' \"b && c\"", "allow"},
    {"F01", "echo '$(x)' '`y`' '*'", "allow"},
    {"F02", "git -C d show --stat --format=fuller 0a1b2c3", "allow"},
    {"F02", "git show HEAD^ HEAD^:x", "deny", "no-add-all,no-clean,no-switch"},
    {"F02", "git show HEAD^", "allow"},
    {"F05", "git status && git diff --staged && git log -n 3", "allow"},
    {"F05", "git status; git diff --staged; git log -n 3;", "allow"},
    {"F05", "git status &&\n  git log -n 3 |\n  cat\n", "allow"},
    {"F08", "echo \"a > b\"", "allow"},
    {"F09", "git log -p", "allow"},
    {"F10", "echo git clean", "allow"},
    {"F10", "echo 'git clean -fd' && true", "allow"},
    {"F12", "make install PREFIX=/usr/local", "allow"},
    {"F12", "make CFLAGS='-O2 -g' all", "allow"},
    // Two wrong blocks of the list stay blocked, each with its reason. F04: text that a redirection
    // feeds to a program is read as unreadable, for what a shell does with `<<` depends on its
    // quotes and its version; `file.write` writes the file without a shell. F13: what `cd` leads to
    // decides which configuration a later program reads (a nested repository names programs to
    // run), so the folder belongs in the program's own arguments.
    {"F04", "cat >> notes.md <<'EOF'\ngit switch -f\nEOF", "deny", "no-add-all,no-clean,no-switch"},
    {"F13", "cd d && grep -rn x src/", "deny", "no-add-all,no-clean,no-switch"},
    {"F13", "grep -rn x d/src", "allow"},
};

TEST(ShellCases, EveryPublishedCaseHasItsAnswer) {
  const PolicySet policy = trusting();
  for (const Case& each : kCases) {
    const Decision decision = judged(policy, each.script);
    EXPECT_EQ(answer(decision), each.answer) << each.id << ' ' << each.script << '\n'
                                             << text_of(decision);
    if (decision.effect == Effect::deny) {
      EXPECT_EQ(deciding(decision), each.rules) << each.id << ' ' << each.script;
      EXPECT_FALSE(decision.remedy.empty()) << each.id;
    }
  }
}

TEST(ShellCases, ReasonsAreNamed) {
  const PolicySet policy = must_stack({org("")});
  EXPECT_EQ(judged(policy, "cd d && grep -rn x src/").remedy,
            "the script has `cd`, which is part of the shell, at byte 1: write plain words joined "
            "by `&&`, `||`, `;` or `|`, use `exec` with a list of arguments, or allow it with a "
            "rule that says `analysis: partial`");
}

TEST(ShellCases, ARuleOfOneCommandGrantsNoPathToAnother) {
  const PolicySet policy = must_stack({org(R"(programs:
  cat: {paths: ["/usr/bin/cat"]}
  tee: {paths: ["/usr/bin/tee"]}
rules:
  - {id: cat, effect: allow, tool: shell, argv: [cat, "**"], read: ["**"], write: ["**"], why: "w",
     remedy: "m"}
  - {id: tee, effect: allow, tool: shell, argv: [tee, "**"], why: "w", remedy: "m"}
)")});
  EXPECT_EQ(answer(judged(policy, "cat src/a")), "allow");
  const Decision both = judged(policy, "cat src/a | tee notes.md");
  EXPECT_EQ(answer(both), "deny");
  ASSERT_EQ(both.ungranted.size(), 2U);
  EXPECT_EQ(both.ungranted.front().element, "src/**");
}

TEST(ShellCases, ARuleForPartialScriptsTakesAllOfThemButDenialsOfCommandsHit) {
  const std::string takes = R"(rules:
  - {id: any, effect: allow, tool: shell, analysis: partial, read: ["**"], write: ["**"], why: "w",
     remedy: "m"}
)";
  const std::string denies =
      "  - {id: no-rm, effect: deny, argv: [rm, \"**\"], why: \"w\", remedy: \"m\"}\n";
  const std::string programs = "programs: {ls: {paths: [\"/usr/bin/ls\"]}}\n";
  const PolicySet open = must_stack({org(programs + takes)});
  EXPECT_EQ(answer(judged(open, "ls $HOME")), "allow");
  EXPECT_EQ(answer(judged(open, "ls src")), "allow");
  const PolicySet closed = must_stack({org(programs + takes + denies)});
  EXPECT_EQ(deciding(judged(closed, "ls $HOME")), "no-rm");
  EXPECT_EQ(answer(judged(closed, "ls src")), "allow");
}

TEST(ShellText, ReadsWordsAsAShellDoes) {
  using Commands = std::vector<std::vector<std::string>>;
  EXPECT_EQ(read_shell_text("a 'b c'd\"e f\" '' \"\"\n;b").commands, std::nullopt);
  EXPECT_EQ(read_shell_text("a 'b c'd\"e f\" '' \"\"; b\n").commands,
            (Commands{{"a", "b cde f", "", ""}, {"b"}}));
  EXPECT_EQ(read_shell_text("a|b||c&&d").commands, (Commands{{"a"}, {"b"}, {"c"}, {"d"}}));
  EXPECT_EQ(read_shell_text("a 'x\ny'").commands, (Commands{{"a", "x\ny"}}));
  EXPECT_EQ(read_shell_text("a {} x{} ! '(' \\( \\;").commands,
            (Commands{{"a", "{}", "x{}", "!", "(", "(", ";"}}));
  EXPECT_EQ(read_shell_text("a {b}").problem, "`{` outside quotes at byte 3");
  EXPECT_EQ(read_shell_text("{} a").problem, "`{` outside quotes at byte 1");
  EXPECT_EQ(read_shell_text("a !b").problem, "`!` outside quotes at byte 3");
  EXPECT_EQ(read_shell_text("a \\n").problem, "`\\` before something other than a mark at byte 3");
  EXPECT_EQ(read_shell_text("a \\\nb").problem,
            "`\\` before something other than a mark at byte 3");
  EXPECT_EQ(read_shell_text("a|b||c|\n d;e").piped,
            (std::vector<bool>{false, true, false, true, false}));
  EXPECT_EQ(read_shell_text("a | | b").problem,
            "an operator without a command before it at byte 5");
  EXPECT_EQ(read_shell_text("a \"x").problem, "a quote without its end at byte 3");
}

TEST(ShellText, HasLimits) {
  std::string script = "a";
  for (int command = 0; command < 64; ++command) {
    script += ";a";
  }
  EXPECT_NE(read_shell_text(script).problem.find("more than 64 commands"), std::string::npos);
  EXPECT_TRUE(read_shell_text(script.substr(2)).commands.has_value());
  std::string words = "a";
  for (int word = 0; word < 1000; ++word) {
    words += " b";
  }
  EXPECT_NE(read_shell_text(words).problem.find("more than 1000 words"), std::string::npos);
  EXPECT_TRUE(read_shell_text(words.substr(2)).commands.has_value());
}

}  // namespace
}  // namespace rgx::policy::test
