#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/process.h"
#include "tests/support/call_log.h"

namespace rgx::test {

/// Starts nothing: gives each program, named by argv joined with spaces, the end that the test
/// wrote down; others exit with 0. Records what it was asked.
class ScriptedProcess final : public engine::ProcessRunner {
 public:
  explicit ScriptedProcess(CallLog& log) : log_(log) {}

  /// How a program ends; `effect` runs in its place, on the worker's thread.
  ScriptedProcess& on(const std::string& command, engine::ProcessOutcome outcome,
                      std::function<void(const engine::CancelFlag&)> effect = {});
  ScriptedProcess& refuse(const std::string& command, Error error);
  [[nodiscard]] std::vector<engine::ProcessSpec> specs() const;
  /// Most programs that ran at the same time.
  [[nodiscard]] std::size_t running_max() const;

  Result<engine::ProcessOutcome> run(const engine::ProcessSpec& spec,
                                     const engine::CancelFlag& cancel) override;

  static engine::ProcessOutcome exit_with(int code, std::string out = "", std::string err = "");

 private:
  struct Script {
    engine::ProcessOutcome outcome;
    std::optional<Error> error;
    std::function<void(const engine::CancelFlag&)> effect;
  };
  CallLog& log_;
  mutable std::mutex mutex_;
  std::map<std::string, Script> scripts_;
  std::vector<engine::ProcessSpec> specs_;
  std::size_t running_ = 0;
  std::size_t running_max_ = 0;
};

}  // namespace rgx::test
