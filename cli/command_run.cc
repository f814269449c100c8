#include <unistd.h>

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "base/canonical.h"
#include "base/digest.h"
#include "base/text.h"
#include "cli/clean_check.h"
#include "cli/commands.h"
#include "cli/execute.h"
#include "cli/keys.h"
#include "cli/paths.h"
#include "cli/plan_view.h"
#include "cli/prepare.h"
#include "cli/progress.h"
#include "cli/progress_observer.h"
#include "cli/progress_sink.h"
#include "cli/quiet_observer.h"
#include "cli/run_report.h"
#include "cli/signal_watch.h"
#include "engine/state_store.h"

namespace rgx::cli {
namespace {

class Command {
 public:
  Command(Session& session, const RunOptions& options) : session_(session), options_(options) {}

  Result<ExitCode> run();

 private:
  Result<std::optional<templates::SealedPlan>> find_plan(World& world);
  ExitCode stop(const Prepared& prepared, std::string_view state, ExitCode code);
  Result<ExitCode> refuse(const Prepared& prepared, World& world);
  Result<std::optional<ExitCode>> check_drift(const Prepared& prepared, World& world);
  std::optional<ExitCode> check_review(const Prepared& prepared);
  void say(std::string_view text) { session_.output.say(text); }

  Session& session_;
  const RunOptions& options_;
  Paths paths_;
  ProgressSettings progress_;
};

Result<std::optional<templates::SealedPlan>> Command::find_plan(World& world) {
  if (options_.plan_file) {
    RGX_TRY(templates::SealedPlan plan, read_plan_file(*options_.plan_file));
    if (options_.compile.worktree && !is_for_worktree(plan)) {
      return fail(ErrorKind::usage, "usage.plan_in_place",
                  "the plan in `" + printable(*options_.plan_file) + "` is for the checkout",
                  "compile it with `rgx plan --worktree`, or leave --worktree out");
    }
    return std::optional<templates::SealedPlan>(std::move(plan));
  }
  RGX_TRY(SealAnswer answer, compile_and_seal(options_.compile, world));
  if (const auto* question = std::get_if<planner::Question>(&answer)) {
    say(question->text);
    say("  " + question->remedy);
    return std::optional<templates::SealedPlan>();
  }
  return std::optional<templates::SealedPlan>(std::get<templates::SealedPlan>(std::move(answer)));
}

// A plan that does not start still has a report for scripts.
ExitCode Command::stop(const Prepared& prepared, std::string_view state, ExitCode code) {
  if (options_.json) {
    session_.output.result(canonical(stopped_json(prepared, state, code)) + '\n');
  }
  return code;
}

Result<ExitCode> Command::refuse(const Prepared& prepared, World& world) {
  const policy::Refusal& refusal = *prepared.refusal();
  say(refusal_view(refusal));
  RGX_TRY(const engine::RunIdentity identity, load_identity(paths_));
  QuietObserver nobody;
  RGX_TRY(const audit::RecordReference record,
          engine::record_refusal(prepared.plan, refusal, world.run_ports(nobody), identity));
  say("nothing ran; the refusal is record " + std::to_string(record.seq) +
      " of this repository's index");
  const bool denied = !refusal.denied.empty();
  return stop(prepared, denied ? "denied" : "budget_exhausted", exit_code(refusal));
}

// What was reviewed is what runs: neither the files of the plan nor anything that the admission
// digest covers may have changed.
Result<std::optional<ExitCode>> Command::check_drift(const Prepared& prepared, World& world) {
  RGX_TRY(const std::vector<std::string> changed,
          find_drift(prepared.plan, prepared.base ? *prepared.base->workspace : world.workspace()));
  if (!changed.empty()) {
    for (const std::string& line : changed) {
      say(line);
    }
    session_.output.say(
        make_error(ErrorKind::drift, "run.drift", "the plan is for other files; nothing ran",
                   "compile the plan again with `rgx plan`, and review what is different"));
    return std::optional(stop(prepared, "drifted", ExitCode::drift));
  }
  RGX_TRY(const bool clean, check_clean_files(prepared.plan.plan(), world, session_.output));
  if (!clean) {
    return std::optional(stop(prepared, "drifted", ExitCode::drift));
  }
  if (!options_.accept) {
    return std::optional<ExitCode>();
  }
  RGX_TRY(const Digest accepted, Digest::parse(*options_.accept));
  const Digest& admission = prepared.admitted()->digest();
  if (accepted != admission) {
    session_.output.say(make_error(
        ErrorKind::drift, "run.drift",
        "the admission digest is now " + admission.to_string() + ", not " + accepted.to_string() +
            "; nothing ran",
        "the plan, the policy, a program or the base revision has changed: review `rgx plan`"));
    return std::optional(stop(prepared, "drifted", ExitCode::drift));
  }
  return std::optional<ExitCode>();
}

bool person_says_yes() {
  std::array<char, 16> answer{};
  if (std::fgets(answer.data(), answer.size(), stdin) == nullptr) {
    return false;
  }
  const std::string_view text = answer.data();
  return text == "yes\n" || text == "y\n";
}

std::optional<ExitCode> Command::check_review(const Prepared& prepared) {
  if (options_.plan_file || options_.accept) {
    return std::nullopt;
  }
  if (session_.is_interactive) {
    say(plan_view(prepared, Colour::off));
    say("run this plan? yes or no:");
    if (person_says_yes()) {
      return std::nullopt;
    }
    say("nothing ran");
    return stop(prepared, "waiting", ExitCode::waiting);
  }
  if (prepared.layers.policy.review() == policy::Review::none) {
    return std::nullopt;
  }
  // Not failures but waits: only the words of an error are wanted, not its kind.
  session_.output.say(
      make_error(ErrorKind::failed, "run.not_reviewed",
                 "policy says `review: plan`, and nobody has seen this one; nothing ran",
                 "look at it with `rgx plan`, then run it with --plan FILE, or with --accept " +
                     prepared.admitted()->digest().to_string()));
  return stop(prepared, "waiting", ExitCode::waiting);
}

Result<ExitCode> Command::run() {
  if (options_.plan_file && (!options_.compile.intent.empty() || options_.compile.template_name ||
                             !options_.compile.set.empty())) {
    return fail(ErrorKind::usage, "usage.plan_and_intent",
                "--plan names a whole plan, so an intent, --template or --set cannot be added",
                "leave one of them out");
  }
  if (options_.accept) {
    RGX_TRY_STATUS(Digest::parse(*options_.accept).map([](const Digest&) {}));
  }
  RGX_TRY(progress_,
          resolve_progress(options_.progress, session_.environment, ::isatty(STDERR_FILENO) == 1));
  RGX_TRY(paths_, find_paths(session_.environment));
  RGX_TRY(World world, World::open(".", paths_.state_home));
  RGX_TRY_STATUS(check_keys_outside(paths_, world.root()));
  RGX_TRY(std::optional<templates::SealedPlan> plan, find_plan(world));
  if (!plan) {
    return ExitCode::usage;
  }
  RGX_TRY(const Prepared prepared,
          admit_under_policy(std::move(*plan), options_.compile, paths_, world));
  for (const std::string& notice : prepared.layers.notices) {
    session_.output.say(Tone::careful, notice);
  }
  if (prepared.refusal() != nullptr) {
    return refuse(prepared, world);
  }
  RGX_TRY(const std::optional<ExitCode> drifted, check_drift(prepared, world));
  if (drifted) {
    return *drifted;
  }
  if (const auto waiting = check_review(prepared)) {
    return *waiting;
  }
  return execute(session_, prepared, world, paths_,
                 {.progress = progress_, .json = options_.json, .resumed = {}});
}

}  // namespace

ExitCode run_run(Session& session, const RunOptions& options) {
  const auto done = Command(session, options).run();
  return done ? *done : report(session, done.error());
}

}  // namespace rgx::cli
