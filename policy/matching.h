#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"
#include "policy/facts.h"
#include "policy/policy.h"

// What it means for a matcher to hit, and for an allow rule to grant. Private to the package.
// Format: docs/formats/decision.md, sections "Deny and approval rules" and "Grants"

namespace rgx::policy {

/// One spelling of a path: always the literal, and a glob where it has wildcards and is valid.
struct Form {
  std::string_view text;
  std::optional<Glob> glob;
};

/// All spellings of one path: as written and, where it leads elsewhere, resolved.
struct PathForms {
  std::vector<Form> forms;
};

/// One thing a step does, which some rule must grant.
struct Element {
  templates::Axis axis = templates::Axis::argv;
  std::size_t index = 0;
};

/// Facts made ready for matching. Refers to the facts, which must outlive it.
struct FactView {
  /// `knows` says of a program's name whether its entry in `programs` has a grammar.
  FactView(const Facts& judged, const std::function<bool(std::string_view)>& knows);

  const Facts& facts;
  std::vector<PathForms> reads;
  std::vector<PathForms> writes;
  std::vector<Form> refs;
  std::vector<Element> elements;
  /// Programs that the step starts with their arguments: one of an argv, all of a script.
  std::vector<const std::vector<std::string>*> commands;
  std::optional<FlagFact> refused;     ///< an argument that a program with a grammar does not take
  Analysis analysis = Analysis::full;  ///< with the grammars of the policy alone
  bool unreadable = false;             ///< a script of which nobody can say what it starts

  [[nodiscard]] const std::vector<PathForms>& paths(templates::Axis axis) const;
  [[nodiscard]] bool matches_all(const ArgvPattern& pattern) const;
  [[nodiscard]] bool matches_some(const ArgvPattern& pattern) const;
  [[nodiscard]] bool has_elements(templates::Axis axis) const;
  /// Element for people: a path, a host, the words of an argv.
  [[nodiscard]] std::string text(const Element& element) const;
};

/// Why the facts cannot be judged at all, if so.
[[nodiscard]] std::optional<std::string> find_problem(const Facts& facts);

[[nodiscard]] bool hits(const Glob& pattern, const PathForms& path);
[[nodiscard]] bool covers(const Glob& pattern, const PathForms& path);
/// True when every form is covered by some pattern (not necessarily all by the same).
[[nodiscard]] bool covered(const std::vector<Glob>& patterns, const PathForms& path);
[[nodiscard]] bool names_tool(const std::vector<std::string>& patterns, std::string_view tool);
[[nodiscard]] bool matches_variable(std::string_view pattern, std::string_view name);
/// Origins of an axis of the step; an axis that is absent is `human`.
[[nodiscard]] templates::OriginSet origins_of(const Facts& facts, templates::Axis axis);

/// True when every matcher that is named hits; elements that one of `exceptions` covers do not
/// count.
[[nodiscard]] bool hits(const Matchers& when, const FactView& view, Risk risk,
                        std::span<const Exception* const> exceptions);

/// True when an allow rule with these matchers applies to the step.
[[nodiscard]] bool applies(const Matchers& when, const FactView& view, Risk risk);
/// True when an allow rule that applies grants the element.
[[nodiscard]] bool grants(const Matchers& when, const FactView& view, const Element& element);
/// True when the rule's patterns cover an element of an axis other than `argv`.
[[nodiscard]] bool lists(const Matchers& when, const FactView& view, const Element& element);
/// A rule for scripts that nobody can read is one for those that can be read, too.
[[nodiscard]] bool takes_scripts(const Matchers& when, const FactView& view);
[[nodiscard]] bool names_axis(const Matchers& when, templates::Axis axis);

/// argv as one line that can be read back: words with special characters in JSON quotes.
[[nodiscard]] std::string shown_argv(const std::vector<std::string>& argv);

}  // namespace rgx::policy
