#include "cli/exit_code.h"

#include <array>
#include <csignal>

#include "base/check.h"

namespace rgx::cli {
namespace {

constexpr std::array<ExitCodeRow, 14> kRows = {{
    {ExitCode::done, "done", "done"},
    {ExitCode::failed, "failed", "a step or check failed"},
    {ExitCode::usage, "usage", "usage or unreadable input"},
    {ExitCode::denied, "denied", "denied by policy"},
    {ExitCode::evidence, "evidence", "evidence does not verify"},
    {ExitCode::over_budget, "over_budget", "budget exhausted"},
    {ExitCode::waiting, "waiting", "waiting for approval"},
    {ExitCode::environment, "environment", "environment lacks what the policy requires"},
    {ExitCode::drift, "drift", "drift: recompile"},
    {ExitCode::inconclusive, "inconclusive", "evidence inconclusive"},
    {ExitCode::torn, "torn", "torn tail"},
    {ExitCode::internal, "internal", "internal error"},
    {ExitCode::interrupted, "interrupted", "interrupted (SIGINT)"},
    {ExitCode::terminated, "terminated", "terminated (SIGTERM, SIGHUP)"},
}};

// Higher beats lower.
int weight(ExitCode code) {
  switch (code) {
    case ExitCode::done:
      return 0;
    case ExitCode::waiting:
      return 1;
    case ExitCode::inconclusive:
      return 2;
    case ExitCode::torn:
      return 3;
    case ExitCode::failed:
      return 4;
    case ExitCode::drift:
      return 5;
    case ExitCode::over_budget:
      return 6;
    case ExitCode::denied:
      return 7;
    case ExitCode::evidence:
      return 8;
    case ExitCode::interrupted:
      return 9;
    case ExitCode::terminated:
      return 10;
    case ExitCode::usage:
      return 11;
    case ExitCode::environment:
      return 12;
    case ExitCode::internal:
      return 13;
  }
  RGX_CHECK(false);
}

}  // namespace

std::span<const ExitCodeRow> exit_codes() {
  return kRows;
}

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return ExitCode::usage;
    case ErrorKind::environment:
      return ExitCode::environment;
    case ErrorKind::drift:
      return ExitCode::drift;
    case ErrorKind::evidence:
      return ExitCode::evidence;
    case ErrorKind::failed:
      return ExitCode::failed;
    case ErrorKind::internal:
      return ExitCode::internal;
  }
  RGX_CHECK(false);
}

ExitCode exit_code(audit::VerdictKind kind) {
  switch (kind) {
    case audit::VerdictKind::verified:
      return ExitCode::done;
    case audit::VerdictKind::tampered:
      return ExitCode::evidence;
    case audit::VerdictKind::inconclusive:
      return ExitCode::inconclusive;
    case audit::VerdictKind::torn:
      return ExitCode::torn;
  }
  RGX_CHECK(false);
}

ExitCode exit_code(policy::Effect effect) {
  switch (effect) {
    case policy::Effect::allow:
      return ExitCode::done;
    case policy::Effect::require_approval:
      return ExitCode::waiting;
    case policy::Effect::deny:
      return ExitCode::denied;
  }
  RGX_CHECK(false);
}

ExitCode exit_code(const policy::Refusal& refusal) {
  return refusal.denied.empty() ? ExitCode::over_budget : ExitCode::denied;
}

ExitCode exit_code(engine::RunState state, int signal) {
  switch (state) {
    case engine::RunState::succeeded:
      return ExitCode::done;
    case engine::RunState::failed:
      return ExitCode::failed;
    case engine::RunState::denied:
      return ExitCode::denied;
    case engine::RunState::budget_exhausted:
      return ExitCode::over_budget;
    case engine::RunState::drifted:
      return ExitCode::drift;
    case engine::RunState::waiting:
      return ExitCode::waiting;
    case engine::RunState::interrupted:
      return signal == SIGTERM || signal == SIGHUP ? ExitCode::terminated : ExitCode::interrupted;
  }
  RGX_CHECK(false);
}

ExitCode worse(ExitCode first, ExitCode second) {
  return weight(first) >= weight(second) ? first : second;
}

}  // namespace rgx::cli
