#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "audit/verifier.h"
#include "base/error.h"
#include "engine/run.h"
#include "policy/admission.h"

// What the program tells its caller: one table for all commands. docs/exit-codes.md holds the same
// rows, and a test compares the two.

namespace rgx::cli {

enum class ExitCode : std::uint8_t {
  done = 0,           ///< done
  failed = 1,         ///< a step or check failed
  usage = 2,          ///< usage or unreadable input
  denied = 3,         ///< denied by policy
  evidence = 4,       ///< evidence does not verify
  over_budget = 5,    ///< budget exhausted
  waiting = 6,        ///< waiting for approval
  environment = 7,    ///< environment lacks what the policy requires
  drift = 8,          ///< drift: recompile
  inconclusive = 9,   ///< evidence inconclusive
  torn = 10,          ///< torn tail
  internal = 70,      ///< internal error
  interrupted = 130,  ///< interrupted
  terminated = 143,   ///< terminated
};

struct ExitCodeRow {
  ExitCode code;
  std::string_view name;
  std::string_view meaning;
};

/// All rows, ascending.
[[nodiscard]] std::span<const ExitCodeRow> exit_codes();

[[nodiscard]] ExitCode exit_code(ErrorKind kind);
[[nodiscard]] ExitCode exit_code(audit::VerdictKind kind);
[[nodiscard]] ExitCode exit_code(policy::Effect effect);
/// Denied steps beat an exceeded budget.
[[nodiscard]] ExitCode exit_code(const policy::Refusal& refusal);
/// `signal` is the one that interrupted the run, if any.
[[nodiscard]] ExitCode exit_code(engine::RunState state, int signal);

/// The exit code of a command with two ends: 3 beats 5 beats 1, any of them beats 0, and what
/// keeps rgx from answering at all beats them.
[[nodiscard]] ExitCode worse(ExitCode first, ExitCode second);

}  // namespace rgx::cli
