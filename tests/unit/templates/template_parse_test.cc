#include "base/text.h"
#include "templates/catalog.h"
#include "templates/template.h"
#include "templates/template_check.h"
#include "tests/support/error_matchers.h"
#include "tests/support/golden.h"
#include "tests/support/scratch_dir.h"
#include "tests/unit/templates/sample_template.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace rgx::templates {
namespace {

constexpr std::string_view kParameters =
    "parameters:\n"
    "  from: {type: identifier, required: true, description: \"old\"}\n"
    "  scope: {type: list, of: path, default: [\".\"], description: \"where\"}\n"
    "  count: {type: integer, default: 3, description: \"how many\"}\n";
constexpr std::string_view kFacts =
    "facts:\n"
    "  hits: {probe: search.text, with: {word: \"${params.from}\", paths: \"${params.scope}\"}}\n"
    "  project: {probe: project.settings}\n";
constexpr std::string_view kSteps =
    "steps:\n"
    "  - id: edit\n"
    "    use: file.edit\n"
    "    for_each: \"${facts.hits.paths}\"\n"
    "    with: {path: \"${item}\", edits: [{word: \"${params.from}\", to: x}]}\n"
    "  - id: tests\n"
    "    use: exec\n"
    "    needs: [edit]\n"
    "    with: {argv: \"${facts.project.test_argv}\"}\n"
    "    read: [\"**\"]\n"
    "    write: \"${facts.project.test_writes}\"\n";

Result<Template> parsed(std::string_view parameters, std::string_view facts,
                        std::string_view steps) {
  return parse_template(template_text(parameters, facts, steps), "t.yaml");
}

/// The sample with its steps replaced.
Result<Template> with_steps(std::string_view steps) {
  return parsed(kParameters, kFacts, steps);
}

std::string step(std::string_view rest) {
  return "steps:\n  - id: s\n    use: exec\n    with: {argv: [\"true\"]}\n" + std::string(rest);
}

TEST(ParseTemplate, ReadsEveryPart) {
  const auto source = parsed(kParameters, kFacts, kSteps);
  ASSERT_TRUE(test::accepted(source));
  EXPECT_EQ(source->file, "t.yaml");
  EXPECT_EQ(source->name, "sample");
  EXPECT_EQ(source->version, "1.0.0");
  ASSERT_EQ(source->parameters.size(), 3U);
  EXPECT_EQ(source->parameters[1].name, "scope");
  EXPECT_EQ(source->parameters[1].of, ParameterType::path);
  EXPECT_EQ(source->parameters[1].fallback, Json::array({Json(".")}));
  ASSERT_EQ(source->facts.size(), 2U);
  EXPECT_EQ(source->facts[0].items_max, 1000);
  ASSERT_EQ(source->steps.size(), 2U);
  EXPECT_EQ(source->steps[1].needs, std::vector<std::string>{"edit"});
  EXPECT_EQ(source->steps[1].on_interrupted, OnInterrupted::check);
  EXPECT_EQ(source->steps[0].place.line, 13U);
  EXPECT_EQ(source->digest, digest_bytes(template_text(kParameters, kFacts, kSteps)));
}

TEST(ParseTemplate, EveryReservedKeyIsRefusedAtItsPlace) {
  for (const char* key : {"repair", "items_max"}) {
    const auto source = with_steps(step("    " + std::string(key) + ": {x: 1}\n"));
    ASSERT_TRUE(test::refused(source, "template.unsupported_key",
                              "`" + std::string(key) + "` is not supported by this version"));
    EXPECT_EQ(source.error().first().place, (Place{"t.yaml", 16, 5}));
  }
  EXPECT_TRUE(
      test::refused(with_steps(step("include: [x]\n")), "template.unsupported_key", "include"));
  EXPECT_TRUE(test::refused(
      parsed("parameters: {p: {type: string, default: a, description: d, secret: 1}}\n", "",
             step("")),
      "template.unsupported_key", "secret"));
  EXPECT_TRUE(test::refused(with_steps("steps:\n  - id: s\n    use: exec\n    with: {argv: "
                                       "[\"${steps.find.count}\"]}\n"),
                            "expression.output", "no output of a step may stand here"));
}

TEST(ParseTemplate, UnknownKeysComeWithTheNearest) {
  const auto source = with_steps(step("    neds: [x]\n"));
  ASSERT_TRUE(test::refused(source, "yaml.unknown_key", "neds"));
  EXPECT_NE(to_string(source.error()).find("needs"), std::string::npos);
  EXPECT_TRUE(test::refused(with_steps(step("extra: 1\n")), "yaml.unknown_key", "extra"));
}

TEST(ParseTemplate, MistakesOfTheHeader) {
  const auto header = [](std::string_view schema, std::string_view name, std::string_view version,
                         std::string_view summary) {
    return parse_template("schema: " + std::string(schema) + "\nname: " + std::string(name) +
                              "\nversion: " + std::string(version) +
                              "\nsummary: " + std::string(summary) + "\n" + step(""),
                          "t.yaml");
  };
  EXPECT_TRUE(test::accepted(header("rgx.template/v1", "a", "\"1.0\"", "s")));
  EXPECT_TRUE(test::refused(header("rgx.template/v2", "a", "\"1.0\"", "s"), "yaml.schema",
                            "rgx.template/v1"));
  EXPECT_TRUE(test::refused(header("rgx.template/v1", "A", "\"1.0\"", "s"), "template.bad_name",
                            "`A` is no name"));
  EXPECT_TRUE(test::refused(header("rgx.template/v1", "a", "one", "s"), "template.bad_version",
                            "`one` is no version"));
  EXPECT_TRUE(test::refused(header("rgx.template/v1", "a", "\"1.0\"", "\"a\\nb\""),
                            "template.bad_summary", "no single line"));
  EXPECT_TRUE(test::refused(parse_template("schema: rgx.template/v1\n", "t.yaml"),
                            "yaml.missing_key", "name"));
  EXPECT_TRUE(test::refused(parse_template("", "t.yaml"), "yaml.empty_document", "no value"));
}

TEST(ParseTemplate, MistakesOfParameters) {
  const auto parameter = [](std::string_view members) {
    return parsed("parameters: {p: {" + std::string(members) + "}}\n", "", step(""));
  };
  EXPECT_TRUE(test::accepted(parameter("type: path, default: a, description: d")));
  EXPECT_TRUE(test::refused(parameter("type: path, description: d"), "template.bad_parameter",
                            "neither required nor has a default"));
  EXPECT_TRUE(test::refused(parameter("type: path, required: true, default: a, description: d"),
                            "template.bad_parameter", "required and has a default"));
  EXPECT_TRUE(test::refused(parameter("type: pth, required: true, description: d"),
                            "yaml.bad_value", "path"));
  EXPECT_TRUE(test::refused(parameter("type: list, required: true, description: d"),
                            "template.bad_parameter", "needs `of` exactly when"));
  EXPECT_TRUE(test::refused(parameter("type: path, of: path, required: true, description: d"),
                            "template.bad_parameter", "needs `of` exactly when"));
  EXPECT_TRUE(test::refused(parameter("type: list, of: list, required: true, description: d"),
                            "template.bad_parameter", "list of lists"));
  EXPECT_TRUE(test::refused(parameter("type: enum, required: true, description: d"),
                            "template.bad_parameter", "enum without `values`"));
  EXPECT_TRUE(test::refused(parameter("type: enum, values: [a, a], default: a, description: d"),
                            "template.bad_parameter", "listed twice"));
  EXPECT_TRUE(test::refused(parameter("type: path, values: [a], default: a, description: d"),
                            "template.bad_parameter", "is no enum"));
  EXPECT_TRUE(test::refused(parameter("type: integer, default: x, description: d"),
                            "parameter.type", "in a default: parameter `p` is `x`"));
  EXPECT_TRUE(test::refused(parameter("type: list, of: path, default: a, description: d"),
                            "parameter.type", "not a list"));
  EXPECT_TRUE(
      test::refused(parameter("type: path, required: true"), "yaml.missing_key", "description"));
  EXPECT_TRUE(test::refused(
      parsed("parameters: {P: {type: path, required: true, description: d}}\n", "", step("")),
      "template.bad_name", "`P` is no name for a parameter"));
}

TEST(ParseTemplate, MistakesOfUtterances) {
  const auto utterance = [](std::string_view text) {
    return parsed(std::string(kParameters) + "utterances: {en: [\"" + std::string(text) + "\"]}\n",
                  kFacts, kSteps);
  };
  EXPECT_TRUE(test::accepted(utterance("do {from} in {scope}")));
  EXPECT_TRUE(
      test::refused(utterance("do {form}"), "template.bad_utterance", "`{form}` is no parameter"));
  EXPECT_TRUE(
      test::refused(utterance("do {form}"), "template.bad_utterance", "did you mean `from`?"));
  EXPECT_TRUE(test::refused(utterance("do {from"), "template.bad_utterance", "`{` without `}`"));
  EXPECT_TRUE(test::refused(utterance("do from}"), "template.bad_utterance", "`}` without `{`"));
  EXPECT_TRUE(test::refused(utterance("{from} and {from}"), "template.bad_utterance", "twice"));
  EXPECT_TRUE(test::refused(utterance("{from} {scope}"), "template.bad_utterance",
                            "without a word between"));
  EXPECT_TRUE(
      test::refused(utterance(std::string(300, 'a')), "template.bad_utterance", "1 to 256 bytes"));
  EXPECT_TRUE(
      test::refused(parsed(std::string(kParameters) + "utterances: {\"9\": [a]}\n", kFacts, kSteps),
                    "template.bad_utterance", "no language tag"));
}

TEST(ParseTemplate, MistakesOfFacts) {
  const auto fact = [](std::string_view members) {
    return parsed(kParameters, "facts: {f: {" + std::string(members) + "}}\n", step(""));
  };
  EXPECT_TRUE(test::accepted(fact("probe: search.text, with: {text: abc}")));
  EXPECT_TRUE(test::refused(fact("probe: search.txt"), "fact.unknown_probe",
                            "did you mean `search.text`?"));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {}"), "fact.missing_input",
                            "exactly one of `word`, `text` and `pattern`"));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {word: a, pattern: \"a+\"}"),
                            "fact.missing_input", "exactly one of"));
  EXPECT_TRUE(test::accepted(fact("probe: search.text, with: {pattern: \"a+\", absent: true}")));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {word: a, absent: \"yes\"}"),
                            "fact.input_type", "not a boolean"));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {word: a, text: b}"),
                            "fact.missing_input", "exactly one of"));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {word: a, path: b}"),
                            "fact.unknown_input", "did you mean `paths`?"));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {word: a, paths: src}"),
                            "fact.input_type", "not a list of texts"));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {word: [a]}"), "fact.input_type",
                            "not a text"));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {word: \"${params.scope}\"}"),
                            "expression.type", "takes a text, not a list of texts"));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {word: \"${facts.f.count}\"}"),
                            "expression.unknown_name", "cannot use another fact"));
  EXPECT_TRUE(test::refused(fact("probe: search.text, with: {word: \"${item}\"}"),
                            "expression.unknown_name", "outside a step"));
  EXPECT_TRUE(test::refused(fact("probe: project.settings, with: {x: y}"), "fact.unknown_input",
                            "takes no input"));
  EXPECT_TRUE(
      test::refused(fact("probe: search.text, with: {word: a}, items_max: 0"), "yaml.range", ""));
}

TEST(ParseTemplate, MistakesOfSteps) {
  EXPECT_TRUE(test::refused(with_steps(""), "yaml.missing_key", "steps"));
  EXPECT_TRUE(test::refused(with_steps("steps: []\n"), "template.no_steps", "needs a step"));
  EXPECT_TRUE(test::refused(with_steps(step("  - id: s\n    use: exec\n    with: {argv: [a]}\n")),
                            "template.duplicate_id", "step `s` is there twice"));
  EXPECT_TRUE(test::refused(with_steps(step("    needs: [t]\n")), "template.unknown_need",
                            "needs `t`, which is no step"));
  EXPECT_TRUE(test::refused(with_steps(step("    needs: [s]\n")), "template.cycle", "s -> s"));
  EXPECT_TRUE(test::refused(with_steps("steps:\n  - {id: a, use: exec, with: {argv: [x]}, needs: "
                                       "[b]}\n  - {id: b, use: exec, with: {argv: [x]}, needs: "
                                       "[a]}\n"),
                            "template.cycle", "a -> b -> a"));
  EXPECT_TRUE(test::refused(with_steps("steps:\n  - {id: a, use: exce, with: {argv: [x]}}\n"),
                            "tool.unknown", "did you mean `exec`?"));
  EXPECT_TRUE(test::refused(
      with_steps("steps:\n  - {id: a, use: http.get, with: {url: \"https://a.org/\"}}\n"),
      "template.unsupported_tool", "does not run `http.get`"));
  EXPECT_TRUE(test::refused(with_steps("steps:\n  - {id: a, use: exec}\n"), "tool.missing_input",
                            "needs the input `argv`"));
  EXPECT_TRUE(test::refused(with_steps("steps:\n  - {id: a, use: exec, with: {argv: make}}\n"),
                            "tool.input_type", "`argv` is `make`"));
  EXPECT_TRUE(test::refused(with_steps("steps:\n  - {id: A, use: exec, with: {argv: [x]}}\n"),
                            "template.bad_name", "`A` is no name for a step"));
  EXPECT_TRUE(test::refused(with_steps(step("    on_interrupted: retry\n")), "yaml.bad_value", ""));
  EXPECT_TRUE(test::refused(with_steps(step("    timeout_ms: 0\n")), "yaml.range", ""));
}

TEST(ParseTemplate, TypesOfReferencesAreCheckedBeforehand) {
  const auto edit = [](std::string_view for_each, std::string_view path) {
    return with_steps("steps:\n  - id: e\n    use: file.edit\n    for_each: \"" +
                      std::string(for_each) + "\"\n    with: {path: \"" + std::string(path) +
                      "\", edits: [{word: a, to: b}]}\n");
  };
  EXPECT_TRUE(test::accepted(edit("${facts.hits.paths}", "${item}")));
  EXPECT_TRUE(test::accepted(edit("${facts.hits.skipped}", "${item.path}")));
  EXPECT_TRUE(test::refused(edit("${facts.hits.count}", "${item}"), "expression.type",
                            "`for_each` of step `e` gets an integer"));
  EXPECT_TRUE(test::refused(edit("${facts.hits.paths}", "${params.scope}"), "expression.type",
                            "takes a text, not a list of texts"));
  EXPECT_TRUE(test::refused(edit("${facts.hits.paths}", "x/${params.scope}"), "expression.type",
                            "inside a text is a list of texts"));
  EXPECT_TRUE(test::refused(edit("${facts.hits.paths}", "${params.count | upper}"),
                            "expression.type", "filter `upper` gets an integer"));
  EXPECT_TRUE(test::refused(edit("${facts.hits.paths}", "${params.from.x}"), "expression.type",
                            "has no members"));
  EXPECT_TRUE(test::refused(edit("${facts.hits.pths}", "${item}"), "expression.unknown_name",
                            "did you mean `paths`?"));
  EXPECT_TRUE(
      test::refused(edit("${facts.hits.paths.x}", "${item}"), "expression.type", "has no members"));
  EXPECT_TRUE(test::refused(with_steps(step("    read: \"src\"\n")), "expression.type",
                            "`read` of step `s` is not a list"));
  EXPECT_TRUE(test::refused(with_steps(step("    write: [\"${params.scope}\"]\n")),
                            "expression.type", "an item of `write`"));
  EXPECT_TRUE(test::refused(with_steps(step("    write: [\"a**b\"]\n")), "glob.syntax", "a**b"));
}

TEST(ParseTemplate, AllMistakesComeAtOnceInOrder) {
  const auto source = with_steps(
      "steps:\n"
      "  - id: a\n"
      "    use: exec\n"
      "    with: {argv: [\"${params.form}\"]}\n"
      "    repair: x\n"
      "  - id: b\n"
      "    use: file.edti\n"
      "    needs: [c]\n");
  ASSERT_FALSE(source.has_value());
  std::vector<std::string> codes;
  std::uint32_t line = 0;
  for (const Diagnostic& diagnostic : source.error().diagnostics) {
    codes.push_back(diagnostic.code);
    EXPECT_GE(diagnostic.place.line, line);
    line = diagnostic.place.line;
    EXPECT_FALSE(diagnostic.remedy.empty()) << diagnostic.code;
  }
  std::ranges::sort(codes);
  EXPECT_EQ(codes, (std::vector<std::string>{"expression.unknown_name", "template.unknown_need",
                                             "template.unsupported_key", "tool.unknown"}));
}

TEST(ParseTemplate, ReferencesArePlacedAtTheirDollar) {
  const auto source = with_steps(
      "steps:\n"
      "  - id: a\n"
      "    use: exec\n"
      "    with: {argv: [\"x ${params.form}\"]}\n");
  ASSERT_FALSE(source.has_value());
  EXPECT_EQ(source.error().first().place, (Place{"t.yaml", 15, 22}));
}

TEST(ParseTemplate, MessagesMatchTheirGolden) {
  const std::string text =
      test::read_file(std::string(RGX_SOURCE_DIR) + "/tests/golden/template/mistakes.yaml");
  const auto source = parse_template(text, "mistakes.yaml");
  ASSERT_FALSE(source.has_value());
  test::expect_golden("template/mistakes.txt", to_string(source.error()) + "\n");
}

RC_GTEST_PROP(ParseTemplate, DamagedTextNeverPassesUnseen, ()) {
  // Deletes, repeats or swaps one line: the parser answers, and an accepted template is whole.
  const std::string text = template_text(kParameters, kFacts, kSteps);
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n')) {
    lines.emplace_back(line);
  }
  const auto at = *rc::gen::inRange<std::size_t>(0, lines.size());
  const auto other = *rc::gen::inRange<std::size_t>(0, lines.size());
  const auto how = *rc::gen::inRange(0, 3);
  if (how == 0) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
  } else if (how == 1) {
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[other]);
  } else {
    std::swap(lines[at], lines[other]);
  }
  const auto source = parse_template(join(lines, "\n"), "t.yaml");
  const bool answered =
      source.has_value() ? !source->steps.empty() : !source.error().diagnostics.empty();
  RC_ASSERT(answered);
}

TEST(SlotsOf, NamesSlotsInOrder) {
  EXPECT_EQ(*slots_of("a {b} c {d}"), (std::vector<std::string>{"b", "d"}));
  EXPECT_EQ(*slots_of("none"), std::vector<std::string>{});
  EXPECT_FALSE(slots_of("{a}{b}").has_value());
}

}  // namespace
}  // namespace rgx::templates
