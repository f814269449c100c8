#include "tests/support/scripted_process.h"

#include <algorithm>

#include "base/text.h"

namespace rgx::test {

using engine::ProcessOutcome;

ProcessOutcome ScriptedProcess::exit_with(int code, std::string out, std::string err) {
  ProcessOutcome outcome;
  outcome.code = code;
  outcome.out.bytes_total = static_cast<std::int64_t>(out.size());
  outcome.out.bytes = std::move(out);
  outcome.err.bytes_total = static_cast<std::int64_t>(err.size());
  outcome.err.bytes = std::move(err);
  return outcome;
}

ScriptedProcess& ScriptedProcess::on(const std::string& command, ProcessOutcome outcome,
                                     std::function<void(const engine::CancelFlag&)> effect) {
  scripts_[command] = {std::move(outcome), std::nullopt, std::move(effect)};
  return *this;
}

ScriptedProcess& ScriptedProcess::refuse(const std::string& command, Error error) {
  scripts_[command] = {{}, std::move(error), {}};
  return *this;
}

std::vector<engine::ProcessSpec> ScriptedProcess::specs() const {
  const std::scoped_lock lock(mutex_);
  return specs_;
}

std::size_t ScriptedProcess::running_max() const {
  const std::scoped_lock lock(mutex_);
  return running_max_;
}

Result<ProcessOutcome> ScriptedProcess::run(const engine::ProcessSpec& spec,
                                            const engine::CancelFlag& cancel) {
  const std::string command = join(spec.argv, " ");
  log_.add("process.run " + command);
  Script script;
  {
    const std::scoped_lock lock(mutex_);
    specs_.push_back(spec);
    running_max_ = std::max(running_max_, ++running_);
    if (const auto found = scripts_.find(command); found != scripts_.end()) {
      script = found->second;
    }
  }
  if (script.effect) {
    script.effect(cancel);
  }
  const std::scoped_lock lock(mutex_);
  --running_;
  if (script.error) {
    return fail(*script.error);
  }
  return script.outcome;
}

}  // namespace rgx::test
