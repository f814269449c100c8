#include "planner/compile.h"

#include "base/text.h"
#include "planner/facts.h"
#include "planner/tokens.h"
#include "planner/understanding.h"
#include "templates/include.h"

#include <algorithm>
#include <utility>

// Intent -> Draft, or the question that must be answered first.

namespace rgx::planner {
namespace {

using templates::Arguments;
using templates::Parameter;
using templates::ParameterType;
using templates::Template;
using templates::Value;

constexpr std::size_t kIntentBytesMax = 4096;
/// Two templates nearer than this fit equally well.
constexpr std::uint32_t kTemplateMargin = 100;
constexpr std::size_t kShownCandidatesMax = 5;
/// A template that fits this well is worth a hint.
constexpr std::uint32_t kHintScoreMin = 400;

std::string quoted(std::string_view text) {
  return "`" + printable(text) + "`";
}

Status check_intent(std::string_view intent) {
  const auto bad = [](std::string_view code, const std::string& message, std::string_view remedy) {
    return fail(ErrorKind::usage, code, message, remedy);
  };
  if (intent.find_first_not_of(" \t\n\r") == std::string_view::npos) {
    return bad("intent.empty", "the intent is empty",
               "say what to do, such as `replace foo with bar under src`");
  }
  if (intent.size() > kIntentBytesMax) {
    return bad("intent.too_long",
               "the intent has " + std::to_string(intent.size()) + " bytes; 4096 are allowed",
               "say it in one sentence, and the rest with `--set`");
  }
  if (const auto offset = find_invalid_utf8(intent)) {
    return bad("intent.not_utf8",
               "the intent is not valid UTF-8 at byte " + std::to_string(*offset),
               "check the encoding of the terminal");
  }
  if (find_deceptive(intent)) {
    return bad("intent.control",
               "the intent has a control or invisible character: " + quoted(intent),
               "write it on one line, without such characters");
  }
  return {};
}

/// Either a value or the question that stands in its way.
template <class T>
using Answer = std::variant<T, Question>;

class Compiler {
 public:
  Compiler(const CompileRequest& request, const std::vector<Template>& templates,
           RepositoryView& repository)
      : request_(request),
        templates_(templates),
        repository_(repository) {}

  [[nodiscard]] Result<CompileAnswer> run();

 private:
  [[nodiscard]] Result<Answer<const Template*>> choose();
  [[nodiscard]] Question ask_for_template(std::string text) const;
  [[nodiscard]] Result<Answer<Arguments>> arguments_for(const Template& source);
  [[nodiscard]] Result<Arguments> arguments_set(const Template& source) const;
  [[nodiscard]] std::optional<Question> doubt(const Template& source,
                                              const Understanding& understanding,
                                              const Arguments& set) const;
  [[nodiscard]] Question ask(std::string text, std::string remedy) const {
    return Question{std::move(text), std::move(remedy), shown_candidates()};
  }
  [[nodiscard]] std::vector<Candidate> shown_candidates() const {
    return {trace_.candidates.begin(),
            trace_.candidates.begin() + static_cast<std::ptrdiff_t>(std::min(
                                            trace_.candidates.size(), kShownCandidatesMax))};
  }

  const CompileRequest& request_;
  const std::vector<Template>& templates_;
  RepositoryView& repository_;
  CompileTrace trace_;
};

const Template* find_template(const std::vector<Template>& templates, std::string_view name) {
  const auto found = std::ranges::find(templates, name, &Template::name);
  return found == templates.end() ? nullptr : &*found;
}

Question Compiler::ask_for_template(std::string text) const {
  std::string remedy;
  std::vector<Candidate> shown = shown_candidates();
  // What is half understood is worth saying in the template's own words.
  const bool near = !shown.empty() && shown.front().score >= kHintScoreMin;
  for (const Candidate& candidate : shown) {
    if (near && candidate.score < kHintScoreMin) {
      break;
    }
    remedy += (remedy.empty() ? "`--template " : ", `--template ") + candidate.name + "`";
    if (near) {
      remedy += " (as in " + quoted(candidate.utterance) + ")";
    }
  }
  return Question{std::move(text), (near ? "did you mean " : "choose one: ") + remedy,
                  std::move(shown)};
}

Result<Answer<const Template*>> Compiler::choose() {
  if (!request_.intent.empty()) {
    trace_.candidates = classify(request_.intent, templates_);
  }
  if (request_.template_name) {
    trace_.chosen_by = "flag";
    const Template* named = find_template(templates_, *request_.template_name);
    if (named == nullptr) {
      std::vector<std::string_view> names;
      for (const Template& source : templates_) {
        names.push_back(source.name);
      }
      const auto near = nearest(*request_.template_name, names);
      return fail(
          ErrorKind::usage, "template.unknown",
          "there is no template " + quoted(*request_.template_name),
          near ? "did you mean `" + *near + "`?"
               : "there are: " + join(std::vector<std::string>(names.begin(), names.end()), ", "));
    }
    return named;
  }
  trace_.chosen_by = "intent";
  if (trace_.candidates.empty()) {
    return Question{"there is no template to choose from", "add one under `.rgx/templates`", {}};
  }
  const Candidate& best = trace_.candidates.front();
  if (best.score < kScoreMin) {
    return ask_for_template("no template fits " + quoted(request_.intent));
  }
  if (trace_.candidates.size() > 1 && trace_.candidates[1].score + kTemplateMargin > best.score) {
    return ask_for_template("two templates fit " + quoted(request_.intent) + ": `" + best.name +
                            "` and `" + trace_.candidates[1].name + "`");
  }
  return find_template(templates_, best.name);
}

Result<Arguments> Compiler::arguments_set(const Template& source) const {
  Arguments set;
  for (const auto& [key, text] : request_.set) {
    const Parameter* parameter = source.find_parameter(key);
    const bool is_list = parameter != nullptr && (parameter->type == ParameterType::list ||
                                                  parameter->type == ParameterType::command);
    const auto before = set.find(key);
    if (is_list) {
      Value& value =
          set.try_emplace(key, Value{Json::array(), templates::Origin::human}).first->second;
      value.json.push(text);
    } else if (before != set.end()) {
      return fail(ErrorKind::usage, "argument.repeated",
                  "parameter " + quoted(key) + " is set twice", "give `--set " + key + "=` once");
    } else {
      set[key] = Value{Json(text), templates::Origin::human};
    }
  }
  return set;
}

std::string shown(const Json& value) {
  if (value.is_string()) {
    return value.as_string();
  }
  std::string text;
  for (const Json& item : value.as_array()) {
    text += (text.empty() ? "" : " ") + item.as_string();
  }
  return text;
}

/// What keeps the understanding of an intent from being taken as it is.
std::optional<Question> Compiler::doubt(const Template& source, const Understanding& understanding,
                                        const Arguments& set) const {
  std::string flags;
  for (const Parameter& parameter : source.parameters) {
    if (!set.contains(parameter.name)) {
      flags += (flags.empty() ? "`--template " + source.name : std::string()) + " --set " +
               parameter.name + "=VALUE";
    }
  }
  flags += flags.empty() ? "" : "`";
  if (flags.empty()) {
    return std::nullopt;  // a person has set everything; the intent is a description
  }
  if (understanding.alignments.empty()) {
    return ask(quoted(request_.intent) + " does not say how to use `" + source.name + "`",
               "answer with " + flags);
  }
  const Alignment& best = understanding.best();
  if (!best.not_understood.empty()) {
    std::string words;
    for (const std::string& word : best.not_understood) {
      words += (words.empty() ? "" : " ") + word;
    }
    return ask("these words are not understood: " + quoted(words),
               "say it in other words, such as " + quoted(understanding.candidate.utterance) +
                   ", or with " + flags);
  }
  for (const Parameter& parameter : source.parameters) {
    const auto value = best.values.find(parameter.name);
    if (set.contains(parameter.name)) {
      continue;
    }
    for (const Alignment& other : understanding.alignments) {
      const auto second = other.values.find(parameter.name);
      const bool same = (value == best.values.end()) == (second == other.values.end()) &&
                        (value == best.values.end() || second->second == value->second);
      if (!same) {
        const auto& first_text = value == best.values.end() ? Json("") : value->second;
        const auto& second_text = second == other.values.end() ? Json("") : second->second;
        return ask("`" + parameter.name + "` could be " + quoted(shown(first_text)) + " or " +
                       quoted(shown(second_text)),
                   "say which: `--set " + parameter.name + "=VALUE`");
      }
    }
    if (value != best.values.end()) {
      if (const auto checked = check_argument(parameter, value->second); !checked) {
        return ask(checked.error().first().message,
                   checked.error().first().remedy + ", with `--set " + parameter.name + "=VALUE`");
      }
    }
  }
  return std::nullopt;
}

Result<Answer<Arguments>> Compiler::arguments_for(const Template& source) {
  RGX_TRY(Arguments arguments, arguments_set(source));
  if (!request_.intent.empty()) {
    const Understanding understanding = understand(tokens_of(request_.intent), source);
    if (auto question = doubt(source, understanding, arguments)) {
      return std::move(*question);
    }
    if (!understanding.alignments.empty() && understanding.best().not_understood.empty()) {
      for (const auto& [name, value] : understanding.best().values) {
        arguments.try_emplace(name, Value{value, templates::Origin::human});
      }
    }
  }
  for (const Parameter& parameter : source.parameters) {
    if (parameter.required && !arguments.contains(parameter.name)) {
      return ask("`" + source.name + "` needs `" + parameter.name + "`: " + parameter.description,
                 "`--set " + parameter.name + "=VALUE`");
    }
  }
  RGX_TRY(Arguments bound, templates::bind_arguments(source, arguments));
  return bound;
}

/// What a search passed over: the text may well be there.
std::string not_searched(const Json& hits) {
  const Json* skipped = hits.find("skipped");
  if (skipped == nullptr || skipped->as_array().empty()) {
    return {};
  }
  const Json& first = skipped->as_array().front();
  return "; not searched: " + std::to_string(skipped->as_array().size()) + ", such as " +
         quoted(first.find("path")->as_string()) + " (" + first.find("reason")->as_string() + ")";
}

/// Says which search came back empty, where that is why there is nothing to do.
Error with_empty_searches(Error error, const templates::FactValues& facts) {
  Diagnostic& first = error.diagnostics.front();
  if (first.code != "instantiate.nothing_to_do") {
    return error;
  }
  for (const auto& [name, fact] : facts) {
    const Json* paths = fact.value.json.find("paths");
    if (paths == nullptr || !paths->as_array().empty()) {
      continue;
    }
    const Json* word = fact.with.find("word");
    const Json* text = word != nullptr ? word : fact.with.find("text");
    const Json* scope = fact.with.find("paths");
    if (text != nullptr && scope != nullptr) {
      first.message = "there is nothing to do: no file under " + quoted(shown(*scope)) +
                      " has the " + (word != nullptr ? "word " : "text ") +
                      quoted(text->as_string());
      first.message += not_searched(fact.value.json);
      first.remedy = "check the spelling, or widen the scope; only files that git tracks count";
    }
  }
  return error;
}

Result<CompileAnswer> Compiler::run() {
  if (!request_.intent.empty() || !request_.template_name) {
    RGX_TRY_STATUS(check_intent(request_.intent));
  }
  RGX_TRY(auto chosen, choose());
  if (auto* question = std::get_if<Question>(&chosen)) {
    return std::move(*question);
  }
  const Template& source = *std::get<const Template*>(chosen);
  RGX_TRY(auto given, arguments_for(source));
  if (auto* question = std::get_if<Question>(&given)) {
    return std::move(*question);
  }
  const Arguments& arguments = std::get<Arguments>(given);
  const auto evaluate = [this](const Template& used, const Arguments& with) {
    return evaluate_facts(used, with, repository_);
  };
  RGX_TRY(const templates::TemplateUse use,
          templates::use_template(source, arguments, templates_, evaluate));
  auto draft = templates::instantiate(use, request_.intent);
  if (!draft) {
    return fail(with_empty_searches(std::move(draft).error(), use.facts));
  }
  return Compiled{std::move(*draft), std::move(trace_)};
}

}  // namespace

Result<CompileAnswer> compile(const CompileRequest& request,
                              const std::vector<templates::Template>& templates,
                              RepositoryView& repository) {
  return Compiler(request, templates, repository).run();
}

}  // namespace rgx::planner
