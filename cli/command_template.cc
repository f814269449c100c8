#include "base/text.h"
#include "base/yaml/reader.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "templates/template.h"

namespace rgx::cli {
namespace {

Result<templates::Template> check(const std::string& file) {
  RGX_TRY(const std::string text, read_file({.path = file, .bytes_max = yaml::kFileBytesMax}));
  return templates::parse_template(text, file);
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
