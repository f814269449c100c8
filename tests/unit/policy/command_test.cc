#include "policy/command.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "policy/grammar.h"
#include "policy/shell_text.h"
#include "tests/support/error_matchers.h"

namespace rgx::policy::test {
namespace {

using rgx::test::accepted;

TEST(Grammars, TheShippedFileLoads) {
  const auto loaded = load_shipped_grammars();
  ASSERT_TRUE(accepted(loaded));
  EXPECT_GT(loaded->size(), 80U);
}

TEST(Grammars, AFileReportsAllItsMistakes) {
  const auto loaded = load_grammars(R"(schema: rgx.programs/v1
same: {egrep: grape}
programs:
  a: {flags: {none: ["x", "-v", "-v"]}, operands: [reed]}
  b: {tree_with: ["-r"], reads: ["/etc"], colour: true}
)",
                                    "p.yaml");
  ASSERT_FALSE(loaded.has_value());
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : loaded.error().diagnostics) {
    found.push_back(diagnostic.code + ": " + diagnostic.message);
  }
  EXPECT_EQ(found, (std::vector<std::string>{
                       "programs.same: `egrep` is said to be a program that is not there",
                       "programs.flag: `x` is no flag",
                       "programs.flag: flag `-v` is there twice",
                       "yaml.bad_value: `reed` is no kind of operand",
                       "programs.flag: `-r` is not among `flags`",
                       "programs.path: `/etc` is no path of the workspace",
                       "yaml.unknown_key: `colour` is not a key of `b`",
                   }));
}

/// A command as one line of shell text, and what is known of it as one line: `r:` reads, `w:`
/// writes, `c:` commands inside, `?` what else it does is unknown, `!` what it starts is unknown,
/// `x:` the argument that is refused, `runs:` the argument that is code.
std::string described(const CommandReading& reading) {
  std::vector<std::string> parts;
  const auto list = [&](const char* name, const std::vector<std::string>& all) {
    if (!all.empty()) {
      parts.push_back(name + join(all, ","));
    }
  };
  list("r:", reading.reads);
  list("w:", reading.writes);
  for (const Argv& command : reading.commands) {
    parts.push_back("c:" + join(command, "_"));
  }
  if (!reading.complete) {
    parts.emplace_back("?");
  }
  if (reading.hides_command) {
    parts.emplace_back("!");
  }
  if (reading.refused) {
    parts.push_back("x:" + reading.refused->argument);
  }
  if (reading.runs) {
    parts.push_back("runs:" + reading.runs->argument);
  }
  return join(parts, " ");
}

std::string described(std::string_view line) {
  const ShellReading text = read_shell_text(line);
  if (!text.commands) {
    return "unreadable: " + text.problem;
  }
  std::vector<std::string> output;
  std::string all;
  for (std::size_t index = 0; index < text.commands->size(); ++index) {
    CommandPlace place;
    place.input = text.piped[index] ? output : std::vector<std::string>();
    const CommandReading one = read_command((*text.commands)[index], place);
    output = one.output;
    all += (index == 0 ? "" : " | ") + described(one);
  }
  return all;
}

struct Case {
  const char* line;
  const char* known;
};

class Commands : public testing::TestWithParam<Case> {};

TEST_P(Commands, AreReadByTheirGrammars) {
  EXPECT_EQ(described(GetParam().line), GetParam().known) << GetParam().line;
}

constexpr Case kPlain[] = {
    {"true", ""},
    {"echo -n hi there", ""},
    {"cat a b/../c", "r:a,c"},
    {"cat -n -- -x", "r:-x"},
    {"cat -", ""},
    {"cat /etc/passwd", "r:abs:/etc/passwd"},
    {"cat ../x", "r:abs:/**"},
    {"cat 'abs:x'", "r:abs:/**"},
    {"cat --numbre a", "r:a ? x:--numbre"},
    {"cat --num a", "r:a ? x:--num"},
    {"cat -nZ a", "r:a ? x:-Z"},
    {"head -5 a", "r:a"},
    {"head -n5 a", "r:a"},
    {"head -n 5 a", "r:a"},
    {"head --lines=5 a", "r:a"},
    {"head -n", "? x:-n"},
    {"wc --lines=3 a", "r:a ? x:--lines=3"},
    {"ls", "r:**"},
    {"ls -la src", "r:src/**"},
    {"ls --color=always", "r:**"},
    {"sort -o out in", "r:in w:out"},
    {"sort -oout in", "r:in w:out"},
    {"sort --output=out in", "r:in w:out"},
    {"sort --compress-program=sh in", "r:in ? runs:--compress-program"},
    {"uniq in out", "r:in w:out"},
    {"grep -n x a.c", "r:a.c"},
    {"grep -rn x src", "r:src/**"},
    {"grep -r x", "r:**"},
    {"grep x", ""},
    {"grep -e x a b", "r:a,b"},
    {"grep -f pats a", "r:pats,a"},
    {"rg x", "r:**"},
    {"rg x src", "r:src/**"},
    {"rg --pre=sh x", "r:** ? runs:--pre"},
    {"rg --pre sh x", "r:** ? runs:--pre"},
    {"rg -z x", "r:** ? runs:-z"},
    {"rg -v -e x --hostname-bin y", "r:** ? runs:--hostname-bin"},
    {"base64 -d -o /tmp/x payload", "r:abs:/tmp/x,payload ? x:-o"},
    {"base64 -ob64.txt in", "r:in ? x:-o"},
    {"base64 --output=x in", "r:in ? x:--output"},
    {"cp a b", "r:a/** w:b/**"},
    {"cp -r a b c", "r:a/**,b/** w:c/**"},
    {"mv a b", "r:a/** w:a/**,b/**"},
    {"rm a", "w:a"},
    {"rm -rf build", "w:build/**"},
    {"rm -fr /", "w:abs:/**"},
    {"rm --recursive --force /", "w:abs:/**"},
    {"touch a", "w:a"},
    {"tee -a log", "w:log"},
    {"nosuch a", "?"},
    {"bash -c x", "? !"},
};
INSTANTIATE_TEST_SUITE_P(Plain, Commands, testing::ValuesIn(kPlain));

constexpr Case kLanguages[] = {
    {"sed -n 10p f", "r:f"},
    {"sed -n '$p' f", "r:f"},
    {"sed -n '1~2p;/a/,/b/d' f", "r:f"},
    {"sed 's/a/b/g' f", "r:f"},
    {"sed -e 's@^.*/@@' -e p f", "r:f"},
    {"sed -i 's/a/b/' f", "r:f w:f"},
    {"sed -i.bak 's/a/b/' f", "r:f w:f ? x:-."},
    {"sed 's/test/touch pwned/e' f", "r:f ? runs:s/test/touch pwned/e"},
    {"sed 's/a/b/w out' f", "r:f ? runs:s/a/b/w out"},
    {"sed 's/a/b/;w out' f", "r:f ? runs:s/a/b/;w out"},
    {"sed 'e id' f", "r:f ? runs:e id"},
    {"sed '1e id' f", "r:f ? runs:1e id"},
    {"sed 'r /etc/passwd' f", "r:f ? runs:r /etc/passwd"},
    {"sed 's/[/]/p;s/x/e' f", "r:f ? runs:s/[/]/p;s/x/e"},
    {"sed -f s f", "r:f ? runs:-f"},
    {"awk '{print $1}' f", "r:f"},
    {"awk -F: 'NR > 3 {print $NF}' f", "r:f"},
    {"awk '/a/ || /b/' f", "r:f"},
    {"awk '{print > \"out\"}' f", "r:f ? runs:{print > \"out\"}"},
    {"awk 'BEGIN{system(\"id\")}'", "? runs:BEGIN{system(\"id\")}"},
    {"awk '{print | \"sh\"}' f", "r:f ? runs:{print | \"sh\"}"},
    {"awk '{getline x < \"/etc/passwd\"}' f", "r:f ? runs:{getline x < \"/etc/passwd\"}"},
    {"awk 'BEGIN{ARGV[1]=\"/etc/passwd\"}' f", "r:f ? runs:BEGIN{ARGV[1]=\"/etc/passwd\"}"},
    {"awk -f p f", "r:f ? runs:-f"},
    {"find", "r:**"},
    {"find src tests -name '*.c' -type f", "r:src/**,tests/**"},
    {"find . '(' -name a -o -name b ')' ! -empty", "r:**"},
    {"find src -delete", "r:src/** w:src/**"},
    {"find src -fprint out", "r:src/** w:out"},
    {"find src -fprintf out x", "r:src/** ? ! x:-fprintf"},
    {"find src -exec rm {} \\;", "r:src/** w:src/** c:rm_{}"},
    {"find src -exec grep -l x {} +", "r:src/**,src/** c:grep_-l_x_{}"},
    {"find src -exec sh -c 'rm {}' \\;", "r:src/** c:sh_-c_rm {} ? !"},
    {"find src -exec cat x{} \\;", "r:src/**,abs:/** c:cat_x{}"},
    {"find src -execdir rm x \\;", "r:src/** ? ! x:rm runs:-execdir"},
    {"find src -ok rm {} \\;", "r:src/** ? ! x:rm runs:-ok"},
    {"find -L src", "r:** ? x:-L"},
    {"find src -exec rm", "r:src/** ? ! x:-exec"},
};
INSTANTIATE_TEST_SUITE_P(Languages, Commands, testing::ValuesIn(kLanguages));

constexpr Case kInner[] = {
    {"timeout 30 cat a", "r:a c:cat_a"},
    {"timeout -k 5 30 cat a", "r:a c:cat_a"},
    {"timeout 30 bash -c 'git push'", "c:bash_-c_git push ? !"},
    {"nice -n 5 timeout 3 cat a", "r:a c:timeout_3_cat_a c:cat_a"},
    {"nice -5 cat a", "r:a c:cat_a"},
    {"nohup nice nice nice nice nice cat a",
     "c:nice_nice_nice_nice_nice_cat_a c:nice_nice_nice_nice_cat_a c:nice_nice_nice_cat_a "
     "c:nice_nice_cat_a c:nice_cat_a ? !"},
    {"env cat a", "r:a c:cat_a"},
    {"env -i cat a", "r:a c:cat_a"},
    {"env -S 'sh -c x'", "c:sh -c x ? ! x:-S"},
    {"env LD_PRELOAD=x cat a", "c:LD_PRELOAD=x_cat_a ?"},
    {"setsid -f cat a", "r:a c:cat_a ? ! x:-f"},
    {"time cat a", "unreadable: `time`, which is part of the shell, at byte 1"},
    {"xargs", "c:echo"},
    {"xargs -I{} dirname {}", "c:dirname_{}"},
    {"xargs rm", "w:abs:/** c:rm ?"},
    {"xargs -t touch echo", "w:echo,abs:/** c:touch_echo ?"},
    {"xargs -I% unlink %", "? ! runs:-I"},
    {"xargs -I{} cat {}", "r:abs:/** c:cat_{} ?"},
    {"find src -print0 | xargs -0 wc -l", "r:src/** | r:src/** c:wc_-l"},
    {"find src -print0 | sort -z | xargs -0 cat", "r:src/** |  | r:src/** c:cat"},
    {"find src -print | xargs -0 cat", "r:src/** | r:abs:/** c:cat ?"},
    {"find src -print0 -print | xargs -0 cat", "r:src/** | r:abs:/** c:cat ?"},
    {"find src -print0; xargs -0 cat", "r:src/** | r:abs:/** c:cat ?"},
    {"find src -print0 | cat | xargs -0 cat", "r:src/** |  | r:abs:/** c:cat ?"},
    {"find src -print0 | xargs -0 rm -f", "r:src/** | w:src/** c:rm_-f"},
    {"find src -print0 | xargs -0 -I{} cp {} d", "r:src/** | r:src/** w:d/** c:cp_{}_d"},
};
INSTANTIATE_TEST_SUITE_P(Inner, Commands, testing::ValuesIn(kInner));

constexpr Case kSubcommands[] = {
    {"git log -n 3", "r:** ?"},
    {"git log -3 --oneline", "r:** ?"},
    {"git -C d show --stat --format=fuller 0a1b2c3", "r:d/**,** ?"},
    {"git -p status", "r:** ? runs:-p"},
    {"git --paginate show HEAD", "r:** ? runs:--paginate"},
    {"git -c core.pager=x log", "r:** ? runs:-c"},
    {"git -ccore.pager=x log", "r:** ? runs:-c"},
    {"git --config-env=a=b log", "r:** ? runs:--config-env"},
    {"git --exec-path=x log", "r:** ? runs:--exec-path"},
    {"git ls-remote --upload-pa='touch x' y", "? x:--upload-pa"},
    {"git ls-remote --upload-pack=x y", "? runs:--upload-pack"},
    {"git log --output=x", "r:** w:x ?"},
    {"git diff --ext-diff", "r:** ? runs:--ext-diff"},
    {"git config core.hooksPath x", "? x:config"},
    {"git logout", "? x:logout"},
    {"git", "?"},
    {"npm test", "?"},
    {"npm install", "? x:install"},
    {"cargo test --release", "?"},
    {"cargo --config x test", "? runs:--config"},
    {"go test -run X ./...", "?"},
    {"go test -exec sh ./...", "? runs:-exec"},
    {"make -j4 all", "?"},
    {"make --eval=x", "? runs:--eval"},
    {"ctest --test-dir build -R x", "r:build/** ?"},
    {"python3 -c x", "? runs:-c"},
    {"python3 s.py", "? runs:s.py"},
    {"pytest -q tests", "r:tests/** ?"},
};
INSTANTIATE_TEST_SUITE_P(Subcommands, Commands, testing::ValuesIn(kSubcommands));

TEST(Commands, RelativeOperandsStartFromTheFolder) {
  CommandPlace place;
  place.folder = "sub/dir";
  const CommandReading reading = read_command(Argv{"cat", "a", "../b", "../../../c"}, place);
  EXPECT_EQ(described(reading), "r:sub/dir/a,sub/b,abs:/**");
}

}  // namespace
}  // namespace rgx::policy::test
