#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.h"
#include "cli/session.h"

namespace rgx::cli {

/// `0.1.0`
[[nodiscard]] std::string_view version();

/// Runs the program with `words`, the arguments after its name.
[[nodiscard]] ExitCode run_app(Session& session, const std::vector<std::string>& words);

/// The whole program: streams, environment, signals that would end it silently, exit code.
[[nodiscard]] int run_program(int argc, const char* const* argv, const char* const* environment);

}  // namespace rgx::cli
