#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/record.h"
#include "base/ids.h"
#include "engine/observer.h"
#include "engine/tool.h"

// What the records of a run say about where it stands: a pure function of them. The ledger has been
// verified. Private to the package.

namespace rgx::engine {

/// A step that has records.
struct ReplayedStep {
  enum class Progress : std::uint8_t { under_way, ended, refused, skipped };
  Progress progress = Progress::under_way;
  std::int64_t attempts = 0;
  std::vector<Change> planned;  ///< of the intent that is open
  StepState state = StepState::skipped;
  std::vector<Change> changed;
  Json values = Json::object();
  std::string because;  ///< of a refusal or a skip
  std::string message;
};

struct ReplayedApproval {
  std::int64_t seq = 0;
  std::string step;
  std::string file;  ///< the approval file's bytes
};

/// What the judge found in a run that then waited for people.
struct ReplayedJudge {
  Json found;                ///< member `acceptance` of the record
  std::set<StepId> waiting;  ///< checks that are not carried out yet, and `acceptance`
};

struct ReplayedRun {
  std::string admission_digest;  ///< in force
  std::string plan_digest;
  std::string base_revision;  ///< that the admission names
  std::string requester;      ///< public key
  std::map<StepId, ReplayedStep> steps;
  std::vector<StepId> ended;                ///< in the order of their outcomes
  std::vector<ReplayedApproval> approvals;  ///< given for the admission in force
  std::vector<std::string> used;            ///< digests of all approval files on record
  policy::RunBudget spent;                  ///< with wall_ms: time in which a process recorded
  bool suspended = false;                   ///< the last record says so
  std::optional<ReplayedJudge> judge;       ///< nothing was judged or changed after it
};

/// The state that a record spells; `failed` where it is none.
[[nodiscard]] StepState step_state(std::string_view name);

class Replay {
 public:
  /// The next record, in order.
  void take(const audit::Record& record);
  [[nodiscard]] const ReplayedRun& run() const { return run_; }

 private:
  void take_time(const audit::Record& record);
  void take_intent(const Json& body);
  void take_outcome(const Json& body);
  void take_approval(const audit::Record& record);
  void take_suspension(const Json& body);
  void forget_judge();

  ReplayedRun run_;
  std::int64_t pid_ = -1;
  std::int64_t monotonic_ms_ = 0;
};

}  // namespace rgx::engine
