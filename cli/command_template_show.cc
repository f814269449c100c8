#include <algorithm>
#include <string>
#include <vector>

#include "base/canonical.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/template_files.h"
#include "cli/template_view.h"

namespace rgx::cli {
namespace {

Result<templates::Template> find_template(const std::string& name) {
  RGX_TRY(std::vector<templates::Template> known, load_catalog());
  std::string wanted = name;
  if (name.find('/') != std::string::npos || name.ends_with(".yaml")) {
    RGX_TRY(wanted, add_template_file(name, known));
  }
  const auto found = std::ranges::find(known, wanted, &templates::Template::name);
  if (found != known.end()) {
    return *found;
  }
  std::vector<std::string_view> names;
  for (const templates::Template& one : known) {
    names.push_back(one.name);
  }
  const auto near = nearest(wanted, names);
  return fail(ErrorKind::usage, "template.unknown",
              "there is no template `" + printable(wanted) + "`",
              (near ? "did you mean `" + *near + "`? " : std::string()) +
                  "`rgx template list` lists those that are shipped; a file is named by its path");
}

}  // namespace

ExitCode run_template_list(Session& session, const TemplateListOptions& options) {
  const auto known = load_catalog();
  if (!known) {
    return report(session, known.error());
  }
  session.output.result(options.json ? canonical(template_list_json(*known)) + '\n'
                                     : template_list_text(*known));
  return ExitCode::done;
}

ExitCode run_template_show(Session& session, const TemplateShowOptions& options) {
  const auto found = find_template(options.name);
  if (!found) {
    return report(session, found.error());
  }
  session.output.result(options.json ? canonical(template_json(*found)) + '\n'
                                     : template_text(*found, session.output.result_colour()));
  return ExitCode::done;
}

}  // namespace rgx::cli
