#include <algorithm>

#include "base/check.h"
#include "base/text.h"
#include "policy/near_miss.h"
#include "policy/protected.h"

// The decision. Format: docs/formats/decision.md, section "Deciding"; the numbers below are its
// own.

namespace rgx::policy {
namespace {

RuleHit hit_of(const Rule& rule) {
  return {rule.id, rule.effect, rule.layer, rule.place, rule.why, rule.remedy};
}

RuleHit built_in(std::string_view rule, const std::string& why, std::string_view remedy) {
  return {
      std::string(rule),  Effect::deny, Layer::org, Place{std::string(kBuiltInPlace), 0, 0}, why,
      std::string(remedy)};
}

void sort_hits(std::vector<RuleHit>& rules) {
  std::ranges::stable_sort(rules, [](const RuleHit& left, const RuleHit& right) {
    return left.layer != right.layer ? left.layer < right.layer : left.rule < right.rule;
  });
}

/// `left` asks for nothing that `right` does not ask for, too.
bool includes(const ApprovalDemand& right, const ApprovalDemand& left) {
  return (left.group.empty() || left.group == right.group) && right.count >= left.count &&
         (left.self || !right.self);
}

std::vector<ApprovalDemand> reduced(std::vector<ApprovalDemand> demands) {
  std::ranges::sort(demands);
  demands.erase(std::ranges::unique(demands).begin(), demands.end());
  std::vector<ApprovalDemand> kept;
  for (const ApprovalDemand& demand : demands) {
    const bool included = std::ranges::any_of(demands, [&demand](const ApprovalDemand& other) {
      return other != demand && includes(other, demand);
    });
    if (!included) {
      kept.push_back(demand);
    }
  }
  return kept;
}

class Decider {
 public:
  Decider(const Prepared& policy, const FactView& view, const DecideContext& context)
      : policy_(policy),
        view_(view),
        context_(context),
        rules_(policy.by_tool.find(view.facts.tool)->second),
        authority_(policy, view) {}

  [[nodiscard]] Decision decide() {
    decision_.risk = std::max(classify(policy_, view_), context_.risk_min.value_or(Risk::low));
    match_denials();
    match_gates();
    match_step_gate();
    match_grants();
    conclude();
    return std::move(decision_);
  }

 private:
  /// 3. Deny and approval rules.
  void match_denials() {
    for (const RuleEntry* entry : rules_.of(Effect::deny)) {
      if (matches(*entry)) {
        denials_.push_back(hit_of(*entry->rule));
      }
    }
    for (const RuleEntry* entry : rules_.of(Effect::require_approval)) {
      if (matches(*entry)) {
        questions_.push_back(hit_of(*entry->rule));
        decision_.approvals.push_back(entry->rule->approval);
      }
    }
    match_protected();
    match_arguments();
  }

  /// 4. Built-in denials: what a program does with an argument that its grammar lacks is unknown.
  void match_arguments() {
    if (view_.refused) {
      denials_.push_back(
          built_in("rgx.arguments",
                   "`" + printable(view_.refused->argument) + "` is no argument of `" +
                       printable(view_.refused->program) + "` that rgx knows",
                   "write a flag in full and as its manual spells it, leave it out, or remove "
                   "`grammar` from the program's entry and declare what the step does"));
    }
  }

  bool matches(const RuleEntry& entry) {
    if (!hits(entry.rule->when, view_, decision_.risk, {})) {
      return false;
    }
    std::vector<const Exception*> in_force;
    for (const Exception* exception : entry.exceptions) {
      if (context_.now_unix_ms < exception->expires_unix_ms) {
        in_force.push_back(exception);
      }
    }
    if (in_force.empty() || hits(entry.rule->when, view_, decision_.risk, in_force)) {
      return true;
    }
    for (const Exception* exception : in_force) {
      if (covers_something(*exception)) {
        decision_.exceptions.push_back(exception->rule + " (" + exception->ticket + ")");
      }
    }
    return false;
  }

  [[nodiscard]] bool covers_something(const Exception& exception) const {
    const auto covered_by = [](const std::vector<Glob>& patterns) {
      return [&patterns](const PathForms& path) {
        return std::ranges::any_of(patterns,
                                   [&path](const Glob& glob) { return hits(glob, path); });
      };
    };
    return std::ranges::any_of(view_.reads, covered_by(exception.read)) ||
           std::ranges::any_of(view_.writes, covered_by(exception.write));
  }

  /// 4. Built-in denials.
  void match_protected() {
    const Policy& top = policy_.layers.front();
    for (const Element& element : view_.elements) {
      if (element.axis != templates::Axis::write || !hits_protected(view_.writes[element.index])) {
        continue;
      }
      if (top.layer == Layer::org && covered(top.protected_allow, view_.writes[element.index])) {
        continue;
      }
      denials_.push_back(
          built_in("rgx.protected",
                   "`" + printable(view_.text(element)) +
                       "` is or may be a protected path: what other programs trust and run",
                   "leave protected paths out; only `relax_protected` of an org layer opens one"));
      return;
    }
  }

  void match_gates() {
    for (const Policy& layer : policy_.layers) {
      const auto found = layer.gates.find(decision_.risk);
      if (found == layer.gates.end()) {
        continue;
      }
      const Gate& gate = found->second;
      const std::string level(to_string(decision_.risk));
      RuleHit hit{"gates." + level, Effect::deny, layer.layer, gate.place, {}, {}};
      if (gate.effect == Effect::deny) {
        hit.why = "steps of risk `" + level + "` are denied";
        hit.remedy = "use a step of lower risk, or have the gate changed by its owner";
        denials_.push_back(std::move(hit));
      } else if (gate.approval && gate.approval->count > 0) {
        hit.effect = Effect::require_approval;
        hit.why = "steps of risk `" + level + "` need approval";
        hit.remedy = "use a step of lower risk, or have the gate changed by its owner";
        questions_.push_back(std::move(hit));
        decision_.approvals.push_back(*gate.approval);
      }
    }
  }

  void match_step_gate() {
    if (!context_.asked) {
      return;
    }
    RuleHit hit = built_in(context_.asked->rule, context_.asked->why,
                           "leave the step's gate out of the template, or have it approved");
    hit.effect = Effect::require_approval;
    questions_.push_back(std::move(hit));
    decision_.approvals.push_back(context_.asked->demand);
  }

  /// 5. Grants.
  void match_grants() {
    std::vector<bool> granted(view_.elements.size(), false);
    for (const RuleEntry* entry : rules_.of(Effect::allow)) {
      if (!applies(entry->rule->when, view_, decision_.risk)) {
        continue;
      }
      bool any = view_.elements.empty() && authority_.over_step(entry->layer);
      for (std::size_t index = 0; index < granted.size(); ++index) {
        const Element& element = view_.elements[index];
        if (grants(entry->rule->when, view_, element) && authority_.over(entry->layer, element)) {
          granted[index] = true;
          any = true;
        }
      }
      if (any) {
        allowances_.push_back(hit_of(*entry->rule));
      }
    }
    const bool program_fits = !find_program_problem(policy_, view_);
    for (std::size_t index = 0; index < granted.size(); ++index) {
      const Element& element = view_.elements[index];
      if (!granted[index] || (element.axis == templates::Axis::argv && !program_fits)) {
        ungranted_.push_back(element);
        decision_.ungranted.push_back({element.axis, view_.text(element)});
      }
    }
    default_deny_ = !ungranted_.empty() || (view_.elements.empty() && allowances_.empty());
    if (default_deny_) {
      MissReport report = explain_misses({policy_, view_, authority_, decision_.risk, ungranted_});
      decision_.near_misses = std::move(report.near_misses);
      decision_.remedy = std::move(report.remedy);
    }
  }

  /// 7. The answer.
  void conclude() {
    for (const std::vector<RuleHit>* rules : {&denials_, &questions_, &allowances_}) {
      decision_.matched.insert(decision_.matched.end(), rules->begin(), rules->end());
    }
    sort_hits(decision_.matched);
    std::ranges::sort(decision_.exceptions);
    decision_.exceptions.erase(std::ranges::unique(decision_.exceptions).begin(),
                               decision_.exceptions.end());
    if (!denials_.empty()) {
      decision_.effect = Effect::deny;
      decision_.deciding = std::move(denials_);
    } else if (default_deny_) {
      decision_.effect = Effect::deny;
    } else if (!questions_.empty()) {
      decision_.effect = Effect::require_approval;
      decision_.deciding = std::move(questions_);
    } else {
      decision_.effect = Effect::allow;
      decision_.deciding = std::move(allowances_);
    }
    sort_hits(decision_.deciding);
    if (decision_.effect != Effect::allow && !decision_.deciding.empty()) {
      decision_.remedy = decision_.deciding.front().remedy;
    }
    decision_.approvals = decision_.effect == Effect::require_approval
                              ? reduced(std::move(decision_.approvals))
                              : std::vector<ApprovalDemand>();
    std::ranges::sort(decision_.ungranted, [](const Ungranted& left, const Ungranted& right) {
      return left.axis != right.axis ? left.axis < right.axis : left.element < right.element;
    });
    decision_.facts = view_.facts;
  }

  const Prepared& policy_;
  const FactView& view_;
  const DecideContext& context_;
  const ToolRules& rules_;
  Authority authority_;
  Decision decision_;
  std::vector<RuleHit> denials_;
  std::vector<RuleHit> questions_;
  std::vector<RuleHit> allowances_;
  std::vector<Element> ungranted_;
  bool default_deny_ = false;
};

}  // namespace

std::optional<Risk> classify_layer(const Policy& layer, const FactView& view) {
  std::optional<Risk> level;
  for (const RiskRule& rule : layer.risk_rules) {
    // Risk levels do not look at risk, so any value does here.
    if ((!level || rule.level > *level) && hits(rule.when, view, Risk::medium, {})) {
      level = rule.level;
    }
  }
  return level ? level : layer.risk_default;
}

Risk classify(const Prepared& policy, const FactView& view) {
  std::optional<Risk> highest;
  for (const Policy& layer : policy.layers) {
    const std::optional<Risk> level = classify_layer(layer, view);
    if (level && (!highest || *level > *highest)) {
      highest = level;
    }
  }
  return highest.value_or(Risk::medium);
}

Decision decide(const PolicySet& policy, const Facts& facts, const DecideContext& context) {
  // 1. Facts that cannot be judged.
  if (const auto problem = find_problem(facts)) {
    Decision decision;
    decision.risk = Risk::critical;
    decision.deciding.push_back(built_in("rgx.facts", "the facts cannot be judged: " + *problem,
                                         "derive the facts again with this version of rgx"));
    decision.matched = decision.deciding;
    decision.remedy = decision.deciding.front().remedy;
    decision.facts = facts;
    return decision;
  }
  const FactView view(facts, grammars_of(policy.prepared()));
  return Decider(policy.prepared(), view, context).decide();
}

}  // namespace rgx::policy
