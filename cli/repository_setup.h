#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/project_detect.h"

// What `rgx init` writes into a repository.

namespace rgx::cli {

/// `.rgx/config.yaml`: how the project is tested.
[[nodiscard]] std::string config_text(const TestCommand& test,
                                      const std::vector<std::string>& languages);

/// `.rgx/policy.yaml`: allows exactly that command, reading the workspace and writing what the
/// tests write.
[[nodiscard]] std::string policy_text(const TestCommand& test);

/// A string as a YAML double-quoted scalar.
[[nodiscard]] std::string yaml_string(std::string_view text);

}  // namespace rgx::cli
