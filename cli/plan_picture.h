#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "cli/prepare.h"

// What every view of a plan shows, taken together once: the tree of a terminal, Markdown and the
// graphs differ in how they write it only. All text in here is printable, none is quoted.

namespace rgx::cli {

struct PlanRow {
  std::string id;
  std::string group;  ///< `edit` of `edit[src/a.c]`; empty for a step that stands alone
  std::string phase;  ///< empty without one; `acceptance` for what is checked at the end
  std::string tool;
  std::string does;  ///< paths, program or hosts
  policy::Effect effect = policy::Effect::deny;
  policy::Risk risk = policy::Risk::medium;
  std::string rules;       ///< those that decided, each with its place
  std::string gate;        ///< who must agree before it starts; empty where nobody must
  policy::RunBudget cost;  ///< worst case; `steps` is 0
  std::vector<std::string> needs;

  bool operator==(const PlanRow&) const = default;
};

/// Steps of one `for_each` that policy treats alike, or one step.
struct PlanFold {
  std::vector<const PlanRow*> rows;  ///< never empty
  policy::RunBudget cost;            ///< of all rows; `wall_ms` of the longest one

  [[nodiscard]] const PlanRow& first() const { return *rows.front(); }
  [[nodiscard]] bool is_folded() const { return rows.size() > 1; }
  /// `edit[...] (997 steps)`, or the id.
  [[nodiscard]] std::string name() const;
};

struct PlanPicture {
  std::string intent;
  std::string template_text;
  std::vector<std::string> policies;  ///< `org  default  (default.yaml)`
  std::vector<PlanRow> rows;          ///< in plan order, then acceptance
  policy::RunBudget worst_case;
  std::string plan_digest;
  std::string admission_digest;  ///< empty for a refused plan
  std::string base_revision;
};

[[nodiscard]] PlanPicture make_picture(const Prepared& prepared);

/// Rows in their order. Runs of rows of one group that have phase, tool, decision, risk and gate in
/// common become one fold when there are more than `together_max` of them.
[[nodiscard]] std::vector<PlanFold> fold_rows(const std::vector<PlanRow>& rows,
                                              std::size_t together_max);

/// `2 ask, 10 allow` and `1 high, 11 low`, the worst first, without zeros.
[[nodiscard]] std::string effects_summary(const std::vector<PlanRow>& rows);
[[nodiscard]] std::string risks_summary(const std::vector<PlanRow>& rows);

/// `12 files changed, 15 min each`.
[[nodiscard]] std::string cost_text(const PlanFold& fold);

/// `ask` for what needs approval, else the name of the effect.
[[nodiscard]] std::string_view effect_word(policy::Effect effect);

/// The rules that decided, or `default deny`.
[[nodiscard]] std::string rules_text(const policy::Decision& decision);

/// The first few of `names`, and how many more there are.
[[nodiscard]] std::string some_of(const std::vector<std::string>& names, std::size_t shown_max);

}  // namespace rgx::cli
