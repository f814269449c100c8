#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "policy/decision.h"
#include "policy/lint_findings.h"
#include "policy/lint_relations.h"

// Findings about two rules at a time: one makes the other superfluous, or takes back what it
// grants.

namespace rgx::policy::linting {
namespace {

/// Comparisons of rules in one file; a policy that people read stays far below.
constexpr std::size_t kComparisonsMax = 10000000;

/// Where the other rule of a pair stands.
enum class Order : std::uint8_t { first, last };

class Pairs {
 public:
  Pairs(const Policy& policy, Findings& findings) : policy_(policy), findings_(findings) {
    for (const Rule& rule : policy.rules) {
      weights_.push_back(weight(rule));
    }
  }

  void find() {
    for (std::size_t index = 0; index < policy_.rules.size(); ++index) {
      if (!compare(index)) {
        const Rule& rule = policy_.rules[index];
        findings_.add("lint.unfinished", rule,
                      "rules from " + shown(rule) + " on were not compared with all others",
                      "split the policy, or have fewer and wider patterns");
        return;
      }
    }
  }

 private:
  /// What comparing costs: pattern by pattern.
  static std::size_t weight(const Rule& rule) {
    std::size_t sum = 1;
    for (const Axis axis : kPatternAxes) {
      const auto patterns = patterns_of(rule.when, axis);
      sum += patterns ? patterns->size() : 0;
    }
    return sum;
  }

  bool compare(std::size_t index) {
    const Rule& rule = policy_.rules[index];
    bool is_superfluous = false;
    for (std::size_t other = 0; other < policy_.rules.size(); ++other) {
      spent_ += weights_[index] * weights_[other];
      if (spent_ > kComparisonsMax) {
        return false;
      }
      if (other != index && !is_superfluous) {
        is_superfluous = report_superfluous(rule, policy_.rules[other],
                                            other < index ? Order::first : Order::last);
      }
    }
    if (!is_superfluous && rule.effect == Effect::allow) {
      report_denied_patterns(rule);
    }
    return true;
  }

  [[nodiscard]] bool has_exception(const Rule& rule) const {
    return std::ranges::any_of(policy_.exceptions, [&](const Exception& exception) {
      return exception.rule_layer == policy_.layer && exception.rule == rule.id;
    });
  }

  /// Without `rule`, `other` gives the same answers. Of two that say the same, the later goes.
  [[nodiscard]] bool within(const Rule& rule, const Rule& other) const {
    if (rule.effect == Effect::allow) {
      return other.effect == Effect::allow && grants_within(rule.when, other.when);
    }
    if (other.effect < rule.effect || has_exception(other) || (rule.hard && !other.hard)) {
      return false;
    }
    if (other.effect == Effect::require_approval && !demand_within(rule.approval, other.approval)) {
      return false;
    }
    return hits_within(rule.when, other.when);
  }

  /// A deny rule that hits whatever the allow rule applies to.
  [[nodiscard]] bool always_denied(const Rule& rule, const Rule& other) const {
    return rule.effect == Effect::allow && other.effect == Effect::deny &&
           looks_only_at(other.when, std::nullopt) && !has_exception(other) &&
           steps_within(rule.when, other.when);
  }

  bool report_superfluous(const Rule& rule, const Rule& other, Order other_is) {
    if (always_denied(rule, other)) {
      findings_.add("lint.rule_shadowed", rule,
                    shown(rule) + " allows nothing: " + shown(other) + " (" + shown(other.place) +
                        ") denies all of it",
                    "remove one of them");
      return true;
    }
    if (!within(rule, other)) {
      return false;
    }
    if (within(other, rule)) {
      if (other_is == Order::last) {
        return false;  // told at the later one
      }
      findings_.add(
          "lint.duplicate_rule", rule,
          shown(rule) + " says the same as " + shown(other) + " (" + shown(other.place) + ")",
          "remove one of them");
      return true;
    }
    findings_.add("lint.rule_shadowed", rule,
                  shown(rule) + " changes nothing: " + shown(other) + " (" + shown(other.place) +
                      ") says all of it and more",
                  "remove it, or narrow the other one");
    return true;
  }

  /// The rule that denies every step of the allow rule with an element of the pattern.
  [[nodiscard]] const Rule* denier(const Rule& rule, Axis axis, const std::string& pattern) const {
    const auto found = std::ranges::find_if(policy_.rules, [&](const Rule& other) {
      if (other.effect != Effect::deny || !looks_only_at(other.when, axis) ||
          has_exception(other) || !steps_within(rule.when, other.when)) {
        return false;
      }
      const auto patterns = patterns_of(other.when, axis).value_or(std::vector<std::string>{});
      return std::ranges::any_of(
          patterns, [&](const std::string& wide) { return pattern_within(axis, pattern, wide); });
    });
    return found == policy_.rules.end() ? nullptr : &*found;
  }

  void report_denied_patterns(const Rule& rule) {
    for (const Axis axis : kPatternAxes) {
      for (const std::string& pattern :
           patterns_of(rule.when, axis).value_or(std::vector<std::string>{})) {
        const std::string what = "`" + pattern + "` under `" +
                                 std::string(templates::to_string(axis)) + "` of " + shown(rule);
        if (const Rule* other = denier(rule, axis, pattern)) {
          findings_.add("lint.denied_pattern", rule,
                        what + " grants nothing: " + shown(*other) + " (" + shown(other->place) +
                            ") denies it",
                        "remove the pattern, or narrow the other rule");
        } else if (axis == Axis::write && is_protected_pattern(pattern)) {
          findings_.add("lint.denied_pattern", rule,
                        what + " grants nothing: it is protected, whatever rules say",
                        "remove the pattern; only `relax_protected` of an org layer opens it");
        }
      }
    }
  }

  [[nodiscard]] bool is_protected_pattern(const std::string& pattern) const {
    const auto glob = Glob::parse(pattern);
    const auto covers = [&glob](const Glob& wide) { return wide.covers(*glob); };
    return glob && !std::ranges::any_of(policy_.protected_allow, covers) &&
           (glob->is_literal() ? is_protected(pattern)
                               : std::ranges::any_of(protected_paths(), covers));
  }

  const Policy& policy_;
  Findings& findings_;
  std::vector<std::size_t> weights_;  // by rule
  std::size_t spent_ = 0;
};

}  // namespace

void find_pairs(const Policy& policy, Findings& findings) {
  Pairs(policy, findings).find();
}

}  // namespace rgx::policy::linting
