#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/glob.h"
#include "templates/provenance.h"
#include "templates/tool.h"

// A policy file as its author wrote it, checked. Format: docs/formats/policy.md

namespace rgx::policy {

/// From the strictest authority down; each may only narrow what the ones above grant or delegate.
enum class Layer : std::uint8_t { org, user, repository, run };
inline constexpr std::array<std::string_view, 4> kLayerNames = {"org", "user", "repository", "run"};
[[nodiscard]] std::string_view to_string(Layer layer);

/// deny beats require_approval beats allow.
enum class Effect : std::uint8_t { allow, require_approval, deny };
inline constexpr std::array<std::string_view, 3> kEffectNames = {"allow", "require_approval",
                                                                 "deny"};
[[nodiscard]] std::string_view to_string(Effect effect);

enum class Risk : std::uint8_t { low, medium, high, critical };
inline constexpr std::array<std::string_view, 4> kRiskNames = {"low", "medium", "high", "critical"};
[[nodiscard]] std::string_view to_string(Risk risk);

/// `partial`: not every effect could be derived; only a rule that says so may allow it.
enum class Analysis : std::uint8_t { full, partial };
inline constexpr std::array<std::string_view, 2> kAnalysisNames = {"full", "partial"};

enum class Review : std::uint8_t { plan, none };
/// What becomes of a run that changed what its judge relies on.
enum class ChangedJudge : std::uint8_t { needs_review, allow };
inline constexpr std::array<std::string_view, 2> kChangedJudgeNames = {"needs_review", "allow"};
enum class SandboxDemand : std::uint8_t { required, best_effort };
inline constexpr std::array<std::string_view, 2> kSandboxNames = {"required", "best_effort"};

/// Tokens of an argv: literal, `*` for one token, a final `**` for the rest.
struct ArgvPattern {
  std::vector<std::string> tokens;

  [[nodiscard]] bool matches(const std::vector<std::string>& argv) const;
  bool operator==(const ArgvPattern&) const = default;
};

/// What a rule looks at; a matcher that is absent asks nothing.
struct Matchers {
  std::vector<std::string> tools;  ///< tool names or patterns (`search.*`); empty = any
  std::optional<ArgvPattern> argv;
  std::optional<std::vector<Glob>> read;
  std::optional<std::vector<Glob>> write;
  std::optional<std::vector<std::string>> refs;
  std::optional<std::vector<std::string>> hosts;
  std::optional<std::vector<std::string>> env;  ///< variable names, final `*` allowed
  std::vector<Risk> risk;
  std::map<templates::Axis, templates::OriginSet> provenance;
  std::optional<Analysis> analysis;
};

/// Approvals that a rule or a gate asks for.
struct ApprovalDemand {
  std::int64_t count = 1;
  std::string group;  ///< empty = any approver
  bool self = false;  ///< the requester may approve
  auto operator<=>(const ApprovalDemand&) const = default;
};

[[nodiscard]] Json to_json(const ApprovalDemand& demand);

struct Rule {
  std::string id;
  Effect effect = Effect::deny;
  Matchers when;
  ApprovalDemand approval;
  bool hard = false;
  std::string why;
  std::string remedy;
  Layer layer = Layer::org;
  Place place;
};

struct RiskRule {
  Risk level = Risk::medium;
  Matchers when;
  Place place;
};

/// What a risk level needs before a step of it may run.
struct Gate {
  std::optional<Effect> effect;  ///< `deny`
  std::optional<ApprovalDemand> approval;
  Place place;
};

/// A bounded envelope inside which a lower layer may allow.
struct Delegation {
  Layer to = Layer::repository;
  std::vector<std::string> tools;
  std::vector<std::string> programs;  ///< argv[0] names; empty = none
  std::vector<Glob> read;
  std::vector<Glob> write;
  std::vector<std::string> env;
  Place place;
};

struct Program {
  std::string name;
  std::vector<std::string> paths;  ///< absolute candidates, first existing wins
  bool has_grammar = false;        ///< `grammar: shipped`: rgx knows what its arguments mean
  Place place;
};

struct Approver {
  std::string name;
  std::string public_key;
  std::vector<std::string> groups;
  Place place;
};

struct Exception {
  std::string rule;
  Layer rule_layer = Layer::org;  ///< where the rule stands: this file's layer or a lower one
  std::vector<Glob> read;
  std::vector<Glob> write;
  std::string owner;
  std::string ticket;
  std::string reason;
  std::int64_t expires_unix_ms = 0;  ///< end of the named day, UTC: first instant without it
  Layer layer = Layer::org;
  Place place;
};

/// Upper bounds; zero means none of it may be used.
struct RunBudget {
  std::int64_t tokens = 0;
  std::int64_t cost_usd_micros = 0;
  std::int64_t wall_ms = 0;
  std::int64_t steps = 0;
  std::int64_t files_changed = 0;
  std::int64_t bytes_written = 0;
  std::int64_t model_calls = 0;
  std::int64_t agents = 0;
  std::int64_t processes = 0;
  bool operator==(const RunBudget&) const = default;
};
[[nodiscard]] Json to_json(const RunBudget& budget);

/// The fields by their name in files, so that nothing that walks them forgets one.
struct BudgetField {
  std::string_view name;
  std::int64_t RunBudget::* member;
};
inline constexpr std::array<BudgetField, 9> kRunBudgetFields = {
    {{"tokens", &RunBudget::tokens},
     {"cost_usd_micros", &RunBudget::cost_usd_micros},
     {"wall_ms", &RunBudget::wall_ms},
     {"steps", &RunBudget::steps},
     {"files_changed", &RunBudget::files_changed},
     {"bytes_written", &RunBudget::bytes_written},
     {"model_calls", &RunBudget::model_calls},
     {"agents", &RunBudget::agents},
     {"processes", &RunBudget::processes}}};
static_assert(sizeof(RunBudget) == kRunBudgetFields.size() * sizeof(std::int64_t));

/// One loaded file. Members that a lower layer left out are absent, not zero.
struct Policy {
  std::string file;
  std::string name;
  Layer layer = Layer::org;
  Digest digest;              ///< of the file's bytes
  bool default_deny = false;  ///< the file says `default: deny`, as a top layer must
  std::vector<Rule> rules;
  std::optional<Risk> risk_default;
  std::vector<RiskRule> risk_rules;
  std::map<Risk, Gate> gates;
  std::vector<Delegation> delegations;
  std::map<std::string, Program> programs;
  std::vector<Approver> approvers;
  std::vector<Exception> exceptions;
  std::map<std::string, std::int64_t> run_budget;                  ///< by field name of RunBudget
  std::map<std::string, std::int64_t> step_budget;                 ///< `wall_ms`, `tokens`, ...
  std::map<std::string, std::int64_t> concurrency;                 ///< class -> slots
  std::map<std::string, std::vector<std::string>> require_checks;  ///< tool -> checks
  std::vector<Glob> protected_allow;  ///< `relax_protected`: org layer only
  std::optional<Review> review;
  std::optional<SandboxDemand> sandbox;
  std::optional<ChangedJudge> changed_judge;  ///< `allow`: layers org and user only
};

/// Parses and checks one file; all mistakes at once, with position and suggestion. Examples
/// (`match`, `not_match`) of every rule are decided and must hold (policy.example_fails).
[[nodiscard]] Result<Policy> load_policy(std::string_view text, std::string_view file);

}  // namespace rgx::policy
