#include "policy/near_miss.h"

#include <algorithm>

#include "base/canonical.h"
#include "base/text.h"

namespace rgx::policy {

using templates::Axis;
using templates::OriginSet;

namespace {

std::string quoted(std::string_view text) {
  return "`" + printable(text) + "`";
}

template <class Items, class Name>
std::string listed(const Items& items, Name name) {
  constexpr std::size_t kShownMax = 5;
  std::string line;
  std::size_t shown = 0;
  for (const auto& item : items) {
    if (shown++ == kShownMax) {
      return line + ", …";
    }
    line += (line.empty() ? "" : ", ") + quoted(name(item));
  }
  return line;
}

std::string words(const std::vector<std::string>& items) {
  return listed(items, [](const std::string& item) { return item; });
}

std::string patterns(const std::vector<Glob>& globs) {
  return listed(globs, [](const Glob& glob) { return glob.pattern(); });
}

std::string origins(OriginSet set) {
  return listed(set.to_json().as_array(), [](const Json& name) { return name.as_string(); });
}

std::string argv_difference(const ArgvPattern& pattern, const FactView& view) {
  if (view.commands.empty()) {
    return view.unreadable ? "the script cannot be read" : "the step has no argv";
  }
  const std::vector<std::string>& argv = *view.commands.front();
  for (std::size_t index = 0; index < pattern.tokens.size(); ++index) {
    const std::string& wanted = pattern.tokens[index];
    const std::string where = "argv[" + std::to_string(index) + "]";
    if (index >= argv.size()) {
      return where + " is missing, the rule wants " + quoted(wanted);
    }
    if (wanted != "*" && wanted != argv[index]) {
      return where + " is " + quoted(argv[index]) + ", the rule wants " + quoted(wanted);
    }
  }
  return "the argv goes on after " + std::to_string(pattern.tokens.size()) +
         (pattern.tokens.size() == 1 ? " word with " : " words with ") +
         quoted(argv[pattern.tokens.size()]);
}

std::string pattern_list(const Matchers& when, Axis axis) {
  switch (axis) {
    case Axis::read:
      return when.read ? patterns(*when.read) : std::string();
    case Axis::write:
      return when.write ? patterns(*when.write) : std::string();
    case Axis::refs:
      return when.refs ? words(*when.refs) : std::string();
    case Axis::hosts:
      return when.hosts ? words(*when.hosts) : std::string();
    case Axis::env:
      return when.env ? words(*when.env) : std::string();
    case Axis::argv:
    case Axis::content:
      break;
  }
  return {};
}

/// Why a rule that names the element's axis and otherwise fits does not grant it, if so.
std::optional<std::string> not_granted(const FactView& view, const Element& element,
                                       const Matchers& when) {
  const bool fits = !when.argv || view.matches_some(*when.argv);
  const std::string given =
      std::string(templates::to_string(element.axis)) + " " + quoted(view.text(element));
  if (element.axis != Axis::argv && !lists(when, view, element)) {
    return given + " is not covered by " + pattern_list(when, element.axis);
  }
  if (fits && !grants(when, view, element)) {
    return given + " belongs to a script that runs more than the rule's `argv`";
  }
  return std::nullopt;
}

struct Miss {
  NearMiss miss;
  const Rule* rule = nullptr;
  bool names_axis = true;
};

/// The one thing that kept a rule from granting the element, if it was one.
std::optional<Miss> single_miss(const MissInput& input, const RuleEntry& entry,
                                const Element* element) {
  const Matchers& when = entry.rule->when;
  std::vector<std::string> reasons = unmet_conditions(when, input.view, input.risk);
  bool named = true;
  if (element != nullptr) {
    named = names_axis(when, element->axis);
    if (!named) {
      reasons.push_back("the rule names no `" + std::string(templates::to_string(element->axis)) +
                        "`");
    } else if (auto reason = not_granted(input.view, *element, when)) {
      reasons.push_back(std::move(*reason));
    }
  }
  const bool allowed = element != nullptr ? input.authority.over(entry.layer, *element)
                                          : input.authority.over_step(entry.layer);
  if (!allowed) {
    reasons.push_back("layer `" + std::string(to_string(entry.rule->layer)) +
                      "` may not grant this: no delegation of a layer above covers it");
  }
  if (reasons.size() != 1) {
    return std::nullopt;
  }
  return Miss{{entry.rule->id, entry.rule->place, reasons.front()}, entry.rule, named};
}

/// Near misses for one element. Rules that look at other axes only are told where there is no
/// better answer.
void add_misses(const MissInput& input, const Element* element, std::vector<Miss>& misses) {
  std::vector<Miss> named;
  std::vector<Miss> others;
  for (const RuleEntry& entry : input.policy.entries) {
    if (entry.rule->effect != Effect::allow || named.size() == kNearMissesMax) {
      continue;
    }
    if (auto miss = single_miss(input, entry, element)) {
      std::vector<Miss>& kind = miss->names_axis ? named : others;
      if (kind.size() < kNearMissesMax) {
        kind.push_back(std::move(*miss));
      }
    }
  }
  for (Miss& miss : named.empty() ? others : named) {
    if (std::ranges::find(misses, miss.miss, &Miss::miss) == misses.end()) {
      misses.push_back(std::move(miss));
    }
  }
}

/// The rule that all near misses are of, if it is one.
const Rule* only_rule(const std::vector<Miss>& misses) {
  const bool one = !misses.empty() && std::ranges::all_of(misses, [&misses](const Miss& miss) {
    return miss.names_axis && miss.rule == misses.front().rule;
  });
  return one ? misses.front().rule : nullptr;
}

std::string general_remedy(const MissInput& input) {
  const Facts& facts = input.view.facts;
  const std::string tool = quoted(facts.tool);
  if (input.ungranted.empty()) {
    return "no rule allows " + tool + ": add an allow rule for it, or leave the step out";
  }
  const Element& first = input.ungranted.front();
  const std::string axis(templates::to_string(first.axis));
  if (first.axis == Axis::argv) {
    return "no rule grants this command: add an allow rule for " + tool +
           " with an `argv` that "
           "matches it, or run a command that one names";
  }
  const std::string element = input.view.text(first);
  return "no rule grants " + axis + " of " + quoted(element) + " to " + tool + ": add `" + axis +
         ": [" + printable(canonical(Json(element))) +
         "]` to an allow rule for it, or change the step";
}

}  // namespace

std::vector<std::string> unmet_conditions(const Matchers& when, const FactView& view, Risk risk) {
  std::vector<std::string> reasons;
  const Facts& facts = view.facts;
  if (!names_tool(when.tools, facts.tool)) {
    reasons.push_back("tool " + quoted(facts.tool) + " is not among " + words(when.tools));
  }
  if (when.argv && !view.matches_some(*when.argv)) {
    reasons.push_back(argv_difference(*when.argv, view));
  }
  if (!when.risk.empty() && std::ranges::find(when.risk, risk) == when.risk.end()) {
    reasons.push_back("risk is " + quoted(to_string(risk)) + ", the rule is for " +
                      listed(when.risk, [](Risk level) { return to_string(level); }));
  }
  if (view.analysis == Analysis::partial && when.analysis != Analysis::partial) {
    reasons.emplace_back(
        "what the step does is only partly known, and the rule does not say `analysis: partial`");
  }
  for (const auto& [axis, allowed] : when.provenance) {
    const OriginSet given = origins_of(facts, axis);
    if (view.has_elements(axis) && !given.within(allowed)) {
      reasons.push_back("provenance of " + std::string(templates::to_string(axis)) + " is " +
                        origins(given) + ", the rule wants only " + origins(allowed));
    }
  }
  return reasons;
}

MissReport explain_misses(const MissInput& input) {
  MissReport report;
  std::vector<Miss> misses;
  for (const Element& element : input.ungranted) {
    add_misses(input, &element, misses);
  }
  if (input.ungranted.empty()) {
    add_misses(input, nullptr, misses);
  }
  report.remedy = general_remedy(input);
  const bool asks_program = !input.ungranted.empty() && input.ungranted.front().axis == Axis::argv;
  const auto program = find_program_problem(input.policy, input.view);
  if (program && asks_program) {
    std::erase_if(misses, [](const Miss& miss) { return !miss.names_axis; });
    report.near_misses.push_back(
        {"rgx.program", Place{std::string(kBuiltInPlace), 0, 0}, program->reason});
    report.remedy = program->remedy;
  } else if (input.view.facts.unreadable) {
    report.remedy = "the script has " + printable(*input.view.facts.unreadable) +
                    ": write plain words joined by `&&`, `||`, `;` or `|`, use `exec` with a list "
                    "of arguments, or allow it with a rule that says `analysis: partial`";
  } else if (const auto& runs = input.view.facts.grammar.runs;
             runs && input.view.analysis == Analysis::partial) {
    report.remedy = "`" + printable(runs->argument) + "` of `" + printable(runs->program) +
                    "` is code, or names a program to run: leave it out, or allow the step with a "
                    "rule that says `analysis: partial`";
  } else if (input.view.analysis == Analysis::partial) {
    report.remedy =
        "what this step does is only partly known: declare its `read` and `write` if the tool "
        "takes them, or allow it with a rule that says `analysis: partial`";
  } else if (const Rule* rule = only_rule(misses)) {
    report.remedy += "; rule `" + rule->id + "` says: " + rule->remedy;
  }
  for (Miss& miss : misses) {
    if (report.near_misses.size() == kNearMissesMax) {
      break;
    }
    report.near_misses.push_back(std::move(miss.miss));
  }
  return report;
}

}  // namespace rgx::policy
