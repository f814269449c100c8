#include "cli/template_files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/ids.h"
#include "base/yaml/reader.h"
#include "cli/files.h"
#include "templates/catalog.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kTemplatesMax = 1000;

Result<templates::Template> read_template(const std::string& file) {
  RGX_TRY(const std::string text, read_file({.path = file, .bytes_max = yaml::kFileBytesMax}));
  return templates::parse_template(text, file);
}

bool is_known(const std::vector<templates::Template>& known, const std::string& name) {
  return std::ranges::find(known, name, &templates::Template::name) != known.end();
}

}  // namespace

Result<std::vector<templates::Template>> load_catalog() {
  std::vector<templates::Template> loaded;
  for (const EmbeddedFile& file : templates::catalog()) {
    RGX_TRY(templates::Template parsed, templates::parse_template(file.bytes, file.name));
    loaded.push_back(std::move(parsed));
  }
  return loaded;
}

Result<std::string> add_template_file(const std::string& file,
                                      std::vector<templates::Template>& known) {
  RGX_TRY(templates::Template first, read_template(file));
  std::string name = first.name;
  std::erase_if(known, [&](const templates::Template& other) { return other.name == name; });
  known.push_back(std::move(first));
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  for (std::size_t index = known.size() - 1; index < known.size(); ++index) {
    const std::vector<templates::StepTemplate> steps = known[index].steps;
    for (const templates::StepTemplate& step : steps) {
      if (!is_name(step.include) || is_known(known, step.include) ||
          known.size() >= kTemplatesMax) {
        continue;
      }
      const std::string beside = (folder / (step.include + ".yaml")).string();
      std::error_code unreadable;
      if (!std::filesystem::is_regular_file(beside, unreadable)) {
        continue;  // check_includes says that it is no template
      }
      RGX_TRY(templates::Template included, read_template(beside));
      if (is_known(known, included.name)) {
        continue;
      }
      known.push_back(std::move(included));
    }
  }
  return name;
}

}  // namespace rgx::cli
