#include <algorithm>
#include <limits>

#include "base/check.h"
#include "policy/prepared.h"

// Layers bound into one policy: what a stack needs, and the strictest of what its layers say.
// Format: docs/formats/policy.md, section "Layers"

namespace rgx::policy {
namespace {

bool delegates_program(const std::vector<Policy>& layers, std::size_t layer,
                       std::string_view name) {
  if (layer == 0) {
    return true;
  }
  for (std::size_t above = 0; above < layer; ++above) {
    for (const Delegation& delegation : layers[above].delegations) {
      if (delegation.to == layers[layer].layer &&
          std::ranges::find(delegation.programs, name) != delegation.programs.end() &&
          delegates_program(layers, above, name)) {
        return true;
      }
    }
  }
  return false;
}

void index_programs(Prepared& prepared) {
  for (std::size_t layer = 0; layer < prepared.layers.size(); ++layer) {
    for (const auto& [name, program] : prepared.layers[layer].programs) {
      if (!prepared.programs.contains(name) && delegates_program(prepared.layers, layer, name)) {
        prepared.programs.emplace(name, &program);
      }
    }
  }
}

std::vector<const Exception*> exceptions_of(const std::vector<Policy>& layers, const Rule& rule,
                                            std::size_t layer) {
  std::vector<const Exception*> all;
  for (std::size_t above = 0; above <= layer && !rule.hard; ++above) {
    for (const Exception& exception : layers[above].exceptions) {
      if (exception.rule == rule.id && exception.rule_layer == layers[layer].layer) {
        all.push_back(&exception);
      }
    }
  }
  return all;
}

void index_rules(Prepared& prepared) {
  for (std::size_t layer = 0; layer < prepared.layers.size(); ++layer) {
    for (const Rule& rule : prepared.layers[layer].rules) {
      prepared.entries.push_back({&rule, layer, exceptions_of(prepared.layers, rule, layer)});
    }
  }
  std::ranges::stable_sort(prepared.entries, [](const RuleEntry& left, const RuleEntry& right) {
    return left.layer != right.layer ? left.layer < right.layer : left.rule->id < right.rule->id;
  });
  for (const templates::ToolContract& tool : templates::tools()) {
    ToolRules& rules = prepared.by_tool[std::string(tool.name)];
    for (const RuleEntry& entry : prepared.entries) {
      const std::vector<std::string>& named = entry.rule->when.tools;
      const bool any = named.empty() || std::ranges::any_of(named, [&](const std::string& pattern) {
                         return templates::tool_matches(pattern, tool.name);
                       });
      if (any) {
        rules.by_effect[static_cast<std::size_t>(entry.rule->effect)].push_back(&entry);
      }
    }
  }
}

void strictest_budget(Prepared& prepared) {
  for (const BudgetField& field : kRunBudgetFields) {
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    bool named = false;
    for (const Policy& layer : prepared.layers) {
      const auto found = layer.run_budget.find(std::string(field.name));
      if (found != layer.run_budget.end()) {
        limit = std::min(limit, found->second);
        named = true;
      }
    }
    // Zero where nobody says: a stack always says, and a file alone must not mean unlimited.
    prepared.budget.*field.member = named ? limit : 0;
  }
}

class StackChecker {
 public:
  explicit StackChecker(const std::vector<Policy>& layers) : layers_(layers) {}

  [[nodiscard]] Status check() {
    if (layers_.empty()) {
      return fail(ErrorKind::usage, "policy.no_layers", "there is no policy to decide by",
                  "name a policy file, or leave it to the default policy");
    }
    check_order();
    check_top();
    for (std::size_t index = 0; index < layers_.size(); ++index) {
      check_lower(index);
      check_exceptions(index);
    }
    if (mistakes_.empty()) {
      return {};
    }
    return fail(Error{ErrorKind::usage, std::move(mistakes_)});
  }

 private:
  void mistake(std::string_view code, const Place& place, const std::string& message,
               std::string_view remedy) {
    mistakes_.push_back(Diagnostic{std::string(code), message, std::string(remedy), place});
  }

  void check_order() {
    for (std::size_t index = 1; index < layers_.size(); ++index) {
      const Policy& upper = layers_[index - 1];
      const Policy& lower = layers_[index];
      if (upper.layer >= lower.layer) {
        mistake("policy.layer_order", Place{lower.file, 0, 0},
                "layer `" + std::string(to_string(lower.layer)) + "` cannot stand below layer `" +
                    std::string(to_string(upper.layer)) + "` of " + upper.file,
                "use one file of each layer, in the order org, user, repository, run");
      }
    }
  }

  void check_top() {
    const Policy& top = layers_.front();
    const Place place{top.file, 0, 0};
    if (!top.default_deny) {
      mistake("policy.missing_default", place, "the top layer does not say `default: deny`",
              "add `default: deny`; what no rule grants is denied");
    }
    for (const BudgetField& field : kRunBudgetFields) {
      if (!top.run_budget.contains(std::string(field.name))) {
        mistake("policy.missing_budget", place,
                "the top layer does not name `budgets.run." + std::string(field.name) + "`",
                "add it under `budgets.run`; 0 means none, and nothing means unlimited");
      }
    }
    if (!top.step_budget.contains("wall_ms")) {
      mistake("policy.missing_budget", place, "the top layer does not name `budgets.step.wall_ms`",
              "add `step: {wall_ms: 900000}` under `budgets`");
    }
  }

  void check_lower(std::size_t index) {
    const Policy& layer = layers_[index];
    if (index > 0 && !layer.approvers.empty()) {
      mistake(
          "policy.approver_layer", layer.approvers.front().place,
          "layer `" + std::string(to_string(layer.layer)) + "` lists approvers below another layer",
          "list approvers in the top layer, " + layers_.front().file);
    }
    for (const Rule& rule : layer.rules) {
      if (rule.effect == Effect::require_approval) {
        check_group(rule.approval, rule.place, "rule `" + rule.id + "`");
      }
    }
    for (const auto& [level, gate] : layer.gates) {
      if (gate.approval) {
        check_group(*gate.approval, gate.place, "gate `" + std::string(to_string(level)) + "`");
      }
    }
  }

  void check_group(const ApprovalDemand& demand, const Place& place, const std::string& who) {
    const auto has_group = [&demand](const Approver& approver) {
      return std::ranges::find(approver.groups, demand.group) != approver.groups.end();
    };
    if (!demand.group.empty() && !std::ranges::any_of(layers_.front().approvers, has_group)) {
      mistake("policy.unknown_group", place,
              who + " asks for group `" + demand.group + "`, which no approver is in",
              "add the group to an approver in the top layer, " + layers_.front().file);
    }
  }

  void check_exceptions(std::size_t index) {
    for (const Exception& exception : layers_[index].exceptions) {
      const auto lower = std::ranges::find(layers_, exception.rule_layer, &Policy::layer);
      if (lower == layers_.end() || exception.rule_layer == layers_[index].layer) {
        continue;  // the file's own rules were checked while loading
      }
      const auto rule = std::ranges::find(lower->rules, exception.rule, &Rule::id);
      if (rule == lower->rules.end()) {
        mistake("policy.unknown_rule", exception.place,
                "there is no rule `" + exception.rule + "` in " + lower->file,
                "name a rule of that layer, or remove the exception");
      } else if (rule->hard) {
        mistake("policy.exception_hard", exception.place,
                "rule `" + exception.rule + "` of " + lower->file + " is hard: nothing excepts it",
                "remove the exception, or change the rule with its owner");
      }
    }
  }

  const std::vector<Policy>& layers_;
  std::vector<Diagnostic> mistakes_;
};

/// Strictest of what the layers say, where smaller enumerators and numbers are stricter.
template <class Value>
Value strictest(const std::vector<Policy>& layers, std::optional<Value> Policy::* member,
                Value unsaid) {
  std::optional<Value> found;
  for (const Policy& layer : layers) {
    if (const std::optional<Value>& said = layer.*member) {
      found = found ? std::min(*found, *said) : *said;
    }
  }
  return found.value_or(unsaid);
}
static_assert(Review::plan < Review::none);
static_assert(SandboxDemand::required < SandboxDemand::best_effort);

}  // namespace

std::shared_ptr<const Prepared> prepare(std::vector<Policy> layers) {
  auto prepared = std::make_shared<Prepared>();
  prepared->layers = std::move(layers);
  index_programs(*prepared);
  index_rules(*prepared);
  strictest_budget(*prepared);
  return prepared;
}

std::function<bool(std::string_view)> grammars_of(const Prepared& policy) {
  return [&policy](std::string_view name) {
    const Program* program = find_program(policy, name);
    return program != nullptr && program->has_grammar;
  };
}

const Program* find_program(const Prepared& policy, std::string_view name) {
  const auto found = policy.programs.find(name);
  return found == policy.programs.end() ? nullptr : found->second;
}

Result<PolicySet> PolicySet::stack(std::vector<Policy> layers) {
  RGX_TRY_STATUS(StackChecker(layers).check());
  return PolicySet(prepare(std::move(layers)));
}

const std::vector<Policy>& PolicySet::layers() const {
  return prepared_->layers;
}

const RunBudget& PolicySet::budget() const {
  return prepared_->budget;
}

std::optional<std::int64_t> step_limit(const PolicySet& policy, const std::string& field) {
  std::optional<std::int64_t> limit;
  for (const Policy& layer : policy.layers()) {
    const auto found = layer.step_budget.find(field);
    if (found != layer.step_budget.end()) {
      limit = std::min(limit.value_or(found->second), found->second);
    }
  }
  return limit;
}

std::int64_t PolicySet::step_wall_ms() const {
  return std::min(step_limit(*this, "wall_ms").value_or(0), budget().wall_ms);
}

std::int64_t PolicySet::slots(std::string_view concurrency_class) const {
  std::optional<std::int64_t> slots;
  for (const Policy& layer : layers()) {
    const auto found = layer.concurrency.find(std::string(concurrency_class));
    if (found != layer.concurrency.end()) {
      slots = std::min(slots.value_or(found->second), found->second);
    }
  }
  return slots.value_or(1);
}

Review PolicySet::review() const {
  return strictest(layers(), &Policy::review, Review::plan);
}

ChangedJudge PolicySet::changed_judge() const {
  return strictest(layers(), &Policy::changed_judge, ChangedJudge::needs_review);
}

SandboxDemand PolicySet::sandbox() const {
  return strictest(layers(), &Policy::sandbox, SandboxDemand::required);
}

const Program* PolicySet::find_program(std::string_view name) const {
  return policy::find_program(*prepared_, name);
}

Json PolicySet::describe_layers() const {
  Json all = Json::array();
  for (const Policy& layer : layers()) {
    all.push(Json::object({{"file", layer.file},
                           {"layer", to_string(layer.layer)},
                           {"name", layer.name},
                           {"digest", layer.digest.to_string()}}));
  }
  return all;
}

}  // namespace rgx::policy
