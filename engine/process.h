#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "engine/sandbox.h"

// The port to child processes: absolute program, exactly the given environment, no inherited
// descriptors, a session of its own, and the whole tree ended before run() returns.

namespace rgx::engine {

struct ProcessSpec {
  std::string program;                   ///< absolute
  std::optional<Digest> program_digest;  ///< checked on the very file that is executed
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;   ///< all of it
  std::string cwd;                          ///< absolute
  std::int64_t timeout_ms = 0;              ///< > 0
  std::int64_t grace_ms = 2000;             ///< between SIGTERM and SIGKILL
  std::size_t output_bytes_max = 1U << 20;  ///< last bytes of each stream; all are counted
  SandboxSpec sandbox;
  std::function<void(std::int64_t bytes)> on_output;  ///< may be empty; on the thread of run()
};

struct ProcessOutput {
  std::string bytes;
  std::int64_t bytes_total = 0;  ///< more than kept = truncated
};

struct ProcessOutcome {
  enum class End : std::uint8_t { exited, signalled, timed_out, cancelled };
  End end = End::exited;
  int code = 0;  ///< exit status or signal number
  ProcessOutput out;
  ProcessOutput err;
  std::int64_t wall_ms = 0;
  SandboxStrength sandbox = SandboxStrength::none;
  std::int64_t leftovers = 0;  ///< processes of the tree that were still alive and were ended
};

/// Set from another thread or a signal handler; looked at between waits.
using CancelFlag = std::atomic<bool>;

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  /// Errors (nothing ran): process.not_started, process.program_changed, process.sandbox.
  [[nodiscard]] virtual Result<ProcessOutcome> run(const ProcessSpec& spec,
                                                   const CancelFlag& cancel) = 0;
};

}  // namespace rgx::engine
