#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/approval_book.h"
#include "engine/budget.h"
#include "engine/gate.h"
#include "engine/pins.h"
#include "engine/replay.h"
#include "engine/run.h"
#include "engine/run_attempts.h"
#include "engine/run_index.h"
#include "engine/run_open.h"
#include "engine/scheduler.h"
#include "engine/step_outputs.h"
#include "engine/tool.h"
#include "engine/workers.h"
#include "policy/step_decision.h"

// The one loop and all its state. Private to the package.

namespace rgx::engine {

inline constexpr std::size_t kWorkersMax = 64;
inline constexpr std::chrono::milliseconds kStopPause{50};  // how soon an interruption is seen

class Run {
 public:
  /// `ports` has the workspace to work in; `worktree` says where that is, if it is one.
  Run(const policy::AdmittedPlan& plan, RunPorts& ports, const Interruption& interruption,
      OpenRun opened, std::optional<WorktreeReport> worktree)
      : plan_(plan),
        steps_(plan.plan().plan().steps),
        ports_(ports),
        interruption_(interruption),
        budget_(plan.policy().budget()),
        pins_(plan.plan().plan()),
        scheduler_(plan.plan().plan()),
        outputs_(plan.plan().plan()),
        tools_{ports.workspace, ports.repository, ports.processes, ports.state, &ports.observer},
        slots_(process_slots(plan)),
        index_(std::move(opened.index)),
        ledger_(std::move(opened.ledger)),
        last_record_(opened.last_record),
        review_demands_(policy::review_demands(plan.policy())),
        log_id_(std::move(opened.log_id)),
        requester_(std::move(opened.requester)),
        started_ms_(opened.started_ms),
        now_unix_ms_(opened.now_unix_ms),
        stands_(std::move(opened.stands)),
        workers_(slots_) {
    report_.run = std::move(opened.run);
    report_.notes = std::move(opened.notes);
    for (const templates::Step& step : steps_) {
      report_.steps.push_back({step.id, StepState::skipped, "", {}});
    }
    if (worktree) {
      tips_.insert(worktree->base);
      report_.worktree = std::move(worktree);
    }
    gate_ = std::make_unique<Gate>(plan_, pins_, budget_, tools_, book_, requester_, report_.run);
  }
  ~Run() { stop_running(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  Run(Run&&) = delete;
  Run& operator=(Run&&) = delete;

  Result<RunReport> execute() {
    if (stands_) {
      RGX_TRY_STATUS(restore(*stands_));
      ports_.observer.steps_restored(restored_steps());
    }
    ports_.observer.run_started(report_.run, steps_.size());
    RGX_TRY_STATUS(carry_out());
    return end();
  }

 private:
  static std::size_t process_slots(const policy::AdmittedPlan& plan);
  Status carry_out();
  Status start_ready();
  Status start(std::size_t step);
  Status refuse(std::size_t step, const Refused& refused);
  Status complete(std::size_t step);
  Status finish_step(std::size_t step, const Outcome& outcome);
  Status settle_step(std::size_t step, const Outcome& outcome);
  Status skip(const std::vector<std::size_t>& steps, const std::string& because);
  // run_steps.cc: conditions, open inputs, further attempts
  Status pass_over(std::size_t step);
  Status close_inputs(std::size_t step);
  [[nodiscard]] static Json output_values(const Outcome& outcome);
  [[nodiscard]] const templates::Step& closed(std::size_t step) const;
  [[nodiscard]] bool try_again(std::size_t step, const Outcome& outcome);
  void wake_retries();
  Status give_up_retries();
  [[nodiscard]] std::chrono::milliseconds pause() const;
  // engine/judge.cc
  Status judge();
  Status carry_out_checks(std::set<std::size_t>& open);
  Status skip_checks(const std::set<std::size_t>& checks, const std::string& because);
  void find_verdict();
  [[nodiscard]] std::vector<std::string> changed_judge() const;
  Status judge_check(std::size_t check, ToolPorts& copy);
  Status refuse_check(std::size_t check, const Refused& refused);
  struct CheckCost {
    policy::RunBudget reserved;
    std::int64_t began_ms = 0;
  };
  Status finish_check(std::size_t check, const CheckCost& cost, const Outcome& outcome);
  Status copy_for_judge(const std::string& scratch);
  Result<std::set<std::string>> files_to_judge();
  /// Of a run that is being judged.
  [[nodiscard]] AcceptanceReport& acceptance();
  // engine/judge_settle.cc: a verdict that people settle
  [[nodiscard]] bool asks_review() const;
  [[nodiscard]] bool asks_people(std::size_t check) const;
  /// Of a run that people are asked about.
  [[nodiscard]] const Json& found() const;
  [[nodiscard]] std::vector<WaitingStep> open_questions();
  Result<Digest> judged_files();
  void restore_judge(const ReplayedJudge& stands);
  Status settle();
  Status reject(const ApprovalBook::Rejection& said);
  Status check_still_judged();
  Status suspend_judged(const std::string& because);
  /// After the last step: waits for people, or is judged and sealed.
  Result<RunReport> end();
  Result<RunReport> close();
  // run_approvals.cc: steps that wait for people
  struct Question {
    ApprovalSubject subject;
    const std::vector<policy::ApprovalDemand>& demands;
  };
  [[nodiscard]] std::optional<Question> question_of(const StepId& id) const;
  [[nodiscard]] ApprovalRules rules_of(std::size_t step) const;
  [[nodiscard]] bool waits_for_people(std::size_t step);
  void set_aside(std::size_t step);
  Status take_answer(const std::string& name);
  Status take_answers();
  Status look_at_inbox(bool at_once);
  [[nodiscard]] bool suspends() { return !(waiting_.empty() && stuck_.empty()) && !halted(); }
  Result<RunReport> suspend();
  RunReport stopped();
  // run_resume.cc
  Status restore(const ReplayedRun& stands);
  void restore_approvals(const ReplayedRun& stands);
  Status restore_end(std::size_t step, const ReplayedStep& before);
  [[nodiscard]] std::set<StepId> restored_steps() const;
  Status restore_open(std::size_t step, const ReplayedStep& before);

  Result<std::vector<TreeChange>> tree_changes();  // these four: run_worktree.cc
  Status write_tree(WorktreeReport& worktree);
  void note_commit(const StepId& id, const Json& values);
  Status commit_worktree(WorktreeReport& worktree);

  void note_changes(const StepId& step, const std::vector<Change>& changed, const Json& values);
  void check_after(std::size_t step, Outcome& outcome);
  void note_end(const Outcome& outcome);
  void settle_report(std::size_t step, const Outcome& outcome);
  void stop_running();
  [[nodiscard]] RunState state() const;

  [[nodiscard]] bool halted() {
    if (halt_.empty() && interruption_.finish.load()) {
      halt_ = "the run was interrupted";
      interrupted_ = true;
    }
    return !halt_.empty();
  }
  [[nodiscard]] std::int64_t now() {
    // Time that is recorded never goes back, whatever the clock does.
    now_unix_ms_ = std::max(now_unix_ms_, ports_.clock.now_unix_ms());
    return now_unix_ms_;
  }
  [[nodiscard]] std::int64_t elapsed() const { return ports_.clock.monotonic_ms() - started_ms_; }
  [[nodiscard]] Status append(audit::RecordType type, Json body) {
    RGX_TRY(last_record_, ledger_->append(type, std::move(body)));
    return {};
  }
  /// An event of the step whose record was appended last.
  [[nodiscard]] StepEvent event(std::size_t step) const {
    StepEvent event;
    event.step = steps_[step].id;
    event.tool = steps_[step].tool.use;
    event.record = last_record_.seq;
    return event;
  }

  const policy::AdmittedPlan& plan_;
  const std::vector<templates::Step>& steps_;
  RunPorts& ports_;
  const Interruption& interruption_;
  Budget budget_;
  PinTable pins_;
  Scheduler scheduler_;
  StepOutputs outputs_;
  ToolPorts tools_;
  std::size_t slots_;
  std::unique_ptr<OpenIndex> index_;
  std::unique_ptr<audit::LedgerWriter> ledger_;
  std::unique_ptr<Gate> gate_;
  audit::RecordReference last_record_;
  RunReport report_;
  std::unique_ptr<Workspace> judged_;              // the copy, while there is one
  std::map<StepId, std::int64_t> check_attempts_;  // that a killed process began
  std::set<std::size_t> open_checks_;              // not carried out, since people are asked first
  std::optional<Json> found_;                      // by the judge, as people are asked about it
  std::vector<policy::ApprovalDemand> review_demands_;
  std::string log_id_;
  std::map<std::size_t, std::size_t> held_;        // position -> ready step that waits for a slot
  std::map<std::size_t, Active> active_;           // by step
  std::set<std::size_t> running_;                  // those that a worker has
  std::map<std::size_t, templates::Step> closed_;  // with outputs of earlier steps put in
  std::map<std::size_t, Attempts> attempts_;
  std::map<std::size_t, Retrying> retries_;
  ApprovalBook book_;
  std::string requester_;                     // public key in the genesis
  std::set<std::size_t> waiting_;             // ready but for people
  std::set<std::size_t> again_;               // cut short, and started once more
  std::map<std::size_t, std::string> stuck_;  // cut short, and nobody knows what they did
  std::int64_t next_look_ms_ = 0;
  std::string halt_;  // why nothing new starts; empty = go on
  bool denied_ = false;
  bool over_budget_ = false;
  bool interrupted_ = false;
  bool drifted_ = false;
  bool failed_ = false;
  bool unjudged_ = false;  // there are checks that were not reached
  std::int64_t started_ms_ = 0;
  std::int64_t now_unix_ms_ = 0;
  std::optional<ReplayedRun> stands_;  // of a run that goes on
  std::set<std::string> tips_;         // where the run may have left the branch of its worktree
  CancelFlag stop_{false};
  Workers workers_;  // last: its threads use what is above
};

}  // namespace rgx::engine
