#include "templates/include.h"
#include "templates/seal.h"
#include "templates/step_output.h"
#include "tests/support/error_matchers.h"
#include "tests/unit/templates/sample_template.h"

#include <gtest/gtest.h>

#include <algorithm>

// What a template says of its steps beyond tool and inputs: conditions, outputs, phases, gates,
// retries, acceptance, includes.

namespace rgx::templates {
namespace {

constexpr std::string_view kParameters =
    "parameters:\n"
    "  from: {type: identifier, default: foo, description: d}\n"
    "  kind: {type: enum, values: [fast, full], default: fast, description: d}\n"
    "  extra: {type: list, of: path, default: [], description: d}\n";
constexpr std::string_view kFacts =
    "facts:\n"
    "  hits: {probe: search.text, with: {word: \"${params.from}\"}}\n";
constexpr std::string_view kFind =
    "steps:\n"
    "  - id: find\n"
    "    use: search.text\n"
    "    with: {word: foo, paths: [src]}\n";
constexpr std::string_view kRun =
    "  - id: run\n"
    "    use: exec\n"
    "    needs: [find]\n"
    "    with: {argv: [make]}\n"
    "    read: []\n"
    "    write: []\n";

Result<Template> parsed(const std::string& steps) {
  return parse_template(template_text(kParameters, kFacts, steps), "t.yaml", ToolChoice::all);
}

testing::AssertionResult refused(const std::string& steps, const std::string& code,
                                 const std::string& message) {
  return test::refused(parsed(steps), code, message);
}

std::string find_and(const std::string& more) {
  return std::string(kFind) + std::string(kRun) + more;
}

/// The sealed plan of a template with the given arguments; two files have the word.
Result<SealedPlan> plan_of(const std::string& steps, const Arguments& given = {}) {
  RGX_TRY(const Template source, parsed(steps));
  RGX_TRY(const Arguments arguments, bind_arguments(source, given));
  RGX_TRY(Draft draft,
          instantiate(source, "", arguments, {{"hits", hits({"src/a.c", "src/b.c"})}}));
  return seal(std::move(draft));
}

std::vector<std::string> ids(const SealedPlan& plan) {
  std::vector<std::string> all;
  for (const Step& step : plan.plan().steps) {
    all.push_back(step.id.text());
  }
  return all;
}

std::vector<std::string> needs(const SealedPlan& plan, const std::string& id) {
  std::vector<std::string> all;
  for (const StepId& need : plan.find(StepId(id))->needs) {
    all.push_back(need.text());
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(StepOptions, StandInThePlan) {
  const auto plan =
      plan_of(find_and("    risk: high\n"
                       "    budget: {wall_ms: 1000}\n"
                       "    gate: {count: 2, group: security, message: \"run it?\"}\n"
                       "    retry: {attempts_max: 3, reasons: [transient, timed_out]}\n"));
  ASSERT_TRUE(test::accepted(plan));
  const Step& run = *plan->find(StepId("run"));
  EXPECT_EQ(run.risk, "high");
  EXPECT_EQ(run.budget, (std::map<std::string, std::int64_t>{{"wall_ms", 1000}}));
  EXPECT_EQ(run.gate, (StepGate{2, "security", false, "run it?"}));
  EXPECT_EQ(run.retry, (Retry{3, 1000, {"timed_out", "transient"}}));
}

TEST(StepOptions, MistakesHaveTheirPlace) {
  EXPECT_TRUE(refused(find_and("    risk: hihg\n"), "yaml.bad_value", "did you mean `high`?"));
  EXPECT_TRUE(refused(find_and("    budget: {steps: 1}\n"), "yaml.unknown_key", "steps"));
  EXPECT_TRUE(refused(find_and("    gate: {count: 0}\n"), "yaml.range", "count"));
  EXPECT_TRUE(refused(find_and("    gate: {grup: x}\n"), "yaml.unknown_key", "grup"));
  EXPECT_TRUE(
      refused(find_and("    retry: {reasons: [failed]}\n"), "yaml.missing_key", "attempts_max"));
  EXPECT_TRUE(refused(find_and("    retry: {attempts_max: 3, reasons: [fialed]}\n"),
                      "yaml.bad_value", "`fialed` is no reason to try again"));
  EXPECT_TRUE(refused(find_and("    retry: {attempts_max: 3, reasons: []}\n"),
                      "template.bad_option", "reason"));
  EXPECT_TRUE(refused("steps:\n  - {id: acceptance, use: git.status}\n", "template.bad_name",
                      "`acceptance` is no name for a step"));
}

TEST(When, IsDecidedWhileCompilingWhereItCan) {
  const std::string steps = find_and(
      "    when: {equals: [\"${params.kind}\", full]}\n"
      "  - id: note\n"
      "    use: file.write\n"
      "    needs: [run]\n"
      "    with: {path: NOTE, content: \"x\"}\n");
  const auto fast = plan_of(steps);
  ASSERT_TRUE(test::accepted(fast));
  EXPECT_EQ(ids(*fast), (Texts{"find", "note"}));
  EXPECT_EQ(needs(*fast, "note"), Texts{"find"});
  const auto full = plan_of(steps, {{"kind", human("full")}});
  ASSERT_TRUE(test::accepted(full));
  EXPECT_EQ(ids(*full), (Texts{"find", "run", "note"}));
  EXPECT_FALSE(full->find(StepId("run"))->when.has_value());
}

TEST(When, KeepsOnlyWhatARunDecides) {
  const auto plan =
      plan_of(find_and("    when:\n"
                       "      all:\n"
                       "        - {not: {empty: \"${facts.hits.paths}\"}}\n"
                       "        - {not: {equals: [\"${steps.find.count}\", 0]}}\n"));
  ASSERT_TRUE(test::accepted(plan));
  const Json output =
      Json::object({{"$output", Json::object({{"step", "find"}, {"member", "count"}})}});
  EXPECT_EQ(plan->find(StepId("run"))->when,
            Json::object({{"not", Json::object({{"equals", Json::array({output, 0})}})}}));
}

TEST(When, ChoosesItemsOfForEach) {
  const auto plan = plan_of(
      "steps:\n"
      "  - id: edit\n"
      "    use: file.edit\n"
      "    for_each: \"${facts.hits.paths}\"\n"
      "    when: {not: {in: [\"${item}\", [src/b.c]]}}\n"
      "    with: {path: \"${item}\", edits: [{word: foo, to: bar}]}\n");
  ASSERT_TRUE(test::accepted(plan));
  EXPECT_EQ(ids(*plan), Texts{"edit[src/a.c]"});
}

TEST(When, NoStepLeftIsNothingToDo) {
  EXPECT_TRUE(test::refused(
      plan_of("steps:\n  - {id: a, use: git.status, when: {equals: [\"${params.kind}\", full]}}\n"),
      "instantiate.nothing_to_do", "the condition of no step holds"));
}

TEST(When, MistakesHaveTheirPlace) {
  const auto when = [](const std::string& condition) {
    return find_and("    when: " + condition + "\n");
  };
  EXPECT_TRUE(
      refused(when("always"), "template.bad_condition", "is no mapping with one condition"));
  EXPECT_TRUE(refused(when("{equal: [1, 2]}"), "template.bad_condition", "did you mean `equals`?"));
  EXPECT_TRUE(refused(when("{equals: [1]}"), "template.bad_condition", "other than two values"));
  EXPECT_TRUE(refused(when("{in: [\"${params.kind}\", 1]}"), "template.bad_condition", "no list"));
  EXPECT_TRUE(refused(when("{any: []}"), "template.bad_condition", "no list of conditions"));
  EXPECT_TRUE(refused(when("{empty: {a: 1}}"), "template.bad_condition", "compares"));
  EXPECT_TRUE(refused(when("{empty: \"${params.knd}\"}"), "expression.unknown_name",
                      "did you mean `kind`?"));
  EXPECT_TRUE(refused(when("{equals: [a, b]}"), "template.never_true",
                      "the condition of step `run` can never hold"));
  EXPECT_TRUE(refused(when("{equals: [\"${params.kind}\", slow]}"), "template.never_true", "run"));
  EXPECT_TRUE(
      refused(when("{equals: [\"${steps.find.count}\", \"0\"]}"), "template.never_true", "run"));
  EXPECT_EQ(parsed(when("{equals: [a, b]}")).error().first().place.line, 21U);
}

TEST(Outputs, BecomePartsOfContent) {
  const auto plan =
      plan_of(find_and("  - id: note\n"
                       "    use: file.write\n"
                       "    needs: [run]\n"
                       "    with: {path: NOTE, content: \"${steps.find.count} in ${params.from}: "
                       "${steps.find.paths | join(', ')}\"}\n"));
  ASSERT_TRUE(test::accepted(plan));
  const Json count =
      Json::object({{"$output", Json::object({{"step", "find"}, {"member", "count"}})}});
  const Json filter = Json::object({{"name", "join"}, {"arguments", Json::array_of({", "})}});
  const Json paths =
      Json::object({{"$output", Json::object({{"step", "find"},
                                              {"member", "paths"},
                                              {"filters", Json::array({filter})}})}});
  EXPECT_EQ(*plan->find(StepId("note"))->tool.with.find("content"),
            Json::object({{"$text", Json::array({count, " in foo: ", paths})}}));
  EXPECT_TRUE(plan->find(StepId("note"))->provenance.at(Axis::content).has(Origin::repository));
}

TEST(Outputs, MistakesHaveTheirPlace) {
  const auto note = [](const std::string& content, const std::string& need = "run") {
    return find_and("  - id: note\n    use: file.write\n    needs: [" + need +
                    "]\n    with: {path: NOTE, content: \"" + content + "\"}\n");
  };
  EXPECT_TRUE(
      refused(note("${steps.fnd.count}"), "expression.unknown_name", "did you mean `find`"));
  EXPECT_TRUE(refused(note("${steps.find.cont | json}"), "expression.unknown_name",
                      "did you mean `count`?"));
  EXPECT_TRUE(refused(note("${steps.find.count}"), "expression.type", "takes a text"));
  EXPECT_TRUE(refused(find_and("  - id: note\n    use: file.write\n"
                               "    with: {path: NOTE, content: \"${steps.find.count | json}\"}\n"),
                      "template.unordered_output", "add `find` to its `needs`"));
  EXPECT_TRUE(refused(find_and("  - id: note\n    use: file.write\n    needs: [find]\n"
                               "    with: {path: \"${steps.find.paths | join}\", content: x}\n"),
                      "expression.output", "no output of a step may stand here"));
  EXPECT_TRUE(refused(find_and("  - id: note\n    use: file.write\n    needs: [find]\n"
                               "    with: {path: N, content: {$output: {step: find}}}\n"),
                      "tool.input_type", "which only plans have"));
  EXPECT_TRUE(test::accepted(parsed(note("${steps.run.tests.failed} failed"))));
}

constexpr std::string_view kPhases =
    "phases:\n"
    "  - {name: change, exit: [{use: check.secrets, with: {new_max: 0}},\n"
    "                          {use: check.diff, with: {lines_max: 9}}]}\n"
    "  - prove\n";

TEST(Phases, BecomeNeeds) {
  const auto plan =
      plan_of(std::string(kPhases) +
              "steps:\n"
              "  - {id: find, phase: change, use: search.text, with: {word: a, paths: [src]}}\n"
              "  - {id: look, phase: change, needs: [find], use: git.status}\n"
              "  - {id: log, phase: prove, use: git.log}\n"
              "  - {id: end, phase: prove, needs: [log], use: git.status}\n");
  ASSERT_TRUE(test::accepted(plan));
  EXPECT_EQ(ids(*plan), (Texts{"find", "look", "change.exit[1]", "change.exit[2]", "log", "end"}));
  EXPECT_EQ(needs(*plan, "change.exit[1]"), Texts{"look"});
  EXPECT_EQ(needs(*plan, "change.exit[2]"), Texts{"change.exit[1]"});
  EXPECT_EQ(needs(*plan, "log"), Texts{"change.exit[2]"});
  EXPECT_EQ(needs(*plan, "end"), Texts{"log"});
  EXPECT_EQ(plan->plan().phases, (Texts{"change", "prove"}));
  EXPECT_EQ(plan->find(StepId("change.exit[2]"))->phase, "change");
}

TEST(Phases, KeepTheirOrderWhenStepsVanish) {
  const auto plan = plan_of(
      "phases: [a, b, c]\n"
      "steps:\n"
      "  - {id: one, phase: a, use: git.status}\n"
      "  - {id: two, phase: b, use: git.status, when: {equals: [\"${params.kind}\", full]}}\n"
      "  - {id: three, phase: c, use: git.status}\n");
  ASSERT_TRUE(test::accepted(plan));
  EXPECT_EQ(needs(*plan, "three"), Texts{"one"});
}

TEST(Phases, MistakesHaveTheirPlace) {
  const std::string one = "steps:\n  - {id: one, use: git.status";
  EXPECT_TRUE(
      refused("phases: [a]\n" + one + "}\n", "template.bad_phase", "step `one` is of no phase"));
  EXPECT_TRUE(refused("phases: [build]\n" + one + ", phase: bild}\n", "template.bad_phase",
                      "did you mean `build`?"));
  EXPECT_TRUE(refused("phases: [a, a]\n" + one + ", phase: a}\n", "template.bad_phase", "twice"));
  EXPECT_TRUE(refused(
      "phases: [{name: a, exit: [{use: exec, with: {argv: [x]}}]}]\n" + one + ", phase: a}\n",
      "template.bad_check", "`exec` neither checks nor asks a person"));
  EXPECT_TRUE(refused("phases: [a, b]\n" + one + ", phase: a, needs: [two]}\n" +
                          "  - {id: two, phase: b, use: git.status}\n",
                      "template.bad_phase", "needs `two` of the later phase `b`"));
}

TEST(Acceptance, StandsBehindTheSteps) {
  const auto plan = plan_of(
      "workspace: worktree\n" + std::string(kFind) +
      "acceptance:\n"
      "  - {use: check.tests, with: {argv: [make]}, when: {equals: [\"${params.kind}\", full]}}\n"
      "  - {use: check.paths, with: {changed_only: \"${facts.hits.paths}\"}}\n"
      "  - {use: check.secrets, with: {new_max: 0}, risk: low}\n");
  ASSERT_TRUE(test::accepted(plan));
  EXPECT_EQ(plan->plan().workspace, "worktree");
  ASSERT_EQ(plan->plan().acceptance.size(), 2U);
  EXPECT_EQ(plan->plan().acceptance[0].id.text(), "acceptance[1]");
  EXPECT_EQ(plan->plan().acceptance[0].tool.use, "check.paths");
  EXPECT_EQ(plan->plan().acceptance[1].risk, "low");
}

TEST(Acceptance, MistakesHaveTheirPlace) {
  const auto check = [](const std::string& text) {
    return std::string(kFind) + "acceptance:\n  - " + text + "\n";
  };
  EXPECT_TRUE(refused(check("{use: file.delete, with: {path: a}}"), "template.bad_check",
                      "neither checks nor asks a person"));
  EXPECT_TRUE(refused(check("{use: check.secrets, with: {new_mx: 0}}"), "tool.unknown_input",
                      "did you mean `new_max`?"));
  EXPECT_TRUE(refused(check("{use: check.secrets, with: {new_max: 0}, needs: [find]}"),
                      "yaml.unknown_key", "needs"));
  EXPECT_TRUE(refused(check("{use: human.approve, with: {message: \"${steps.find.count}\"}}"),
                      "expression.output", "no output"));
  EXPECT_TRUE(refused(std::string(kFind) + "workspace: cloud\n", "yaml.bad_value", "cloud"));
}

class Includes : public testing::Test {
 protected:
  static Template named(const std::string& name, const std::string& rest) {
    auto source = parse_template(
        "schema: rgx.template/v1\nname: " + name + "\nversion: \"2.0\"\nsummary: \"s\"\n" + rest,
        name + ".yaml", ToolChoice::all);
    EXPECT_TRUE(test::accepted(source));
    return source ? *source : Template{};
  }
  static Template inner() {
    return named(
        "inner",
        "parameters: {word: {type: identifier, required: true, description: d}}\n"
        "facts: {hits: {probe: search.text, with: {word: \"${params.word}\"}}}\n"
        "steps:\n"
        "  - {id: find, use: search.text, with: {word: \"${params.word}\", paths: [src]}}\n"
        "  - id: edit\n"
        "    use: file.edit\n"
        "    needs: [find]\n"
        "    for_each: \"${facts.hits.paths}\"\n"
        "    when: {not: {equals: [\"${steps.find.count}\", 0]}}\n"
        "    with: {path: \"${item}\", edits: [{word: \"${params.word}\", to: b}]}\n");
  }
  static Template outer(const std::string& include) {
    return named("outer",
                 "parameters: {name: {type: identifier, default: foo, description: d}}\n"
                 "steps:\n"
                 "  - {id: first, use: git.status}\n"
                 "  - {id: change, needs: [first], " +
                     include +
                     "}\n"
                     "  - {id: last, needs: [change], use: git.status}\n");
  }
  static Result<SealedPlan> plan(const std::vector<Template>& known) {
    RGX_TRY(const Arguments arguments, bind_arguments(known.front(), {}));
    RGX_TRY(const TemplateUse use,
            use_template(known.front(), arguments, known,
                         [](const Template& source, const Arguments& with) -> Result<FactValues> {
                           EXPECT_EQ(with.size(), source.parameters.size());
                           FactValues facts;
                           for (const Fact& fact : source.facts) {
                             facts[fact.name] = hits({"src/a.c"});
                           }
                           return facts;
                         }));
    RGX_TRY(Draft draft, instantiate(use, ""));
    return seal(std::move(draft));
  }
};

TEST_F(Includes, StepsStandBehindTheirStep) {
  const auto made = plan({outer("include: inner, with: {word: \"${params.name}\"}"), inner()});
  ASSERT_TRUE(test::accepted(made));
  EXPECT_EQ(ids(*made), (Texts{"first", "change.find", "change.edit[src/a.c]", "last"}));
  EXPECT_EQ(needs(*made, "change.find"), Texts{"first"});
  EXPECT_EQ(needs(*made, "last"), Texts{"change.edit[src/a.c]"});
  EXPECT_EQ(*made->find(StepId("change.find"))->tool.with.find("word"), Json("foo"));
  EXPECT_EQ(made->plan().includes,
            std::vector<TemplateReference>{(TemplateReference{"inner", "2.0", inner().digest})});
  EXPECT_NE(made->plan().facts.find("change.hits"), nullptr);
  EXPECT_NE(made->plan().parameters.find("change.word"), nullptr);
  ASSERT_EQ(outputs_in(*made->find(StepId("change.edit[src/a.c]"))->when).size(), 1U);
  EXPECT_EQ(outputs_in(*made->find(StepId("change.edit[src/a.c]"))->when)[0].step.text(),
            "change.find");
  EXPECT_EQ(made->find(StepId("change.edit[src/a.c]"))->pins.size(), 1U);
}

TEST_F(Includes, ConditionHoldsForAllSteps) {
  const auto without = plan({outer("include: inner, with: {word: foo}, when: {equals: "
                                   "[\"${params.name}\", bar]}"),
                             inner()});
  ASSERT_TRUE(test::accepted(without));
  EXPECT_EQ(ids(*without), (Texts{"first", "last"}));
  EXPECT_EQ(needs(*without, "last"), Texts{"first"});
  EXPECT_TRUE(without->plan().includes.empty());
  const auto asked = plan({outer("include: inner, with: {word: foo}, when: {equals: "
                                 "[\"${steps.first.clean}\", true]}"),
                           inner()});
  ASSERT_TRUE(test::accepted(asked));
  EXPECT_EQ(outputs_in(*asked->find(StepId("change.find"))->when)[0].step.text(), "first");
  EXPECT_EQ(outputs_in(*asked->find(StepId("change.edit[src/a.c]"))->when).size(), 2U);
}

TEST_F(Includes, MistakesComeAtOnce) {
  const auto checked = [](const std::string& include) {
    const std::vector<Template> known = {outer(include), inner()};
    return check_includes(known.front(), known);
  };
  EXPECT_TRUE(
      test::refused(checked("include: iner"), "template.unknown_include", "did you mean `inner`?"));
  EXPECT_TRUE(test::refused(checked("include: inner"), "argument.missing",
                            "step `change` gives `inner` no `word`"));
  const Status wrong = checked("include: inner, with: {wrd: a, word: \"a b\"}");
  EXPECT_TRUE(test::refused(wrong, "argument.unknown", "did you mean `word`?"));
  EXPECT_EQ(wrong.error().diagnostics.size(), 2U);
  EXPECT_TRUE(test::refused(checked("include: outer"), "template.include_cycle", "outer -> outer"));
}

TEST_F(Includes, NestAtMostEightDeep) {
  const auto chain = [](int depth) {
    std::vector<Template> known;
    for (int level = 0; level < depth; ++level) {
      known.push_back(named("t" + std::to_string(level),
                            "steps: [{id: go, include: t" + std::to_string(level + 1) + "}]\n"));
    }
    known.push_back(named("t" + std::to_string(depth), "steps: [{id: end, use: git.status}]\n"));
    return known;
  };
  const auto fits = plan(chain(8));
  ASSERT_TRUE(test::accepted(fits));
  EXPECT_EQ(ids(*fits), Texts{"go.go.go.go.go.go.go.go.end"});
  EXPECT_TRUE(test::refused(plan(chain(9)), "template.include_depth", "deeper than 8"));
}

TEST_F(Includes, TakeNoOptionOfTools) {
  EXPECT_TRUE(refused("steps: [{id: a, include: b, for_each: [x]}]\n", "template.bad_include",
                      "has no `for_each`"));
  EXPECT_TRUE(
      refused("steps: [{id: a, include: b}, {id: c, needs: [a], use: file.write, "
              "with: {path: p, content: \"${steps.a.count}\"}}]\n",
              "expression.output", "`a` stands for several steps"));
}

}  // namespace
}  // namespace rgx::templates
