#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"

// The one stream that progress is painted from: what happened in a run, in order. Painters see
// nothing else, so the same events give the same picture, live or from a record.
// As JSON lines (`--progress json`): docs/formats/progress.md

namespace rgx::cli {

/// How a step ended. `unfinished` is said of the steps that a stream ends before: they wait for an
/// approval, or the run stopped before they came.
enum class StepEnd : std::uint8_t {
  succeeded,
  failed,
  timed_out,
  refused,
  skipped,
  cancelled,
  unfinished,
};
[[nodiscard]] std::string_view to_string(StepEnd end);

/// How a run ended, in the words of its seal. `waiting`: for an approval. `aborted`: it stopped
/// without having said how.
enum class RunEnd : std::uint8_t {
  succeeded,
  failed,
  denied,
  budget_exhausted,
  drifted,
  waiting,
  interrupted,
  aborted,
};
[[nodiscard]] std::string_view to_string(RunEnd end);

/// What an interruption asked for: the first finishes running steps, the second stops them.
enum class Interruption : std::uint8_t { finish_running, stop_running };
[[nodiscard]] std::string_view to_string(Interruption interruption);

struct PlannedStep {
  std::string id;
  std::string tool;
  std::string title;  ///< what it does, for people: `ctest -j2`
  std::string phase;  ///< may be empty
  std::vector<std::string> needs;

  bool operator==(const PlannedStep&) const = default;
};

/// The whole plan, before anything starts; comes once and first.
struct RunAnnounced {
  std::string run;
  std::string plan;                ///< plan digest; may be empty
  std::string admission;           ///< admission digest; may be empty
  std::vector<PlannedStep> steps;  ///< ids are unique
  std::int64_t done_before = 0;  ///< steps of the plan that an earlier process did: not in `steps`

  bool operator==(const RunAnnounced&) const = default;
};

struct StepStarted {
  std::string step;

  bool operator==(const StepStarted&) const = default;
};

/// A step wrote `bytes` more since its last such event: a sign of life, not the output itself.
struct StepOutput {
  std::string step;
  std::int64_t bytes = 0;

  bool operator==(const StepOutput&) const = default;
};

/// A step cannot go on before people have approved it.
struct StepWaiting {
  std::string step;
  std::string rule;  ///< the rule that asks
  std::string need;  ///< who has to: `1 of release-managers, not you`
  std::string how;   ///< the command that approves

  bool operator==(const StepWaiting&) const = default;
};

struct StepFinished {
  std::string step;
  StepEnd end = StepEnd::succeeded;
  std::string summary;  ///< one line
  std::string detail;   ///< output tail or decision, where the step did not succeed
  std::int64_t wall_ms = 0;

  bool operator==(const StepFinished&) const = default;
};

/// One budget: what is spent, what running steps have reserved, and the limit of both together.
struct Meter {
  std::string name;  ///< as in policy files: `tokens`, `cost_usd_micros`, ...
  std::int64_t spent = 0;
  std::int64_t reserved = 0;
  std::int64_t limit = 0;

  bool operator==(const Meter&) const = default;
};

struct BudgetChanged {
  std::vector<Meter> meters;  ///< all that the run has

  bool operator==(const BudgetChanged&) const = default;
};

struct RunInterrupted {
  Interruption how = Interruption::finish_running;

  bool operator==(const RunInterrupted&) const = default;
};

/// The last event.
struct RunFinished {
  RunEnd end = RunEnd::aborted;
  int exit_code = 70;
  std::string summary;  ///< for people, may have several lines; the last says what to do next

  bool operator==(const RunFinished&) const = default;
};

using ProgressBody = std::variant<RunAnnounced, StepStarted, StepOutput, StepWaiting, StepFinished,
                                  BudgetChanged, RunInterrupted, RunFinished>;

struct ProgressEvent {
  std::int64_t at_ms = 0;               ///< since the stream began, never goes back
  std::optional<std::uint64_t> record;  ///< index of the ledger record that says the same
  ProgressBody body;

  bool operator==(const ProgressEvent&) const = default;
};

/// One line of the stream. Texts that are not UTF-8 are escaped as for people.
[[nodiscard]] Json to_json(const ProgressEvent& event);
/// Strict inverse for events of this version (json.missing_member, json.unknown_member, json.type,
/// progress.unknown_word).
[[nodiscard]] Result<ProgressEvent> progress_event_from_json(const Json& value);
/// The line that every stream begins with.
[[nodiscard]] Json progress_stream_header();

}  // namespace rgx::cli
