#pragma once

#include "tests/differential/reference_model.h"

// docs/formats/decision.md, "Deciding", said once more as plainly as possible and without an index.

namespace rgx::policy::reference {
inline bool related(Axis axis, const std::string& p, const std::string& f, bool hit) {
  if (axis == Axis::env) {
    return p == f || (p.back() == '*' && f.starts_with(p.substr(0, p.size() - 1)));
  }
  if (axis == Axis::hosts) {
    return p == f || (p.starts_with("*.") && f.substr(f.find('.')) == p.substr(1));
  }
  const auto fact = Glob::parse(f);
  const bool exact = Glob::parse(p)->matches(f);
  return hit ? exact || (fact && Glob::parse(p)->overlaps(*fact))
             : p == f || (exact && (!fact || fact->is_literal() || Glob::parse(p)->covers(*fact)));
}
inline bool hits(const Strings& patterns, const Item& item) {
  const auto hit = [&](auto& f, auto& p) { return related(item.axis, p, f, true); };
  return any(item.forms,
             [&](auto& f) { return any(patterns, [&](auto& p) { return hit(f, p); }); });
}
inline bool covers(const Lists& lists, const Item& item) {
  return lists.contains(item.axis) && all(item.forms, [&](auto& f) {
           return any(lists.at(item.axis),
                      [&](auto& p) { return related(item.axis, p, f, false); });
         });
}

struct Evaluator {
  const PolicySet& set;
  const Facts& facts;
  std::int64_t now = 0;
  std::vector<Item> items = items_of(facts);
  Risk risk = Risk::medium;

  bool concerns(const Matchers& m) {
    return matches_tool(m.tools, facts.tool) && (m.risk.empty() || in(risk, m.risk)) &&
           (!m.argv || (facts.argv && m.argv->matches(*facts.argv)));
  }
  bool excepted(const Rule& rule, const Item& item) {
    return !rule.hard && any(set.layers(), [&](const Policy& above) {
      return above.layer <= rule.layer && any(above.exceptions, [&](const Exception& e) {
               return e.rule == rule.id && e.rule_layer == rule.layer && now < e.expires_unix_ms &&
                      covers(lists(e), item);
             });
    });
  }
  bool matches(const Matchers& m, const Rule* rule = nullptr) {
    const auto hit = [&](auto& named) {
      return named.first == Axis::argv || any(items, [&](auto& i) {
               return i.axis == named.first && hits(named.second, i) &&
                      !(rule != nullptr && excepted(*rule, i));
             });
    };
    const auto from = [&](auto& e) {
      return present(items, e.first) &&
             any(origins_of(facts, e.first), [&](auto& o) { return in(o, names(e.second)); });
    };
    return concerns(m) && (!m.analysis || *m.analysis == analysis_of(set, facts)) &&
           all(lists(m), hit) && (m.provenance.empty() || any(m.provenance, from));
  }
  bool applies(const Matchers& m) {
    const auto only = [&](auto& e) {
      return !present(items, e.first) ||
             all(origins_of(facts, e.first), [&](auto& o) { return in(o, names(e.second)); });
    };
    return concerns(m) && all(m.provenance, only) &&
           (analysis_of(set, facts) == Analysis::full || m.analysis == Analysis::partial);
  }
  bool authority(Layer layer, const Item* item) {
    const auto delegated = [&](const Policy& above) {
      return above.layer < layer &&
             any(
                 above.delegations,
                 [&](const Delegation& d) {
                   return d.to == layer && matches_tool(d.tools, facts.tool) &&
                          (!facts.argv || in(facts.argv->front(), d.programs)) &&
                          (item == nullptr || covers(lists(d), *item)) &&
                          authority(above.layer, item);
                 });
    };
    return layer == set.layers()[0].layer || any(set.layers(), delegated);
  }
  /// Allow rules that grant the item; without an item, that allow the step.
  std::set<std::string> grants(const Item* item) {
    std::set<std::string> rules;
    for (const Policy& layer : set.layers()) {
      for (const Rule& rule : layer.rules) {
        if (rule.effect == Effect::allow && applies(rule.when) && authority(layer.layer, item) &&
            (item == nullptr || covers(lists(rule.when), *item))) {
          rules.insert(rule.id);
        }
      }
    }
    return rules;
  }
  void classify() {
    std::optional<Risk> highest;
    for (const Policy& layer : set.layers()) {
      std::optional<Risk> own;
      for (const RiskRule& rule : layer.risk_rules) {
        own = matches(rule.when) ? std::max(own.value_or(rule.level), rule.level) : own;
      }
      highest = std::max(highest, own ? own : layer.risk_default);
    }
    risk = highest.value_or(Risk::medium);
  }
  /// Ids of the rules and gates of one effect that speak against the step as it is.
  std::set<std::string> objections(Effect effect) {
    std::set<std::string> rules;
    for (const Policy& layer : set.layers()) {
      if (layer.gates.contains(risk) && asks_for(layer.gates.at(risk), effect)) {
        rules.insert("gates." + std::string(to_string(risk)));
      }
      for (const Rule& rule : layer.rules) {
        if (rule.effect == effect && matches(rule.when, &rule)) {
          rules.insert(rule.id);
        }
      }
    }
    return rules;
  }
  Answer decide() {
    classify();
    std::set<std::string> denies = refused_arguments(set, facts);
    denies.merge(objections(Effect::deny));
    const std::set<std::string> asks = objections(Effect::require_approval);
    std::set<std::string> allows = items.empty() ? grants(nullptr) : std::set<std::string>();
    bool granted = (!items.empty() || !allows.empty()) &&
                   (!facts.argv || set.find_program(facts.argv->front()) != nullptr);
    for (const Item& item : items) {
      std::set<std::string> rules = grants(&item);
      granted = granted && !rules.empty();
      allows.merge(rules);
      if (item.axis == Axis::write && any(item.forms, is_protected)) {
        denies.insert("rgx.protected");
      }
    }
    if (!denies.empty() || !granted) {
      return {Effect::deny, risk, denies};
    }
    return asks.empty() ? Answer{Effect::allow, risk, allows}
                        : Answer{Effect::require_approval, risk, asks};
  }
};

}  // namespace rgx::policy::reference
