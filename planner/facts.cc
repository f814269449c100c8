#include "planner/facts.h"

#include "base/check.h"
#include "base/path.h"
#include "base/text.h"
#include "planner/compile.h"
#include "planner/text_search.h"

#include <algorithm>
#include <utility>

namespace rgx::planner {
namespace {

using templates::Fact;
using templates::FactValue;
using templates::Origin;
using templates::Value;

constexpr std::int64_t kSearchedBytesMax = 16LL << 20;
constexpr std::size_t kNeedleBytesMax = 4096;

[[nodiscard]] tl::unexpected<Error> bad_input(const Fact& fact, const std::string& problem,
                                              std::string_view remedy) {
  return fail(ErrorKind::usage, "fact.input_type", "fact `" + fact.name + "`: " + problem, remedy,
              fact.place);
}

Result<std::string> needle_of(const Fact& fact, const Json& with) {
  const Json* word = with.find("word");
  const Json* value = word != nullptr ? word : with.find("text");
  RGX_CHECK(value != nullptr);  // parse_template asks for one of them
  if (!value->is_string() || value->as_string().empty() ||
      value->as_string().size() > kNeedleBytesMax) {
    return bad_input(fact, "what to search for is not a text of 1 to 4096 bytes",
                     "give one name or text");
  }
  return value->as_string();
}

Result<std::vector<std::string>> paths_of(const Fact& fact, const Json& with) {
  const Json* value = with.find("paths");
  if (value == nullptr) {
    return std::vector<std::string>{"."};
  }
  if (!value->is_array() || value->as_array().empty()) {
    return bad_input(fact, "`paths` is no list of paths", "give at least one, `.` for everything");
  }
  std::vector<std::string> paths;
  for (const Json& item : value->as_array()) {
    if (!item.is_string()) {
      return bad_input(fact, "`paths` has an item that is no path", "quote it");
    }
    RGX_TRY(std::string path, normal_path(item.as_string()));
    paths.push_back(std::move(path));
  }
  std::ranges::sort(paths);
  paths.erase(std::ranges::unique(paths).begin(), paths.end());
  return paths;
}

/// What a search finds, in the order of paths.
struct Hits {
  Json paths = Json::array();
  Json skipped = Json::array();
  std::int64_t count = 0;
  std::map<std::string, Digest> pins;

  void skip(const std::string& path, std::string_view reason) {
    skipped.push(Json::object({{"path", path}, {"reason", reason}}));
  }
};

Result<Hits> search(const std::vector<RepositoryFile>& files, const std::string& needle,
                    MatchBoundary boundary, RepositoryView& repository) {
  Hits hits;
  for (const RepositoryFile& file : files) {
    if (file.size_bytes > kSearchedBytesMax) {
      hits.skip(file.path, "larger than 16 MiB");
      continue;
    }
    RGX_TRY(const std::string bytes, repository.read(file.path));
    if (is_binary(bytes)) {
      hits.skip(file.path, "binary");
      continue;
    }
    const std::int64_t count = count_matches(bytes, needle, boundary);
    if (count > 0) {
      hits.count += count;
      hits.paths.push(file.path);
      hits.pins[file.path] = digest_bytes(bytes);
    }
  }
  return hits;
}

Result<FactValue> search_text(const Fact& fact, const Value& with, RepositoryView& repository) {
  RGX_TRY(const std::string needle, needle_of(fact, with.json));
  RGX_TRY(const std::vector<std::string> paths, paths_of(fact, with.json));
  RGX_TRY(std::vector<RepositoryFile> files, repository.files(paths));
  // The order of the plan must not hang on the order of the port.
  std::ranges::sort(files, {}, &RepositoryFile::path);
  const auto boundary =
      with.json.find("word") != nullptr ? MatchBoundary::word : MatchBoundary::anywhere;
  RGX_TRY(Hits hits, search(files, needle, boundary, repository));
  const std::size_t found = hits.paths.as_array().size();
  if (found > static_cast<std::size_t>(fact.items_max)) {
    return fail(ErrorKind::usage, "fact.too_many_items",
                "fact `" + fact.name + "` finds " + std::to_string(found) + " files with `" +
                    printable(needle) + "`; at most " + std::to_string(fact.items_max) +
                    " are allowed",
                "narrow the scope, or raise `items_max` in the template", fact.place);
  }
  FactValue value;
  value.probe = fact.probe;
  value.with = Json::object({{boundary == MatchBoundary::word ? "word" : "text", needle},
                             {"paths", Json::array_of(paths)}});
  value.value.json = Json::object({{"paths", std::move(hits.paths)},
                                   {"count", hits.count},
                                   {"skipped", std::move(hits.skipped)}});
  value.value.origins = with.origins;
  value.value.origins.add(Origin::repository);
  value.pins = std::move(hits.pins);
  return value;
}

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
    RGX_CHECK(fact.probe == "search.text");  // parse_template knows every probe
    RGX_TRY(const Value with, templates::expand_probe_inputs(fact, arguments));
    RGX_TRY(facts[fact.name], search_text(fact, with, repository));
  }
  return facts;
}

}  // namespace rgx::planner
