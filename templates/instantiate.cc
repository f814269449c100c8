#include "templates/instantiate.h"

#include "base/check.h"
#include "base/text.h"
#include "templates/describe.h"
#include "templates/expression.h"
#include "templates/include.h"
#include "templates/instantiate_steps.h"
#include "templates/plan_keys.h"

#include <algorithm>
#include <utility>

namespace rgx::templates {
namespace {

/// Names of included templates stand behind the ids of the including steps: `ID.NAME`.
void add_parameters(const TemplateUse& use, const std::string& prefix, Json& all) {
  for (const auto& [name, value] : use.arguments) {
    const Parameter* parameter = use.source->find_parameter(name);
    RGX_CHECK(parameter != nullptr);
    std::string type(to_string(parameter->type));
    if (parameter->of) {
      type += " of " + std::string(to_string(*parameter->of));
    }
    all.set(prefix + name, Json::object({{"type", std::move(type)},
                                         {"value", value.json},
                                         {"origins", value.origins.to_json()}}));
  }
  for (const auto& [id, inner] : use.includes) {
    add_parameters(inner, prefix + id + ".", all);
  }
}

void add_facts(const TemplateUse& use, const std::string& prefix, Json& all) {
  for (const auto& [name, fact] : use.facts) {
    all.set(prefix + name,
            Json::object({{"probe", fact.probe}, {"with", fact.with}, {"value", fact.value.json}}));
  }
  for (const auto& [id, inner] : use.includes) {
    add_facts(inner, prefix + id + ".", all);
  }
}

void add_includes(const TemplateUse& use, std::map<std::string, TemplateReference>& all) {
  for (const auto& [id, inner] : use.includes) {
    const Template& source = *inner.source;
    all[source.name] = TemplateReference{source.name, source.version, source.digest};
    add_includes(inner, all);
  }
}

}  // namespace

Result<Arguments> bind_arguments(const Template& source, const Arguments& given) {
  std::vector<Diagnostic> mistakes;
  const auto add = [&mistakes](std::string_view code, const std::string& message,
                               std::string_view remedy) {
    mistakes.push_back(make_error(ErrorKind::usage, code, message, remedy).first());
  };
  std::vector<std::string> names;
  for (const Parameter& parameter : source.parameters) {
    names.push_back(parameter.name);
  }
  for (const auto& [name, value] : given) {
    if (source.find_parameter(name) == nullptr) {
      add("argument.unknown", "template `" + source.name + "` has no parameter " + quoted(name),
          suggestion(name, names, "its parameters are " + rgx::join(names, ", ")));
    }
  }
  Arguments bound;
  for (const Parameter& parameter : source.parameters) {
    const auto argument = given.find(parameter.name);
    if (argument != given.end()) {
      auto checked = check_argument(parameter, argument->second.json);
      if (checked) {
        bound[parameter.name] = Value{std::move(*checked), argument->second.origins};
      } else {
        const auto& found = checked.error().diagnostics;
        mistakes.insert(mistakes.end(), found.begin(), found.end());
      }
    } else if (parameter.fallback) {
      bound[parameter.name] = Value{*parameter.fallback, Origin::template_};
    } else {
      add("argument.missing", "parameter `" + parameter.name + "` has no value",
          "give " + parameter.description + ": `--set " + parameter.name + "=VALUE`");
    }
  }
  if (!mistakes.empty()) {
    return fail(Error{ErrorKind::usage, std::move(mistakes)});
  }
  return bound;
}

Result<Value> expand_probe_inputs(const Fact& fact, const Arguments& arguments) {
  static const FactValues kNoFacts;
  return expand(fact.with, Scope{arguments, kNoFacts, nullptr});
}

Result<Draft> instantiate(const TemplateUse& use, const std::string& intent) {
  const Template& source = *use.source;
  RGX_TRY(ExpandedSteps expanded, expand_steps(use));
  Plan plan;
  plan.intent = intent;
  plan.from = TemplateReference{source.name, source.version, source.digest};
  add_parameters(use, "", plan.parameters);
  add_facts(use, "", plan.facts);
  plan.workspace = source.workspace;
  plan.steps = std::move(expanded.steps);
  plan.acceptance = std::move(expanded.acceptance);
  std::map<std::string, TemplateReference> includes;
  add_includes(use, includes);
  for (auto& [name, included] : includes) {
    plan.includes.push_back(std::move(included));
  }
  for (const Phase& phase : source.phases) {
    plan.phases.push_back(phase.name);
  }
  return DraftKey::make(std::move(plan));
}

Result<Draft> instantiate(const Template& source, const std::string& intent,
                          const Arguments& arguments, const FactValues& facts) {
  RGX_TRY_STATUS(check_includes(source, {}));
  return instantiate(TemplateUse{&source, arguments, facts, {}}, intent);
}

}  // namespace rgx::templates
