#include "planner/facts.h"

#include "base/check.h"
#include "planner/compile.h"
#include "planner/probe_search.h"

#include <algorithm>
#include <array>

namespace rgx::planner {
namespace {

using templates::Fact;
using templates::FactValue;
using templates::Origin;
using templates::Value;

Result<FactValue> project_settings(const Fact& fact, RepositoryView& repository) {
  const auto text = repository.read(kSettingsPath);
  if (!text) {
    return fail(
        ErrorKind::usage, "fact.no_settings",
        "fact `" + fact.name + "` needs the project's settings: " + text.error().first().message,
        "`rgx init` writes `" + std::string(kSettingsPath) + "`", fact.place);
  }
  RGX_TRY(const ProjectSettings settings, parse_project_settings(*text, kSettingsPath));
  FactValue value;
  value.probe = fact.probe;
  value.with = Json::object();
  value.value.json = Json::object({{"test_argv", Json::array_of(settings.test_argv)},
                                   {"test_writes", Json::array_of(settings.test_writes)}});
  value.value.origins = Origin::repository;
  value.pins[std::string(kSettingsPath)] = digest_bytes(*text);
  return value;
}

struct Implementation {
  std::string_view name;
  Result<FactValue> (*evaluate)(const Fact& fact, const Value& with, RepositoryView& repository);
};
constexpr std::array kProbes = {
    Implementation{"search.files", probe_search_files},
    Implementation{"search.text", probe_search_text},
};

}  // namespace

Result<templates::FactValues> evaluate_facts(const templates::Template& source,
                                             const templates::Arguments& arguments,
                                             RepositoryView& repository) {
  templates::FactValues facts;
  for (const Fact& fact : source.facts) {
    if (fact.probe == "project.settings") {
      RGX_TRY(facts[fact.name], project_settings(fact, repository));
      continue;
    }
    const auto probe = std::ranges::find(kProbes, fact.probe, &Implementation::name);
    RGX_CHECK(probe != kProbes.end());  // parse_template knows every probe
    RGX_TRY(const Value with, templates::expand_probe_inputs(fact, arguments));
    RGX_TRY(facts[fact.name], probe->evaluate(fact, with, repository));
  }
  return facts;
}

}  // namespace rgx::planner
