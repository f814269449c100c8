#pragma once

#include <string>
#include <vector>

#include "policy/decision.h"

// Why a decision came out as it did: every rule for the step's tool with what it said or what it
// lacked. Format of the JSON: docs/formats/decision.md

namespace rgx::policy {

/// What one rule had to say about a step.
struct RuleSaid {
  enum class What : std::uint8_t {
    decides,   ///< it is among the rules that made the decision
    matches,   ///< it matches, but a stronger rule decided
    excepted,  ///< it would match, but an exception lifts it
    silent,    ///< it does not match
  };
  std::string rule;
  Effect effect = Effect::deny;
  Layer layer = Layer::org;
  Place place;
  What what = What::silent;
  std::vector<Ungranted> grants;  ///< of an allow rule: elements it grants
  std::string reason;             ///< of a silent rule: the first thing that is missing
};
[[nodiscard]] std::string_view to_string(RuleSaid::What what);

struct Explanation {
  Decision decision;
  std::vector<RuleSaid> rules;  ///< that name the step's tool, by layer and id
  std::size_t other_tools = 0;  ///< rules that do not name it
};

/// Pure; its decision is that of decide() with the same arguments.
[[nodiscard]] Explanation explain(const PolicySet& policy, const Facts& facts,
                                  const DecideContext& context);

[[nodiscard]] Json to_json(const Explanation& explanation);  ///< `rgx.explanation/v1`
/// The decision, the facts it was made on, and a line for each rule.
[[nodiscard]] std::string describe(const Explanation& explanation);

}  // namespace rgx::policy
