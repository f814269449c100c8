#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "policy/decision.h"
#include "templates/plan.h"

// SealedPlan x policy x resolved facts -> AdmittedPlan. Format: docs/formats/admission.md

namespace rgx::policy {

/// Everything admission depends on; the clock value is recorded but not part of the digest.
struct AdmissionInput {
  std::map<StepId, Facts> facts;  ///< one per step and check, resolved by engine
  std::string base_revision;      ///< commit id the policy of the repository was taken from
  std::int64_t now_unix_ms = 0;
};

/// A plan that policy lets run. INVARIANT: no step's decision is deny; the worst case fits the
/// budget. Only admit() makes one; engine::run takes nothing else.
class AdmittedPlan {
 public:
  [[nodiscard]] const templates::SealedPlan& plan() const { return plan_; }
  [[nodiscard]] const PolicySet& policy() const { return policy_; }
  [[nodiscard]] const Digest& digest() const { return digest_; }  ///< admission digest
  [[nodiscard]] const std::string& base_revision() const { return base_revision_; }
  [[nodiscard]] const Decision& decision(const StepId& step) const;
  [[nodiscard]] const std::map<StepId, Decision>& decisions() const { return decisions_; }
  [[nodiscard]] const RunBudget& worst_case() const { return worst_case_; }
  /// `rgx.admission/v1`: what the digest covers, and the worst case beside it.
  [[nodiscard]] Json describe() const;

 private:
  friend class AdmitKey;
  AdmittedPlan(templates::SealedPlan plan, PolicySet policy)
      : plan_(std::move(plan)),
        policy_(std::move(policy)) {}
  templates::SealedPlan plan_;
  PolicySet policy_;
  Digest digest_;
  std::string base_revision_;
  std::map<StepId, Decision> decisions_;
  RunBudget worst_case_;
};

/// Why a plan may not run: denied steps, or a worst case over budget.
struct Refusal {
  struct OverBudget {
    std::string field;  ///< of RunBudget
    std::int64_t needed = 0;
    std::int64_t allowed = 0;
  };
  std::map<StepId, Decision> denied;
  std::vector<OverBudget> over_budget;
};
[[nodiscard]] Json to_json(const Refusal& refusal);

using Admission = std::variant<AdmittedPlan, Refusal>;

/// Decides every step. Facts missing for a step, or for none, are a programmer error.
[[nodiscard]] Result<Admission> admit(const templates::SealedPlan& plan, const PolicySet& policy,
                                      const AdmissionInput& input);

/// Worst case of one step or check: what the gate reserves before it runs.
[[nodiscard]] RunBudget worst_case(const templates::Step& step, const PolicySet& policy);

}  // namespace rgx::policy
