#include <algorithm>

#include "policy/loading.h"
#include "policy/near_miss.h"

// Examples of rules, judged while a file loads. Format: docs/formats/policy.md, section "Examples
// in rules"

namespace rgx::policy::loading {

namespace {

/// Why an allow rule, alone, does not match; nothing when it does.
std::optional<std::string> find_gap(const Matchers& when, const FactView& view, Risk risk) {
  const std::vector<std::string> unmet = unmet_conditions(when, view, risk);
  if (!unmet.empty()) {
    return unmet.front();
  }
  bool any = view.elements.empty();
  for (const Element& element : view.elements) {
    if (!names_axis(when, element.axis)) {
      continue;
    }
    if (!grants(when, view, element)) {
      return "it does not grant " + std::string(templates::to_string(element.axis)) + " of `" +
             view.text(element) + "`";
    }
    any = true;
  }
  return any ? std::nullopt : std::optional<std::string>("it grants nothing that the step does");
}

void check_example(const Policy& policy, const Example& example, Mistakes& mistakes) {
  const Rule& rule = policy.rules[example.rule];
  const auto request = request_from_json(yaml::to_json(*example.request), "the example");
  const auto facts = request ? derive(*request) : Result<Facts>(fail(request.error()));
  if (!facts) {
    for (const Diagnostic& diagnostic : facts.error().diagnostics) {
      mistakes.add(diagnostic.code, example.request->place,
                   "example of rule `" + rule.id + "`: " + diagnostic.message, diagnostic.remedy);
    }
    return;
  }
  const FactView view(*facts, [&policy](std::string_view name) {
    const auto program = policy.programs.find(std::string(name));
    return program != policy.programs.end() && program->second.has_grammar;
  });
  const Risk risk = classify_layer(policy, view).value_or(Risk::medium);
  std::optional<std::string> gap;
  if (rule.effect == Effect::allow) {
    gap = find_gap(rule.when, view, risk);
  } else if (!hits(rule.when, view, risk, {})) {
    gap = "not everything that it names is there";
  }
  if (example.matches && gap) {
    mistakes.add("policy.example_fails", example.request->place,
                 "rule `" + rule.id + "` does not match its example: " + *gap,
                 "mend the rule or the example under `match`");
  } else if (!example.matches && !gap) {
    mistakes.add("policy.example_fails", example.request->place,
                 "rule `" + rule.id + "` matches an example that it should not match",
                 "mend the rule or the example under `not_match`");
  }
}

}  // namespace

void check_examples(const Policy& policy, const std::vector<Example>& examples,
                    Mistakes& mistakes) {
  // A rule that was not read well would fail its examples for a reason told already.
  if (!mistakes.empty()) {
    return;
  }
  for (const Example& example : examples) {
    check_example(policy, example, mistakes);
  }
}

}  // namespace rgx::policy::loading
