#pragma once

#include <string>

#include "base/json.h"
#include "policy/policy.h"

// Reserve first, then spend, then settle: what is reserved and spent together never exceeds the
// limit, whatever runs in parallel. One thread owns it.

namespace rgx::engine {

class Budget {
 public:
  explicit Budget(const policy::RunBudget& limit) : limit_(limit) {}

  /// Name of the first field that does not fit (`files_changed`), or empty when reserved.
  [[nodiscard]] std::string reserve(const policy::RunBudget& amount);
  /// Gives a reservation back and counts what was really spent (which never exceeds it by
  /// contract of the caller; more is recorded as spent all the same).
  void settle(const policy::RunBudget& reserved, const policy::RunBudget& spent);

  [[nodiscard]] const policy::RunBudget& limit() const { return limit_; }
  [[nodiscard]] const policy::RunBudget& reserved() const { return reserved_; }
  [[nodiscard]] const policy::RunBudget& spent() const { return spent_; }

 private:
  policy::RunBudget limit_;
  policy::RunBudget reserved_;
  policy::RunBudget spent_;
};

}  // namespace rgx::engine
