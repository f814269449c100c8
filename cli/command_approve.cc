#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/approval_view.h"
#include "cli/commands.h"
#include "cli/history.h"
#include "cli/keys.h"
#include "cli/paths.h"
#include "cli/prepare.h"
#include "engine/approval.h"
#include "engine/question.h"
#include "policy/step_decision.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kNonceBytes = 16;

/// `90m`, `24h`, `7d` in milliseconds.
Result<std::int64_t> parse_duration(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::int64_t ms = unit == "m" ? 60000 : unit == "h" ? 3600000 : unit == "d" ? 86400000 : 0;
  if (error != std::errc() || ms == 0 || number < 1 || number > 3650) {
    return fail(ErrorKind::usage, "usage.expires",
                "`--expires " + printable(text) + "` is no duration",
                "write a number and `m`, `h` or `d`, like 24h");
  }
  return number * ms;
}

const templates::Step* find_step(const templates::SealedPlan& plan, const std::string& id) {
  return plan.find(StepId(id));
}

class Command {
 public:
  Command(Session& session, const ApproveOptions& options) : session_(session), options_(options) {}

  Result<ExitCode> answer() {
    RGX_TRY(const std::int64_t duration, parse_duration(options_.expires));
    RGX_TRY(const Paths paths, find_paths(session_.environment));
    RGX_TRY(World world, World::open(".", paths.state_home));
    RGX_TRY_STATUS(check_keys_outside(paths, world.root()));
    RGX_TRY(const History history, read_history(world.state(), std::nullopt));
    RGX_TRY(const RunId run, find_run(options_.run, history, world.state()));
    RGX_TRY(engine::StoredRun stored, engine::read_stored_run(world.state(), run, std::nullopt));
    if (stored.sealed) {
      return fail(ErrorKind::usage, "approval.finished", "run " + run.text() + " has ended",
                  "`rgx show " + run.text() + "` says how");
    }
    RGX_TRY(
        const Prepared prepared,
        admit_under_policy(stored.plan, options_again(stored, options_.policy_file), paths, world));
    RGX_TRY_STATUS(check_admission(prepared, stored, run));
    RGX_TRY(const audit::SigningKey key,
            audit::SigningKey::load(options_.key_file.value_or(paths.requester_key())));
    RGX_TRY(const Question question, find_question(prepared, stored, run));
    RGX_TRY(const engine::Approval approval, make(prepared, question, key, world, duration));
    return send(prepared, stored, question, approval, key, world);
  }

 private:
  struct Question {
    engine::ApprovalSubject subject;
    std::vector<policy::ApprovalDemand> demands;
  };

  [[nodiscard]] Status check_admission(const Prepared& prepared, const engine::StoredRun& stored,
                                       const RunId& run) const {
    const policy::AdmittedPlan* admitted = prepared.admitted();
    if (admitted != nullptr && admitted->digest().to_string() == stored.admission_digest) {
      return {};
    }
    return fail(ErrorKind::drift, "approval.policy_changed",
                "policy, a program or the base revision has changed since run " + run.text() +
                    " was admitted",
                "`rgx resume " + run.text() + "` admits it anew, then approve");
  }

  [[nodiscard]] Result<Question> find_question(const Prepared& prepared,
                                               const engine::StoredRun& stored,
                                               const RunId& run) const {
    const policy::AdmittedPlan& admitted = *prepared.admitted();
    const Digest& plan = prepared.plan.digest();
    const bool asked = stored.found && stored.asked.contains(StepId(options_.step));
    if (options_.step == engine::kAcceptanceStep) {
      if (!asked) {
        return fail(ErrorKind::usage, "approval.not_asked",
                    "the acceptance of run " + run.text() + " waits for nobody",
                    "`rgx show " + run.text() + "` says where the run stands");
      }
      return Question{engine::subject_of_acceptance(admitted.digest(), plan, run, *stored.found),
                      policy::review_demands(prepared.layers.policy)};
    }
    const templates::Step* step = find_step(prepared.plan, options_.step);
    if (step == nullptr) {
      return fail(ErrorKind::usage, "approval.no_step",
                  "run " + run.text() + " has no step `" + printable(options_.step) + "`",
                  "`rgx show " + run.text() + "` lists the steps");
    }
    if (admitted.decision(step->id).effect != policy::Effect::require_approval) {
      return fail(ErrorKind::usage, "approval.not_asked",
                  "step `" + printable(options_.step) + "` needs no approval", "leave it alone");
    }
    Question question{engine::subject_of(admitted.digest(), plan, run, *step),
                      admitted.decision(step->id).approvals};
    if (engine::is_acceptance_check(step->id)) {
      if (!asked) {
        return fail(ErrorKind::usage, "approval.not_asked",
                    "check `" + printable(options_.step) + "` waits for nobody yet",
                    "it asks when the other checks have passed");
      }
      engine::bind_acceptance(question.subject, *stored.found);
    }
    return question;
  }

  Result<engine::Approval> make(const Prepared& prepared, const Question& question,
                                const audit::SigningKey& key, World& world,
                                std::int64_t duration) const {
    std::array<std::uint8_t, kNonceBytes> nonce{};
    RGX_TRY_STATUS(world.entropy().fill(nonce));
    const policy::Approver* approver =
        engine::find_approver(prepared.layers.policy, key.public_key());
    const std::int64_t now = world.clock().now_unix_ms();
    return engine::Approval{
        .answer = options_.reject ? engine::Answer::reject : engine::Answer::approve,
        .approver = approver != nullptr ? approver->name : "requester",
        .subject = question.subject,
        .nonce = to_hex(nonce),
        .issued_unix_ms = now,
        .expires_unix_ms = now + duration,
        .reason = options_.reason};
  }

  // The answer is checked as the run will check it, so that a mistake shows at once.
  Result<ExitCode> send(const Prepared& prepared, const engine::StoredRun& stored,
                        const Question& question, const engine::Approval& approval,
                        const audit::SigningKey& key, World& world) {
    const RunId& run = question.subject.run;
    const std::string bytes = engine::sign_approval(approval, key);
    RGX_TRY(const engine::SignedApproval read, engine::read_approval(bytes, "approval"));
    const engine::ApprovalRules rules{.policy = prepared.layers.policy,
                                      .demands = question.demands,
                                      .requester = stored.requester};
    const Status counts =
        engine::check_approval(read, approval.subject, rules, world.clock().now_unix_ms(), {});
    if (!counts) {
      session_.output.say(counts.error());
      return ExitCode::denied;
    }
    RGX_TRY_STATUS(engine::send_answer(world.state(), run, approval.nonce, bytes));
    if (stored.found && stored.asked.contains(approval.subject.step)) {
      session_.output.result(acceptance_view(*stored.found, prepared.plan));
    }
    session_.output.result((options_.reject ? "rejected " : "approved ") +
                           printable(options_.step) + " of run " + run.text() + '\n');
    session_.output.say(stored.suspended
                            ? "next: rgx resume " + run.text()
                            : "a run that is under way goes on by itself; else: rgx resume " +
                                  run.text());
    return ExitCode::done;
  }

  Session& session_;
  const ApproveOptions& options_;
};

}  // namespace

ExitCode run_approve(Session& session, const ApproveOptions& options) {
  const auto done = Command(session, options).answer();
  return done ? *done : report(session, done.error());
}

}  // namespace rgx::cli
