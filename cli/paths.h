#pragma once

#include <string>

#include "base/result.h"
#include "cli/environment.h"

// Where rgx keeps its own files, never inside a workspace:
//   configuration  `rgx` in RGX_CONFIG_HOME, else XDG_CONFIG_HOME, else $HOME/.config
//   state          `rgx` in RGX_STATE_HOME, else XDG_STATE_HOME, else $HOME/.local/state
//   organisation   /etc/rgx, which no variable moves: who runs rgx must not choose it

namespace rgx::cli {

struct Paths {
  std::string config_dir;  ///< ends with `/rgx`
  std::string state_home;  ///< the folder that `rgx` with its state is in

  [[nodiscard]] std::string user_policy() const { return config_dir + "/policy.yaml"; }
  [[nodiscard]] std::string root_key() const { return config_dir + "/root.key"; }
  [[nodiscard]] std::string requester_key() const { return config_dir + "/requester.pem"; }
  [[nodiscard]] std::string trusted_policies() const { return config_dir + "/trusted-policies"; }
};

inline constexpr std::string_view kOrgPolicy = "/etc/rgx/policy.yaml";

/// Errors: paths.relative (a variable that is no absolute path), paths.no_home.
[[nodiscard]] Result<Paths> find_paths(const Environment& environment);

}  // namespace rgx::cli
