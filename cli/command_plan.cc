#include <string>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/paths.h"
#include "cli/plan_graph.h"
#include "cli/plan_markdown.h"
#include "cli/plan_picture.h"
#include "cli/plan_view.h"
#include "cli/prepare.h"
#include "templates/seal.h"

namespace rgx::cli {
namespace {

constexpr std::uint32_t kPlanFileMode = 0666;  // the umask takes from it

std::string picture_text(const Prepared& prepared, PlanFormat format, Colour colour) {
  switch (format) {
    case PlanFormat::tree:
      return plan_view(prepared, colour);
    case PlanFormat::json:
      return templates::write_sealed_plan(prepared.plan);
    case PlanFormat::markdown:
      return plan_markdown(make_picture(prepared));
    case PlanFormat::dot:
      return plan_dot(make_picture(prepared));
    case PlanFormat::mermaid:
      return plan_mermaid(make_picture(prepared));
  }
  RGX_CHECK(false);
}

ExitCode refuse(Session& session, const PlanOptions& options, const Prepared& prepared) {
  // A refused plan can be looked at, but there is no sealed one to hand out.
  if (options.format != PlanFormat::json) {
    session.output.result(picture_text(prepared, options.format, session.output.result_colour()));
  }
  session.output.say(refusal_view(*prepared.refusal()));
  if (options.out) {
    session.output.say("`" + *options.out + "` was not written: " +
                       (prepared.refusal()->denied.empty() ? "the plan is over budget"
                                                           : "policy denies the plan"));
  }
  return exit_code(*prepared.refusal());
}

std::string next_command(const PlanOptions& options, const policy::AdmittedPlan& admitted) {
  std::string command = "rgx run ";
  if (options.out) {
    command += "--plan " + shell_word(*options.out);
  } else {
    const CompileOptions& compile = options.compile;
    if (!compile.intent.empty()) {
      command += shell_word(compile.intent) + " ";
    }
    if (compile.template_name) {
      command += "--template " + shell_word(*compile.template_name) + " ";
    }
    for (const std::string& pair : compile.set) {
      command += "--set " + shell_word(pair) + " ";
    }
    command += options.compile.worktree ? "--worktree " : "";
    command += "--accept " + admitted.digest().to_string();
  }
  if (options.compile.policy_file) {
    command += " --policy " + shell_word(*options.compile.policy_file);
  }
  if (options.compile.base) {
    command += " --base " + shell_word(*options.compile.base);
  }
  return command;
}

Result<ExitCode> plan(Session& session, const PlanOptions& options) {
  RGX_TRY(const Paths paths, find_paths(session.environment));
  RGX_TRY(World world, World::open(".", paths.state_home));
  RGX_TRY(SealAnswer answer, compile_and_seal(options.compile, world));
  if (const auto* question = std::get_if<planner::Question>(&answer)) {
    session.output.say(question->text);
    session.output.say("  " + question->remedy);
    return ExitCode::usage;
  }
  RGX_TRY(const Prepared prepared,
          admit_under_policy(std::get<templates::SealedPlan>(std::move(answer)), options.compile,
                             paths, world));
  for (const std::string& notice : prepared.layers.notices) {
    session.output.say(Tone::careful, notice);
  }
  if (prepared.refusal() != nullptr) {
    return refuse(session, options, prepared);
  }
  if (options.out) {
    RGX_TRY_STATUS(write_file(*options.out, templates::write_sealed_plan(prepared.plan),
                              kPlanFileMode, IfExists::replace));
  }
  const policy::AdmittedPlan& admitted = *prepared.admitted();
  const std::string approvals = approvals_view(prepared.decisions);
  const std::string next = "next: " + next_command(options, admitted);
  const std::string text = picture_text(prepared, options.format, session.output.result_colour());
  if (options.format == PlanFormat::tree) {
    session.output.result(text + '\n' +
                          (approvals.empty() ? printable(next) : escape_lines(approvals)) + '\n');
  } else {
    session.output.result(text);
    session.output.say("admission digest  " + admitted.digest().to_string());
    session.output.say(approvals.empty() ? next : approvals);
  }
  return ExitCode::done;
}

}  // namespace

ExitCode run_plan(Session& session, const PlanOptions& options) {
  const auto done = plan(session, options);
  return done ? *done : report(session, done.error());
}

}  // namespace rgx::cli
