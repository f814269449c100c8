#pragma once

#include <string>

#include "cli/output.h"
#include "cli/prepare.h"

// A plan and what policy says about it, for people. Says nothing of this machine's paths, time or
// locale, so that two people see the same.

namespace rgx::cli {

[[nodiscard]] std::string plan_view(const Prepared& prepared, Colour colour);

/// Why a plan may not run: each denied step with its rules, then what is over budget.
[[nodiscard]] std::string refusal_view(const policy::Refusal& refusal);

/// Steps that need approvals, with the rules that say so; empty when none does.
[[nodiscard]] std::string approvals_view(const std::map<StepId, policy::Decision>& decisions);

/// `4 steps, 3 files changed, 1 process`: what is not zero. Shared with the report of a run.
[[nodiscard]] std::string budget_text(const policy::RunBudget& budget);

/// At most `bytes_max` bytes of whole characters, and `...` where something was cut.
[[nodiscard]] std::string shortened(std::string text, std::size_t bytes_max);

/// `90 ms`, `12.3 s`, `15 min`.
[[nodiscard]] std::string duration_text(std::int64_t ms);

}  // namespace rgx::cli
