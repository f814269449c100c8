#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/repository_view.h"
#include "engine/observer.h"
#include "engine/process.h"
#include "engine/state_store.h"
#include "engine/workspace.h"
#include "policy/decision.h"
#include "templates/plan.h"

// What carries a tool's contract out. Private to the package.

namespace rgx::engine {

/// A file that a step changed; nothing = no file.
struct Change {
  std::string path;
  std::optional<Digest> before;
  std::optional<Digest> after;
  std::optional<std::uint32_t> before_mode = std::nullopt;  ///< permission bits, when they matter
  std::optional<std::uint32_t> after_mode = std::nullopt;

  bool operator==(const Change&) const = default;
};

/// Something a step left in the object store.
struct StoredOutput {
  Digest digest;
  std::int64_t bytes = 0;  ///< produced, stored or not
  bool truncated = false;
};

/// How a step ended; becomes its outcome record.
struct Outcome {
  StepState state = StepState::failed;
  std::vector<Change> changed;  ///< sorted by path
  std::map<std::string, StoredOutput> outputs;
  policy::RunBudget spent;  ///< without wall time
  std::string confinement;  ///< what held the effect: `landlock`, `none`, `in_process`
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::optional<Diagnostic> error;
  Json values = Json::object();
  std::string summary;  ///< one line for people
  std::string detail;   ///< more lines of a step that did not succeed
};

/// An outcome of a step that failed with `error`.
[[nodiscard]] Outcome failed_outcome(const Error& error);

struct ToolPorts {
  Workspace& workspace;
  RepositoryView& repository;
  ProcessRunner& processes;
  StateStore& state;
  Observer* observer = nullptr;  ///< told of the output of programs; may be none
};

class ChangeSet;

/// One step about to be carried out.
struct ToolRequest {
  const templates::Step& step;
  const policy::Facts& facts;              ///< as decided
  std::map<std::string, Digest> expected;  ///< path -> digest that its pin asks for
  RunId run;
  std::size_t index = 0;        ///< of the step in its plan
  std::int64_t timeout_ms = 0;  ///< > 0
  ToolPorts& ports;
  const ChangeSet* changes = nullptr;  ///< what the run changed so far; checks need it
  /// Set when a check is judged: `ports.workspace` is a copy, and this the root of the real one,
  /// which may be read and not written.
  std::optional<std::string> judged_root = std::nullopt;
};

/// The stages of one attempt. Everything but act() of a concurrent action runs on the thread that
/// owns the run's state.
class Action {
 public:
  virtual ~Action() = default;
  /// What the step will take beyond the worst case that policy knows of.
  [[nodiscard]] virtual policy::RunBudget needs() const { return {}; }
  /// What act() is about to change, for the intent record: so that the files of a killed run can
  /// be given back. A program cannot say.
  [[nodiscard]] virtual std::vector<Change> planned() const { return {}; }
  /// After the intent is durable, before act(): prepares places that the effect needs.
  [[nodiscard]] virtual Status begin() { return {}; }
  /// The effect. A concurrent action does it on a worker, through its process runner only.
  virtual void act(const CancelFlag& stop) = 0;
  /// The after-check: what really happened. Always called after begin().
  [[nodiscard]] virtual Outcome finish() = 0;
  [[nodiscard]] virtual bool is_concurrent() const { return false; }
};

/// Before the intent: reads what will be changed and stores its pre-image; changes nothing.
using PrepareAction = Result<std::unique_ptr<Action>> (*)(const ToolRequest& request);

/// The implementation of a tool; nullptr when this build has none.
[[nodiscard]] PrepareAction find_tool_implementation(std::string_view name);
/// Names of the tools that are implemented, sorted.
[[nodiscard]] std::vector<std::string_view> implemented_tools();

using PreparedAction = Result<std::unique_ptr<Action>>;
[[nodiscard]] PreparedAction prepare_check_command(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_check_diff(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_check_file(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_check_paths(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_check_secrets(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_check_tests(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_exec(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_file_delete(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_file_edit(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_file_move(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_file_patch(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_file_read(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_file_write(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_git_branch(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_git_commit(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_git_diff(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_git_log(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_git_status(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_human_approve(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_search_files(const ToolRequest& request);
[[nodiscard]] PreparedAction prepare_search_text(const ToolRequest& request);

}  // namespace rgx::engine
