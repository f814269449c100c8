#include "base/canonical.h"
#include "planner/compile.h"
#include "planner/understanding.h"
#include "tests/unit/planner/shipped_templates.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rgx::planner {
namespace {

struct Understood {
  const char* intent;
  const char* from;
  const char* to;
  const char* scope;  ///< canonical list, or empty where the intent says nothing
};

void expect_understood(const Understood& one) {
  const Understanding found = understand(tokens_of(one.intent), api_replace());
  ASSERT_FALSE(found.alignments.empty()) << one.intent;
  ASSERT_EQ(found.alignments.size(), 1U) << one.intent;
  const Alignment& best = found.best();
  EXPECT_GE(best.score, kScoreMin) << one.intent;
  EXPECT_TRUE(best.not_understood.empty()) << one.intent << ": " << best.not_understood.front();
  const auto text = [&best](const char* name) {
    const auto value = best.values.find(name);
    return value == best.values.end() ? std::string() : canonical(value->second);
  };
  EXPECT_EQ(text("from"), "\"" + std::string(one.from) + "\"") << one.intent;
  EXPECT_EQ(text("to"), "\"" + std::string(one.to) + "\"") << one.intent;
  EXPECT_EQ(text("scope"), one.scope) << one.intent;
}

TEST(Understand, EnglishIntents) {
  const Understood cases[] = {
      {"replace foo with bar", "foo", "bar", ""},
      {"Replace `foo` with `bar` in src, tests and lib/", "foo", "bar",
       R"(["src","tests","lib/"])"},
      {"replace calls to X with Y under src/ and prove the tests still pass", "X", "Y",
       R"(["src/"])"},
      {"replace fooBar with bazQux in src and tests", "fooBar", "bazQux", R"(["src","tests"])"},
      {"rename old_name to new_name", "old_name", "new_name", ""},
      {"please rename the function old_name to new_name in the whole repository", "old_name",
       "new_name", ""},
      {"can you rename parse_config to load_config everywhere and make sure all tests pass?",
       "parse_config", "load_config", ""},
      {"move callers from open_file to open_at in lib/ and run the tests", "open_file", "open_at",
       R"(["lib/"])"},
      {"move callers of open_file in lib to open_at", "open_file", "open_at", R"(["lib"])"},
      {"use Y instead of X everywhere", "X", "Y", ""},
      {"use strlcpy instead of strcpy in src/ and run the test suite", "strcpy", "strlcpy",
       R"(["src/"])"},
      {"use bar in place of foo in src and make sure the tests are green", "foo", "bar",
       R"(["src"])"},
      {"Change foo to bar", "foo", "bar", ""},
      {"change every call of foo to bar in src", "foo", "bar", R"(["src"])"},
      {"replace std::auto_ptr with std::unique_ptr in src/core and include", "std::auto_ptr",
       "std::unique_ptr", R"(["src/core","include"])"},
      {"swap out memcpy for memmove in src and run tests", "memcpy", "memmove", R"(["src"])"},
      {"could you please swap out foo for bar", "foo", "bar", ""},
      {"substitute snprintf for sprintf in src/net and verify that the tests pass", "sprintf",
       "snprintf", R"(["src/net"])"},
      {"substitute foo with bar", "foo", "bar", ""},
      {"migrate all callers of getUser to fetchUser under app/", "getUser", "fetchUser",
       R"(["app/"])"},
      {"replace foo() with bar() under src", "foo", "bar", R"(["src"])"},
      {"in src, replace foo with bar and run the tests", "foo", "bar", R"(["src"])"},
      {"replace foo in src with bar", "foo", "bar", R"(["src"])"},
      {"replace foo by bar", "foo", "bar", ""},
      {"replace the foo with bar", "foo", "bar", ""},
      {"rename foo to bar in tests", "foo", "bar", R"(["tests"])"},
      {"rename Foo::run to Foo::execute in src, then run the tests", "Foo::run", "Foo::execute",
       R"(["src"])"},
      {"rename variable count to total in src/x.c then run tests", "count", "total",
       R"(["src/x.c"])"},
      {"rename method Foo::bar to Foo::baz and check that tests pass", "Foo::bar", "Foo::baz", ""},
      {"I would like to rename foo to bar, please", "foo", "bar", ""},
      {"replace all occurrences of foo with bar in src", "foo", "bar", R"(["src"])"},
      {"replace every use of foo with bar", "foo", "bar", ""},
      {"replace run with execute in src", "run", "execute", R"(["src"])"},
      {"replace test with check under src", "test", "check", R"(["src"])"},
      {"rename type to kind in src", "type", "kind", R"(["src"])"},
      {"replace \"from\" with \"to\"", "from", "to", ""},
      {"replace log with Log in src/a.c, src/b.c, and src/c.c", "log", "Log",
       R"(["src/a.c","src/b.c","src/c.c"])"},
      {"RENAME FOO TO BAR", "FOO", "BAR", ""},
  };
  for (const Understood& one : cases) {
    expect_understood(one);
  }
}

TEST(Understand, ChineseIntents) {
  const Understood cases[] = {
      {"把 src 下的 foo 替换为 bar", "foo", "bar", R"(["src"])"},
      {"把src下的foo替换为bar", "foo", "bar", R"(["src"])"},
      {"把 src/ 目录下的 foo 换成 bar，并运行测试", "foo", "bar", R"(["src/"])"},
      {"将 oldName 改名为 newName 并证明测试通过", "oldName", "newName", ""},
      {"将oldName重命名为newName，然后跑一下测试", "oldName", "newName", ""},
      {"请帮我把 src/、tests/ 里的 fetch 改成 load，确保测试仍然通过", "fetch", "load",
       R"(["src/","tests/"])"},
      {"在 lib 里用 load 替换 fetch 并证明测试通过", "fetch", "load", R"(["lib"])"},
      {"用 load 代替 fetch", "fetch", "load", ""},
      {"用 load 取代 src 里的 fetch", "fetch", "load", R"(["src"])"},
      {"把所有 foo 都改成 bar", "foo", "bar", ""},
      {"把 src 和 tests 下的 `foo` 替换为 `bar`", "foo", "bar", R"(["src","tests"])"},
      {"把整个项目里的 foo 替换成 bar", "foo", "bar", ""},
      {"把 src 下对 foo 的调用替换为 bar，并证明测试依然通过", "foo", "bar", R"(["src"])"},
      {"把「foo」改为「bar」", "foo", "bar", ""},
      {"foo 改名为 bar", "foo", "bar", ""},
      {"foo 换成 bar", "foo", "bar", ""},
      {"在 src 中把 foo 替换成 bar", "foo", "bar", R"(["src"])"},
      {"请把 lib 目录里的 old_api 全部换成 new_api，然后运行测试", "old_api", "new_api",
       R"(["lib"])"},
      {"把 src 里的调用从 foo 迁移到 bar，并且运行测试", "foo", "bar", R"(["src"])"},
      {"从 foo 迁移到 bar 并证明测试通过", "foo", "bar", ""},
      {"麻烦把函数 foo 重命名为 bar", "foo", "bar", ""},
      {"把 foo 替换为 bar，范围是 src", "foo", "bar", R"(["src"])"},
  };
  for (const Understood& one : cases) {
    expect_understood(one);
  }
}

/// Intents that must lead to a question: never to a plan.
TEST(Understand, UnsureIntentsAreNotTaken) {
  const char* cases[] = {
      "write me a poem",
      "deploy the service to production",
      "what's the weather",
      "asdf qwer zxcv",
      "replace foo with bar but not in src/legacy",
      "replace foo with bar in src except src/legacy",
      "replace foo with bar unless it is exported",
      "don't replace foo with bar",
      "do not rename foo to bar",
      "never rename foo to bar",
      "undo the rename of foo to bar",
      "rename a to b to c",
      "replace the old name with the new name",
      "replace foo with bar and baz with qux",
      "replace foo with bar in src and build it",
      "replace foo with bar in docs and run the tests and commit",
      "stop using fetch, use load",
      "remove foo",
      "add a function foo",
      "explain how foo works",
      "fix the failing test",
      "change everything to lower case",
      "rename foo",
      "不要把 foo 替换为 bar",
      "把 foo 替换为 bar，但不要动 src/legacy",
      "除了 src 以外，把 foo 替换为 bar",
      "撤销把 foo 改名为 bar",
      "写一首诗",
      "今天天气怎么样",
      "解释 foo 是怎么工作的",
      "!!!",
      "12345",
  };
  for (const char* intent : cases) {
    const Understanding found = understand(tokens_of(intent), api_replace());
    if (found.alignments.empty()) {
      continue;
    }
    const Alignment& best = found.best();
    const bool complete = best.values.contains("from") && best.values.contains("to");
    EXPECT_FALSE(best.score >= kScoreMin && best.not_understood.empty() && complete &&
                 found.alignments.size() == 1)
        << intent;
  }
}

TEST(Understand, AmbiguousIntentsKeepTheirReadings) {
  const auto source = parsed_template(
      "schema: rgx.template/v1\nname: swap\nversion: \"1\"\nsummary: s\n"
      "utterances: {en: [\"exchange {from} with {to}\", \"exchange {to} with {from}\"]}\n"
      "parameters:\n"
      "  from: {type: identifier, required: true, description: d}\n"
      "  to: {type: identifier, required: true, description: d}\n"
      "steps: [{id: s, use: exec, with: {argv: [\"true\"]}}]\n");
  const Understanding found = understand(tokens_of("exchange a with b"), source);
  ASSERT_EQ(found.alignments.size(), 2U);
  EXPECT_EQ(found.alignments[0].score, found.alignments[1].score);
  EXPECT_TRUE(extract("exchange a with b", source).empty());
}

TEST(Classify, RanksByScoreThenName) {
  const char* rest =
      "\nversion: \"1\"\nsummary: s\nutterances: {en: [\"format {path}\"]}\n"
      "parameters: {path: {type: path, required: true, description: d}}\n"
      "steps: [{id: s, use: exec, with: {argv: [\"true\"]}}]\n";
  std::vector<templates::Template> all = {
      parsed_template("schema: rgx.template/v1\nname: zeta" + std::string(rest)),
      parsed_template("schema: rgx.template/v1\nname: alpha" + std::string(rest)), api_replace()};
  const auto candidates = classify("format src", all);
  ASSERT_EQ(candidates.size(), 3U);
  EXPECT_EQ(candidates[0], (Candidate{"alpha", 1000, "format {path}"}));
  EXPECT_EQ(candidates[1], (Candidate{"zeta", 1000, "format {path}"}));
  EXPECT_EQ(candidates[2], (Candidate{"api-replace", 0, ""}));
}

TEST(Classify, LongIntentsMatchNothing) {
  std::string text;
  for (int index = 0; index < 300; ++index) {
    text += "replace ";
  }
  EXPECT_EQ(classify(text, shipped())[0].score, 0U);
}

TEST(Classify, TheNamedUtteranceIsTheOneThatMatched) {
  EXPECT_EQ(classify("replace foo in lib by bar, then run all tests", shipped())[0].utterance,
            "replace {from} under {scope} with {to} and run the tests");
}

}  // namespace
}  // namespace rgx::planner
