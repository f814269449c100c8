#include "policy/authority.h"

#include <algorithm>

#include "base/text.h"

namespace rgx::policy {

using templates::Axis;

namespace {

bool fits(const Delegation& delegation, Layer to, const FactView& view) {
  if (delegation.to != to || delegation.tools.empty() || view.unreadable ||
      !names_tool(delegation.tools, view.facts.tool)) {
    return false;
  }
  return std::ranges::all_of(view.commands, [&](const std::vector<std::string>* command) {
    return std::ranges::find(delegation.programs, command->front()) != delegation.programs.end();
  });
}

std::optional<ProgramProblem> find_problem_of(const Prepared& policy, const std::string& name,
                                              const std::optional<std::string>& path) {
  const std::string shown = "`" + printable(name) + "`";
  if (name.find('/') != std::string::npos) {
    return ProgramProblem{"argv[0] " + shown + " is a path, and programs are started by name",
                          "write the bare name of an entry of `programs`"};
  }
  const Program* program = find_program(policy, name);
  if (program == nullptr) {
    return ProgramProblem{shown + " is not in the table `programs`",
                          "add " + shown + " with its absolute paths to `programs`"};
  }
  if (path && std::ranges::find(program->paths, *path) == program->paths.end()) {
    return ProgramProblem{
        shown + " was resolved to `" + printable(*path) +
            "`, which is none of its paths in `programs`",
        "list the path for " + shown + " in `programs`, or remove the other program"};
  }
  return std::nullopt;
}

}  // namespace

Authority::Authority(const Prepared& policy, const FactView& view)
    : view_(view),
      links_(policy.layers.size()) {
  for (std::size_t layer = 1; layer < policy.layers.size(); ++layer) {
    for (std::size_t above = 0; above < layer; ++above) {
      for (const Delegation& delegation : policy.layers[above].delegations) {
        if (fits(delegation, policy.layers[layer].layer, view)) {
          links_[layer].push_back({above, &delegation});
        }
      }
    }
  }
}

bool Authority::inside(const Delegation& delegation, const Element& element) const {
  switch (element.axis) {
    case Axis::argv:
      return true;  // the link's programs name argv[0]
    case Axis::read:
      return covered(delegation.read, view_.reads[element.index]);
    case Axis::write:
      return covered(delegation.write, view_.writes[element.index]);
    case Axis::env:
      return std::ranges::any_of(delegation.env, [&](const std::string& pattern) {
        return matches_variable(pattern, view_.facts.env[element.index]);
      });
    case Axis::refs:
    case Axis::hosts:
    case Axis::content:
      return false;
  }
  return false;
}

bool Authority::over(std::size_t layer, const Element& element) const {
  return layer == 0 || std::ranges::any_of(links_[layer], [&](const Link& link) {
           return inside(*link.delegation, element) && over(link.above, element);
         });
}

bool Authority::over_step(std::size_t layer) const {
  return layer == 0 || std::ranges::any_of(links_[layer],
                                           [&](const Link& link) { return over_step(link.above); });
}

std::optional<ProgramProblem> find_program_problem(const Prepared& policy, const FactView& view) {
  const Facts& facts = view.facts;
  for (std::size_t index = 0; index < view.commands.size(); ++index) {
    // Only the program of an argv is resolved; what starts others finds them on its own.
    const bool resolved = index == 0 && facts.program;
    if (auto problem = find_problem_of(policy, view.commands[index]->front(),
                                       resolved ? facts.program->path : std::nullopt)) {
      return problem;
    }
  }
  return std::nullopt;
}

}  // namespace rgx::policy
