#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policy/facts.h"
#include "policy/policy.h"

// A decision that can be printed whole: what matched, what decided, what was missing, what to do.

namespace rgx::policy {

struct RuleHit {
  std::string rule;
  Effect effect = Effect::deny;
  Layer layer = Layer::org;
  Place place;
  std::string why;
  std::string remedy;

  bool operator==(const RuleHit&) const = default;
};

/// An element of an axis that no rule grants.
struct Ungranted {
  templates::Axis axis = templates::Axis::argv;
  std::string element;

  bool operator==(const Ungranted&) const = default;
};

/// A rule that would have granted an element but for one thing.
struct NearMiss {
  std::string rule;
  Place place;
  std::string reason;

  bool operator==(const NearMiss&) const = default;
};

struct Decision {
  Effect effect = Effect::deny;
  Risk risk = Risk::medium;
  std::vector<RuleHit> deciding;     ///< the rules that made it; empty = default deny
  std::vector<RuleHit> matched;      ///< all that matched, sorted by layer and id
  std::vector<Ungranted> ungranted;  ///< sorted
  std::vector<NearMiss> near_misses;
  std::vector<std::string> exceptions;    ///< rules an exception lifted: `frozen (SEC-812)`
  std::vector<ApprovalDemand> approvals;  ///< every one must be met; empty unless require_approval
  std::string remedy;
  Facts facts;

  bool operator==(const Decision&) const = default;
};

[[nodiscard]] Json to_json(const Decision& decision);  ///< `rgx.decision/v1`
/// Several lines for people: the answer, rules with file:line, ungranted elements, remedy.
[[nodiscard]] std::string describe(const Decision& decision);

struct Prepared;

/// Layers from the top down. INVARIANT: non-empty, strictly descending authority, every budget
/// of RunBudget named by some layer.
class PolicySet {
 public:
  /// Errors: policy.layer_order, policy.missing_budget, policy.delegation_layer, ...
  [[nodiscard]] static Result<PolicySet> stack(std::vector<Policy> layers);

  [[nodiscard]] const std::vector<Policy>& layers() const;
  [[nodiscard]] const RunBudget& budget() const;  ///< strictest of all layers
  [[nodiscard]] std::int64_t step_wall_ms() const;
  [[nodiscard]] std::int64_t slots(std::string_view concurrency_class) const;
  [[nodiscard]] Review review() const;
  [[nodiscard]] SandboxDemand sandbox() const;
  [[nodiscard]] ChangedJudge changed_judge() const;
  /// Absolute paths a program name may resolve to (top layer and delegated ones).
  [[nodiscard]] const Program* find_program(std::string_view name) const;
  /// [{file, layer, name, digest}], for admission.
  [[nodiscard]] Json describe_layers() const;
  /// Rules made ready for deciding; for this package only.
  [[nodiscard]] const Prepared& prepared() const { return *prepared_; }

 private:
  explicit PolicySet(std::shared_ptr<const Prepared> prepared) : prepared_(std::move(prepared)) {}
  std::shared_ptr<const Prepared> prepared_;  // never null, immutable, shared by copies
};

/// People whom a step of a plan itself asks, whatever the layers say.
struct AskedByStep {
  std::string rule;  ///< built-in: `rgx.step_gate` or `rgx.human_approve`
  std::string why;
  ApprovalDemand demand;
};

struct DecideContext {
  std::int64_t now_unix_ms = 0;           ///< recorded; exceptions expire by it
  std::optional<Risk> risk_min = {};      ///< raises the level that the layers give
  std::optional<AskedByStep> asked = {};  ///< tightens what they ask for
};

/// Pure: the same inputs give the same decision. An error while deciding is a denial.
[[nodiscard]] Decision decide(const PolicySet& policy, const Facts& facts,
                              const DecideContext& context);

/// Paths no layer but org may let a step write: `.git`, CI workflows, agent and editor settings,
/// rgx's own configuration.
[[nodiscard]] const std::vector<Glob>& protected_paths();
/// True when one path, written by whatever means, belongs to them; upper and lower case are one.
[[nodiscard]] bool is_protected(std::string_view normal_path);

}  // namespace rgx::policy
