#include "policy/policy.h"

#include <cstddef>

namespace rgx::policy {

std::string_view to_string(Layer layer) {
  return kLayerNames[static_cast<std::size_t>(layer)];
}

std::string_view to_string(Effect effect) {
  return kEffectNames[static_cast<std::size_t>(effect)];
}

std::string_view to_string(Risk risk) {
  return kRiskNames[static_cast<std::size_t>(risk)];
}

bool ArgvPattern::matches(const std::vector<std::string>& argv) const {
  for (std::size_t index = 0; index < tokens.size(); ++index) {
    if (tokens[index] == "**" && index + 1 == tokens.size()) {
      return true;
    }
    if (index == argv.size() || (tokens[index] != "*" && tokens[index] != argv[index])) {
      return false;
    }
  }
  return argv.size() == tokens.size();
}

Json to_json(const RunBudget& budget) {
  Json all = Json::object();
  for (const BudgetField& field : kRunBudgetFields) {
    all.set(field.name, budget.*field.member);
  }
  return all;
}

}  // namespace rgx::policy
