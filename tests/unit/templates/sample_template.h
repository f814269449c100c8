#pragma once

#include "templates/instantiate.h"
#include "templates/template.h"

#include <string>
#include <string_view>

// Small templates and facts for the tests of this package.

namespace rgx::templates {

/// A template with the given parts; each is a whole YAML section or empty.
inline std::string template_text(std::string_view parameters, std::string_view facts,
                                 std::string_view steps) {
  return "schema: rgx.template/v1\nname: sample\nversion: \"1.0.0\"\nsummary: \"a sample\"\n" +
         std::string(parameters) + std::string(facts) + std::string(steps);
}

inline Value human(Json json) {
  return Value{std::move(json), Origin::human};
}

/// The answer of a search that found `paths`, all with the digest of their name.
inline FactValue hits(const std::vector<std::string>& paths) {
  FactValue fact;
  fact.probe = "search.text";
  fact.with = Json::object({{"word", "foo"}, {"paths", Json::array({Json(".")})}});
  fact.value.json = Json::object({{"paths", Json::array_of(paths)},
                                  {"count", static_cast<std::int64_t>(paths.size())},
                                  {"skipped", Json::array()}});
  fact.value.origins = Origin::repository;
  for (const std::string& path : paths) {
    fact.pins[path] = digest_bytes(path);
  }
  return fact;
}

}  // namespace rgx::templates
