#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/facts.h"

// What a command does, as far as its arguments and the grammar of its program tell. Private to the
// package. Format: docs/formats/programs.md

namespace rgx::policy {

using Argv = std::vector<std::string>;

inline constexpr std::size_t kInnerDepthMax = 4;      // commands in commands
inline constexpr std::size_t kInnerCommandsMax = 64;  // of one step

/// Where a command runs and what it is given.
struct CommandPlace {
  std::string folder = ".";  ///< normal path that relative operands start from
  /// Globs of the paths that arrive on standard input, each ended by a NUL; empty = unknown.
  std::vector<std::string> input;
};

struct CommandReading {
  std::vector<std::string> reads;     ///< normal paths or globs
  std::vector<std::string> writes;    ///< likewise
  std::vector<Argv> commands;         ///< that the command starts in turn, all levels
  std::vector<std::string> programs;  ///< whose grammar was used
  std::vector<std::string> output;    ///< globs of the paths that it prints, each ended by a NUL
  std::optional<FlagFact> refused;    ///< what the grammar of a program does not take
  std::optional<FlagFact> runs;       ///< an argument that is code, or names a program to run
  bool unwrapped = false;             ///< commands were found in its arguments
  bool complete = true;               ///< it reads, writes and starts nothing else
  bool hides_command = false;         ///< it may start programs that `commands` does not name
};

/// Pure. A program without grammar is incomplete, and nothing else is said of it.
[[nodiscard]] CommandReading read_command(std::span<const std::string> argv,
                                          const CommandPlace& place);

/// True when the text only selects and prints: it starts no program, and reads and writes no file
/// that the arguments do not name.
[[nodiscard]] bool is_plain_awk(std::string_view program);
[[nodiscard]] bool is_plain_sed(std::string_view script);

}  // namespace rgx::policy
