#include "planner/facts.h"

#include "base/canonical.h"
#include "tests/support/error_matchers.h"
#include "tests/support/memory_repository.h"
#include "tests/unit/planner/shipped_templates.h"

#include <gtest/gtest.h>

namespace rgx::planner {
namespace {

using templates::FactValues;
using templates::Origin;
using templates::OriginSet;
using templates::Template;

constexpr std::string_view kHead =
    "schema: rgx.template/v1\nname: t\nversion: \"1\"\nsummary: s\n"
    "parameters: {w: {type: string, required: true, description: d}}\n";
constexpr std::string_view kSteps = "steps: [{id: s, use: exec, with: {argv: [\"true\"]}}]\n";

Template with_facts(std::string_view facts) {
  return parsed_template(std::string(kHead) + "facts: " + std::string(facts) + "\n" +
                         std::string(kSteps));
}

Result<FactValues> facts_of(std::string_view facts, RepositoryView& repository,
                            std::string_view word = "foo") {
  return evaluate_facts(with_facts(facts), {{"w", {Json(word), Origin::human}}}, repository);
}

test::MemoryRepository sample() {
  test::MemoryRepository repository;
  repository.track("src/b.c", "foo(); foo();")
      .track("src/a.c", "int foo;")
      .track("src/c.c", "food")
      .track("lib/d.c", "foo")
      .track("logo.png", std::string("foo\0", 4))
      .add_untracked("src/new.c", "foo");
  return repository;
}

TEST(SearchText, FindsTrackedFilesInOrder) {
  auto repository = sample();
  const auto facts = facts_of(
      "{h: {probe: search.text, with: {word: \"${params.w}\", paths: [./src/]}}}", repository);
  ASSERT_TRUE(test::accepted(facts));
  const templates::FactValue& hits = facts->at("h");
  EXPECT_EQ(canonical(hits.value.json),
            R"({"count":3,"paths":["src/a.c","src/b.c"],"skipped":[]})");
  EXPECT_EQ(canonical(hits.with), R"({"paths":["src"],"word":"foo"})");
  EXPECT_EQ(hits.pins.size(), 2U);
  EXPECT_EQ(hits.pins.at("src/a.c"), digest_bytes("int foo;"));
  OriginSet expected = Origin::human;
  expected.add(Origin::template_);
  expected.add(Origin::repository);
  EXPECT_EQ(hits.value.origins, expected);
}

TEST(SearchText, WithoutPathsLooksEverywhere) {
  auto repository = sample();
  const auto facts = facts_of("{h: {probe: search.text, with: {text: foo}}}", repository);
  ASSERT_TRUE(test::accepted(facts));
  EXPECT_EQ(canonical(facts->at("h").value.json),
            R"({"count":5,"paths":["lib/d.c","src/a.c","src/b.c","src/c.c"],)"
            R"("skipped":[{"path":"logo.png","reason":"binary"}]})");
}

TEST(SearchText, PatternsAndGlobsNarrowIt) {
  auto repository = sample();
  const auto facts = facts_of(
      "{h: {probe: search.text, with: {pattern: \"fo+\\\\(\", globs: [\"**/*.c\", \"*.png\"]}}}",
      repository);
  ASSERT_TRUE(test::accepted(facts));
  EXPECT_EQ(canonical(facts->at("h").value.json),
            R"({"count":2,"paths":["src/b.c"],"skipped":[{"path":"logo.png","reason":"binary"}]})");
  EXPECT_EQ(canonical(facts->at("h").with),
            R"({"globs":["**/*.c","*.png"],"paths":["."],"pattern":"fo+\\("})");
  EXPECT_TRUE(
      test::refused(facts_of("{h: {probe: search.text, with: {pattern: \"(\"}}}", repository),
                    "fact.input_type", "no regular expression"));
}

TEST(SearchText, AbsentFindsTheOtherFiles) {
  auto repository = sample();
  const auto facts =
      facts_of("{h: {probe: search.text, with: {word: foo, absent: true, globs: [\"**/*.c\"]}}}",
               repository);
  ASSERT_TRUE(test::accepted(facts));
  EXPECT_EQ(canonical(facts->at("h").value.json),
            R"({"count":0,"paths":["src/c.c"],"skipped":[]})");
  EXPECT_EQ(facts->at("h").pins.size(), 1U);
}

TEST(SearchFiles, ListsAndPinsThem) {
  auto repository = sample();
  const auto facts = facts_of(
      "{h: {probe: search.files, with: {paths: [src], globs: [\"**/[ab].c\"]}}}", repository);
  ASSERT_TRUE(test::accepted(facts));
  EXPECT_EQ(canonical(facts->at("h").value.json), R"({"count":2,"paths":["src/a.c","src/b.c"]})");
  EXPECT_EQ(facts->at("h").pins.at("src/a.c"), digest_bytes("int foo;"));
  const auto rest =
      facts_of("{h: {probe: search.files, with: {exclude: [\"src/**\", \"*.png\"]}}}", repository);
  ASSERT_TRUE(test::accepted(rest));
  EXPECT_EQ(canonical(rest->at("h").value.json), R"({"count":1,"paths":["lib/d.c"]})");
  EXPECT_TRUE(test::refused(facts_of("{h: {probe: search.files, items_max: 3}}", repository),
                            "fact.too_many_items", "finds 5 files; at most 3"));
}

TEST(SearchText, LargeFilesAreListedAndNotRead) {
  auto repository = sample();
  repository.claim_size("src/a.c", (16LL << 20) + 1).claim_size("src/b.c", 16LL << 20);
  const auto facts =
      facts_of("{h: {probe: search.text, with: {word: foo, paths: [src]}}}", repository);
  ASSERT_TRUE(test::accepted(facts));
  EXPECT_EQ(canonical(facts->at("h").value.json),
            R"({"count":2,"paths":["src/b.c"],)"
            R"("skipped":[{"path":"src/a.c","reason":"larger than 16 MiB"}]})");
  EXPECT_EQ(repository.reads(), (std::vector<std::string>{"src/b.c", "src/c.c"}));
}

TEST(SearchText, NothingFoundIsAnAnswer) {
  auto repository = sample();
  const auto facts = facts_of("{h: {probe: search.text, with: {word: nowhere}}}", repository);
  ASSERT_TRUE(test::accepted(facts));
  EXPECT_EQ(facts->at("h").value.json.find("paths")->as_array().size(), 0U);
}

TEST(SearchText, TooManyItemsNameTheNumber) {
  auto repository = sample();
  EXPECT_TRUE(test::accepted(
      facts_of("{h: {probe: search.text, with: {word: foo}, items_max: 3}}", repository)));
  const auto facts =
      facts_of("{h: {probe: search.text, with: {word: foo}, items_max: 2}}", repository);
  ASSERT_TRUE(test::refused(facts, "fact.too_many_items", "finds 3 files with `foo`; at most 2"));
  EXPECT_NE(to_string(facts.error()).find("narrow the scope"), std::string::npos);
}

TEST(SearchText, MistakesOfTheInputs) {
  auto repository = sample();
  const char* fact = "{h: {probe: search.text, with: {word: \"${params.w}\", paths: [nowhere]}}}";
  EXPECT_TRUE(test::refused(facts_of(fact, repository), "repository.no_such_path", "`nowhere`"));
  EXPECT_TRUE(test::refused(facts_of(fact, repository, ""), "fact.input_type", "1 to 4096 bytes"));
  EXPECT_TRUE(test::refused(
      facts_of("{h: {probe: search.text, with: {word: a, paths: [/etc]}}}", repository),
      "path.absolute", "`/etc`"));
}

TEST(SearchText, UnreadableFilesStopTheSearch) {
  auto repository = sample();
  repository.refuse_reads("src/b.c");
  EXPECT_TRUE(test::refused(facts_of("{h: {probe: search.text, with: {word: foo}}}", repository),
                            "repository.unreadable", "`src/b.c`"));
}

TEST(ProjectSettingsProbe, GivesTheSettings) {
  auto repository = sample();
  const std::string text = "schema: rgx.config/v1\nproject: {test_argv: [make, test]}\n";
  repository.add_untracked(".rgx/config.yaml", text);
  const auto facts = facts_of("{p: {probe: project.settings}}", repository);
  ASSERT_TRUE(test::accepted(facts));
  EXPECT_EQ(canonical(facts->at("p").value.json),
            R"({"test_argv":["make","test"],"test_writes":[]})");
  EXPECT_EQ(facts->at("p").value.origins, OriginSet(Origin::repository));
  EXPECT_EQ(facts->at("p").pins.at(".rgx/config.yaml"), digest_bytes(text));
}

TEST(ProjectSettingsProbe, WithoutSettingsNamesTheRemedy) {
  auto repository = sample();
  const auto facts = facts_of("{p: {probe: project.settings}}", repository);
  ASSERT_TRUE(test::refused(facts, "fact.no_settings", "needs the project's settings"));
  EXPECT_NE(to_string(facts.error()).find("`rgx init` writes `.rgx/config.yaml`"),
            std::string::npos);
}

TEST(ProjectSettingsProbe, BadSettingsKeepTheirPlace) {
  auto repository = sample();
  repository.add_untracked(".rgx/config.yaml", "schema: rgx.config/v1\nproject: {}\n");
  const auto facts = facts_of("{p: {probe: project.settings}}", repository);
  ASSERT_TRUE(test::refused(facts, "yaml.missing_key", "test_argv"));
  EXPECT_EQ(facts.error().first().place.file, ".rgx/config.yaml");
}

}  // namespace
}  // namespace rgx::planner
