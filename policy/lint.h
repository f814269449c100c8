#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"

// What loads and yet is probably not what its author meant. Each kind of finding is explained in
// docs/policy-lint.md. Pure: the same file and time give the same findings.

namespace rgx::policy {

/// note: worth knowing; only warnings and errors make `rgx policy lint` exit with 1.
enum class Severity : std::uint8_t { note, warning, error };
[[nodiscard]] std::string_view to_string(Severity severity);

struct LintCode {
  std::string_view code;
  Severity severity = Severity::note;
  std::string_view summary;  ///< one line, for tables and SARIF
};

/// All kinds of findings, sorted by code.
[[nodiscard]] std::span<const LintCode> lint_codes();

struct LintFinding {
  std::string_view code;  ///< one of lint_codes(): lives as long as the program
  Severity severity = Severity::note;
  std::string rule;  ///< id of the rule it is about; empty where it is about none
  Place place;
  std::string message;
  std::string remedy;

  bool operator==(const LintFinding&) const = default;
};

inline constexpr std::int64_t kLintWithinDays = 30;
inline constexpr std::int64_t kLintWithinDaysMax = 3650;

struct LintContext {
  std::int64_t now_unix_ms = 0;
  std::int64_t within_days = kLintWithinDays;  ///< exceptions that end sooner are told
};

/// Findings sorted by place, then code. `text` is what `policy` was loaded from. The file is looked
/// at alone: what layers above or below it say is not known.
[[nodiscard]] std::vector<LintFinding> lint(const Policy& policy, std::string_view text,
                                            const LintContext& context);

}  // namespace rgx::policy
