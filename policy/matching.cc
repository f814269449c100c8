#include "policy/matching.h"

#include <algorithm>

#include "base/canonical.h"
#include "base/check.h"
#include "base/path.h"
#include "policy/host.h"
#include "policy/wrapper.h"

namespace rgx::policy {

using templates::Axis;
using templates::OriginSet;

namespace {

constexpr std::string_view kShellTool = "shell";

Form form_of(std::string_view text) {
  Form form{.text = text, .glob = std::nullopt};
  if (text.find_first_of("*?[\\") != std::string_view::npos) {
    if (auto glob = Glob::parse(text)) {
      form.glob = std::move(*glob);
    }
  }
  return form;
}

PathForms forms_of(const PathFact& path) {
  PathForms all;
  all.forms.push_back(form_of(path.path));
  if (path.resolved && *path.resolved != path.path) {
    all.forms.push_back(form_of(*path.resolved));
  }
  return all;
}

void add_elements(Axis axis, std::size_t count, std::vector<Element>& elements) {
  for (std::size_t index = 0; index < count; ++index) {
    elements.push_back({axis, index});
  }
}

bool hits_form(const Glob& pattern, const Form& form) {
  return pattern.matches(form.text) || (form.glob && pattern.overlaps(*form.glob));
}

bool covers_form(const Glob& pattern, const Form& form) {
  return pattern.pattern() == form.text ||
         (pattern.matches(form.text) && (!form.glob || pattern.covers(*form.glob)));
}

bool is_normal(const std::string& path) {
  const auto normal = normal_path(path);
  return normal.has_value() && *normal == path;
}

bool hits_command(const ArgvPattern& pattern, const std::vector<std::string>& argv) {
  if (pattern.matches(argv)) {
    return true;
  }
  // Where the arguments are a command themselves, nobody knows where it starts: try every tail.
  const bool wrapper = is_wrapper(argv);
  for (std::size_t start = 1; wrapper && start < argv.size(); ++start) {
    if (pattern.matches({argv.begin() + static_cast<std::ptrdiff_t>(start), argv.end()})) {
      return true;
    }
  }
  return false;
}

/// A script that cannot be read may start anything.
bool hits_argv(const ArgvPattern& pattern, const FactView& view) {
  return view.unreadable ||
         std::ranges::any_of(view.commands, [&](const std::vector<std::string>* command) {
           return hits_command(pattern, *command);
         });
}

bool lifted(const PathForms& path, Axis axis, std::span<const Exception* const> exceptions) {
  return std::ranges::any_of(exceptions, [&](const Exception* exception) {
    return covered(axis == Axis::read ? exception->read : exception->write, path);
  });
}

bool hits_paths(const std::vector<Glob>& patterns, const FactView& view, Axis axis,
                std::span<const Exception* const> exceptions) {
  return std::ranges::any_of(view.paths(axis), [&](const PathForms& path) {
    return std::ranges::any_of(patterns,
                               [&](const Glob& pattern) { return hits(pattern, path); }) &&
           !lifted(path, axis, exceptions);
  });
}

bool hits_ref(const std::string& pattern, const Form& ref) {
  const auto glob = Glob::parse(pattern);
  // A pattern that cannot be read hits: an error while deciding is a denial.
  return !glob || hits_form(*glob, ref);
}

template <class Items, class Matches>
bool any_pair(const std::vector<std::string>& patterns, const Items& items, Matches matches) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return std::ranges::any_of(items, [&](const auto& item) { return matches(pattern, item); });
  });
}

bool hits_provenance(const std::map<Axis, OriginSet>& provenance, const FactView& view) {
  return std::ranges::any_of(provenance, [&](const auto& entry) {
    const OriginSet origins = origins_of(view.facts, entry.first);
    bool shared = false;
    for (std::size_t index = 0; index < templates::kOriginNames.size(); ++index) {
      const auto origin = static_cast<templates::Origin>(index);
      shared = shared || (origins.has(origin) && entry.second.has(origin));
    }
    return view.has_elements(entry.first) && shared;
  });
}

bool holds_provenance(const std::map<Axis, OriginSet>& provenance, const FactView& view) {
  return std::ranges::all_of(provenance, [&](const auto& entry) {
    return !view.has_elements(entry.first) ||
           origins_of(view.facts, entry.first).within(entry.second);
  });
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find(' '));
}

bool names_risk(const std::vector<Risk>& levels, Risk risk) {
  return levels.empty() || std::ranges::find(levels, risk) != levels.end();
}

}  // namespace

FactView::FactView(const Facts& judged, const std::function<bool(std::string_view)>& knows)
    : facts(judged),
      analysis(judged.analysis) {
  const GrammarFact& grammar = facts.grammar;
  if (!std::ranges::all_of(grammar.programs, knows) ||
      (grammar.runs && knows(first_word(grammar.runs->program)))) {
    analysis = Analysis::partial;
  }
  if (grammar.refused && knows(first_word(grammar.refused->program))) {
    refused = grammar.refused;
  }
  for (const PathFact& path : facts.reads) {
    reads.push_back(forms_of(path));
  }
  for (const PathFact& path : facts.writes) {
    writes.push_back(forms_of(path));
  }
  for (const std::string& ref : facts.refs) {
    refs.push_back(form_of(ref));
  }
  if (facts.argv) {
    commands.push_back(&*facts.argv);
  }
  if (facts.commands) {
    for (const std::vector<std::string>& command : *facts.commands) {
      commands.push_back(&command);
    }
  }
  unreadable = facts.tool == kShellTool && !facts.commands;
  add_elements(Axis::argv, commands.size(), elements);
  add_elements(Axis::read, reads.size(), elements);
  add_elements(Axis::write, writes.size(), elements);
  add_elements(Axis::refs, refs.size(), elements);
  add_elements(Axis::hosts, facts.hosts.size(), elements);
  add_elements(Axis::env, facts.env.size(), elements);
}

bool FactView::matches_all(const ArgvPattern& pattern) const {
  return !commands.empty() &&
         std::ranges::all_of(commands, [&](const std::vector<std::string>* command) {
           return pattern.matches(*command);
         });
}

bool FactView::matches_some(const ArgvPattern& pattern) const {
  return std::ranges::any_of(
      commands, [&](const std::vector<std::string>* command) { return pattern.matches(*command); });
}

const std::vector<PathForms>& FactView::paths(Axis axis) const {
  RGX_CHECK(axis == Axis::read || axis == Axis::write);
  return axis == Axis::read ? reads : writes;
}

bool FactView::has_elements(Axis axis) const {
  switch (axis) {
    case Axis::argv:
      return !commands.empty() || unreadable;
    case Axis::read:
      return !reads.empty();
    case Axis::write:
      return !writes.empty();
    case Axis::refs:
      return !refs.empty();
    case Axis::hosts:
      return !facts.hosts.empty();
    case Axis::env:
      return !facts.env.empty();
    case Axis::content:
      return true;
  }
  return true;
}

std::string FactView::text(const Element& element) const {
  switch (element.axis) {
    case Axis::argv:
      return shown_argv(*commands[element.index]);
    case Axis::read:
    case Axis::write: {
      const PathFact& path =
          (element.axis == Axis::read ? facts.reads : facts.writes)[element.index];
      return path.resolved && *path.resolved != path.path ? path.path + " -> " + *path.resolved
                                                          : path.path;
    }
    case Axis::refs:
      return facts.refs[element.index];
    case Axis::hosts:
      return facts.hosts[element.index];
    case Axis::env:
      return facts.env[element.index];
    case Axis::content:
      break;
  }
  RGX_CHECK(element.axis != Axis::content);
  return {};
}

std::optional<std::string> find_problem(const Facts& facts) {
  const templates::ToolContract* contract = templates::find_tool(facts.tool);
  if (contract == nullptr) {
    return "there is no tool of this name";
  }
  if (contract->version != facts.contract_version) {
    return "the facts are of version " + std::to_string(facts.contract_version) +
           " of the tool's contract, not " + std::to_string(contract->version);
  }
  const auto names_none = [](const std::vector<std::string>& argv) {
    return argv.empty() || argv.front().empty();
  };
  if (facts.argv && names_none(*facts.argv)) {
    return "the argv names no program";
  }
  if (facts.unreadable && facts.tool != kShellTool) {
    return "only a step of the tool `shell` has a script";
  }
  if (facts.commands && facts.tool != kShellTool && !facts.argv) {
    return "only a step that starts a program has commands";
  }
  if (facts.commands &&
      (facts.commands->empty() || std::ranges::any_of(*facts.commands, names_none))) {
    return "a command names no program";
  }
  if (facts.tool == kShellTool && (facts.argv || (facts.commands && facts.unreadable))) {
    return "the script is both read and unreadable, or the step has an argv, too";
  }
  if (facts.program && (!facts.argv || facts.program->name != facts.argv->front())) {
    return "the program is not the first word of the argv";
  }
  for (const std::vector<PathFact>* paths : {&facts.reads, &facts.writes}) {
    for (const PathFact& path : *paths) {
      if (!is_normal(path.path) || (path.resolved && !is_normal(*path.resolved))) {
        return "a path is not in normal form";
      }
    }
  }
  return std::nullopt;
}

bool hits(const Glob& pattern, const PathForms& path) {
  return std::ranges::any_of(path.forms,
                             [&](const Form& form) { return hits_form(pattern, form); });
}

bool covers(const Glob& pattern, const PathForms& path) {
  return std::ranges::all_of(path.forms,
                             [&](const Form& form) { return covers_form(pattern, form); });
}

bool covered(const std::vector<Glob>& patterns, const PathForms& path) {
  return std::ranges::all_of(path.forms, [&](const Form& form) {
    return std::ranges::any_of(patterns,
                               [&](const Glob& pattern) { return covers_form(pattern, form); });
  });
}

bool names_tool(const std::vector<std::string>& patterns, std::string_view tool) {
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
           return templates::tool_matches(pattern, tool);
         });
}

bool matches_variable(std::string_view pattern, std::string_view name) {
  return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                : pattern == name;
}

OriginSet origins_of(const Facts& facts, Axis axis) {
  const auto found = facts.provenance.find(axis);
  return found == facts.provenance.end() ? OriginSet(templates::Origin::human) : found->second;
}

bool hits(const Matchers& when, const FactView& view, Risk risk,
          std::span<const Exception* const> exceptions) {
  return names_tool(when.tools, view.facts.tool) && names_risk(when.risk, risk) &&
         (!when.analysis || *when.analysis == view.analysis) &&
         (when.provenance.empty() || hits_provenance(when.provenance, view)) &&
         (!when.argv || hits_argv(*when.argv, view)) &&
         (!when.read || hits_paths(*when.read, view, Axis::read, exceptions)) &&
         (!when.write || hits_paths(*when.write, view, Axis::write, exceptions)) &&
         (!when.refs || any_pair(*when.refs, view.refs, hits_ref)) &&
         (!when.hosts || any_pair(*when.hosts, view.facts.hosts, hits_host)) &&
         (!when.env || any_pair(*when.env, view.facts.env, matches_variable));
}

bool applies(const Matchers& when, const FactView& view, Risk risk) {
  return names_tool(when.tools, view.facts.tool) && names_risk(when.risk, risk) &&
         (view.analysis == Analysis::full || when.analysis == Analysis::partial) &&
         holds_provenance(when.provenance, view) && (!when.argv || view.matches_some(*when.argv));
}

bool names_axis(const Matchers& when, Axis axis) {
  switch (axis) {
    case Axis::argv:
      return when.argv.has_value();
    case Axis::read:
      return when.read.has_value();
    case Axis::write:
      return when.write.has_value();
    case Axis::refs:
      return when.refs.has_value();
    case Axis::hosts:
      return when.hosts.has_value();
    case Axis::env:
      return when.env.has_value();
    case Axis::content:
      return false;
  }
  return false;
}

bool takes_scripts(const Matchers& when, const FactView& view) {
  return view.facts.tool == kShellTool && !when.argv && when.analysis == Analysis::partial;
}

bool grants(const Matchers& when, const FactView& view, const Element& element) {
  if (element.axis == Axis::argv) {
    return when.argv ? when.argv->matches(*view.commands[element.index])
                     : takes_scripts(when, view);
  }
  // What a script reads or writes may be of any of its commands.
  return (!when.argv || view.matches_all(*when.argv)) && lists(when, view, element);
}

bool lists(const Matchers& when, const FactView& view, const Element& element) {
  const std::size_t index = element.index;
  switch (element.axis) {
    case Axis::read:
      return when.read && covered(*when.read, view.reads[index]);
    case Axis::write:
      return when.write && covered(*when.write, view.writes[index]);
    case Axis::refs:
      return when.refs && std::ranges::any_of(*when.refs, [&](const std::string& pattern) {
               const auto glob = Glob::parse(pattern);
               return glob && covers_form(*glob, view.refs[index]);
             });
    case Axis::hosts:
      return when.hosts && std::ranges::any_of(*when.hosts, [&](const std::string& pattern) {
               return covers_host(pattern, view.facts.hosts[index]);
             });
    case Axis::env:
      return when.env && std::ranges::any_of(*when.env, [&](const std::string& pattern) {
               return matches_variable(pattern, view.facts.env[index]);
             });
    case Axis::argv:
    case Axis::content:
      return false;
  }
  return false;
}

std::string shown_argv(const std::vector<std::string>& argv) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  std::string line;
  for (const std::string& word : argv) {
    line += line.empty() ? "" : " ";
    const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    line += plain ? word : canonical(Json(word));
  }
  return line;
}

}  // namespace rgx::policy
