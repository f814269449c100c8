#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "templates/plan.h"

// Which step may start next: pure bookkeeping over the DAG. Ready steps come out by critical-path
// rank (longest chain of dependents first), ties by step id, so that the order never depends on
// timing more than completion itself does.

namespace rgx::engine {

class Scheduler {
 public:
  explicit Scheduler(const templates::Plan& plan);

  /// Index of the next ready step, taken out of the ready set; nothing when none is ready.
  [[nodiscard]] std::optional<std::size_t> next();
  /// Marks a taken step as done; its dependents may become ready.
  void succeeded(std::size_t step);
  /// Marks a taken step as failed; returns all its transitive dependents, now skipped, sorted.
  [[nodiscard]] std::vector<std::size_t> failed(std::size_t step);
  /// Every step is done, failed or skipped.
  [[nodiscard]] bool finished() const;

 private:
  struct Node;
  std::vector<std::vector<std::size_t>> dependents_;
  std::vector<std::size_t> waiting_;
  std::vector<std::size_t> rank_;
  std::vector<bool> settled_;
  std::vector<std::size_t> ready_;  // heap
  const templates::Plan& plan_;
  std::size_t open_ = 0;
};

}  // namespace rgx::engine
