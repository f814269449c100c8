#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "policy/decision.h"

// Facts and matchers in one uniform shape for the reference evaluator, which shares globs, argv and
// tool patterns and the protected set with production; nothing is decided here.

namespace rgx::policy::reference {

using Strings = std::vector<std::string>;
using templates::Axis;
/// Patterns by axis; an axis that is not named is absent. `argv` has no pattern here: it is a
/// condition of the whole rule.
using Lists = std::map<Axis, Strings>;

/// One element of an axis with its spellings.
struct Item {
  Axis axis = Axis::argv;
  Strings forms;
};

struct Answer {
  Effect effect = Effect::deny;
  Risk risk = Risk::medium;
  std::set<std::string> rules;  ///< ids of the deciding ones

  bool operator==(const Answer&) const = default;
};

bool any(const auto& items, auto test) {
  return std::ranges::any_of(items, test);
}
bool all(const auto& items, auto test) {
  return std::ranges::all_of(items, test);
}
bool in(const auto& item, const auto& items) {
  return std::ranges::count(items, item) > 0;
}

/// Names of origins; an axis that is absent is `human`.
inline Strings names(templates::OriginSet origins) {
  Strings all;
  const Json list = origins.to_json();
  for (const Json& name : list.as_array()) {
    all.push_back(name.as_string());
  }
  return all;
}
inline Strings origins_of(const Facts& facts, Axis axis) {
  const auto found = facts.provenance.find(axis);
  return found == facts.provenance.end() ? Strings{"human"} : names(found->second);
}

inline Strings texts(const std::vector<Glob>& globs) {
  Strings all;
  std::ranges::transform(globs, std::back_inserter(all), &Glob::pattern);
  return all;
}

inline Lists lists(const Matchers& m) {
  Lists all;
  if (m.argv) {
    all[Axis::argv] = {};
  }
  if (m.read) {
    all[Axis::read] = texts(*m.read);
  }
  if (m.write) {
    all[Axis::write] = texts(*m.write);
  }
  if (m.hosts) {
    all[Axis::hosts] = *m.hosts;
  }
  if (m.env) {
    all[Axis::env] = *m.env;
  }
  return all;
}

inline Lists lists(const Delegation& d) {
  return {{Axis::argv, {}},
          {Axis::read, texts(d.read)},
          {Axis::write, texts(d.write)},
          {Axis::env, d.env}};
}

inline Lists lists(const Exception& e) {
  return {{Axis::read, texts(e.read)}, {Axis::write, texts(e.write)}};
}

inline bool present(const std::vector<Item>& items, Axis axis) {
  return axis == Axis::content || any(items, [&](const Item& i) { return i.axis == axis; });
}

inline bool matches_tool(const Strings& patterns, const std::string& tool) {
  return patterns.empty() ||
         any(patterns, [&](const auto& p) { return templates::tool_matches(p, tool); });
}

inline bool asks_for(const Gate& gate, Effect effect) {
  return effect == Effect::deny ? gate.effect == effect : gate.approval && gate.approval->count > 0;
}

inline std::vector<Item> items_of(const Facts& facts) {
  std::vector<Item> all;
  const auto add_paths = [&all](Axis axis, const std::vector<PathFact>& paths) {
    for (const PathFact& path : paths) {
      all.push_back(
          {axis, path.resolved ? Strings{path.path, *path.resolved} : Strings{path.path}});
    }
  };
  const auto add = [&all](Axis axis, const Strings& names) {
    for (const std::string& name : names) {
      all.push_back({axis, {name}});
    }
  };
  if (facts.argv) {
    all.push_back({Axis::argv, {}});
  }
  add_paths(Axis::read, facts.reads);
  add_paths(Axis::write, facts.writes);
  add(Axis::hosts, facts.hosts);
  add(Axis::env, facts.env);
  return all;
}

inline bool knows(const PolicySet& set, const std::string& command) {
  const Program* program = set.find_program(command.substr(0, command.find(' ')));
  return program != nullptr && program->has_grammar;
}
inline Analysis analysis_of(const PolicySet& set, const Facts& facts) {
  const GrammarFact& grammar = facts.grammar;
  const bool known = all(grammar.programs, [&](auto& p) { return knows(set, p); });
  const bool code = grammar.runs && knows(set, grammar.runs->program);
  return known && !code ? facts.analysis : Analysis::partial;
}

inline std::set<std::string> refused_arguments(const PolicySet& set, const Facts& facts) {
  const auto& refused = facts.grammar.refused;
  return refused && knows(set, refused->program) ? std::set<std::string>{"rgx.arguments"}
                                                 : std::set<std::string>{};
}

}  // namespace rgx::policy::reference
