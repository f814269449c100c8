#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command_tree.h"

namespace rgx::cli {

enum class Shell : std::uint8_t { bash, zsh, fish };

/// A script that teaches a shell to complete `rgx`. `templates` are names that `--template` takes.
[[nodiscard]] std::string completion_script(Shell shell, const std::vector<CommandInfo>& commands,
                                            const std::vector<std::string>& templates);

}  // namespace rgx::cli
