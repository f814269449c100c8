#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/repository_view.h"
#include "base/result.h"
#include "engine/workspace.h"
#include "policy/decision.h"

// Which policies bind a plan, from the strictest authority down: org, user, repository, run.

namespace rgx::cli {

struct LayerSources {
  std::string org_file;                 ///< in force where it exists
  std::string user_file;                ///< in force where it exists
  std::string trust_file;               ///< see cli/trust.h
  std::optional<std::string> run_file;  ///< `--policy`
  std::optional<std::string> base;      ///< `--base`; none = HEAD
};

struct LoadedLayers {
  policy::PolicySet policy;
  std::string base_revision;         ///< commit id that the repository's policy is read from
  std::vector<std::string> notices;  ///< what a person should know, one line each
};

inline constexpr std::string_view kRepositoryPolicy = ".rgx/policy.yaml";

/// Reads and stacks the layers. Without an org and a user layer the compiled-in default is on top.
/// The repository's policy is the one of the base revision; one in the work tree that differs is
/// in force only when its digest is trusted. A layer that cannot be read or has unsafe ownership
/// is an environment error, one with mistakes a usage error: either stops the command.
[[nodiscard]] Result<LoadedLayers> load_layers(const LayerSources& sources,
                                               RepositoryView& repository,
                                               engine::Workspace& workspace);

/// A policy file that somebody named on the command line, as written.
[[nodiscard]] Result<policy::Policy> load_policy_argument(const std::string& file);

}  // namespace rgx::cli
