#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/completion.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "policy/lint.h"

// The commands, each as a function of its options. cli/app.cc fills the options from the command
// line; nothing here knows how flags are spelled.

namespace rgx::cli {

struct InitOptions {
  bool yes = false;                      ///< do not ask on a terminal
  std::vector<std::string> test_argv;    ///< given after `--`; empty = find it
  std::vector<std::string> test_writes;  ///< what the tests write
  std::optional<std::string> policy;     ///< shipped policy that the user's layer starts from
};

/// What names a plan: an intent, a template, or both.
struct CompileOptions {
  std::string intent;
  std::optional<std::string> template_name;  ///< a shipped template, or a path of a file
  std::vector<std::string> set;              ///< `KEY=VALUE`
  std::optional<std::string> policy_file;    ///< the run layer
  std::optional<std::string> base;  ///< revision of the repository's policy, and of a worktree
  bool worktree = false;            ///< the plan is to run in a worktree of its own
};

enum class PlanFormat : std::uint8_t { tree, json, markdown, dot, mermaid };

struct PlanOptions {
  CompileOptions compile;
  std::optional<std::string> out;
  PlanFormat format = PlanFormat::tree;
};

struct RunOptions {
  CompileOptions compile;
  std::optional<std::string> plan_file;
  std::optional<std::string> accept;  ///< admission digest that somebody reviewed
  bool json = false;
  ProgressChoice progress;
};

struct RunsOptions {
  bool json = false;
};

struct ShowOptions {
  std::string run;
  bool follow = false;  ///< print records as they come, until the run ends
  bool json = false;
};

/// An answer to a step that waits for people.
struct ApproveOptions {
  std::string run;
  std::string step;
  bool reject = false;
  std::optional<std::string> key_file;  ///< none: the requester's own key
  std::string reason;
  std::string expires = "24h";
  std::optional<std::string> policy_file;  ///< the run layer that the run was started with
};

struct ResumeOptions {
  std::string run;
  bool json = false;
  std::optional<std::string> policy_file;  ///< the run layer that the run was started with
  ProgressChoice progress;
};

struct RollbackOptions {
  std::string run;
  bool json = false;
};

struct VerifyCommandOptions {
  std::string subject;  ///< a run or a file
  std::optional<std::string> key_file;
  bool json = false;
};

struct PolicyCheckOptions {
  std::vector<std::string> files;
};

struct PolicyEvalOptions {
  std::string policy_file;
  std::string request_file = "-";
  bool json = false;
};

struct PolicyTrustOptions {
  std::string file;
};

struct PolicyTestOptions {
  std::vector<std::string> files;  ///< files of tests, and folders
  std::int64_t coverage = 0;       ///< percent of the rules that cases must cover
  std::optional<std::string> junit;
  bool json = false;
};

struct PolicyLintOptions {
  std::vector<std::string> files;
  std::int64_t within_days = policy::kLintWithinDays;  ///< exceptions that end sooner are told
  std::optional<std::string> now;                      ///< RFC 3339, or a date; none = the clock
  std::optional<std::string> sarif;
  bool json = false;
};

struct TemplateListOptions {
  bool json = false;
};

struct TemplateShowOptions {
  std::string name;  ///< a shipped template, or a path of a file
  bool json = false;
};

struct DoctorOptions {
  bool json = false;
};

struct CompletionOptions {
  Shell shell = Shell::bash;
};

struct TemplateCheckOptions {
  std::vector<std::string> files;
};

[[nodiscard]] ExitCode run_init(Session& session, const InitOptions& options);
[[nodiscard]] ExitCode run_plan(Session& session, const PlanOptions& options);
[[nodiscard]] ExitCode run_run(Session& session, const RunOptions& options);
[[nodiscard]] ExitCode run_approve(Session& session, const ApproveOptions& options);
[[nodiscard]] ExitCode run_resume(Session& session, const ResumeOptions& options);
[[nodiscard]] ExitCode run_rollback(Session& session, const RollbackOptions& options);
[[nodiscard]] ExitCode run_runs(Session& session, const RunsOptions& options);
[[nodiscard]] ExitCode run_show(Session& session, const ShowOptions& options);
[[nodiscard]] ExitCode run_verify(Session& session, const VerifyCommandOptions& options);
[[nodiscard]] ExitCode run_policy_check(Session& session, const PolicyCheckOptions& options);
[[nodiscard]] ExitCode run_policy_eval(Session& session, const PolicyEvalOptions& options);
[[nodiscard]] ExitCode run_policy_explain(Session& session, const PolicyEvalOptions& options);
[[nodiscard]] ExitCode run_policy_lint(Session& session, const PolicyLintOptions& options);
[[nodiscard]] ExitCode run_policy_test(Session& session, const PolicyTestOptions& options);
[[nodiscard]] ExitCode run_policy_trust(Session& session, const PolicyTrustOptions& options);
[[nodiscard]] ExitCode run_template_list(Session& session, const TemplateListOptions& options);
[[nodiscard]] ExitCode run_template_show(Session& session, const TemplateShowOptions& options);
[[nodiscard]] ExitCode run_doctor(Session& session, const DoctorOptions& options);
[[nodiscard]] ExitCode run_completion(Session& session, const CompletionOptions& options);
[[nodiscard]] ExitCode run_man(Session& session);
[[nodiscard]] ExitCode run_template_check(Session& session, const TemplateCheckOptions& options);

}  // namespace rgx::cli
