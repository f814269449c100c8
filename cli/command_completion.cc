#include <string>
#include <vector>

#include "base/yaml/reader.h"
#include "cli/app.h"
#include "cli/command_tree.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/man_page.h"
#include "templates/catalog.h"
#include "templates/template.h"

namespace rgx::cli {

ExitCode run_completion(Session& session, const CompletionOptions& options) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : templates::catalog()) {
    const auto parsed = templates::parse_template(file.bytes, file.name);
    if (!parsed) {
      return report(session, parsed.error());
    }
    names.push_back(parsed->name);
  }
  session.output.result(completion_script(options.shell, command_tree(), names));
  return ExitCode::done;
}

ExitCode run_man(Session& session) {
  session.output.result(man_page(command_tree(), help_page("rgx"), version()));
  return ExitCode::done;
}

}  // namespace rgx::cli
