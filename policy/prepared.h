#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "policy/decision.h"

// A stack of policies made ready for deciding. Private to the package.

namespace rgx::policy {

struct FactView;

/// A rule, where it stands and what may lift it.
struct RuleEntry {
  const Rule* rule = nullptr;
  std::size_t layer = 0;                     ///< index into Prepared::layers
  std::vector<const Exception*> exceptions;  ///< that name it, of its own layer or above
};

/// Rules that can say something about one tool, in the order of Prepared::entries.
struct ToolRules {
  std::array<std::vector<const RuleEntry*>, kEffectNames.size()> by_effect;

  [[nodiscard]] const std::vector<const RuleEntry*>& of(Effect effect) const {
    return by_effect[static_cast<std::size_t>(effect)];
  }
};

/// INVARIANT: pointers lead into `layers` and `entries`, which never change after prepare().
struct Prepared {
  std::vector<Policy> layers;      ///< from the top down
  std::vector<RuleEntry> entries;  ///< sorted by layer and id
  std::map<std::string, ToolRules, std::less<>> by_tool;
  std::map<std::string, const Program*, std::less<>> programs;
  RunBudget budget;

  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
};

/// Indexes the layers; they need not be fit for a stack (examples of a file are judged alone).
[[nodiscard]] std::shared_ptr<const Prepared> prepare(std::vector<Policy> layers);

/// Name of the place of rules that no file holds.
inline constexpr std::string_view kBuiltInPlace = "built-in";

/// Risk of a step: the highest level that any layer gives, else medium.
[[nodiscard]] Risk classify(const Prepared& policy, const FactView& view);

/// Level that one layer gives, if any.
[[nodiscard]] std::optional<Risk> classify_layer(const Policy& layer, const FactView& view);

/// Lowest bound of `budgets.step.FIELD` that a layer names.
[[nodiscard]] std::optional<std::int64_t> step_limit(const PolicySet& policy,
                                                     const std::string& field);

/// Says of a program's name whether its entry in force has a grammar; refers to `policy`.
[[nodiscard]] std::function<bool(std::string_view)> grammars_of(const Prepared& policy);

/// The entry of `programs` in force for a name: the top layer's, else a delegated one.
[[nodiscard]] const Program* find_program(const Prepared& policy, std::string_view name);

}  // namespace rgx::policy
