#pragma once

#include <string>
#include <vector>

// The commands and their flags as data, read off the parser itself: completion and manual pages
// cannot say anything else than what is parsed.

namespace rgx::cli {

struct CommandFlag {
  std::vector<std::string> names;    ///< `--format`, `-h`; of a positional its name
  std::string value;                 ///< name of its value; empty for a switch
  std::vector<std::string> choices;  ///< the only values it takes, if they are few
  std::string help;
};

struct CommandInfo {
  std::string name;  ///< `policy check`
  std::string summary;
  std::string page;  ///< help without usage and flags
  std::vector<CommandFlag> flags;
  std::vector<CommandFlag> positionals;
};

/// All commands in the order of help.
[[nodiscard]] std::vector<CommandInfo> command_tree();

}  // namespace rgx::cli
