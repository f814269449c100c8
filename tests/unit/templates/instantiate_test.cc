#include "templates/instantiate.h"

#include "base/canonical.h"
#include "templates/seal.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/templates/sample_template.h"

#include <gtest/gtest.h>

namespace rgx::templates {
namespace {

constexpr std::string_view kParameters =
    "parameters:\n"
    "  from: {type: identifier, required: true, description: \"the old name\"}\n"
    "  scope: {type: list, of: path, default: [\"./src/\"], description: \"where\"}\n";
constexpr std::string_view kFacts =
    "facts:\n"
    "  hits: {probe: search.text, with: {word: \"${params.from}\", paths: \"${params.scope}\"}}\n";

Template source_of(std::string_view steps) {
  auto source = parse_template(template_text(kParameters, kFacts, steps), "t.yaml");
  EXPECT_TRUE(test::accepted(source));
  return source ? *source : Template{};
}

constexpr std::string_view kEditAndTest =
    "steps:\n"
    "  - id: edit\n"
    "    use: file.edit\n"
    "    for_each: \"${facts.hits.paths}\"\n"
    "    with: {path: \"${item}\", edits: [{word: \"${params.from}\", to: new_name}]}\n"
    "  - id: tests\n"
    "    use: exec\n"
    "    needs: [edit]\n"
    "    with: {argv: [make, test]}\n"
    "    read: [\"**\"]\n"
    "    write: [\"build/**\"]\n";

Arguments bound(const Template& source) {
  auto arguments = bind_arguments(source, {{"from", human("foo")}});
  EXPECT_TRUE(test::accepted(arguments));
  return arguments ? *arguments : Arguments{};
}

Result<Draft> draft_of(std::string_view steps, const FactValue& fact) {
  const Template source = source_of(steps);
  return instantiate(source, "an intent", bound(source), {{"hits", fact}});
}

const Step& step_of(const Draft& draft, std::string_view id) {
  for (const Step& step : draft.plan().steps) {
    if (step.id.text() == id) {
      return step;
    }
  }
  ADD_FAILURE() << "no step " << id;
  return draft.plan().steps.front();
}

TEST(BindArguments, FillsInDefaultsInNormalForm) {
  const Template source = source_of(kEditAndTest);
  const auto arguments = bind_arguments(source, {{"from", human("foo")}});
  ASSERT_TRUE(test::accepted(arguments));
  EXPECT_EQ(arguments->at("from"), human("foo"));
  EXPECT_EQ(arguments->at("scope"), (Value{Json::array({Json("src")}), Origin::template_}));
}

TEST(BindArguments, ReportsAllMistakesAtOnce) {
  const Template source = source_of(kEditAndTest);
  const auto arguments =
      bind_arguments(source, {{"scop", human("src")}, {"scope", human(Json::array({Json("/x")}))}});
  ASSERT_TRUE(test::refused(arguments, "argument.unknown", "did you mean `scope`?"));
  const std::string text = to_string(arguments.error());
  EXPECT_NE(text.find("parameter `from` has no value [argument.missing]"), std::string::npos);
  EXPECT_NE(text.find("--set from=VALUE"), std::string::npos);
  EXPECT_NE(text.find("starts with `/`"), std::string::npos);
  EXPECT_EQ(arguments.error().diagnostics.size(), 3U);
}

TEST(ExpandProbeInputs, CarriesOriginsAlong) {
  const Template source = source_of(kEditAndTest);
  const auto with = expand_probe_inputs(source.facts[0], bound(source));
  ASSERT_TRUE(test::accepted(with));
  EXPECT_EQ(canonical(with->json), R"({"paths":["src"],"word":"foo"})");
  OriginSet both = Origin::human;
  both.add(Origin::template_);
  EXPECT_EQ(with->origins, both);
}

TEST(Instantiate, MakesOneStepForEachItem) {
  const auto draft = draft_of(kEditAndTest, hits({"src/b.c", "src/a.c"}));
  ASSERT_TRUE(test::accepted(draft));
  const Plan& plan = draft->plan();
  EXPECT_EQ(plan.intent, "an intent");
  EXPECT_EQ(plan.from.name, "sample");
  ASSERT_EQ(plan.steps.size(), 3U);
  const Step& tests = step_of(*draft, "tests");
  EXPECT_EQ(tests.needs, (std::vector<StepId>{StepId("edit[src/a.c]"), StepId("edit[src/b.c]")}));
  EXPECT_EQ(tests.tool.read, std::vector<std::string>{"**"});
  const Step& edit = step_of(*draft, "edit[src/b.c]");
  EXPECT_EQ(canonical(edit.tool.with),
            R"({"edits":[{"to":"new_name","word":"foo"}],"path":"src/b.c"})");
  EXPECT_TRUE(edit.needs.empty());
  EXPECT_EQ(edit.pins, (std::vector<Pin>{Pin{"src/b.c", digest_bytes("src/b.c"), std::nullopt}}));
}

TEST(Instantiate, ProvenanceFollowsTheValues) {
  const auto draft = draft_of(kEditAndTest, hits({"src/a.c"}));
  ASSERT_TRUE(test::accepted(draft));
  OriginSet content = Origin::human;
  content.add(Origin::template_);
  EXPECT_EQ(step_of(*draft, "edit[src/a.c]").provenance,
            (Provenance{{Axis::read, Origin::repository},
                        {Axis::write, Origin::repository},
                        {Axis::content, content}}));
  EXPECT_EQ(step_of(*draft, "tests").provenance, (Provenance{{Axis::argv, Origin::template_},
                                                             {Axis::read, Origin::template_},
                                                             {Axis::write, Origin::template_}}));
}

TEST(Instantiate, PinsNameTheLastWriterBefore) {
  constexpr std::string_view kSteps =
      "steps:\n"
      "  - {id: one, use: file.edit, with: {path: src/a.c, edits: [{word: a, to: b}]}}\n"
      "  - {id: two, use: file.edit, needs: [one], with: {path: ./src/a.c, edits: [{word: b, to: "
      "c}]}}\n"
      "  - {id: gen, use: exec, needs: [two], with: {argv: [gen]}, read: [], write: "
      "[\"src/*.c\"]}\n"
      "  - {id: three, use: file.edit, needs: [gen], with: {path: src/a.c, edits: [{word: c, to: "
      "d}]}}\n"
      "  - {id: find, use: search.text, needs: [three], with: {word: d, paths: [src/a.c, lib]}}\n";
  const auto draft = draft_of(kSteps, hits({"src/a.c"}));
  ASSERT_TRUE(test::accepted(draft));
  const auto after = [&](std::string_view id) { return step_of(*draft, id).pins[0].after; };
  EXPECT_EQ(after("one"), std::nullopt);
  EXPECT_EQ(step_of(*draft, "one").pins[0].digest, digest_bytes("src/a.c"));
  EXPECT_EQ(after("two"), StepId("one"));
  EXPECT_EQ(after("three"), StepId("gen"));
  EXPECT_EQ(after("find"), StepId("three"));
  EXPECT_EQ(step_of(*draft, "find").pins.size(), 1U);
  EXPECT_TRUE(step_of(*draft, "gen").pins.empty());
  EXPECT_TRUE(test::accepted(seal(*draft)));
}

TEST(Instantiate, NeedsOfAStepThatVanishedAreInherited) {
  constexpr std::string_view kSteps =
      "steps:\n"
      "  - {id: first, use: exec, with: {argv: [a]}, read: [], write: []}\n"
      "  - {id: mid, use: file.edit, needs: [first], for_each: \"${facts.hits.paths}\", with: "
      "{path: \"${item}\", edits: [{word: a, to: b}]}}\n"
      "  - {id: more, use: file.edit, for_each: [x.c], with: {path: \"${item}\", edits: [{word: a, "
      "to: b}]}}\n"
      "  - {id: last, use: exec, needs: [mid, more], with: {argv: [b]}, read: [], write: []}\n";
  const auto draft = draft_of(kSteps, hits({}));
  ASSERT_TRUE(test::accepted(draft));
  EXPECT_EQ(draft->plan().steps.size(), 3U);
  EXPECT_EQ(step_of(*draft, "last").needs,
            (std::vector<StepId>{StepId("first"), StepId("more[x.c]")}));
}

TEST(Instantiate, NothingToDoIsAnError) {
  EXPECT_TRUE(test::refused(draft_of(kEditAndTest, hits({})), "instantiate.nothing_to_do",
                            "every `for_each` is empty"));
}

TEST(Instantiate, ValuesOfArgumentsAreNeverExpanded) {
  Template source = source_of(
      "steps:\n  - {id: s, use: exec, with: {argv: [echo, \"${params.from}\"]}, read: [], write: "
      "[]}\n");
  const Arguments arguments = {{"from", human("${params.scope}")},
                               {"scope", human(Json::array({Json("x")}))}};
  const auto draft = instantiate(source, "", arguments, {{"hits", hits({})}});
  ASSERT_TRUE(test::accepted(draft));
  EXPECT_EQ(canonical(draft->plan().steps[0].tool.with), R"({"argv":["echo","${params.scope}"]})");
}

TEST(Instantiate, BadInputsAreNamedWithStepAndPlace) {
  const auto draft = draft_of(kEditAndTest, hits({"/etc/passwd"}));
  ASSERT_TRUE(test::refused(draft, "tool.input_type", "step `edit[/etc/passwd]`"));
  EXPECT_EQ(draft.error().first().place.line, 11U);
}

TEST(Instantiate, TooManyItemsAreRefused) {
  std::vector<std::string> paths;
  for (int index = 0; index < 10001; ++index) {
    paths.push_back("src/f" + std::to_string(index));
  }
  const auto draft = draft_of(kEditAndTest, hits(paths));
  EXPECT_TRUE(test::refused(draft, "template.too_many_items", "has 10001 items"));
}

TEST(Instantiate, TooManyNeedsAreRefusedBeforeTheyAreMade) {
  constexpr std::string_view kSteps =
      "steps:\n"
      "  - {id: one, use: file.edit, for_each: \"${facts.hits.paths}\", with: {path: "
      "\"${item}\", edits: [{word: a, to: b}]}}\n"
      "  - {id: two, use: file.edit, needs: [one], for_each: \"${facts.hits.paths}\", with: "
      "{path: \"${item}\", edits: [{word: b, to: c}]}}\n";
  std::vector<std::string> paths;
  for (int index = 0; index < 2000; ++index) {
    paths.push_back("src/f" + std::to_string(index));
  }
  EXPECT_TRUE(
      test::refused(draft_of(kSteps, hits(paths)), "plan.too_many_needs", "with step `two`"));
}

TEST(Instantiate, ALargePlanIsRefusedWhileItGrows) {
  constexpr std::string_view kSteps =
      "steps:\n"
      "  - {id: s, use: search.text, for_each: \"${facts.hits.paths}\", with: {text: "
      "\"${facts.hits.paths | join}\", paths: [\"${item}\"]}}\n";
  std::vector<std::string> paths;
  for (int index = 0; index < 5000; ++index) {
    paths.push_back("src/a_rather_long_name_of_a_file_" + std::to_string(index));
  }
  EXPECT_TRUE(
      test::refused(draft_of(kSteps, hits(paths)), "plan.too_large", "is larger than 64 MiB"));
}

TEST(Instantiate, PlanRecordsParametersAndFacts) {
  const auto draft = draft_of(kEditAndTest, hits({"src/a.c"}));
  ASSERT_TRUE(test::accepted(draft));
  EXPECT_EQ(canonical(draft->plan().parameters),
            R"({"from":{"origins":["human"],"type":"identifier","value":"foo"},)"
            R"("scope":{"origins":["template"],"type":"list of path","value":["src"]}})");
  EXPECT_EQ(canonical(draft->plan().facts),
            R"({"hits":{"probe":"search.text","value":{"count":1,"paths":["src/a.c"],)"
            R"("skipped":[]},"with":{"paths":["."],"word":"foo"}}})");
}

TEST(Instantiate, RepeatedItemsAreFoundBySealing) {
  const auto draft = draft_of(kEditAndTest, hits({"src/a.c", "src/a.c"}));
  ASSERT_TRUE(test::accepted(draft));
  EXPECT_TRUE(test::refused(seal(*draft), "plan.duplicate_id", "`edit[src/a.c]`"));
}

}  // namespace
}  // namespace rgx::templates
