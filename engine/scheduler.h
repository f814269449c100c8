#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "templates/plan.h"

// Which step may start next: pure bookkeeping over the DAG. Ready steps come out by critical-path
// rank (longest chain of dependents first), ties by step id, so that the order never depends on
// timing more than completion itself does.

namespace rgx::engine {

class Scheduler {
 public:
  /// `plan` is sealed: its needs name steps of it and have no cycle.
  explicit Scheduler(const templates::Plan& plan);

  /// Index of the next ready step, taken out of the ready set; nothing when none is ready.
  [[nodiscard]] std::optional<std::size_t> next();
  /// Place of a step in the order of starting, whatever is ready: smaller comes first.
  [[nodiscard]] std::size_t position(std::size_t step) const { return order_[step]; }
  /// Puts a taken step back among the ready ones: there was no slot for it.
  void put_back(std::size_t step);
  /// Marks a taken step as done; its dependents may become ready.
  void succeeded(std::size_t step);
  /// Marks a taken step as failed; returns all its transitive dependents, now skipped, sorted.
  [[nodiscard]] std::vector<std::size_t> failed(std::size_t step);
  /// Every step is done, failed or skipped.
  [[nodiscard]] bool finished() const;
  /// Steps that are neither taken nor settled, sorted: what never starts when a run is stopped.
  [[nodiscard]] std::vector<std::size_t> not_started() const;

 private:
  enum class Progress : std::uint8_t { waiting, ready, taken, settled };

  void make_ready(std::size_t step);
  void settle(std::size_t step);

  std::vector<std::vector<std::size_t>> dependents_;
  std::vector<std::size_t> waiting_;  // needs that have not succeeded yet
  std::vector<std::size_t> order_;    // position by (rank down, id): smaller starts first
  std::vector<Progress> progress_;
  std::vector<std::size_t> ready_;  // heap, smallest order_ on top
  std::size_t open_ = 0;
};

}  // namespace rgx::engine
