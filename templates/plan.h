#pragma once

#include "base/digest.h"
#include "base/ids.h"
#include "base/json.h"
#include "templates/step_options.h"
#include "templates/template.h"
#include "templates/tool.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The plan language: an explicit DAG of tool uses with everything resolved that can be resolved
// before running. Format: docs/formats/plan.md

namespace rgx::templates {

inline constexpr std::size_t kPlanStepsMax = 10000;
inline constexpr std::size_t kPlanNeedsMax = 1000000;  // of all steps together
inline constexpr std::size_t kPlanBytesMax = 64U << 20;

/// The content a file must have when the step starts: what was there while compiling, unless an
/// earlier step of the plan writes the file (then `after` names the last one).
struct Pin {
  std::string path;
  Digest digest;  ///< meaningful when `after` is empty
  std::optional<StepId> after;

  bool operator==(const Pin&) const = default;
};

struct Step {
  StepId id;
  ToolUse tool;               ///< use, with, read, write, hosts
  std::vector<StepId> needs;  ///< sorted
  std::vector<Pin> pins;      ///< sorted by path
  Provenance provenance;
  std::optional<std::int64_t> timeout_ms;  ///< none: the policy's step budget decides
  bool idempotent = false;
  OnInterrupted on_interrupted = OnInterrupted::check;
  std::optional<std::string> phase;  ///< one of the plan's phases
  std::optional<StepGate> gate;
  std::optional<std::string> risk;             ///< one of kRiskNames; raises policy's, never lowers
  std::map<std::string, std::int64_t> budget;  ///< keys of kStepBudgetNames; lowers policy's
  std::optional<Retry> retry;
  std::optional<Json> when;  ///< decided while running (templates/step_output.h)

  bool operator==(const Step&) const = default;
};

struct TemplateReference {
  std::string name;
  std::string version;
  Digest digest;

  bool operator==(const TemplateReference&) const = default;
};

struct Plan {
  std::string intent;
  TemplateReference from;
  Json parameters = Json::object();         ///< name -> {type, value, origins}
  Json facts = Json::object();              ///< name -> {probe, with, value}
  std::string workspace = "in_place";       ///< or `worktree`
  std::vector<Step> steps;                  ///< topological order, ties by id
  std::vector<Step> acceptance;             ///< `acceptance[1]`, ...: one by one, after all steps
  std::vector<TemplateReference> includes;  ///< sorted by name
  std::vector<std::string> phases;          ///< in order; `needs` already say it

  bool operator==(const Plan&) const = default;
};

/// `rgx.plan/v1`; strict inverse reports every unknown, missing or ill-typed field at once.
[[nodiscard]] Json to_json(const Plan& plan);
[[nodiscard]] Result<Plan> plan_from_json(const Json& value);
[[nodiscard]] Json to_json(const Step& step);

/// A plan that nobody checked yet. Only instantiate() and read_sealed_plan() make one.
class Draft {
 public:
  [[nodiscard]] const Plan& plan() const { return plan_; }

 private:
  friend class DraftKey;
  explicit Draft(Plan plan) : plan_(std::move(plan)) {}
  Plan plan_;
};

/// A checked plan with its digest. INVARIANT: bytes() is the canonical form of plan(), digest()
/// is SHA-256 over domain `rgx.plan/v1` and those bytes; only seal() makes one.
class SealedPlan {
 public:
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const Digest& digest() const { return digest_; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] const Step* find(const StepId& id) const;

 private:
  friend class SealKey;
  SealedPlan(Plan plan, std::string bytes, const Digest& digest)
      : plan_(std::move(plan)),
        bytes_(std::move(bytes)),
        digest_(digest) {}
  Plan plan_;
  std::string bytes_;
  Digest digest_;
};

}  // namespace rgx::templates
