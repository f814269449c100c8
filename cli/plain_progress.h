#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "base/clock.h"
#include "cli/output.h"
#include "engine/observer.h"

namespace rgx::cli {

/// Progress as plain lines for people: one when a step ends, its output under it when it did not
/// succeed, and a sign of life every 30 seconds while something runs.
class PlainProgress final : public engine::Observer {
 public:
  PlainProgress(Output& output, Clock& clock);
  ~PlainProgress() override;
  PlainProgress(const PlainProgress&) = delete;
  PlainProgress& operator=(const PlainProgress&) = delete;
  PlainProgress(PlainProgress&&) = delete;
  PlainProgress& operator=(PlainProgress&&) = delete;

  void run_started(const RunId& run, std::size_t steps) override;
  void step_started(const engine::StepEvent& event) override;
  void step_finished(const engine::StepEvent& event) override;
  void run_finished(const RunId& run) override;

 private:
  void beat();

  Output& output_;
  Clock& clock_;
  std::size_t steps_ = 0;
  std::size_t finished_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::map<std::string, std::int64_t> running_;  // step -> start
  std::thread heartbeat_;
};

}  // namespace rgx::cli
