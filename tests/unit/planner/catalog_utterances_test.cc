#include "base/canonical.h"
#include "planner/compile.h"
#include "tests/support/error_matchers.h"
#include "tests/support/memory_repository.h"
#include "tests/unit/planner/shipped_templates.h"
#include "tests/unit/planner/utterance_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <variant>
#include <vector>

// What people say to the shipped templates: every utterance, sentences that are in no template, and
// sentences that must be asked about.

namespace rgx::planner {
namespace {

/// The shipped templates with their words and parameters, but nothing to look up and one step.
const std::vector<templates::Template>& listeners() {
  static const std::vector<templates::Template> kAll = [] {
    const auto idle = parsed_template(
        "schema: rgx.template/v1\nname: idle\nversion: \"1\"\nsummary: s\n"
        "steps: [{id: s, use: exec, with: {argv: [\"true\"]}}]\n");
    std::vector<templates::Template> all = shipped();
    for (templates::Template& source : all) {
      source.facts = idle.facts;
      source.steps = idle.steps;
      source.acceptance.clear();
    }
    return all;
  }();
  return kAll;
}

/// What the planner makes of a sentence: a template's name and arguments, or a question.
struct Heard {
  std::string name;      ///< empty when it asks
  std::string question;  ///< what it asks
  std::map<std::string, std::string> arguments;
};

Heard hear(const std::string& sentence) {
  test::MemoryRepository repository;
  const auto answer = compile(CompileRequest{sentence, {}, {}}, listeners(), repository);
  Heard heard;
  if (!answer) {
    heard.question = to_string(answer.error());
    return heard;
  }
  if (const auto* question = std::get_if<Question>(&*answer)) {
    heard.question = question->text;
    return heard;
  }
  const templates::Plan& plan = std::get<Compiled>(*answer).draft.plan();
  heard.name = plan.from.name;
  for (const auto& [name, member] : plan.parameters.as_object()) {
    heard.arguments[name] = canonical(*member.find("value"));
  }
  return heard;
}

std::string as_json(const templates::Parameter& parameter, const std::string& text) {
  const Json value =
      parameter.type == templates::ParameterType::list ? Json::array({Json(text)}) : Json(text);
  return canonical(value);
}

/// The arguments that a sentence names, and the defaults of the rest, in normal form.
std::map<std::string, std::string> expected(const templates::Template& source,
                                            const std::map<std::string, std::string>& named) {
  std::map<std::string, std::string> all;
  for (const templates::Parameter& parameter : source.parameters) {
    const auto argument = named.find(parameter.name);
    if (argument != named.end()) {
      const auto json = parse_json(argument->second, "expected");
      const auto normal = templates::check_argument(parameter, *json);
      EXPECT_TRUE(test::accepted(normal));
      all[parameter.name] = normal ? canonical(*normal) : std::string();
    } else if (parameter.fallback) {
      all[parameter.name] = canonical(*parameter.fallback);
    }
  }
  return all;
}

/// Empty when `heard` is what was meant.
std::string mistake_of(const Heard& heard, const templates::Template& source,
                       const std::map<std::string, std::string>& named) {
  if (heard.name != source.name) {
    return heard.name.empty() ? "asks: " + heard.question : "taken as " + heard.name;
  }
  for (const auto& [name, value] : expected(source, named)) {
    const auto found = heard.arguments.find(name);
    const std::string got = found == heard.arguments.end() ? "nothing" : found->second;
    if (got != value) {
      std::string answer = "`" + name;
      answer.append("` is ").append(got).append(", not ").append(value);
      return answer;
    }
  }
  return {};
}

class Catalog : public testing::TestWithParam<std::string> {
 protected:
  const templates::Template& source() const {
    return *std::ranges::find(listeners(), GetParam(), &templates::Template::name);
  }
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const templates::Template& source : shipped()) {
    all.push_back(source.name);
  }
  return all;
}

TEST_P(Catalog, HasTwentyUtterancesInEachLanguage) {
  for (const char* language : {"en", "zh"}) {
    const auto found = source().utterances.find(language);
    ASSERT_NE(found, source().utterances.end()) << language;
    EXPECT_GE(found->second.size(), 20U) << language;
  }
}

TEST_P(Catalog, UnderstandsItsUtterancesWithRealisticValues) {
  const UtteranceTable table = read_utterances(GetParam());
  for (const auto& [language, utterances] : source().utterances) {
    for (const std::string& utterance : utterances) {
      std::string sentence = utterance;
      std::map<std::string, std::string> named;
      for (const templates::Parameter& parameter : source().parameters) {
        const std::string slot = "{" + parameter.name + "}";
        const std::size_t at = sentence.find(slot);
        if (at == std::string::npos) {
          continue;
        }
        const auto value = table.slots.find(parameter.name);
        ASSERT_NE(value, table.slots.end()) << "no `slot " << parameter.name << "` in the table";
        sentence.replace(at, slot.size(), value->second);
        std::string bare = value->second;
        std::erase(bare, '`');
        named[parameter.name] = as_json(parameter, bare);
      }
      EXPECT_EQ(mistake_of(hear(sentence), source(), named), "") << sentence;
    }
  }
}

/// At least this share of the held-out sentences is understood in full, per cent.
constexpr std::size_t kUnderstoodPercent = 90;

TEST_P(Catalog, UnderstandsSentencesThatItHasNeverSeen) {
  const UtteranceTable table = read_utterances(GetParam());
  std::map<std::string, std::size_t> of_language;
  std::size_t understood = 0;
  std::string missed;
  for (const Sentence& sentence : table.held_out) {
    ++of_language[sentence.language];
    const Heard heard = hear(sentence.text);
    const std::string mistake = mistake_of(heard, source(), sentence.arguments);
    understood += mistake.empty() ? 1U : 0U;
    missed +=
        mistake.empty() ? "" : sentence.place + ": " + sentence.text + "\n  " + mistake + "\n";
    // Unsure is honest; a wrong plan is not.
    EXPECT_TRUE(mistake.empty() || heard.name.empty())
        << sentence.place << ": " << sentence.text << "\n  " << mistake;
    for (const auto& [language, utterances] : source().utterances) {
      EXPECT_EQ(std::ranges::count(utterances, sentence.text), 0) << sentence.place;
    }
  }
  EXPECT_GE(of_language["en"], 10U);
  EXPECT_GE(of_language["zh"], 10U);
  EXPECT_GE(understood * 100, table.held_out.size() * kUnderstoodPercent) << missed;
  RecordProperty("held_out", static_cast<int>(table.held_out.size()));
  RecordProperty("understood", static_cast<int>(understood));
}

TEST_P(Catalog, AsksRatherThanGuesses) {
  const UtteranceTable table = read_utterances(GetParam());
  EXPECT_GE(table.asks.size(), 6U);
  for (const Sentence& sentence : table.asks) {
    const Heard heard = hear(sentence.text);
    EXPECT_EQ(heard.name, "") << sentence.place << ": " << sentence.text;
    EXPECT_NE(heard.question, "") << sentence.place;
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& tested) {
  std::string name = tested.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shipped, Catalog, testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace rgx::planner
