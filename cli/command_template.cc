#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/template_files.h"
#include "templates/include.h"

namespace rgx::cli {
namespace {

/// Together with what it includes.
Result<templates::Template> check(const std::string& file) {
  RGX_TRY(std::vector<templates::Template> known, load_catalog());
  RGX_TRY(const std::string name, add_template_file(file, known));
  const auto found = std::ranges::find(known, name, &templates::Template::name);
  RGX_TRY_STATUS(templates::check_includes(*found, known));
  return *found;
}

}  // namespace

ExitCode run_template_check(Session& session, const TemplateCheckOptions& options) {
  ExitCode code = ExitCode::done;
  for (const std::string& file : options.files) {
    const auto parsed = check(file);
    if (!parsed) {
      code = worse(code, report(session, parsed.error()));
      continue;
    }
    session.output.result(paint(session.output.result_colour(), Tone::good, "ok") + "  " +
                          printable(file) + "  template `" + parsed->name + "` " + parsed->version +
                          ", " + counted(static_cast<std::int64_t>(parsed->steps.size()), "step") +
                          '\n');
  }
  return code;
}

}  // namespace rgx::cli
