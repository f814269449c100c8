#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/differential/reference_evaluator.h"
#include "tests/unit/policy/generators.h"
#include "tests/unit/policy/policy_support.h"

// Theorems about decide(), each on random policies and facts.
// A failure prints RC_PARAMS with the seed that repeats it.

namespace rgx::policy::test {
namespace {

Decision decided(const PolicySet& policy, const Facts& facts) {
  return decide(policy, facts, {.now_unix_ms = kNow});
}

/// A rule of one effect that matches every step: it names nothing.
Rule everything(Effect effect, Layer layer) {
  Rule rule;
  rule.id = "everything-" + std::string(to_string(effect));
  rule.effect = effect;
  rule.layer = layer;
  rule.why = "why";
  rule.remedy = "remedy";
  return rule;
}

RC_GTEST_PROP(Theorem, DenyTrumpsApprovalTrumpsAllow, ()) {
  std::vector<Policy> layers = *gen_layers();
  const Facts facts = *gen_facts();
  const auto index = *rc::gen::inRange<std::size_t>(0, layers.size());
  Policy& layer = layers[index];
  const Decision before = decided(stack_of(layers), facts);
  layer.rules.push_back(everything(Effect::require_approval, layer.layer));
  const Decision asked = decided(stack_of(layers), facts);
  RC_ASSERT(asked.effect ==
            (before.effect == Effect::deny ? Effect::deny : Effect::require_approval));
  layer.rules.push_back(everything(Effect::deny, layer.layer));
  const Decision denied = decided(stack_of(layers), facts);
  RC_ASSERT(denied.effect == Effect::deny);
  RC_ASSERT(denied.approvals.empty());
}

RC_GTEST_PROP(Theorem, DefaultDeny, ()) {
  std::vector<Policy> layers = *gen_layers();
  for (Policy& layer : layers) {
    std::erase_if(layer.rules, [](const Rule& rule) { return rule.effect == Effect::allow; });
  }
  const Decision decision = decided(stack_of(layers), *gen_facts());
  RC_ASSERT(decision.effect == Effect::deny);
  RC_ASSERT(!decision.remedy.empty());
}

RC_GTEST_PROP(Theorem, OrderAndDuplicatesDoNotMatter, ()) {
  std::vector<Policy> layers = *gen_layers();
  const Facts facts = *gen_facts();
  const Decision before = decided(stack_of(layers), facts);
  for (Policy& layer : layers) {
    std::ranges::reverse(layer.rules);
    std::ranges::reverse(layer.risk_rules);
    std::ranges::reverse(layer.delegations);
    std::ranges::reverse(layer.exceptions);
  }
  RC_ASSERT(decided(stack_of(layers), facts) == before);
  for (Policy& layer : layers) {
    const auto rules = layer.rules;
    layer.rules.insert(layer.rules.end(), rules.begin(), rules.end());
    const auto levels = layer.risk_rules;
    layer.risk_rules.insert(layer.risk_rules.end(), levels.begin(), levels.end());
  }
  const Decision doubled = decided(stack_of(layers), facts);
  RC_ASSERT(doubled.effect == before.effect);
  RC_ASSERT(doubled.risk == before.risk);
  RC_ASSERT(doubled.ungranted == before.ungranted);
  RC_ASSERT(doubled.approvals == before.approvals);
}

RC_GTEST_PROP(Theorem, AddingDenyNeverGrants, ()) {
  std::vector<Policy> layers = *gen_layers();
  const Facts facts = *gen_facts();
  const Decision before = decided(stack_of(layers), facts);
  const auto index = *rc::gen::inRange<std::size_t>(0, layers.size());
  Policy& layer = layers[index];
  layer.rules.push_back(
      *gen_rule(*rc::gen::element(Effect::deny, Effect::require_approval), layer.layer, 100));
  const Decision after = decided(stack_of(layers), facts);
  RC_ASSERT(after.effect >= before.effect);
  RC_ASSERT(after.ungranted == before.ungranted);
}

RC_GTEST_PROP(Theorem, AddingAllowNeverRevokes, ()) {
  std::vector<Policy> layers = *gen_layers();
  const Facts facts = *gen_facts();
  const Decision before = decided(stack_of(layers), facts);
  const auto index = *rc::gen::inRange<std::size_t>(0, layers.size());
  layers[index].rules.push_back(*gen_rule(Effect::allow, layers[index].layer, 100));
  RC_ASSERT(decided(stack_of(layers), facts).effect <= before.effect);
}

RC_GTEST_PROP(Theorem, ErrorMeansDeny, ()) {
  std::vector<Policy> layers = *gen_layers();
  layers.front().rules.push_back(everything(Effect::allow, Layer::org));
  Facts facts = *gen_facts();
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      facts.tool = "file.reed";
      break;
    case 1:
      facts.contract_version = 7;
      break;
    case 2:
      facts.reads.push_back({"src/../../etc/passwd", std::nullopt});
      break;
    case 3:
      facts.argv.emplace();
      break;
    case 4:
      facts.commands.emplace();
      break;
    case 5:
      facts.unreadable = "x";
      break;
    default:
      facts.writes.push_back({"a", "b/./c"});
      break;
  }
  const Decision decision = decided(stack_of(layers), facts);
  RC_ASSERT(decision.effect == Effect::deny);
  RC_ASSERT(decision.deciding.size() == 1U);
  RC_ASSERT(decision.deciding.front().rule == "rgx.facts");
}

RC_GTEST_PROP(Theorem, LowerLayerNeverWidensBeyondItsDelegation, ()) {
  std::vector<Policy> layers = *gen_layers();
  const Facts facts = *gen_facts();
  for (std::size_t index = 1; index < layers.size(); ++index) {
    for (int number = 100; number < 104; ++number) {
      layers[index].rules.push_back(*gen_rule(Effect::allow, layers[index].layer, number));
    }
  }
  const Decision decision = decided(stack_of(layers), facts);
  // Without delegations the lower layers may as well have no allow rule.
  std::vector<Policy> alone = layers;
  for (Policy& layer : alone) {
    layer.delegations.clear();
  }
  const Decision narrow = decided(stack_of(alone), facts);
  RC_ASSERT(std::ranges::all_of(narrow.matched, [](const RuleHit& hit) {
    return hit.effect != Effect::allow || hit.layer == Layer::org;
  }));
  // With them: a step that none of them fits gets the same answer.
  const bool fits = std::ranges::any_of(layers, [&](const Policy& layer) {
    return std::ranges::any_of(layer.delegations, [&](const Delegation& delegation) {
      return std::ranges::any_of(delegation.tools, [&](const std::string& tool) {
        return templates::tool_matches(tool, facts.tool);
      });
    });
  });
  RC_PRE(!fits);
  RC_ASSERT(narrow.effect == decision.effect);
}

RC_GTEST_PROP(Theorem, OneRulesToolNeverCombinesWithAnothersPath, ()) {
  // Each rule names one tool and one path; a step is allowed exactly if some single rule names
  // both.
  const std::vector<std::string> tools = {"file.read", "check.file"};
  const std::vector<std::string> paths = {"a", "b", "c"};
  std::vector<Policy> layers = {*gen_policy(Layer::org)};
  Policy& top = layers.front();
  top.rules.clear();
  top.exceptions.clear();
  top.gates.clear();
  std::vector<std::pair<std::string, std::string>> named;
  const int count = *rc::gen::inRange(0, 5);
  for (int number = 0; number < count; ++number) {
    Rule rule = everything(Effect::allow, Layer::org);
    rule.id = "r" + std::to_string(number);
    const std::string tool = *rc::gen::elementOf(tools);
    const std::string path = *rc::gen::elementOf(paths);
    rule.when.tools = {tool};
    rule.when.read = {*Glob::parse(path)};
    named.emplace_back(tool, path);
    top.rules.push_back(std::move(rule));
  }
  Facts facts;
  facts.tool = *rc::gen::elementOf(tools);
  facts.reads = {{*rc::gen::elementOf(paths), std::nullopt}};
  const bool both =
      std::ranges::find(named, std::pair(facts.tool, facts.reads.front().path)) != named.end();
  RC_ASSERT((decided(stack_of(layers), facts).effect == Effect::allow) == both);
}

RC_GTEST_PROP(Theorem, EveryGrantedStepNamesItsRules, ()) {
  const PolicySet policy = stack_of(*gen_layers());
  const Decision decision = decided(policy, *gen_facts());
  RC_ASSERT((decision.effect == Effect::allow) ==
            (!decision.deciding.empty() &&
             std::ranges::all_of(decision.deciding,
                                 [](const RuleHit& hit) { return hit.effect == Effect::allow; })));
  RC_ASSERT(decision.remedy.empty() == (decision.effect == Effect::allow));
}

RC_GTEST_PROP(Theorem, SameInputsGiveTheSameDecision, ()) {
  const std::vector<Policy> layers = *gen_layers();
  const Facts facts = *gen_facts();
  RC_ASSERT(decided(stack_of(layers), facts) == decided(stack_of(layers), facts));
}

TEST(Differential, ProductionAgreesWithTheReference) {
  std::map<Effect, int> seen;
  int excepted = 0;
  int delegated = 0;
  rc::check("decide() answers as the reference evaluator", [&] {
    const PolicySet policy = stack_of(*gen_layers());
    for (int round = 0; round < 30; ++round) {
      const Facts facts = *gen_facts();
      const Decision decision = decided(policy, facts);
      reference::Answer answer{decision.effect, decision.risk, {}};
      for (const RuleHit& hit : decision.deciding) {
        answer.rules.insert(hit.rule);
      }
      const reference::Answer expected = reference::Evaluator{policy, facts, kNow}.decide();
      if (answer != expected) {
        std::cerr << describe(decision) << pretty(to_json(facts)) << "\nexpected "
                  << to_string(expected.effect) << ":";
        for (const std::string& rule : expected.rules) {
          std::cerr << " " << rule;
        }
        std::cerr << "\n";
      }
      RC_ASSERT(answer == expected);
      ++seen[decision.effect];
      excepted += decision.exceptions.empty() ? 0 : 1;
      delegated += std::ranges::any_of(decision.matched, [](const RuleHit& hit) {
        return hit.effect == Effect::allow && hit.layer != Layer::org;
      });
    }
  });
  // A comparison of denials only would prove little.
  for (const Effect effect : {Effect::allow, Effect::require_approval, Effect::deny}) {
    EXPECT_GT(seen[effect], 0) << to_string(effect);
  }
  EXPECT_GT(excepted, 0);
  EXPECT_GT(delegated, 0);
}

}  // namespace
}  // namespace rgx::policy::test
