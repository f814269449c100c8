#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "policy/decision.h"
#include "policy/lint_findings.h"
#include "policy/lint_relations.h"

// Findings about one rule at a time: too much, or nothing at all.

namespace rgx::policy::linting {
namespace {

using templates::ToolContract;

constexpr std::array<std::string_view, 3> kEverywhere = {"**", "home:**", "abs:/**"};

/// Where anybody can publish: a rule for the host lets data in and out by way of strangers.
constexpr std::array<std::string_view, 24> kSharedHosts = {"amazonaws.com",
                                                           "bitbucket.org",
                                                           "blob.core.windows.net",
                                                           "cloudfront.net",
                                                           "codeberg.org",
                                                           "crates.io",
                                                           "discord.com",
                                                           "docker.io",
                                                           "github.com",
                                                           "github.io",
                                                           "githubusercontent.com",
                                                           "gitlab.com",
                                                           "googleapis.com",
                                                           "huggingface.co",
                                                           "netlify.app",
                                                           "ngrok.io",
                                                           "npmjs.org",
                                                           "pastebin.com",
                                                           "pypi.org",
                                                           "pythonhosted.org",
                                                           "rubygems.org",
                                                           "slack.com",
                                                           "vercel.app",
                                                           "webhook.site"};

std::string quoted(std::string_view text) {
  return '`' + std::string(text) + '`';
}

bool takes_everything(const std::string& pattern, std::string_view place) {
  return pattern_within(Axis::read, std::string(place), pattern);
}

void find_broad_paths(const Rule& rule, Findings& findings) {
  for (const Axis axis : {Axis::read, Axis::write}) {
    for (const std::string& pattern :
         patterns_of(rule.when, axis).value_or(std::vector<std::string>{})) {
      const auto place = std::ranges::find_if(kEverywhere, [&pattern](std::string_view everywhere) {
        return takes_everything(pattern, everywhere);
      });
      // Reading the workspace is what rgx is for, and who picks the file may bound its writes.
      const bool bounded = place == kEverywhere.end() ||
                           (place == kEverywhere.begin() &&
                            (axis == Axis::read || rule.when.provenance.contains(Axis::write)));
      if (!bounded) {
        findings.add("lint.broad_path", rule,
                     shown(rule) + " allows to " + std::string(to_string(axis)) + " all of " +
                         (*place == "**"        ? "the workspace, whoever picks the file"
                          : *place == "home:**" ? "a home directory"
                                                : "the machine"),
                     *place == "**" ? "name folders, or add `provenance: {write: [human, "
                                      "template, repository]}`"
                                    : "name the folders that are needed");
      }
    }
  }
}

bool has_grammar(const Policy& policy, const std::string& program) {
  const auto found = policy.programs.find(program);
  return found != policy.programs.end() && found->second.has_grammar;
}

void find_broad_argv(const Policy& policy, const Rule& rule, Findings& findings) {
  const auto& argv = rule.when.argv;
  const ToolSet tools = tools_of(rule.when);
  if (argv && argv->tokens.size() == 2 && argv->tokens[1] == "**" &&
      !has_grammar(policy, argv->tokens[0])) {
    findings.add(
        "lint.broad_argv", rule,
        shown(rule) + " allows " + quoted(argv->tokens[0]) + " with any arguments",
        "write the arguments that are meant, or `grammar: shipped` in the program's entry, "
        "where rgx knows it");
  }
  if (!argv && rule.when.analysis == Analysis::partial && !rule.when.tools.empty() &&
      may_have(tools, Axis::argv)) {
    findings.add(
        "lint.broad_argv", rule,
        shown(rule) + " allows scripts and programs of which nobody knows what they do",
        "name `argv`, or declare `read` and `write` in the steps and leave `analysis` out");
  }
}

void find_shared_hosts(const Rule& rule, Findings& findings) {
  for (const std::string& host : rule.when.hosts.value_or(std::vector<std::string>{})) {
    const std::string_view name = std::string_view(host).substr(0, host.rfind(':'));
    const auto shared = std::ranges::find_if(kSharedHosts, [name](std::string_view known) {
      return name == known ||
             (name.ends_with(known) && name[name.size() - known.size() - 1] == '.');
    });
    if (shared != kSharedHosts.end()) {
      findings.add("lint.shared_host", rule,
                   shown(rule) + " allows " + quoted(host) + ", where anybody can publish",
                   "use a mirror of your own, or be sure that nothing secret can be read by such "
                   "steps");
    }
  }
}

/// Axes that a matcher names although no step of its tools has them.
std::vector<Axis> dead_axes(const Matchers& when) {
  std::vector<Axis> dead;
  const ToolSet tools = tools_of(when);
  for (const Axis axis : kPatternAxes) {
    if (patterns_of(when, axis) && !may_have(tools, axis)) {
      dead.push_back(axis);
    }
  }
  if (when.argv && !may_have(tools, Axis::argv)) {
    dead.push_back(Axis::argv);
  }
  return dead;
}

bool is_dead_origin(const Matchers& when, Axis axis) {
  return axis != Axis::content && !may_have(tools_of(when), axis);
}

std::string names_of(const std::vector<Axis>& axes) {
  std::vector<std::string> names;
  for (const Axis axis : axes) {
    names.push_back(quoted(to_string(axis)));
  }
  return join(names, ", ");
}

/// A rule that hits only where all its matchers do never does with one that cannot.
bool never_hits(const Matchers& when) {
  return !dead_axes(when).empty() ||
         (!when.provenance.empty() && std::ranges::all_of(when.provenance, [&](const auto& entry) {
           return is_dead_origin(when, entry.first);
         }));
}

void find_dead_selectors(const Rule& rule, Findings& findings) {
  std::vector<Axis> dead = dead_axes(rule.when);
  for (const auto& [axis, origins] : rule.when.provenance) {
    if (is_dead_origin(rule.when, axis)) {
      dead.push_back(axis);
    }
  }
  if (dead.empty()) {
    return;
  }
  const std::string what = names_of(dead) + ", which no step of its tools has";
  if (rule.effect != Effect::allow && never_hits(rule.when)) {
    findings.add("lint.rule_unused", rule, shown(rule) + " never matches: it names " + what,
                 "add the tools that are meant, or remove the key");
  } else {
    findings.add("lint.dead_selector", rule, shown(rule) + " names " + what,
                 "add the tools that are meant, or remove the key");
  }
}

/// In a file that can be the top, a program that no entry names cannot be started.
void find_unknown_program(const Policy& policy, const Rule& rule, Findings& findings) {
  if (rule.effect == Effect::allow && policy.default_deny && rule.when.argv &&
      !policy.programs.contains(rule.when.argv->tokens.front())) {
    findings.add("lint.rule_unused", rule,
                 shown(rule) + " allows nothing: " + quoted(rule.when.argv->tokens.front()) +
                     " is not in `programs`",
                 "add it there with its paths");
  }
}

/// Longer lists are written by programs, and comparing all of them with all takes its time.
constexpr std::size_t kListMax = 200;

/// The pattern that the one at `inner` is part of; of two that are equal the first stays.
std::optional<std::size_t> covering(Axis axis, const std::vector<std::string>& patterns,
                                    const std::vector<std::optional<Glob>>& globs,
                                    std::size_t inner) {
  for (std::size_t outer = 0; outer < patterns.size(); ++outer) {
    const bool same = patterns[inner] == patterns[outer];
    if (outer == inner || (same && inner < outer)) {
      continue;
    }
    const std::optional<Glob>& narrow = globs[inner];
    const std::optional<Glob>& wide = globs[outer];
    if (same || (narrow && wide ? glob_within(*narrow, *wide)
                                : pattern_within(axis, patterns[inner], patterns[outer]))) {
      return outer;
    }
  }
  return std::nullopt;
}

void find_covered_patterns(const Rule& rule, Findings& findings) {
  for (const Axis axis : kPatternAxes) {
    const auto patterns = patterns_of(rule.when, axis).value_or(std::vector<std::string>{});
    if (patterns.size() > kListMax) {
      continue;
    }
    std::vector<std::optional<Glob>> globs(patterns.size());
    for (std::size_t index = 0; index < patterns.size() && axis != Axis::hosts && axis != Axis::env;
         ++index) {
      if (auto glob = Glob::parse(patterns[index])) {
        globs[index] = std::move(*glob);
      }
    }
    for (std::size_t inner = 0; inner < patterns.size(); ++inner) {
      if (const auto outer = covering(axis, patterns, globs, inner)) {
        findings.add("lint.pattern_covered", rule,
                     quoted(patterns[inner]) + " of " + shown(rule) + " is part of " +
                         quoted(patterns[*outer]),
                     "remove it from " + quoted(to_string(axis)));
      }
    }
  }
}

void find_unused_programs(const Policy& policy, Findings& findings) {
  const auto any_script = [](const Rule& rule) {
    return rule.effect == Effect::allow && !rule.when.argv &&
           rule.when.analysis == Analysis::partial;
  };
  if (std::ranges::any_of(policy.rules, any_script)) {
    return;  // scripts may start all of them
  }
  for (const auto& entry : policy.programs) {
    const std::string& name = entry.first;
    const bool started = std::ranges::any_of(policy.rules, [&name](const Rule& rule) {
      return rule.effect == Effect::allow && rule.when.argv &&
             rule.when.argv->tokens.front() == name;
    });
    const bool delegated =
        std::ranges::any_of(policy.delegations, [&name](const Delegation& delegation) {
          return std::ranges::find(delegation.programs, name) != delegation.programs.end();
        });
    // A lower layer may list what a layer above delegates and allows.
    if (policy.default_deny && !started && !delegated) {
      findings.add("lint.program_unused", entry.second.place, {},
                   "no rule starts the program " + quoted(name) + ", and no delegation names it",
                   "remove the entry, or write the rule");
    }
  }
}

}  // namespace

void find_broad(const Policy& policy, Findings& findings) {
  for (const Rule& rule : policy.rules) {
    if (rule.effect == Effect::allow) {
      if (rule.when.tools.empty() ||
          std::ranges::find(rule.when.tools, "*") != rule.when.tools.end()) {
        findings.add("lint.broad_tool", rule,
                     shown(rule) + " allows every tool, those of later versions too",
                     "list the tools under `tool`");
      }
      find_broad_paths(rule, findings);
      find_broad_argv(policy, rule, findings);
      find_shared_hosts(rule, findings);
    }
    const auto& argv = rule.when.argv;
    if (rule.effect == Effect::deny && argv && argv->tokens.size() > 1 && argv->tokens[1] != "**") {
      findings.add("lint.deny_by_argv", rule,
                   shown(rule) + " denies one spelling of a command; there are others",
                   "allow the arguments that are meant instead; what no rule allows is denied");
    }
  }
}

void find_dead(const Policy& policy, Findings& findings) {
  for (const Rule& rule : policy.rules) {
    find_dead_selectors(rule, findings);
    find_unknown_program(policy, rule, findings);
    find_covered_patterns(rule, findings);
  }
  for (const RiskRule& rule : policy.risk_rules) {
    if (never_hits(rule.when)) {
      findings.add("lint.rule_unused", rule.place, {},
                   "this level of `risk` is never given: it names what no step of its tools has",
                   "add the tools that are meant, or remove the key");
    }
  }
  find_unused_programs(policy, findings);
}

}  // namespace rgx::policy::linting
