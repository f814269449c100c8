#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "cli/progress.h"
#include "engine/observer.h"
#include "engine/run.h"
#include "templates/plan.h"

namespace rgx::cli {

/// The plan as it is announced: each step with what it does in a few words. The run's id is added
/// when it starts.
[[nodiscard]] RunAnnounced announce(const templates::SealedPlan& plan, const Digest& admission);
/// `ctest -j2`, `src/deps.cmake`: the operands that tell a step from others of its tool.
[[nodiscard]] std::string title_of(const templates::ToolUse& use);

[[nodiscard]] RunEnd run_end(engine::RunState state);

/// Makes events of what the engine says and paints them on a thread of its own, so that neither a
/// slow terminal nor the painting holds up the run. The engine's calls only put an event into a
/// queue; they may come from any thread.
class ProgressObserver final : public engine::Observer {
 public:
  struct Watched {
    Clock& clock;  ///< asked from two threads
    /// Where given, an interruption is told when it is seen here.
    const engine::Interruption* interruption = nullptr;
  };

  /// `painter` and what `watched` names must outlive this. The painter is used by its thread only.
  ProgressObserver(ProgressPainter& painter, Watched watched, RunAnnounced plan);
  /// Ends a stream that nobody closed as aborted.
  ~ProgressObserver() override;
  ProgressObserver(const ProgressObserver&) = delete;
  ProgressObserver& operator=(const ProgressObserver&) = delete;

  void run_started(const RunId& run, std::size_t steps) override;
  void steps_restored(const std::set<StepId>& steps) override;
  void step_started(const engine::StepEvent& event) override;
  void step_finished(const engine::StepEvent& event) override;
  void run_finished(const RunId& run) override;
  void step_output(const StepId& step, std::int64_t bytes) override;
  void step_waiting(const engine::ApprovalRequest& request) override;
  void budget_changed(const engine::Budget& budget) override;

  /// The last event; returns when everything is painted. Later calls change nothing.
  void close(RunFinished end);

 private:
  void push(ProgressBody body, std::optional<std::uint64_t> record = std::nullopt);
  // Called with the lock held: push_locked, flush_output, notice_interruption.
  void push_locked(ProgressBody body, std::optional<std::uint64_t> record = std::nullopt);
  void flush_output();
  [[nodiscard]] std::int64_t now_ms();
  void notice_interruption();
  void paint();

  ProgressPainter& painter_;
  Clock& clock_;
  const engine::Interruption* interruption_;
  RunAnnounced plan_;
  std::int64_t begin_ms_;
  std::string run_;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<ProgressEvent> queue_;
  std::map<std::string, std::int64_t> output_;  // bytes that no event tells of yet, by step
  bool told_finish_ = false;
  bool told_stop_ = false;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace rgx::cli
