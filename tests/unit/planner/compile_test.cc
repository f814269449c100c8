#include "planner/compile.h"

#include "templates/seal.h"
#include "tests/support/error_matchers.h"
#include "tests/support/golden.h"
#include "tests/support/memory_repository.h"
#include "tests/support/scratch_dir.h"
#include "tests/unit/planner/shipped_templates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace rgx::planner {
namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

Files sample_files() {
  return {{"src/a.c", "int fetch(void);\nint x = fetch();\n"},
          {"src/b.c", "int prefetch(void);\n"},
          {"src/sub/c.c", "fetch();"},
          {"lib/d.c", "fetch();"},
          {"logo.png", std::string("\x89PNG\0", 5)},
          {".rgx/config.yaml",
           "schema: rgx.config/v1\nproject: {test_argv: [make, test], test_writes: "
           "[\"build/**\"]}\n"}};
}

test::MemoryRepository repository_of(const Files& files) {
  test::MemoryRepository repository;
  for (const auto& [path, bytes] : files) {
    repository.track(path, bytes);
  }
  return repository;
}

CompileRequest intent(std::string text) {
  return CompileRequest{std::move(text), {}, {}};
}

Result<CompileAnswer> answer_to(const CompileRequest& request) {
  auto repository = repository_of(sample_files());
  return compile(request, shipped(), repository);
}

templates::SealedPlan sealed(const CompileRequest& request) {
  auto answer = answer_to(request);
  EXPECT_TRUE(test::accepted(answer));
  const auto* compiled = std::get_if<Compiled>(&*answer);
  EXPECT_NE(compiled, nullptr) << std::get<Question>(*answer).text;
  auto plan = templates::seal(compiled->draft);
  EXPECT_TRUE(test::accepted(plan));
  return std::move(*plan);
}

Question question(const CompileRequest& request) {
  auto answer = answer_to(request);
  EXPECT_TRUE(test::accepted(answer));
  const auto* asked = std::get_if<Question>(&*answer);
  EXPECT_NE(asked, nullptr) << "a plan was made of `" << request.intent << "`";
  return asked == nullptr ? Question{} : *asked;
}

std::vector<std::string> ids(const templates::SealedPlan& plan) {
  std::vector<std::string> all;
  for (const templates::Step& step : plan.plan().steps) {
    all.push_back(step.id.text());
  }
  return all;
}

constexpr const char* kIntent =
    "replace calls to fetch with load under src and prove the tests still pass";

TEST(Compile, MakesTheWholePlan) {
  const auto plan = sealed(intent(kIntent));
  EXPECT_EQ(ids(plan), (std::vector<std::string>{"edit[src/a.c]", "edit[src/sub/c.c]", "tests"}));
  EXPECT_EQ(plan.plan().intent, kIntent);
  const auto again = templates::read_sealed_plan(templates::write_sealed_plan(plan), "plan.json");
  ASSERT_TRUE(test::accepted(again));
  EXPECT_EQ(again->plan(), plan.plan());
}

TEST(Compile, TheSamePlanComesFromAnyOrder) {
  const std::string expected = templates::write_sealed_plan(sealed(intent(kIntent)));
  Files files = sample_files();
  for (std::size_t turn = 0; turn < files.size(); ++turn) {
    std::ranges::rotate(files, files.begin() + 1);
    std::ranges::reverse(files.begin() + 1, files.end());
    auto repository = repository_of(files);
    auto answer = compile(intent(kIntent), shipped(), repository);
    ASSERT_TRUE(test::accepted(answer));
    auto plan = templates::seal(std::get<Compiled>(*answer).draft);
    ASSERT_TRUE(test::accepted(plan));
    ASSERT_EQ(templates::write_sealed_plan(*plan), expected);
  }
}

TEST(Compile, FlagsInAnyOrderGiveTheSamePlan) {
  CompileRequest one;
  one.template_name = "api-replace";
  one.set = {{"from", "fetch"}, {"to", "load"}, {"scope", "./src"}};
  CompileRequest two;
  two.template_name = "api-replace";
  two.set.emplace("to", "load");
  two.set.emplace("scope", "src/");
  two.set.emplace("from", "fetch");
  EXPECT_EQ(templates::write_sealed_plan(sealed(one)), templates::write_sealed_plan(sealed(two)));
}

TEST(Compile, TheTraceSaysHowTheTemplateWasChosen) {
  auto answer = answer_to(intent(kIntent));
  ASSERT_TRUE(test::accepted(answer));
  EXPECT_EQ(std::get<Compiled>(*answer).trace.chosen_by, "intent");
  ASSERT_FALSE(std::get<Compiled>(*answer).trace.candidates.empty());
  EXPECT_EQ(std::get<Compiled>(*answer).trace.candidates[0].name, "api-replace");
  CompileRequest named;
  named.template_name = "api-replace";
  named.set = {{"from", "fetch"}, {"to", "load"}};
  answer = answer_to(named);
  ASSERT_TRUE(test::accepted(answer));
  EXPECT_EQ(std::get<Compiled>(*answer).trace.chosen_by, "flag");
}

TEST(Compile, FlagsAnswerWhatTheIntentLeavesOpen) {
  CompileRequest request = intent("replace fetch with load");
  request.set = {{"scope", "lib"}};
  EXPECT_EQ(ids(sealed(request)), (std::vector<std::string>{"edit[lib/d.c]", "tests"}));
  request.set = {{"scope", "lib"}, {"scope", "src/sub"}};
  EXPECT_EQ(ids(sealed(request)),
            (std::vector<std::string>{"edit[lib/d.c]", "edit[src/sub/c.c]", "tests"}));
}

TEST(Compile, FlagsBeatTheIntent) {
  CompileRequest request = intent("replace fetch with load under src");
  request.set = {{"scope", "lib"}};
  EXPECT_EQ(ids(sealed(request)), (std::vector<std::string>{"edit[lib/d.c]", "tests"}));
}

TEST(Compile, AsksWhenNoTemplateFits) {
  const Question asked = question(intent("write me a poem about spring"));
  EXPECT_EQ(asked.text, "no template fits `write me a poem about spring`");
  EXPECT_TRUE(asked.remedy.starts_with("choose one: `--template ")) << asked.remedy;
  ASSERT_FALSE(asked.candidates.empty());
}

TEST(Compile, ANearMissIsAnsweredInTheTemplatesWords) {
  const Question asked = question(intent("add license headers"));
  EXPECT_EQ(asked.text, "no template fits `add license headers`");
  EXPECT_TRUE(asked.remedy.starts_with("did you mean `--template license-headers` (as in `"))
      << asked.remedy;
}

TEST(Compile, AsksWhenWordsAreNotUnderstood) {
  const Question asked = question(intent("replace fetch with load but not in src/legacy"));
  EXPECT_EQ(asked.text, "these words are not understood: `but not`");
  EXPECT_NE(asked.remedy.find("--set from=VALUE"), std::string::npos);
  EXPECT_EQ(question(intent("不要把 fetch 替换为 load")).text,
            "these words are not understood: `不 要`");
}

TEST(Compile, AsksForAMissingParameter) {
  CompileRequest request;
  request.template_name = "api-replace";
  request.set = {{"from", "fetch"}};
  const Question asked = question(request);
  EXPECT_EQ(asked.text, "`api-replace` needs `to`: the new name");
  EXPECT_EQ(asked.remedy, "`--set to=VALUE`");
}

TEST(Compile, AsksWhenAValueHasTheWrongType) {
  const Question asked = question(intent("rename foo-bar to baz"));
  EXPECT_EQ(asked.text, "parameter `from` is `foo-bar`, not an identifier");
  EXPECT_NE(asked.remedy.find("--set from=VALUE"), std::string::npos);
}

TEST(Compile, AsksWhenTwoReadingsDiffer) {
  const std::vector<templates::Template> all = {parsed_template(
      "schema: rgx.template/v1\nname: swap\nversion: \"1\"\nsummary: s\n"
      "utterances: {en: [\"exchange {from} with {to}\", \"exchange {to} with {from}\"]}\n"
      "parameters:\n"
      "  from: {type: identifier, required: true, description: d}\n"
      "  to: {type: identifier, required: true, description: d}\n"
      "steps: [{id: s, use: exec, with: {argv: [echo, \"${params.from}\"]}}]\n")};
  auto repository = repository_of(sample_files());
  auto answer = compile(intent("exchange a with b"), all, repository);
  ASSERT_TRUE(test::accepted(answer));
  ASSERT_TRUE(std::holds_alternative<Question>(*answer));
  EXPECT_EQ(std::get<Question>(*answer).text, "`from` could be `a` or `b`");
  CompileRequest request = intent("exchange a with b");
  request.set = {{"from", "a"}, {"to", "b"}};
  answer = compile(request, all, repository);
  ASSERT_TRUE(test::accepted(answer));
  EXPECT_TRUE(std::holds_alternative<Compiled>(*answer));
}

TEST(Compile, AsksWhenTwoTemplatesFit) {
  std::vector<templates::Template> all = shipped();
  all.push_back(api_replace());
  all.back().name = "api-replace-2";
  auto repository = repository_of(sample_files());
  auto answer = compile(intent(kIntent), all, repository);
  ASSERT_TRUE(test::accepted(answer));
  ASSERT_TRUE(std::holds_alternative<Question>(*answer));
  EXPECT_NE(std::get<Question>(*answer).text.find("`api-replace` and `api-replace-2`"),
            std::string::npos);
  CompileRequest named = intent(kIntent);
  named.template_name = "api-replace";
  answer = compile(named, all, repository);
  ASSERT_TRUE(test::accepted(answer));
  EXPECT_TRUE(std::holds_alternative<Compiled>(*answer));
}

TEST(Compile, ANamedTemplateStillNeedsAnUnderstoodIntent) {
  CompileRequest request = intent("tidy up the names");
  request.template_name = "api-replace";
  request.set = {{"from", "fetch"}, {"to", "load"}};
  EXPECT_NE(question(request).remedy.find("--set scope=VALUE"), std::string::npos);
  request.set.emplace("scope", "src");
  EXPECT_EQ(ids(sealed(request)).size(), 3U);
}

TEST(Compile, BadIntentsAreErrors) {
  const auto refuse = [](std::string text, const char* code, const char* message) {
    return test::refused(answer_to(intent(std::move(text))), code, message);
  };
  EXPECT_TRUE(refuse("", "intent.empty", "the intent is empty"));
  EXPECT_TRUE(refuse("  \n", "intent.empty", "the intent is empty"));
  EXPECT_TRUE(refuse(std::string(4097, 'a'), "intent.too_long", "has 4097 bytes"));
  EXPECT_TRUE(refuse("replace \xff", "intent.not_utf8", "at byte 8"));
  EXPECT_TRUE(refuse("replace a\nwith b", "intent.control", "control or invisible"));
  EXPECT_TRUE(refuse("replace a\x1b[31m with b", "intent.control", "\\x1b"));
  EXPECT_TRUE(refuse("replace a\xe2\x80\xae with b", "intent.control", "u{202e}"));
}

TEST(Compile, BadFlagsAreErrors) {
  CompileRequest request = intent(kIntent);
  request.template_name = "api-relpace";
  EXPECT_TRUE(test::refused(answer_to(request), "template.unknown", "did you mean `api-replace`?"));
  request = intent(kIntent);
  request.set = {{"form", "x"}};
  EXPECT_TRUE(test::refused(answer_to(request), "argument.unknown", "did you mean `from`?"));
  request.set = {{"from", "x"}, {"from", "y"}};
  EXPECT_TRUE(test::refused(answer_to(request), "argument.repeated", "`from` is set twice"));
  request.set = {{"scope", "/etc"}};
  EXPECT_TRUE(test::refused(answer_to(request), "parameter.value", "starts with `/`"));
  request.set = {{"from", "a b"}};
  EXPECT_TRUE(test::refused(answer_to(request), "parameter.type", "not an identifier"));
}

TEST(Compile, NothingFoundNamesWordAndScope) {
  const auto answer = answer_to(intent("replace nowhere with load under src and lib"));
  ASSERT_TRUE(test::refused(answer, "instantiate.nothing_to_do",
                            "no file under `lib src` has the word `nowhere`"));
}

TEST(Compile, NothingFoundNamesWhatWasNotSearched) {
  auto repository = repository_of(sample_files());
  repository.track("src/z.bin", std::string("nowhere\0", 8));
  repository.claim_size("src/z.c", std::int64_t{17} << 20);
  EXPECT_TRUE(test::refused(
      compile(intent("replace nowhere with load under src"), shipped(), repository),
      "instantiate.nothing_to_do", "; not searched: 2, such as `src/z.bin` (binary)"));
}

TEST(Compile, ErrorsOfTheRepositoryComeThrough) {
  EXPECT_TRUE(test::refused(answer_to(intent("replace fetch with load under nowhere")),
                            "repository.no_such_path", "`nowhere`"));
  test::MemoryRepository empty;
  empty.track("src/a.c", "fetch");
  EXPECT_TRUE(test::refused(compile(intent("replace fetch with load"), shipped(), empty),
                            "fact.no_settings", "settings"));
}

TEST(Compile, ReplacingANameByItselfIsRefused) {
  EXPECT_TRUE(test::refused(answer_to(intent("replace fetch with fetch")), "tool.input_type",
                            "replaces `fetch` by itself"));
}

/// The template of docs/formats/template.md: its plan changes only when the format does.
TEST(Compile, MatchesItsGolden) {
  const std::string text =
      test::read_file(std::string(RGX_SOURCE_DIR) + "/tests/golden/template/api-replace.yaml");
  const std::vector<templates::Template> all = {parsed_template(text)};
  auto repository = repository_of(sample_files());
  auto answer = compile(intent("replace fetch with load under src"), all, repository);
  ASSERT_TRUE(test::accepted(answer));
  ASSERT_TRUE(std::holds_alternative<Compiled>(*answer));
  const auto plan = templates::seal(std::get<Compiled>(*answer).draft);
  ASSERT_TRUE(test::accepted(plan));
  test::expect_golden("plan/api-replace.json", templates::write_sealed_plan(*plan));
}

}  // namespace
}  // namespace rgx::planner
