#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "policy/matching.h"
#include "policy/prepared.h"

// What a layer may grant for one step. Private to the package.
// Format: docs/formats/decision.md, section "Grants"

namespace rgx::policy {

class Authority {
 public:
  /// Refers to both, which must outlive it.
  Authority(const Prepared& policy, const FactView& view);

  /// The top layer always; another only inside a delegation whose layer has it, too.
  [[nodiscard]] bool over(std::size_t layer, const Element& element) const;
  /// Of a layer over a step that has no element.
  [[nodiscard]] bool over_step(std::size_t layer) const;

 private:
  /// A delegation that fits the step's tool and program.
  struct Link {
    std::size_t above = 0;
    const Delegation* delegation = nullptr;
  };
  [[nodiscard]] bool inside(const Delegation& delegation, const Element& element) const;

  const FactView& view_;
  std::vector<std::vector<Link>> links_;  // by layer
};

/// Why the step's program may not be started whatever rules say, if so.
struct ProgramProblem {
  std::string reason;
  std::string remedy;
};
[[nodiscard]] std::optional<ProgramProblem> find_program_problem(const Prepared& policy,
                                                                 const FactView& view);

}  // namespace rgx::policy
