#include "engine/resolve.h"

#include <algorithm>

#include "base/glob.h"
#include "engine/program_lookup.h"

namespace rgx::engine {

namespace {

/// Splits a glob into the folder that is named literally and the rest with wildcards.
std::pair<std::string, std::string> split_glob(const std::string& pattern) {
  const auto wildcard = pattern.find_first_of("*?[\\");
  if (wildcard == std::string::npos) {
    return {pattern, ""};
  }
  const auto slash = pattern.rfind('/', wildcard);
  if (slash == std::string::npos) {
    return {".", pattern};
  }
  return {pattern.substr(0, slash), pattern.substr(slash + 1)};
}

/// Where a path or glob leads; nothing where that is the path itself.
Result<std::optional<std::string>> resolve_path(const std::string& path, Workspace& workspace) {
  if (path.starts_with("home:") || path.starts_with("abs:")) {
    RGX_TRY(const std::string resolved, workspace.resolve(path));
    return resolved == path ? std::optional<std::string>() : std::optional<std::string>(resolved);
  }
  // Only what is not there is read as a glob: a file may be called `[id].ts`.
  const auto there = workspace.kind(path);
  const bool missing = there && *there == EntryKind::missing;
  const auto [folder, rest] =
      missing ? split_glob(path) : std::pair<std::string, std::string>(path, "");
  RGX_TRY(const std::string resolved, workspace.resolve(folder));
  std::string whole = resolved;
  if (!rest.empty()) {
    whole = resolved == "." ? rest : resolved + "/" + rest;
  }
  return whole == path ? std::optional<std::string>() : std::optional<std::string>(whole);
}

Status resolve_paths(std::vector<policy::PathFact>& paths, Workspace& workspace) {
  for (policy::PathFact& fact : paths) {
    RGX_TRY(fact.resolved, resolve_path(fact.path, workspace));
  }
  std::ranges::sort(paths);
  return {};
}

}  // namespace

Result<policy::Facts> resolve(policy::Facts facts, const policy::PolicySet& policy,
                              Workspace& workspace) {
  RGX_TRY_STATUS(resolve_paths(facts.reads, workspace));
  RGX_TRY_STATUS(resolve_paths(facts.writes, workspace));
  if (facts.program) {
    facts.program->path.reset();
    facts.program->digest.reset();
    if (const policy::Program* known = policy.find_program(facts.program->name)) {
      std::string why;
      if (auto found = find_program(known->paths, workspace.root(), why)) {
        facts.program->path = std::move(found->path);
        facts.program->digest = found->digest;
      }
    }
  }
  return facts;
}

Result<std::map<StepId, policy::Facts>> resolve_plan(const templates::SealedPlan& plan,
                                                     const policy::PolicySet& policy,
                                                     Workspace& workspace) {
  std::map<StepId, policy::Facts> all;
  for (const std::vector<templates::Step>* steps : {&plan.plan().steps, &plan.plan().acceptance}) {
    for (const templates::Step& step : *steps) {
      RGX_TRY(policy::Facts facts, policy::derive(step));
      RGX_TRY(facts, resolve(std::move(facts), policy, workspace));
      all.emplace(step.id, std::move(facts));
    }
  }
  return all;
}

}  // namespace rgx::engine
