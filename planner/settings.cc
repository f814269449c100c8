#include "base/glob.h"
#include "base/yaml/mapping_reader.h"
#include "planner/compile.h"

// `.rgx/config.yaml`. Format: docs/formats/config.md

namespace rgx::planner {
namespace {

constexpr std::size_t kItemsMax = 1000;

bool is_argv(const std::vector<std::string>& words) {
  return !words.empty() && !words.front().empty() && words.size() <= kItemsMax;
}

class ProjectReader {
 public:
  ProjectReader(const yaml::Node& node, yaml::Mistakes& mistakes)
      : reader_(node, "project", mistakes),
        mistakes_(mistakes) {}

  void read(ProjectSettings& settings) {
    static_cast<void>(reader_.required_node("test_argv"));
    settings.test_argv = argv("test_argv", "`[ctest, --test-dir, build]`");
    settings.test_writes = globs("test_writes");
    settings.format_argv = argv("format_argv", "`[clang-format, -i]`");
    settings.format_files = globs("format_files");
    settings.format_writes = globs("format_writes");
    reader_.finish();
    const bool formats = !settings.format_argv.empty();
    if (formats == settings.format_files.empty()) {
      mistakes_.add("config.incomplete", reader_.place_of(formats ? "format_argv" : "format_files"),
                    "`format_argv` and `format_files` need each other",
                    "say which program formats which files");
    }
  }

 private:
  std::vector<std::string> argv(std::string_view key, std::string_view example) {
    std::vector<std::string> argv;
    const auto words = reader_.strings(key);
    if (!words) {
      return argv;
    }
    for (const auto& word : *words) {
      argv.push_back(word.value);
    }
    if (!is_argv(argv)) {
      mistakes_.add("config.bad_argv", reader_.place_of(key),
                    "`" + std::string(key) + "` is no program with its arguments",
                    "write one word each: " + std::string(example));
    }
    return argv;
  }

  std::vector<std::string> globs(std::string_view key) {
    std::vector<std::string> patterns;
    const auto texts = reader_.strings(key);
    if (!texts) {
      return patterns;
    }
    for (const auto& text : *texts) {
      const auto glob = Glob::parse(text.value);
      if (!glob) {
        mistakes_.add("config.bad_glob", text.place, glob.error().first().message,
                      glob.error().first().remedy);
        continue;
      }
      patterns.push_back(glob->pattern());
    }
    if (texts->size() > kItemsMax) {
      mistakes_.add("config.too_many", reader_.place_of(key),
                    "`" + std::string(key) + "` has more than 1000 items", "name their folders");
    }
    return patterns;
  }

  yaml::MappingReader reader_;
  yaml::Mistakes& mistakes_;
};

}  // namespace

Result<ProjectSettings> parse_project_settings(std::string_view text, std::string_view file) {
  RGX_TRY(const yaml::Node root, yaml::parse(text, file));
  yaml::Mistakes mistakes;
  ProjectSettings settings;
  yaml::MappingReader reader(root, "config", mistakes);
  reader.schema("rgx.config/v1");
  static_cast<void>(reader.required_node("project"));
  if (const yaml::Node* project = reader.mapping("project")) {
    ProjectReader(*project, mistakes).read(settings);
  }
  reader.finish();
  if (!mistakes.empty()) {
    return fail(std::move(mistakes).error());
  }
  return settings;
}

}  // namespace rgx::planner
