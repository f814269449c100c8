#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/progress_event.h"

// What the events so far add up to: the state of a run, as painters need it. It also keeps the
// promises of the stream, so that no painter has to: every announced step ends exactly once.

namespace rgx::cli {

enum class StepStage : std::uint8_t { waiting, asking, running, ended };

struct StepView {
  PlannedStep plan;
  StepStage stage = StepStage::waiting;
  StepEnd end = StepEnd::unfinished;  ///< of an ended step
  std::int64_t since_ms = 0;          ///< when it got into its stage
  std::int64_t output_ms = 0;         ///< last sign of life of a running step
  std::int64_t output_bytes = 0;
  std::int64_t wall_ms = 0;
  std::string summary;
  std::string detail;
  StepWaiting asks;  ///< of an asking step
  std::size_t group = 0;
  std::size_t phase = 0;
};

/// How many steps are where.
struct Tally {
  std::size_t succeeded = 0;
  std::size_t failed = 0;  ///< timed out ones as well
  std::size_t refused = 0;
  std::size_t skipped = 0;
  std::size_t cancelled = 0;
  std::size_t unfinished = 0;
  std::size_t running = 0;
  std::size_t asking = 0;
  std::size_t waiting = 0;

  [[nodiscard]] std::size_t total() const;
  [[nodiscard]] std::size_t& of(const StepView& step);
  bool operator==(const Tally&) const = default;
};

struct StepGroup {
  std::string name;  ///< `edit[*]`, a phase, or `other`
  Tally tally;
};

class RunView {
 public:
  /// Takes an event and returns what is in effect because of it, in order: the event itself and,
  /// before the end of the run, an end for each step that has none. Nothing where the event
  /// contradicts the stream so far (a step that nobody announced, a second end).
  [[nodiscard]] std::vector<ProgressEvent> apply(ProgressEvent event);
  /// The end of a stream that nobody ended.
  [[nodiscard]] ProgressEvent aborted() const;

  [[nodiscard]] const RunAnnounced& run() const { return run_; }  ///< its steps are in steps()
  [[nodiscard]] const std::vector<StepView>& steps() const { return steps_; }
  [[nodiscard]] const Tally& tally() const { return tally_; }
  [[nodiscard]] const std::vector<StepGroup>& groups() const { return groups_; }
  [[nodiscard]] const std::vector<Meter>& meters() const { return meters_; }
  [[nodiscard]] const std::vector<std::string>& phases() const { return phases_; }
  [[nodiscard]] const std::optional<Interruption>& interruption() const { return interruption_; }
  [[nodiscard]] const std::optional<RunFinished>& finished() const { return finished_; }
  [[nodiscard]] bool is_announced() const { return announced_ms_.has_value(); }
  [[nodiscard]] std::int64_t announced_ms() const { return announced_ms_.value_or(0); }
  [[nodiscard]] std::int64_t last_ms() const { return last_ms_; }

  /// Indices into steps(), in plan order.
  [[nodiscard]] const std::set<std::size_t>& running() const { return running_; }
  [[nodiscard]] const std::set<std::size_t>& asking() const { return asking_; }
  /// Failed, timed out and refused steps in the order of their ends; the first is the first cause.
  [[nodiscard]] const std::vector<std::size_t>& troubles() const { return troubles_; }
  [[nodiscard]] std::optional<std::size_t> last_succeeded() const { return last_succeeded_; }

  [[nodiscard]] std::optional<std::size_t> find(std::string_view step) const;
  /// The step of an event that is in effect, so it is known.
  [[nodiscard]] const StepView& step(std::string_view id) const;
  /// Up to `count_max` waiting steps, in plan order.
  [[nodiscard]] std::vector<std::size_t> waiting(std::size_t count_max) const;
  /// Running steps, the longest silent first, ties in plan order.
  [[nodiscard]] std::vector<std::size_t> longest_silent() const;
  /// The phase that the run is in: the earliest that is not over.
  [[nodiscard]] std::size_t phase() const;
  /// How many steps were skipped because this one did not succeed.
  [[nodiscard]] std::size_t skipped_because_of(std::size_t step) const;

 private:
  [[nodiscard]] bool take(const ProgressEvent& event);
  [[nodiscard]] bool take(std::int64_t at_ms, const RunAnnounced& body);
  [[nodiscard]] bool take(std::int64_t at_ms, const StepStarted& body);
  [[nodiscard]] bool take(std::int64_t at_ms, const StepOutput& body);
  [[nodiscard]] bool take(std::int64_t at_ms, const StepWaiting& body);
  [[nodiscard]] bool take(std::int64_t at_ms, const StepFinished& body);
  [[nodiscard]] bool take(std::int64_t at_ms, const BudgetChanged& body);
  [[nodiscard]] bool take(std::int64_t at_ms, const RunInterrupted& body);
  [[nodiscard]] bool take(std::int64_t at_ms, const RunFinished& body);
  [[nodiscard]] StepView* open_step(std::string_view id);
  void enter(StepView& step, StepStage stage, StepEnd end, std::int64_t at_ms);
  void make_groups();

  RunAnnounced run_;
  std::vector<StepView> steps_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::vector<std::vector<std::size_t>> dependents_;
  std::vector<StepGroup> groups_;
  std::vector<std::string> phases_;
  std::vector<std::size_t> open_in_phase_;  // steps of each phase that have not ended
  Tally tally_;
  std::set<std::size_t> running_;
  std::set<std::size_t> asking_;
  std::vector<std::size_t> troubles_;
  std::optional<std::size_t> last_succeeded_;
  std::size_t waiting_from_ = 0;  // no step before it waits
  std::vector<Meter> meters_;
  std::optional<Interruption> interruption_;
  std::optional<RunFinished> finished_;
  std::optional<std::int64_t> announced_ms_;
  std::int64_t last_ms_ = 0;
};

}  // namespace rgx::cli
