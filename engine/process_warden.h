#pragma once

#include <cstdint>

#include "engine/sandbox.h"

// The process between rgx and a step's program: its tree's reaper. Everything that the program
// starts and leaves behind is re-parented to it (PR_SET_CHILD_SUBREAPER), so it can end the whole
// tree, double-forked and setsid'ed processes included, and several steps in parallel never touch
// each other's. It ends the tree as well when rgx dies. Private to the package.

namespace rgx::engine {

/// Everything the child needs, made before the fork: after it only async-signal-safe code runs.
struct WardenSetup {
  int program_fd = -1;
  const char* script_path = nullptr;  ///< set: execute by path, since an interpreter opens it again
  char* const* argv = nullptr;
  char* const* envp = nullptr;
  const char* cwd = nullptr;
  int stdin_fd = -1;
  int stdout_fd = -1;
  int stderr_fd = -1;
  int status_fd = -1;   ///< write end: WardenMessage
  int control_fd = -1;  ///< read end: kWardenTerminate, kWardenKill; its end means rgx died
  PreparedSandbox* sandbox = nullptr;
};

inline constexpr char kWardenTerminate = 'T';
inline constexpr char kWardenKill = 'K';

struct WardenMessage {
  enum class Kind : std::uint8_t {
    not_started,  ///< value: errno, stage: what failed
    exited,       ///< value: wait status of the program
    ended,        ///< the tree is gone; value: processes that had to be ended
  };
  enum class Stage : std::uint8_t { none, fork, session, directory, limits, sandbox, exec };
  Kind kind = Kind::ended;
  Stage stage = Stage::none;
  std::int32_t value = 0;
};

/// Runs in the forked child with all signals blocked; never returns.
[[noreturn]] void run_warden(const WardenSetup& setup);

}  // namespace rgx::engine
