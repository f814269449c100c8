#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/verifier.h"
#include "engine/run.h"
#include "policy/admission.h"
#include "tests/support/call_log.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_entropy.h"
#include "tests/support/memory_repository.h"
#include "tests/support/memory_state.h"
#include "tests/support/memory_workspace.h"
#include "tests/support/memory_worktrees.h"
#include "tests/support/recording_observer.h"
#include "tests/support/recording_sandbox.h"
#include "tests/support/scripted_process.h"

namespace rgx::test {

/// A step that replaces the word `old` by `new` in a file.
[[nodiscard]] templates::Step edit_step(std::string id, std::string path,
                                        const std::vector<std::string>& needs = {});
/// A step that runs `argv`, reads `docs/**` and writes what is given.
[[nodiscard]] templates::Step exec_step(std::string id, const std::vector<std::string>& argv,
                                        const std::vector<std::string>& needs = {},
                                        std::vector<std::string> write = {});
[[nodiscard]] templates::Step search_step(std::string id, std::string word,
                                          const std::vector<std::string>& paths,
                                          const std::vector<std::string>& needs = {});
/// Pins a file to bytes, or to what an earlier step leaves.
[[nodiscard]] templates::Pin pin_bytes(std::string path, std::string_view bytes);
[[nodiscard]] templates::Pin pin_after(std::string path, std::string step);

/// Seals steps as they are, through the format of a plan file.
[[nodiscard]] Result<templates::SealedPlan> seal_steps(std::vector<templates::Step> steps,
                                                       std::vector<templates::Step> acceptance = {},
                                                       const std::string& workspace = "in_place");

/// An org policy that allows edits and searches everywhere but below `frozen/`, and the program
/// `true` with any arguments. `changes` are put in for lines that start the same.
struct PolicyText {
  std::string run_budget =
      "{tokens: 0, cost_usd_micros: 0, wall_ms: 600000, steps: 1000, files_changed: 500, "
      "bytes_written: 1000000, model_calls: 0, agents: 0, processes: 100}";
  std::string sandbox = "best_effort";
  std::string concurrency = "{process: 2}";
  std::string more_programs;
  std::string more_rules;
};
[[nodiscard]] policy::PolicySet make_policy(const PolicyText& text = {});

/// Every port of a run as a fake, and the run itself.
struct EngineWorld {
  EngineWorld();

  CallLog log;
  FakeClock clock{FakeClock::kStartUnixMs, 1};
  FakeEntropy entropy;
  MemoryWorkspace workspace{log};
  MemoryRepository repository;
  ScriptedProcess processes{log};
  RecordingSandbox sandbox;
  MemoryStateStore state{log};
  MemoryWorktrees worktrees{log};
  std::string plan_workspace = "in_place";
  RecordingObserver observer{log};
  engine::RunIdentity identity;
  engine::Interruption interruption;
  policy::PolicySet policy = make_policy();

  [[nodiscard]] engine::RunPorts ports();
  /// Seals, resolves and admits; a refused plan ends the test program.
  [[nodiscard]] policy::AdmittedPlan admit(std::vector<templates::Step> steps,
                                           std::vector<templates::Step> acceptance = {});
  [[nodiscard]] Result<engine::RunReport> run(const policy::AdmittedPlan& plan);
  [[nodiscard]] Result<engine::RunReport> run(std::vector<templates::Step> steps) {
    return run(admit(std::move(steps)));
  }
  [[nodiscard]] audit::Verdict verify(const RunId& run);
  [[nodiscard]] audit::Verdict verify_index();
  /// Records of a ledger, in order.
  [[nodiscard]] std::vector<audit::Record> records(const RunId& run);
  [[nodiscard]] std::vector<audit::Record> index_records();
  /// `step_intent edit`, `step_outcome edit succeeded`, ... without genesis, admission and epochs.
  [[nodiscard]] std::vector<std::string> story(const RunId& run);
};

/// State of a step in a report.
[[nodiscard]] engine::StepState state_of(const engine::RunReport& report, std::string_view step);

}  // namespace rgx::test
