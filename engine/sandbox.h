#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The port to the kernel's confinement of child processes, made from a decision and nothing else.

namespace rgx::engine {

/// What holds the child, weakest first; recorded as achieved, `none` included.
enum class SandboxStrength : std::uint8_t { none, landlock };
[[nodiscard]] std::string_view to_string(SandboxStrength strength);

/// Absolute paths. Everything not named is out of reach as far as the achieved strength goes.
struct SandboxSpec {
  std::vector<std::string> read_below;    ///< readable and executable: system directories too
  std::vector<std::string> data_below{};  ///< readable, never executable
  std::vector<std::string> write_below;   ///< writable; a path that is no directory = that file
  bool network = false;

  bool operator==(const SandboxSpec&) const = default;
};

/// Ready to be entered between fork and exec.
class PreparedSandbox {
 public:
  virtual ~PreparedSandbox() = default;
  /// Async-signal-safe; 0 or an errno. The child must not go on after a failure.
  [[nodiscard]] virtual int enter() noexcept = 0;
  [[nodiscard]] virtual SandboxStrength strength() const = 0;
};

class Sandbox {
 public:
  virtual ~Sandbox() = default;
  /// Probed, not assumed.
  [[nodiscard]] virtual SandboxStrength strength() = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<PreparedSandbox>> prepare(
      const SandboxSpec& spec) = 0;
};

}  // namespace rgx::engine
