#pragma once

#include <string>

#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/output.h"

namespace rgx::cli {

/// What every command gets: who listens, and what the process was started with.
struct Session {
  Output& output;
  const Environment& environment;
  bool is_interactive = false;  ///< both standard input and stderr are a terminal
};

/// Prints an error and says what the program exits with.
[[nodiscard]] inline ExitCode report(Session& session, const Error& error) {
  session.output.say(error);
  return exit_code(error.kind);
}

}  // namespace rgx::cli
