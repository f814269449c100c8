#include "engine/question.h"

#include "audit/verifier.h"
#include "engine/replay.h"
#include "templates/seal.h"

namespace rgx::engine {

namespace {

tl::unexpected<Error> bad_evidence(const RunId& run, const std::string& why) {
  return fail(ErrorKind::evidence, "resume.evidence", "run " + run.text() + " cannot go on: " + why,
              "`rgx verify " + run.text() + "` shows what is wrong");
}

}  // namespace

Result<StoredRun> read_stored_run(StateStore& state, const RunId& run,
                                  const std::optional<audit::RootKey>& key) {
  Replay replay;
  RGX_TRY(const auto storage, state.open_run(run, audit::OpenMode::read));
  RGX_TRY(const audit::Verdict verdict,
          audit::verify_ledger(*storage, {.root_key = key, .on_record = [&](const auto& record) {
                                            replay.take(record);
                                          }}));
  if (verdict.kind == audit::VerdictKind::tampered) {
    return bad_evidence(run, "its ledger does not verify");
  }
  if (verdict.records == 0) {
    return fail(ErrorKind::usage, "resume.nothing",
                "run " + run.text() + " was ended before it began", "start it again");
  }
  RGX_TRY(const std::string bytes, state.read_run_file(run, "plan.json"));
  RGX_TRY(templates::SealedPlan plan, templates::read_sealed_plan(bytes, "plan.json"));
  const ReplayedRun& stands = replay.run();
  if (plan.digest().to_string() != stands.plan_digest) {
    return bad_evidence(run, "its plan is not the one that its ledger names");
  }
  return StoredRun{.plan = std::move(plan),
                   .admission_digest = stands.admission_digest,
                   .base_revision = stands.base_revision,
                   .requester = stands.requester,
                   .sealed = verdict.completeness.state == audit::PropertyState::holds,
                   .suspended = stands.suspended,
                   .found = stands.judge ? std::optional(stands.judge->found) : std::nullopt,
                   .asked = stands.judge ? stands.judge->waiting : std::set<StepId>()};
}

bool is_suspended(StateStore& state, const RunId& run) {
  const auto storage = state.open_run(run, audit::OpenMode::read);
  if (!storage) {
    return false;
  }
  const auto verdict = audit::verify_ledger(**storage, {});
  if (!verdict) {
    return false;
  }
  const auto& last = verdict->last;
  return last && last->type == audit::RecordType::run_suspended;
}

Status send_answer(StateStore& state, const RunId& run, const std::string& nonce,
                   const std::string& bytes) {
  return state.write_run_file(run, "approval-" + nonce + ".json", bytes);
}

}  // namespace rgx::engine
