#include "tests/unit/policy/generators.h"

#include <algorithm>

#include "base/check.h"
#include "tests/unit/policy/policy_support.h"

namespace rgx::policy::test {
namespace {

using templates::Axis;
using templates::Origin;
using templates::OriginSet;
using Strings = std::vector<std::string>;

const Strings kTools = {"file.read", "file.edit", "exec", "check.tests", "http.get", "git.log"};
const Strings kToolPatterns = {"file.read", "file.*", "exec", "check.*", "*", "http.get"};
const Strings kPaths = {"a", "src/a", "src/b", "src/x/a", "build/o", "home:k", "abs:/etc/p"};
const Strings kPathGlobs = {"**",       "src/**",  "src/*", "build/**", "*/a",
                            "src/[ab]", "home:**", "src/a", "**/a"};
const Strings kStepGlobs = {"src/**", "build/**", "src/x/*", "src/[a]"};
const Strings kHosts = {"a.org:443", "x.a.org:443", "b.org:80"};
const Strings kHostPatterns = {"a.org:443", "*.a.org:443", "b.org:80"};
const Strings kVariables = {"CI", "CTEST_A", "CTEST_B"};
const Strings kVariablePatterns = {"CI", "CTEST_*", "*"};
const std::vector<Strings> kArgvs = {{"ctest"}, {"ctest", "-j"}, {"make", "all"}, {"rm", "x"}};
const std::vector<Strings> kArgvPatterns = {
    {"ctest", "**"}, {"ctest"}, {"make", "*"}, {"*", "**"}, {"rm", "x"}};

template <class T>
rc::Gen<std::optional<T>> maybe(const rc::Gen<T>& gen, int percent) {
  return rc::gen::mapcat(rc::gen::inRange(0, 100), [gen, percent](int roll) {
    return roll < percent ? rc::gen::map(
                                gen, [](T value) { return std::optional<T>(value); })
                          : rc::gen::just(std::optional<T>());
  });
}

rc::Gen<Strings> some(const Strings& of, int min, int max) {
  return rc::gen::mapcat(rc::gen::inRange(min, max + 1), [&of](int count) {
    return rc::gen::map(
        rc::gen::container<Strings>(static_cast<std::size_t>(count), rc::gen::elementOf(of)),
        [](Strings all) {
          std::ranges::sort(all);
          all.erase(std::ranges::unique(all).begin(), all.end());
          return all;
        });
  });
}

std::vector<Glob> globs(const Strings& texts) {
  std::vector<Glob> all;
  for (const std::string& text : texts) {
    auto glob = Glob::parse(text);
    RGX_CHECK(glob.has_value());
    all.push_back(std::move(*glob));
  }
  return all;
}

rc::Gen<std::vector<Glob>> some_globs(int min) {
  return rc::gen::map(some(kPathGlobs, min, 2), globs);
}

rc::Gen<OriginSet> gen_origins() {
  return rc::gen::map(rc::gen::inRange(1, 32), [](int bits) {
    OriginSet origins;
    for (unsigned index = 0; index < 5; ++index) {
      if ((static_cast<unsigned>(bits) >> index & 1U) != 0) {
        origins.add(static_cast<Origin>(index));
      }
    }
    return origins;
  });
}

rc::Gen<templates::Provenance> gen_provenance(int percent) {
  return rc::gen::exec([percent] {
    templates::Provenance all;
    for (const Axis axis : {Axis::argv, Axis::read, Axis::write, Axis::hosts, Axis::content}) {
      if (*rc::gen::inRange(0, 100) < percent) {
        all.emplace(axis, *gen_origins());
      }
    }
    return all;
  });
}

Matchers draw_matchers(int percent) {
  Matchers when;
  when.tools = *some(kToolPatterns, 0, 2);
  const auto argv = *maybe(rc::gen::elementOf(kArgvPatterns), percent);
  if (argv) {
    when.argv = ArgvPattern{*argv};
  }
  when.read = *maybe(some_globs(1), percent);
  when.write = *maybe(some_globs(1), percent);
  when.hosts = *maybe(some(kHostPatterns, 1, 2), percent / 2);
  when.env = *maybe(some(kVariablePatterns, 1, 2), percent / 2);
  when.provenance = *gen_provenance(4);
  if (*rc::gen::inRange(0, 10) == 0) {
    when.analysis = *rc::gen::element(Analysis::full, Analysis::partial);
  }
  return when;
}

ApprovalDemand draw_demand() {
  return {*rc::gen::inRange<std::int64_t>(1, 3), *rc::gen::element<std::string>("", "g", "h"),
          *rc::gen::arbitrary<bool>()};
}

Delegation draw_delegation(Layer from) {
  Delegation delegation;
  delegation.to =
      from == Layer::org ? *rc::gen::element(Layer::user, Layer::repository) : Layer::repository;
  delegation.tools = *some(kToolPatterns, 1, 2);
  delegation.programs = *some({"ctest", "make"}, 0, 2);
  delegation.read = *some_globs(0);
  delegation.write = *some_globs(0);
  delegation.env = *some(kVariablePatterns, 0, 2);
  return delegation;
}

void draw_exceptions(Policy& policy) {
  for (const Rule& rule : policy.rules) {
    if (rule.effect != Effect::allow && *rc::gen::inRange(0, 2) == 0) {
      Exception exception;
      exception.rule = rule.id;
      exception.layer = policy.layer;
      exception.rule_layer = policy.layer;
      // Often the rule's own patterns: an exception that covers nothing tests nothing.
      const bool same = *rc::gen::arbitrary<bool>();
      exception.read = same && rule.when.read ? *rule.when.read : *some_globs(0);
      exception.write = same && rule.when.write ? *rule.when.write : *some_globs(1);
      exception.ticket = "T-1";
      exception.expires_unix_ms = *rc::gen::element(kNow, kNow + 1);
      policy.exceptions.push_back(std::move(exception));
    }
  }
}

/// Ranges grow with RapidCheck's size, and small policies and facts rarely meet: always full size.
template <class Draw>
auto full_size(Draw draw) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::exec(std::move(draw)));
}

/// Rules that grant much, so that deny and approval rules have something to take away.
void add_broad_rules(Policy& policy) {
  for (const char* program : {"", "ctest", "make"}) {
    Rule rule;
    rule.id = std::string("broad-") + program;
    rule.effect = Effect::allow;
    rule.layer = policy.layer;
    rule.when.read = globs({"**", "home:**"});
    rule.when.write = globs({"**"});
    rule.when.hosts = {"a.org:443", "*.a.org:443"};
    rule.when.env = {"C*"};
    if (*program != '\0') {
      rule.when.argv = ArgvPattern{{program, "**"}};
    }
    rule.why = "why";
    rule.remedy = "remedy";
    policy.rules.push_back(std::move(rule));
  }
}

}  // namespace

rc::Gen<Rule> gen_rule(Effect effect, Layer layer, int number) {
  return full_size([=] {
    Rule rule;
    rule.id = std::string(to_string(layer)) + "-" + std::to_string(number);
    rule.effect = effect;
    rule.layer = layer;
    rule.when = draw_matchers(effect == Effect::allow ? 70 : 30);
    if (*rc::gen::inRange(0, 5) == 0) {
      rule.when.risk = {*rc::gen::element(Risk::low, Risk::medium, Risk::high)};
    }
    if (effect == Effect::require_approval) {
      rule.approval = draw_demand();
    }
    rule.hard = effect == Effect::deny && *rc::gen::inRange(0, 4) == 0;
    rule.why = "why";
    rule.remedy = "remedy of " + rule.id;
    rule.place =
        Place{std::string(to_string(layer)) + ".yaml", static_cast<std::uint32_t>(number + 1), 1};
    return rule;
  });
}

rc::Gen<Policy> gen_policy(Layer layer) {
  return full_size([layer] {
    Policy policy;
    policy.layer = layer;
    policy.name = std::string(to_string(layer));
    policy.file = policy.name + ".yaml";
    policy.default_deny = true;
    for (const BudgetField& field : kRunBudgetFields) {
      policy.run_budget.emplace(field.name, 100);
    }
    policy.step_budget.emplace("wall_ms", 100);
    const int count = *rc::gen::inRange(0, 9);
    for (int number = 0; number < count; ++number) {
      const int roll = *rc::gen::inRange(0, 10);
      const Effect effect = roll < 7   ? Effect::allow
                            : roll < 9 ? Effect::deny
                                       : Effect::require_approval;
      policy.rules.push_back(*gen_rule(effect, layer, number));
    }
    if (*rc::gen::inRange(0, 2) == 0) {
      add_broad_rules(policy);
    }
    for (int left = *rc::gen::inRange(0, 3); left > 0; --left) {
      policy.risk_rules.push_back(
          {*rc::gen::element(Risk::low, Risk::high, Risk::critical), draw_matchers(30), Place{}});
    }
    policy.risk_default = *maybe(rc::gen::element(Risk::low, Risk::medium, Risk::high), 50);
    if (*rc::gen::inRange(0, 3) == 0) {
      policy.gates[Risk::critical].effect = Effect::deny;
      policy.gates[Risk::high].approval = draw_demand();
      policy.gates[Risk::low].approval = ApprovalDemand{.count = 0, .group = {}, .self = false};
    }
    if (layer < Layer::repository) {
      for (int left = *rc::gen::inRange(0, 3); left > 0; --left) {
        policy.delegations.push_back(draw_delegation(layer));
      }
      policy.programs["ctest"] =
          Program{"ctest", {"/usr/bin/ctest"}, *rc::gen::arbitrary<bool>(), {}};
      policy.approvers.push_back({"ann", "ed25519:AAAAAAAA", {"g", "h"}, {}});
    }
    policy.programs["make"] = Program{"make", {"/usr/bin/make"}, *rc::gen::arbitrary<bool>(), {}};
    draw_exceptions(policy);
    return policy;
  });
}

rc::Gen<std::vector<Policy>> gen_layers() {
  return full_size([] {
    std::vector<Policy> layers = {*gen_policy(Layer::org)};
    const int shape = *rc::gen::inRange(0, 4);
    if (shape == 2 || shape == 3) {
      layers.push_back(*gen_policy(Layer::user));
      layers.back().approvers.clear();
    }
    if (shape == 1 || shape == 3) {
      layers.push_back(*gen_policy(Layer::repository));
    }
    return layers;
  });
}

/// What the arguments of some program may be.
GrammarFact draw_grammar(const std::string& program) {
  GrammarFact grammar;
  if (*rc::gen::inRange(0, 4) == 0) {
    grammar.programs = {program};
  }
  if (*rc::gen::inRange(0, 10) == 0) {
    grammar.refused = FlagFact{program + " sub", "--x"};
  }
  if (*rc::gen::inRange(0, 10) == 0) {
    grammar.runs = FlagFact{program, "-c"};
  }
  return grammar;
}

rc::Gen<Facts> gen_facts() {
  return full_size([] {
    Facts facts;
    facts.tool = *rc::gen::elementOf(kTools);
    const bool starts = facts.tool == "exec" || facts.tool == "check.tests";
    const auto paths = [](int max) {
      std::vector<PathFact> all;
      for (const std::string& path : *some(kPaths, 0, max)) {
        all.push_back({path, std::nullopt});
        if (*rc::gen::inRange(0, 5) == 0) {
          all.back().resolved = *rc::gen::elementOf(kPaths);
        }
      }
      if (*rc::gen::inRange(0, 3) == 0) {
        all.push_back({*rc::gen::elementOf(kStepGlobs), std::nullopt});
      }
      if (*rc::gen::inRange(0, 30) == 0) {
        all.push_back({".git/config", std::nullopt});
      }
      std::ranges::sort(all);
      return all;
    };
    if (facts.tool != "git.log") {
      facts.reads = paths(2);
      facts.writes = facts.tool == "file.read" ? std::vector<PathFact>() : paths(1);
    }
    if (starts) {
      facts.argv = *rc::gen::elementOf(kArgvs);
      facts.program = ProgramFact{facts.argv->front(), std::nullopt, std::nullopt};
      facts.env = *some(kVariables, 0, 1);
      facts.grammar = draw_grammar(facts.program->name);
    }
    if (starts || facts.tool == "http.get") {
      facts.hosts = *some(kHosts, 0, 1);
    }
    facts.provenance = *gen_provenance(10);
    facts.analysis = *rc::gen::inRange(0, 8) == 0 ? Analysis::partial : Analysis::full;
    return facts;
  });
}

PolicySet stack_of(std::vector<Policy> layers) {
  auto set = PolicySet::stack(std::move(layers));
  RGX_CHECK(set.has_value());
  return std::move(*set);
}

}  // namespace rgx::policy::test
