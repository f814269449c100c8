#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What a step may ask of policy and engine beyond its tool and inputs. It tightens what policy
// says and never loosens it. Format: docs/formats/plan.md, section "Members of a step"

namespace rgx::templates {

/// People who must agree before the step starts.
struct StepGate {
  std::int64_t count = 1;  ///< how many, 1 to kGateCountMax
  std::string group;       ///< they are members of; empty: any approver
  bool self = false;       ///< the requester may be one of them
  std::string message;     ///< what they are asked, one line; may be empty

  bool operator==(const StepGate&) const = default;
};

/// Attempts of a step that did not succeed.
struct Retry {
  std::int64_t attempts_max = 2;     ///< the first one included
  std::int64_t backoff_ms = 1000;    ///< before the second; doubles before each further one
  std::vector<std::string> reasons;  ///< of kRetryReasons, sorted, at least one

  bool operator==(const Retry&) const = default;
};

inline constexpr std::int64_t kGateCountMax = 16;
inline constexpr std::int64_t kAttemptsMax = 10;
inline constexpr std::int64_t kBackoffMsMax = 3600000;
/// `failed`: the tool says no; `timed_out`; `transient`: what may pass by itself.
inline constexpr std::array<std::string_view, 3> kRetryReasons = {"failed", "timed_out",
                                                                  "transient"};
inline constexpr std::array<std::string_view, 4> kRiskNames = {"low", "medium", "high", "critical"};
/// The keys of `budgets.step` of a policy.
inline constexpr std::array<std::string_view, 5> kStepBudgetNames = {
    "bytes_written", "cost_usd_micros", "files_changed", "tokens", "wall_ms"};
inline constexpr std::array<std::string_view, 2> kWorkspaceNames = {"in_place", "worktree"};

}  // namespace rgx::templates
