#include "policy/lint_relations.h"

#include <algorithm>

#include "base/check.h"
#include "policy/host.h"
#include "policy/matching.h"
#include "templates/tool.h"

namespace rgx::policy::linting {
namespace {

using templates::InputType;
using templates::ToolContract;

bool has_input(const ToolContract& tool, InputType type) {
  return std::ranges::any_of(
      tool.inputs, [type](const templates::ToolInput& input) { return input.type == type; });
}

bool argv_allows(const Matchers& narrow, const Matchers& wide) {
  return !wide.argv || (narrow.argv && argv_within(*narrow.argv, *wide.argv));
}

/// Which of two sets of patterns may be left out: an absent one asks nothing of a step, and grants
/// nothing to it.
enum class Meaning : std::uint8_t { hits, grants };

template <class Patterns, class Within>
bool all_within(const std::optional<Patterns>& narrow, const std::optional<Patterns>& wide,
                Meaning meaning, const Within& is_within) {
  if (!narrow || !wide) {
    return meaning == Meaning::hits ? !wide : !narrow;
  }
  return std::ranges::all_of(*narrow, [&](const auto& inner) {
    return std::ranges::any_of(*wide, [&](const auto& outer) { return is_within(inner, outer); });
  });
}

bool axes_within(const Matchers& narrow, const Matchers& wide, Meaning meaning) {
  const auto on = [](Axis axis) {
    return [axis](const std::string& inner, const std::string& outer) {
      return pattern_within(axis, inner, outer);
    };
  };
  return all_within(narrow.read, wide.read, meaning, glob_within) &&
         all_within(narrow.write, wide.write, meaning, glob_within) &&
         all_within(narrow.refs, wide.refs, meaning, on(Axis::refs)) &&
         all_within(narrow.hosts, wide.hosts, meaning, on(Axis::hosts)) &&
         all_within(narrow.env, wide.env, meaning, on(Axis::env));
}

bool risk_within(const std::vector<Risk>& narrow, const std::vector<Risk>& wide) {
  return wide.empty() || (!narrow.empty() && std::ranges::all_of(narrow, [&wide](Risk level) {
           return std::ranges::find(wide, level) != wide.end();
         }));
}

std::vector<std::string> texts(const std::vector<Glob>& globs) {
  std::vector<std::string> all;
  all.reserve(globs.size());
  for (const Glob& glob : globs) {
    all.push_back(glob.pattern());
  }
  return all;
}

std::vector<Axis> program_axes(const ToolContract& tool) {
  std::vector<Axis> axes = {Axis::read, Axis::write, Axis::hosts};
  // The commands of a script are elements of `argv`, too.
  if (has_input(tool, InputType::argv) || tool.name == "shell") {
    axes.push_back(Axis::argv);
  }
  if (has_input(tool, InputType::environment)) {
    axes.push_back(Axis::env);
  }
  return axes;
}

}  // namespace

ToolSet tools_of(const Matchers& when) {
  ToolSet set = 0;
  ToolSet bit = 1;
  RGX_CHECK(templates::tools().size() <= 64);
  for (const ToolContract& tool : templates::tools()) {
    set |= when.tools.empty() || names_tool(when.tools, tool.name) ? bit : 0U;
    bit <<= 1U;
  }
  return set;
}

std::vector<Axis> axes_of(const ToolContract& tool) {
  if (tool.declares) {
    return program_axes(tool);
  }
  const std::string_view name = tool.name;
  if (name.starts_with("file.")) {
    const bool reads = name != "file.write" && name != "file.delete";
    const bool writes = name != "file.read";
    return reads && writes ? std::vector{Axis::read, Axis::write}
                           : std::vector{reads ? Axis::read : Axis::write};
  }
  if (name.starts_with("search.") || name.starts_with("check.") || name == "git.diff" ||
      name == "git.status") {
    return {Axis::read};
  }
  if (name == "git.commit") {
    return {Axis::read, Axis::refs};
  }
  if (name == "git.branch") {
    return {Axis::refs};
  }
  return name == "http.get" ? std::vector{Axis::hosts} : std::vector<Axis>{};
}

bool may_have(ToolSet tools, Axis axis) {
  ToolSet bit = 1;
  for (const ToolContract& tool : templates::tools()) {
    if ((tools & bit) != 0) {
      const std::vector<Axis> axes = axes_of(tool);
      if (std::ranges::find(axes, axis) != axes.end()) {
        return true;
      }
    }
    bit <<= 1U;
  }
  return false;
}

std::optional<std::vector<std::string>> patterns_of(const Matchers& when, Axis axis) {
  switch (axis) {
    case Axis::read:
      return when.read ? std::optional(texts(*when.read)) : std::nullopt;
    case Axis::write:
      return when.write ? std::optional(texts(*when.write)) : std::nullopt;
    case Axis::refs:
      return when.refs;
    case Axis::hosts:
      return when.hosts;
    case Axis::env:
      return when.env;
    case Axis::argv:
    case Axis::content:
      break;
  }
  return std::nullopt;
}

bool glob_within(const Glob& narrow, const Glob& wide) {
  // A declared pattern is read as the path of that name, too, as in matching.cc.
  return narrow == wide || (wide.matches(narrow.pattern()) && wide.covers(narrow));
}

bool pattern_within(Axis axis, const std::string& narrow, const std::string& wide) {
  if (narrow == wide) {
    return true;
  }
  if (axis == Axis::hosts) {
    return covers_host(wide, narrow);
  }
  if (axis == Axis::env) {
    return wide.ends_with('*') && narrow.starts_with(wide.substr(0, wide.size() - 1));
  }
  const auto inner = Glob::parse(narrow);
  const auto outer = Glob::parse(wide);
  return inner && outer && glob_within(*inner, *outer);
}

bool argv_within(const ArgvPattern& narrow, const ArgvPattern& wide) {
  for (std::size_t index = 0; index < wide.tokens.size(); ++index) {
    const std::string& word = wide.tokens[index];
    if (word == "**") {
      return true;
    }
    if (index >= narrow.tokens.size() || narrow.tokens[index] == "**" ||
        (word != "*" && narrow.tokens[index] != word)) {
      return false;
    }
  }
  return narrow.tokens.size() == wide.tokens.size();
}

bool steps_within(const Matchers& narrow, const Matchers& wide) {
  return (tools_of(narrow) & ~tools_of(wide)) == 0 && argv_allows(narrow, wide);
}

bool looks_only_at(const Matchers& when, std::optional<Axis> axis) {
  const auto is_free = [&](Axis one, bool named) { return !named || axis == one; };
  return when.risk.empty() && when.provenance.empty() && !when.analysis &&
         is_free(Axis::read, when.read.has_value()) &&
         is_free(Axis::write, when.write.has_value()) &&
         is_free(Axis::refs, when.refs.has_value()) &&
         is_free(Axis::hosts, when.hosts.has_value()) && is_free(Axis::env, when.env.has_value());
}

bool hits_within(const Matchers& narrow, const Matchers& wide) {
  // A rule hits when it does on some axis that it lists, so more axes and origins hit more.
  const auto origins = [&] {
    return wide.provenance.empty() ||
           (!narrow.provenance.empty() &&
            std::ranges::all_of(narrow.provenance, [&wide](const auto& entry) {
              const auto found = wide.provenance.find(entry.first);
              return found != wide.provenance.end() && entry.second.within(found->second);
            }));
  };
  return steps_within(narrow, wide) && risk_within(narrow.risk, wide.risk) && origins() &&
         (!wide.analysis || wide.analysis == narrow.analysis) &&
         axes_within(narrow, wide, Meaning::hits);
}

bool grants_within(const Matchers& narrow, const Matchers& wide) {
  // A rule applies when on all axes that it lists the origins are among its own.
  const auto origins = [&] {
    return std::ranges::all_of(wide.provenance, [&narrow](const auto& entry) {
      const auto found = narrow.provenance.find(entry.first);
      return found != narrow.provenance.end() && found->second.within(entry.second);
    });
  };
  return wide.argv.has_value() == narrow.argv.has_value() && steps_within(narrow, wide) &&
         risk_within(narrow.risk, wide.risk) && origins() &&
         (narrow.analysis != Analysis::partial || wide.analysis == Analysis::partial) &&
         axes_within(narrow, wide, Meaning::grants);
}

bool demand_within(const ApprovalDemand& narrow, const ApprovalDemand& wide) {
  return wide.count >= narrow.count && (narrow.group.empty() || narrow.group == wide.group) &&
         (narrow.self || !wide.self);
}

}  // namespace rgx::policy::linting
