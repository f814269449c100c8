#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/lint.h"

// What the parts of lint() share. Private to the package.

namespace rgx::policy::linting {

/// Collects findings; the severity is that of the code.
class Findings {
 public:
  void add(std::string_view code, const Place& place, std::string_view rule, std::string message,
           std::string remedy);
  void add(std::string_view code, const Rule& rule, std::string message, std::string remedy) {
    add(code, rule.place, rule.id, std::move(message), std::move(remedy));
  }
  [[nodiscard]] std::vector<LintFinding> sorted() &&;

 private:
  std::vector<LintFinding> all_;
};

/// `rule `frozen``, for messages.
[[nodiscard]] std::string shown(const Rule& rule);
[[nodiscard]] std::string shown(const Place& place);  ///< `line 12`

void find_broad(const Policy& policy, Findings& findings);
void find_dead(const Policy& policy, Findings& findings);
void find_pairs(const Policy& policy, Findings& findings);

}  // namespace rgx::policy::linting
