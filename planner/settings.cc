#include "base/glob.h"
#include "base/yaml/mapping_reader.h"
#include "planner/compile.h"

// `.rgx/config.yaml`. Format: docs/formats/config.md

namespace rgx::planner {
namespace {

constexpr std::size_t kItemsMax = 1000;

void read_project(const yaml::Node& node, ProjectSettings& settings, yaml::Mistakes& mistakes) {
  yaml::MappingReader reader(node, "project", mistakes);
  static_cast<void>(reader.required_node("test_argv"));
  if (const auto words = reader.strings("test_argv")) {
    for (const auto& word : *words) {
      settings.test_argv.push_back(word.value);
    }
    if (words->empty() || words->front().value.empty() || words->size() > kItemsMax) {
      mistakes.add("config.bad_argv", reader.place_of("test_argv"),
                   "`test_argv` is no program with its arguments",
                   "write one word each: `[ctest, --test-dir, build]`");
    }
  }
  if (const auto globs = reader.strings("test_writes")) {
    for (const auto& text : *globs) {
      const auto glob = Glob::parse(text.value);
      if (!glob) {
        mistakes.add("config.bad_glob", text.place, glob.error().first().message,
                     glob.error().first().remedy);
        continue;
      }
      settings.test_writes.push_back(glob->pattern());
    }
    if (globs->size() > kItemsMax) {
      mistakes.add("config.too_many", reader.place_of("test_writes"),
                   "`test_writes` has more than 1000 items", "name their folders");
    }
  }
  reader.finish();
}

}  // namespace

Result<ProjectSettings> parse_project_settings(std::string_view text, std::string_view file) {
  RGX_TRY(const yaml::Node root, yaml::parse(text, file));
  yaml::Mistakes mistakes;
  ProjectSettings settings;
  yaml::MappingReader reader(root, "config", mistakes);
  reader.schema("rgx.config/v1");
  static_cast<void>(reader.required_node("project"));
  if (const yaml::Node* project = reader.mapping("project")) {
    read_project(*project, settings, mistakes);
  }
  reader.finish();
  if (!mistakes.empty()) {
    return fail(std::move(mistakes).error());
  }
  return settings;
}

}  // namespace rgx::planner
