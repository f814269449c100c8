#include <utility>
#include <vector>

#include "base/canonical.h"
#include "base/yaml/reader.h"
#include "cli/app.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/policy_lint_report.h"
#include "cli/world.h"

namespace rgx::cli {
namespace {

constexpr std::uint32_t kReportMode = 0644;

Result<policy::LintContext> context_of(const PolicyLintOptions& options) {
  policy::LintContext context{.now_unix_ms = 0, .within_days = options.within_days};
  if (options.now) {
    RGX_TRY(context.now_unix_ms, parse_time(*options.now));
  } else {
    context.now_unix_ms = make_clock()->now_unix_ms();
  }
  return context;
}

Result<LintedFile> lint_one(const std::string& file, const policy::LintContext& context) {
  RGX_TRY(const std::string text, read_file({.path = file, .bytes_max = yaml::kFileBytesMax}));
  RGX_TRY(const policy::Policy loaded, policy::load_policy(text, file));
  return LintedFile{.file = file, .findings = policy::lint(loaded, text, context)};
}

}  // namespace

ExitCode run_policy_lint(Session& session, const PolicyLintOptions& options) {
  const auto context = context_of(options);
  if (!context) {
    return report(session, context.error());
  }
  ExitCode code = ExitCode::done;
  std::vector<LintedFile> files;
  std::vector<Error> unreadable;
  for (const std::string& file : options.files) {
    auto one = lint_one(file, *context);
    if (one) {
      files.push_back(std::move(*one));
    } else {
      code = worse(code, report(session, one.error()));
      unreadable.push_back(std::move(one.error()));
    }
  }
  if (has_failing_finding(files)) {
    code = worse(code, ExitCode::failed);
  }
  session.output.result(options.json ? canonical(lint_report_json(files)) + '\n'
                                     : lint_report_text(files, session.output.result_colour()));
  if (options.sarif) {
    const std::string sarif = canonical(lint_report_sarif(files, unreadable, version())) + '\n';
    if (const Status written = write_file(*options.sarif, sarif, kReportMode, IfExists::replace);
        !written) {
      return worse(code, report(session, written.error()));
    }
  }
  return code;
}

}  // namespace rgx::cli
