#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rgx::cli {

/// One command as help lists it. `name` is what is typed after `rgx` (`policy check`).
struct CommandSummary {
  std::string_view name;
  std::string_view summary;
};

/// All commands of this version, in the order of help.
[[nodiscard]] std::span<const CommandSummary> command_summaries();

/// True for `policy` and `template`: words that only introduce commands.
[[nodiscard]] bool is_command_group(std::string_view word);

/// The page of one command (`plan`, `policy check`), examples first; without usage and flags.
[[nodiscard]] std::string_view help_page(std::string_view command);

/// `rgx --help`: examples, commands, where to read on.
[[nodiscard]] std::string help_overview();
/// `rgx policy --help`.
[[nodiscard]] std::string help_group(std::string_view group);
/// `rgx help exit-codes`.
[[nodiscard]] std::string help_exit_codes();

/// One line for a word that is no command, with the nearest one where there is one.
[[nodiscard]] std::string unknown_command(std::string_view group, std::string_view word);

}  // namespace rgx::cli
