#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_tree.h"

namespace rgx::cli {

/// `text` as words of a page: nothing in it is taken for a request or an escape.
[[nodiscard]] std::string roff_escaped(std::string_view text);

/// The manual page rgx(1) in the language of man(7): overview, every command with examples and
/// flags, exit codes, files.
[[nodiscard]] std::string man_page(const std::vector<CommandInfo>& commands,
                                   std::string_view overview, std::string_view version);

}  // namespace rgx::cli
