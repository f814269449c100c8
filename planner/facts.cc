#include "planner/facts.h"

#include "base/check.h"
#include "planner/compile.h"
#include "planner/probe_dependencies.h"
#include "planner/probe_search.h"
#include "planner/probe_versions.h"

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

/// The project's formatter, and the files that it takes.
Result<FactValue> project_formatter(const Fact& fact, const Value& with,
                                    RepositoryView& repository) {
  const auto text = repository.read(kSettingsPath);
  const auto settings =
      text ? parse_project_settings(*text, kSettingsPath) : Result<ProjectSettings>({});
  if (!settings) {
    return fail(settings.error());
  }
  if (settings->format_argv.empty()) {
    return fail(ErrorKind::usage, "fact.no_formatter",
                "fact `" + fact.name + "` needs the project's formatter",
                "write `format_argv` and `format_files` under `project` in `" +
                    std::string(kSettingsPath) + "`, such as `[clang-format, -i]`",
                fact.place);
  }
  Value place = with;
  place.json.set("globs", Json::array_of(settings->format_files));
  RGX_TRY(FactValue value, probe_search_files(fact, place, repository));
  if (value.value.json.find("count")->as_integer() == 0) {
    return fail(ErrorKind::usage, "fact.nothing_found",
                "fact `" + fact.name + "` finds no file that the formatter takes",
                "name another place, or correct `format_files` in `" + std::string(kSettingsPath) +
                    "`; only files that git tracks count",
                fact.place);
  }
  value.value.json.set("argv", Json::array_of(settings->format_argv));
  Json writes = *value.value.json.find("paths");
  for (const std::string& glob : settings->format_writes) {
    writes.push(glob);
  }
  value.value.json.set("writes", std::move(writes));
  value.pins[std::string(kSettingsPath)] = digest_bytes(*text);
  return value;
}

struct Implementation {
  std::string_view name;
  Result<FactValue> (*evaluate)(const Fact& fact, const Value& with, RepositoryView& repository);
};
constexpr std::array kProbes = {
    Implementation{"project.dependencies", probe_project_dependencies},
    Implementation{"project.formatter", project_formatter},
    Implementation{"project.versions", probe_project_versions},
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
