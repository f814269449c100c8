#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The part of shell language whose effects can be told from its text: plain words joined by
// `&&`, `||`, `;`, `|` and line ends. Private to the package.
// Format: docs/formats/decision.md, section "Shell text"

namespace rgx::policy {

inline constexpr std::size_t kShellCommandsMax = 64;
inline constexpr std::size_t kShellWordsMax = 1000;  // of the whole text

/// Exactly one of the two is there.
struct ShellReading {
  std::optional<std::vector<std::vector<std::string>>> commands;  ///< never empty, nor any of them
  std::vector<bool> piped;  ///< for each command: it reads what the one before it writes
  std::string problem;      ///< what cannot be read, with its byte in the text
};

/// Pure. What every POSIX shell, bash and zsh read in the same way is read, and nothing else.
[[nodiscard]] ShellReading read_shell_text(std::string_view script);

}  // namespace rgx::policy
