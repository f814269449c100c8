#include "policy/explain.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "policy/authority.h"
#include "policy/near_miss.h"

namespace rgx::policy {
namespace {

bool contains(const std::vector<RuleHit>& rules, const Rule& rule) {
  return std::ranges::any_of(rules, [&rule](const RuleHit& hit) {
    return hit.rule == rule.id && hit.layer == rule.layer;
  });
}

/// One matcher of a rule as a rule of its own.
template <class Member>
Matchers only(const Matchers& when, Member Matchers::* member) {
  Matchers one;
  one.*member = when.*member;
  return one;
}

/// The first matcher of a deny or approval rule that nothing of the step hits.
std::string missing_matcher(const Matchers& when, const FactView& view, Risk risk) {
  const std::vector<std::pair<std::string_view, Matchers>> parts = {
      {"risk", only(when, &Matchers::risk)}, {"analysis", only(when, &Matchers::analysis)},
      {"argv", only(when, &Matchers::argv)}, {"provenance", only(when, &Matchers::provenance)},
      {"read", only(when, &Matchers::read)}, {"write", only(when, &Matchers::write)},
      {"refs", only(when, &Matchers::refs)}, {"hosts", only(when, &Matchers::hosts)},
      {"env", only(when, &Matchers::env)},
  };
  for (const auto& [name, matchers] : parts) {
    if (!hits(matchers, view, risk, {})) {
      return "nothing of the step matches its `" + std::string(name) + "`";
    }
  }
  return "not everything that it names is there";
}

std::string ungranted_reason(const RuleEntry& entry, const FactView& view,
                             const Authority& authority) {
  const bool grants_any = std::ranges::any_of(view.elements, [&](const Element& element) {
    return grants(entry.rule->when, view, element);
  });
  if (grants_any || (view.elements.empty() && !authority.over_step(entry.layer))) {
    return "layer `" + std::string(to_string(entry.rule->layer)) +
           "` may not grant this: no delegation of a layer above covers it";
  }
  return "it grants nothing that the step does";
}

class Explainer {
 public:
  Explainer(const Prepared& policy, const FactView& view, const Decision& decision,
            const DecideContext& context)
      : view_(view),
        decision_(decision),
        context_(context),
        authority_(policy, view) {}

  [[nodiscard]] RuleSaid explain(const RuleEntry& entry) const {
    const Rule& rule = *entry.rule;
    RuleSaid said{rule.id, rule.effect, rule.layer, rule.place, RuleSaid::What::silent, {}, {}};
    if (contains(decision_.deciding, rule)) {
      said.what = RuleSaid::What::decides;
    } else if (contains(decision_.matched, rule)) {
      said.what = RuleSaid::What::matches;
    }
    if (rule.effect == Effect::allow) {
      add_grants(entry, said);
    }
    if (said.what == RuleSaid::What::silent) {
      say_why_silent(entry, said);
    }
    return said;
  }

 private:
  void add_grants(const RuleEntry& entry, RuleSaid& said) const {
    if (!applies(entry.rule->when, view_, decision_.risk)) {
      return;
    }
    for (const Element& element : view_.elements) {
      if (grants(entry.rule->when, view_, element) && authority_.over(entry.layer, element)) {
        said.grants.push_back({element.axis, view_.text(element)});
      }
    }
  }

  void say_why_silent(const RuleEntry& entry, RuleSaid& said) const {
    const Matchers& when = entry.rule->when;
    const bool lifted = entry.rule->effect != Effect::allow &&
                        hits(when, view_, decision_.risk, {}) &&
                        std::ranges::any_of(entry.exceptions, [this](const Exception* exception) {
                          return context_.now_unix_ms < exception->expires_unix_ms;
                        });
    if (lifted) {
      said.what = RuleSaid::What::excepted;
      return;
    }
    if (entry.rule->effect != Effect::allow) {
      said.reason = missing_matcher(when, view_, decision_.risk);
      return;
    }
    const std::vector<std::string> unmet = unmet_conditions(when, view_, decision_.risk);
    said.reason = unmet.empty() ? ungranted_reason(entry, view_, authority_) : unmet.front();
  }

  const FactView& view_;
  const Decision& decision_;
  const DecideContext& context_;
  Authority authority_;
};

std::string listed(const std::vector<Ungranted>& elements) {
  std::string text;
  for (const Ungranted& element : elements) {
    text += (text.empty() ? "" : ", ") + std::string(templates::to_string(element.axis)) + " `" +
            printable(element.element) + "`";
  }
  return text;
}

void add_fact(std::string& text, std::string_view name, const std::string& value) {
  if (!value.empty()) {
    text += "  " + std::string(name) + ' ' + value + '\n';
  }
}

std::string paths(const std::vector<PathFact>& all) {
  std::string text;
  for (const PathFact& path : all) {
    text += (text.empty() ? "`" : ", `") + printable(path.path) + "`";
  }
  return text;
}

std::string quoted(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& item : all) {
    text += (text.empty() ? "`" : ", `") + printable(item) + "`";
  }
  return text;
}

std::string describe_facts(const Facts& facts) {
  std::string text = "facts:\n";
  add_fact(text, "tool", "`" + printable(facts.tool) + "`");
  add_fact(text, "argv", facts.argv ? quoted(*facts.argv) : std::string());
  if (facts.commands) {
    for (const std::vector<std::string>& command : *facts.commands) {
      add_fact(text, "command", quoted(command));
    }
  }
  add_fact(text, "unreadable", printable(facts.unreadable.value_or("")));
  add_fact(text, "reads", paths(facts.reads));
  add_fact(text, "writes", paths(facts.writes));
  add_fact(text, "refs", quoted(facts.refs));
  add_fact(text, "hosts", quoted(facts.hosts));
  add_fact(text, "env", quoted(facts.env));
  for (const auto& [name, flag] :
       {std::pair{"refused", &facts.grammar.refused}, std::pair{"runs", &facts.grammar.runs}}) {
    if (*flag) {
      add_fact(text, name,
               "`" + printable((*flag)->argument) + "` of `" + printable((*flag)->program) + "`");
    }
  }
  add_fact(text, "grammars", quoted(facts.grammar.programs));
  add_fact(text, "analysis", std::string(kAnalysisNames[static_cast<std::size_t>(facts.analysis)]));
  return text;
}

std::string describe_rule(const RuleSaid& said) {
  std::string text = "  " + to_string(said.place) + ": " + std::string(to_string(said.effect)) +
                     " `" + said.rule + "`: ";
  switch (said.what) {
    case RuleSaid::What::decides:
      text += "decides";
      break;
    case RuleSaid::What::matches:
      text += "matches, a stronger rule decides";
      break;
    case RuleSaid::What::excepted:
      text += "lifted by an exception";
      break;
    case RuleSaid::What::silent:
      text += "silent: " + printable(said.reason);
      break;
  }
  if (!said.grants.empty()) {
    text += "; grants " + listed(said.grants);
  }
  return text + '\n';
}

}  // namespace

std::string_view to_string(RuleSaid::What what) {
  switch (what) {
    case RuleSaid::What::decides:
      return "decides";
    case RuleSaid::What::matches:
      return "matches";
    case RuleSaid::What::excepted:
      return "excepted";
    case RuleSaid::What::silent:
      return "silent";
  }
  return {};
}

Explanation explain(const PolicySet& policy, const Facts& facts, const DecideContext& context) {
  Explanation explanation{decide(policy, facts, context), {}, 0};
  const Prepared& prepared = policy.prepared();
  if (find_problem(facts)) {
    explanation.other_tools = prepared.entries.size();
    return explanation;
  }
  const FactView view(facts, grammars_of(prepared));
  const Explainer explainer(prepared, view, explanation.decision, context);
  for (const RuleEntry& entry : prepared.entries) {
    const std::vector<std::string>& tools = entry.rule->when.tools;
    if (tools.empty() || names_tool(tools, facts.tool)) {
      explanation.rules.push_back(explainer.explain(entry));
    } else {
      ++explanation.other_tools;
    }
  }
  return explanation;
}

Json to_json(const Explanation& explanation) {
  Json rules = Json::array();
  for (const RuleSaid& said : explanation.rules) {
    Json granted = Json::array();
    for (const Ungranted& element : said.grants) {
      granted.push(Json::object(
          {{"axis", templates::to_string(element.axis)}, {"element", element.element}}));
    }
    rules.push(Json::object({{"rule", said.rule},
                             {"effect", to_string(said.effect)},
                             {"layer", to_string(said.layer)},
                             {"place", to_string(said.place)},
                             {"said", to_string(said.what)},
                             {"grants", std::move(granted)},
                             {"reason", said.reason}}));
  }
  return Json::object({{"schema", "rgx.explanation/v1"},
                       {"decision", to_json(explanation.decision)},
                       {"other_tools", static_cast<std::int64_t>(explanation.other_tools)},
                       {"rules", std::move(rules)}});
}

std::string describe(const Explanation& explanation) {
  std::string text = describe(explanation.decision);
  text += describe_facts(explanation.decision.facts) + "rules:\n";
  for (const RuleSaid& said : explanation.rules) {
    text += describe_rule(said);
  }
  if (explanation.other_tools > 0) {
    text += "  " + std::to_string(explanation.other_tools) +
            (explanation.other_tools == 1 ? " rule is" : " rules are") + " for other tools\n";
  }
  return text;
}

}  // namespace rgx::policy
