// What a verifier says of records that are intact, signed with the right key, and still wrong:
// a writer that lies, or a forger with the key. The lines are made by hand.

#include "audit/meaning.h"

#include "audit/checkpoint.h"
#include "audit/ledger_format.h"
#include "audit/merkle.h"
#include "audit/verifier.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rgx::audit::test {
namespace {

/// Signs whatever it is given, in a chain.
class Forger {
 public:
  explicit Forger(const RootKey& root = root_key()) : root_(root) {}

  Forger& add(RecordType type, Json body) {
    Record record{std::string(kLogId), tree_.size(), head_, 0, root_.id, type, std::move(body), {}};
    record.env = Json::object(
        {{"host", "h"}, {"monotonic_ms", 0}, {"pid", 1}, {"time", "2026-01-01T00:00:00.000Z"}});
    if (record.seq == 0) {
      record.body.set("key_commitment", key_commitment(log_key(root_, kLogId)).to_string());
      record.body.set("mode", "local");
      record.body.set("schema", "rgx.ledger/v1");
    }
    return add(record);
  }

  Forger& add(const Record& record) {
    bytes_ += signed_line(record, log_key(root_, kLogId));
    head_ = leaf_hash(record_bytes(record));
    tree_.add(head_);
    return *this;
  }

  Forger& seal(std::string_view state = "succeeded") {
    Json body = seal_body(state);
    body.set("records", tree_.size());
    body.set("root", tree_.root().to_string());
    return add(RecordType::run_sealed, body);
  }

  /// Sealed with what the judge found.
  Forger& seal(std::string_view state, Json acceptance) {
    Json body = seal_body(state);
    body.set("records", tree_.size());
    body.set("root", tree_.root().to_string());
    body.set("acceptance", std::move(acceptance));
    return add(RecordType::run_sealed, body);
  }

  [[nodiscard]] Verdict verdict() const {
    Bench bench;
    *bench.disk = rgx::test::MemoryDisk(bytes_);
    return bench.verify();
  }

  [[nodiscard]] const MerkleTree& tree() const { return tree_; }
  [[nodiscard]] const Digest& head() const { return head_; }

 private:
  RootKey root_;
  std::string bytes_;
  Digest head_;
  MerkleTree tree_;
};

Forger run() {
  Forger forger;
  forger.add(RecordType::genesis, genesis_body());
  forger.add(RecordType::admission, admission_body());
  return forger;
}

Forger index() {
  Forger forger;
  forger.add(RecordType::index_genesis, index_genesis_body());
  return forger;
}

/// Meaning fails at this record with this note, everything else about it is intact.
void expect_meaningless(const Forger& forger, std::uint64_t seq, std::string_view note) {
  const Verdict verdict = forger.verdict();
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.meaning.state, PropertyState::fails);
  EXPECT_EQ(verdict.meaning.note, note);
  EXPECT_EQ(verdict.meaning.bad_seq, seq);
  EXPECT_EQ(verdict.integrity.state, PropertyState::holds) << verdict.integrity.note;
  EXPECT_EQ(verdict.authenticity.state, PropertyState::holds) << verdict.authenticity.note;
}

TEST(Meaning, ForgedButHonestRunIsVerified) {
  const Verdict verdict = run()
                              .add(RecordType::step_intent, intent_body("a"))
                              .add(RecordType::step_outcome, outcome_body("a"))
                              .seal()
                              .verdict();
  EXPECT_EQ(verdict.kind, VerdictKind::verified) << pretty(to_json(verdict));
}

/// A seal that announces a commit, in a run with this workspace.
Verdict ended_in(std::string_view workspace, std::string_view state, const Json& worktree) {
  Json genesis = genesis_body();
  genesis.set("workspace", workspace);
  Forger forger;
  forger.add(RecordType::genesis, genesis);
  forger.add(RecordType::admission, admission_body());
  Json body = seal_body(state);
  body.set("records", forger.tree().size());
  body.set("root", forger.tree().root().to_string());
  if (!worktree.is_null()) {
    body.set("worktree", worktree);
  }
  return forger.add(RecordType::run_sealed, body).verdict();
}

TEST(Meaning, SealAnnouncesTheCommitOfAWorktreeAndOnlyThere) {
  Json worktree = Json::object({{"base", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"},
                                {"branch", "rgx/r-001122334455"},
                                {"tree", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"}});
  EXPECT_EQ(ended_in("worktree", "succeeded", worktree).kind, VerdictKind::verified);
  EXPECT_EQ(ended_in("worktree", "failed", Json()).kind, VerdictKind::verified);
  EXPECT_EQ(ended_in("worktree", "succeeded", Json()).meaning.note,
            "the run succeeded in a worktree, but its seal has no `worktree`");
  constexpr const char* kNone = "the seal has a `worktree`, but the run has none that it ended in";
  EXPECT_EQ(ended_in("worktree", "failed", worktree).meaning.note, kNone);
  EXPECT_EQ(ended_in("in_place", "succeeded", worktree).meaning.note, kNone);
  constexpr const char* kOther = "the seal is about another branch or base than the run's";
  worktree.set("branch", "rgx/r-ffffffffffff");
  EXPECT_EQ(ended_in("worktree", "succeeded", worktree).meaning.note, kOther);
  worktree.set("branch", "rgx/r-001122334455");
  worktree.set("base", "0000000000000000000000000000000000000000");
  EXPECT_EQ(ended_in("worktree", "succeeded", worktree).meaning.note, kOther);
}

TEST(Meaning, FirstRecordIsAGenesis) {
  expect_meaningless(Forger().add(RecordType::admission, admission_body()), 0,
                     "`admission.key_commitment` is not a member of the format");
  Forger forger;
  Record record{
      std::string(kLogId),
      0,
      {},
      0,
      root_key().id,
      RecordType::step_skipped,
      skipped_body("a"),
      Json::object(
          {{"host", "h"}, {"monotonic_ms", 0}, {"pid", 1}, {"time", "2026-01-01T00:00:00.000Z"}})};
  forger.add(record);
  const Verdict verdict = forger.verdict();
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.meaning.note, "the first record is `step_skipped`, not `genesis`");
}

TEST(Meaning, GenesisOccursOnce) {
  Json again = genesis_body();
  again.set("key_commitment", digest_bytes("x").to_string());
  again.set("mode", "local");
  again.set("schema", "rgx.ledger/v1");
  expect_meaningless(run().add(RecordType::genesis, again), 2, "`genesis` occurs again");
}

TEST(Meaning, AdmissionComesSecondAndOnce) {
  Forger early;
  early.add(RecordType::genesis, genesis_body());
  expect_meaningless(early.add(RecordType::step_intent, intent_body("a")), 1,
                     "`step_intent` stands where the admission must");
  expect_meaningless(run().add(RecordType::admission, admission_body()), 2,
                     "`admission` occurs again");
}

TEST(Meaning, AdmissionIsThatOfTheGenesis) {
  for (const auto& [key, note] :
       {std::pair{"plan_digest", "the admission is of another plan than the genesis"},
        std::pair{"admission_digest", "the admission digest differs from that of the genesis"}}) {
    Json admission = admission_body();
    admission.set(key, digest_bytes("another").to_string());
    Forger forger;
    forger.add(RecordType::genesis, genesis_body()).add(RecordType::admission, admission);
    expect_meaningless(forger, 1, note);
  }
}

TEST(Meaning, RequesterHasSignedThisLog) {
  for (const auto& body : {genesis_body("ffffffffffffffffffffffffffffffff"), [] {
                             Json other = genesis_body();
                             other.set("plan_digest", digest_bytes("other").to_string());
                             return other;
                           }()}) {
    Forger forger;
    expect_meaningless(forger.add(RecordType::genesis, body), 0,
                       "the requester's signature does not verify");
  }
  Json malformed = genesis_body();
  malformed.set("requester", Json::object({{"public_key", "ed25519:AA=="}, {"signature", "x"}}));
  Forger forger;
  forger.add(RecordType::genesis, malformed);
  const Verdict verdict = forger.verdict();
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.meaning.note.find("the requester's signature is malformed: "), 0U);
}

TEST(Meaning, EffectsHaveAnAllowingDecision) {
  for (const Json& decision :
       {Json::object(), Json::object({{"decision", "deny"}}), Json::object({{"decision", 1}})}) {
    Json intent = intent_body("a");
    intent.set("decision", decision);
    expect_meaningless(run().add(RecordType::step_intent, intent), 2,
                       "the intent of `a` has no allowing decision");
  }
}

TEST(Meaning, ApprovalsAreThereBeforeTheIntent) {
  Json intent = intent_body("a");
  intent.set("decision", Json::object({{"decision", "require_approval"}}));
  expect_meaningless(run().add(RecordType::step_intent, intent), 2,
                     "the intent of `a` lacks the approval that its decision asks for");
  Json citing = intent;
  citing.set("approvals", Json::array({Json(2)}));
  expect_meaningless(run().add(RecordType::step_intent, citing), 2,
                     "the intent of `a` cites an approval that is not there");
  Json approval = Json::object({{"answer", "approve"},
                                {"approval", Json::object()},
                                {"digest", digest_bytes("file").to_string()},
                                {"step", "a"}});
  Forger approved = run();
  approved.add(RecordType::approval, approval).add(RecordType::step_intent, citing);
  EXPECT_EQ(approved.verdict().kind, VerdictKind::inconclusive);
  approval.set("answer", "reject");
  Forger rejected = run();
  rejected.add(RecordType::approval, approval);
  expect_meaningless(rejected.add(RecordType::step_intent, citing), 3,
                     "the intent of `a` cites an approval that is not there");
}

/// A judge's report about a run that changed one file of the judge.
Json acceptance_body(std::string_view verdict) {
  return Json::object({{"changed_judge", Json::array({Json::object({{"path", "tests/a.c"}})})},
                       {"changed_judge_total", 1},
                       {"checks", Json::array()},
                       {"verdict", verdict}});
}

Forger judged_run(std::string_view changed_judge) {
  Json admitted = admission_body();
  admitted.set("changed_judge", changed_judge);
  Forger forger;
  forger.add(RecordType::genesis, genesis_body()).add(RecordType::admission, admitted);
  return forger;
}

Json answer_body(std::string_view answer, std::string_view step) {
  return Json::object({{"answer", answer},
                       {"approval", Json::object()},
                       {"digest", digest_bytes("file").to_string()},
                       {"step", step}});
}

TEST(Meaning, ChangedJudgeNeedsAnApprovalWherePolicySaysSo) {
  constexpr std::string_view kNobody =
      "the run changed files that its checks rely on, and nobody approved that";
  const Json bare = acceptance_body("accepted");
  expect_meaningless(judged_run("needs_review").seal("succeeded", bare), 2, kNobody);
  EXPECT_EQ(judged_run("allow").seal("succeeded", bare).verdict().kind, VerdictKind::verified);
  // Earlier versions did not record what policy says.
  EXPECT_EQ(run().seal("succeeded", bare).verdict().kind, VerdictKind::verified);
  Json unknown = bare;
  unknown.set("changed_judge", Json::array());
  unknown.set("changed_judge_total", 0);
  EXPECT_EQ(judged_run("needs_review").seal("succeeded", unknown).verdict().kind,
            VerdictKind::verified);
  unknown.set("unknown", "too many files");
  expect_meaningless(judged_run("needs_review").seal("succeeded", unknown), 2, kNobody);
}

TEST(Meaning, SealCitesTheAnswerAboutItsAcceptance) {
  Json settled = acceptance_body("accepted");
  settled.set("approval", 2);
  const auto with = [](std::string_view answer, std::string_view step) {
    Forger forger = judged_run("needs_review");
    forger.add(RecordType::approval, answer_body(answer, step));
    return forger;
  };
  constexpr std::string_view kNone =
      "the seal cites an answer about its acceptance that is not there";
  EXPECT_EQ(with("approve", "acceptance").seal("succeeded", settled).verdict().kind,
            VerdictKind::verified);
  expect_meaningless(with("approve", "edit").seal("succeeded", settled), 3, kNone);
  expect_meaningless(with("reject", "acceptance").seal("succeeded", settled), 3, kNone);
  Json changed = admission_body();
  for (const char* key : {"base_revision", "now_unix_ms", "plan_digest", "review", "sandbox"}) {
    changed.as_object().erase(key);
  }
  changed.set("changed_judge", "needs_review");
  Forger before = with("approve", "acceptance");
  before.add(RecordType::policy_changed, changed);
  expect_meaningless(before.seal("succeeded", settled), 4, kNone);
  settled.set("verdict", "refused");
  EXPECT_EQ(with("reject", "acceptance").seal("failed", settled).verdict().kind,
            VerdictKind::verified);
}

TEST(Meaning, SuccessIsAccepted) {
  expect_meaningless(run().seal("succeeded", acceptance_body("refused")), 2,
                     "the run is sealed as succeeded, but was not accepted");
}

TEST(Meaning, PolicyChangeVoidsApprovals) {
  Json intent = intent_body("a");
  intent.set("approvals", Json::array({Json(2)}));
  Json changed = admission_body();
  for (const char* key : {"base_revision", "now_unix_ms", "plan_digest", "review", "sandbox"}) {
    changed.as_object().erase(key);
  }
  Forger forger = run();
  forger
      .add(RecordType::approval, Json::object({{"answer", "approve"},
                                               {"approval", Json::object()},
                                               {"digest", digest_bytes("file").to_string()},
                                               {"step", "a"}}))
      .add(RecordType::policy_changed, changed);
  expect_meaningless(forger.add(RecordType::step_intent, intent), 4,
                     "the intent of `a` cites an approval that is not there");
}

// Scenario 22: an outcome needs its intent, an intent without an outcome is listed.
TEST(Meaning, Scenario22OutcomeWithoutIntentIsTampered) {
  expect_meaningless(run().add(RecordType::step_outcome, outcome_body("a")), 2,
                     "the outcome of `a` has no intent");
  Forger twice = run();
  twice.add(RecordType::step_intent, intent_body("a"))
      .add(RecordType::step_outcome, outcome_body("a"));
  expect_meaningless(twice.add(RecordType::step_outcome, outcome_body("a")), 4,
                     "the outcome of `a` has no intent");
  Forger attempt = run();
  attempt.add(RecordType::step_intent, intent_body("a", 1));
  expect_meaningless(attempt.add(RecordType::step_outcome, outcome_body("a", 2)), 3,
                     "the outcome of `a` has no intent");
}

TEST(Meaning, Scenario22IntentWithoutOutcomeIsListed) {
  Forger forger = run();
  for (const char* step : {"c", "a", "b"}) {
    forger.add(RecordType::step_intent, intent_body(step));
  }
  forger.add(RecordType::step_outcome, outcome_body("b"));
  const Verdict open = forger.verdict();
  EXPECT_EQ(open.kind, VerdictKind::inconclusive);
  EXPECT_EQ(open.indeterminate, (std::vector<std::string>{"a", "c"}));
  const Verdict sealed = forger.seal("interrupted").verdict();
  EXPECT_EQ(sealed.kind, VerdictKind::verified);
  EXPECT_EQ(sealed.indeterminate, (std::vector<std::string>{"a", "c"}));
}

TEST(Meaning, SuccessNeedsAllOutcomes) {
  expect_meaningless(run().add(RecordType::step_intent, intent_body("a")).seal(), 3,
                     "the run is sealed as succeeded, but `a` has no outcome");
}

TEST(Meaning, AttemptsGrowWhileOneIsOpen) {
  Forger same = run();
  same.add(RecordType::step_intent, intent_body("a", 2));
  expect_meaningless(same.add(RecordType::step_intent, intent_body("a", 2)), 3,
                     "the intent of `a` repeats an attempt");
  Forger crashed = run();
  crashed.add(RecordType::step_intent, intent_body("a", 1))
      .add(RecordType::step_intent, intent_body("a", 2))
      .add(RecordType::step_outcome, outcome_body("a", 2))
      .seal();
  EXPECT_EQ(crashed.verdict().kind, VerdictKind::verified);
}

TEST(Meaning, SealStatesWhatTheOutcomesSpent) {
  Forger forger = run();
  for (const char* step : {"a", "b", "c"}) {
    forger.add(RecordType::step_intent, intent_body(step))
        .add(RecordType::step_outcome, outcome_body(step));
  }
  expect_meaningless(forger.seal(), 8,
                     "the seal states less `bytes_written` than the outcomes spent");
  Json huge = outcome_body("a");
  huge.set("spent", Json::object({{"tokens", Json::kIntegerMax}}));
  Forger twice = run();
  twice.add(RecordType::step_intent, intent_body("a")).add(RecordType::step_outcome, huge);
  huge.set("attempt", 2);
  twice.add(RecordType::step_intent, intent_body("a", 2));
  expect_meaningless(twice.add(RecordType::step_outcome, huge), 5,
                     "the outcomes spend more `tokens` than any budget can hold");
  Json many = Json::object();
  for (int i = 0; i < 65; ++i) {
    many.set("amount" + std::to_string(i), 1);
  }
  huge = outcome_body("a");
  huge.set("spent", many);
  Forger names = run();
  names.add(RecordType::step_intent, intent_body("a"));
  expect_meaningless(names.add(RecordType::step_outcome, huge), 3, "too many kinds of amounts");
}

TEST(Meaning, KindsStayInTheirLedger) {
  expect_meaningless(run().add(RecordType::run_started, run_started_body()), 2,
                     "`run_started` does not belong into a run ledger");
  expect_meaningless(index().add(RecordType::step_skipped, skipped_body("a")), 1,
                     "`step_skipped` does not belong into an index ledger");
}

TEST(Meaning, BodiesOutOfShapeAreMeaningless) {
  Json skipped = skipped_body("a");
  skipped.set("extra", 1);
  expect_meaningless(run().add(RecordType::step_skipped, skipped), 2,
                     "`step_skipped.extra` is not a member of the format");
}

TEST(Meaning, EpochClosedStatesTheTruth) {
  const auto closed = [](const Forger& forger, std::int64_t epoch, std::uint64_t records) {
    return Json::object({{"epoch", epoch},
                         {"next_key_commitment",
                          key_commitment(next_epoch_key(log_key(root_key(), kLogId))).to_string()},
                         {"records", records},
                         {"root", forger.tree().root().to_string()}});
  };
  Forger right = run();
  right.add(RecordType::epoch_closed, closed(right, 0, 2));
  EXPECT_EQ(right.verdict().kind, VerdictKind::inconclusive);
  Forger epoch = run();
  expect_meaningless(epoch.add(RecordType::epoch_closed, closed(epoch, 1, 2)), 2,
                     "`epoch_closed` names another epoch");
  Forger count = run();
  expect_meaningless(count.add(RecordType::epoch_closed, closed(count, 0, 3)), 2,
                     "`epoch_closed` states another count or root");
}

TEST(Meaning, CheckpointIsAboutTheRecordsBeforeIt) {
  const auto note = [](const Forger& forger, std::uint64_t size) {
    return Json::object(
        {{"note", sign_checkpoint({"rgx/" + std::string(kLogId), size, forger.tree().root()},
                                  "rgx/test", signing_key())}});
  };
  Forger right = run();
  right.add(RecordType::checkpoint, note(right, 2));
  EXPECT_EQ(right.verdict().kind, VerdictKind::inconclusive);
  Forger wrong = run();
  expect_meaningless(wrong.add(RecordType::checkpoint, note(wrong, 1)), 2,
                     "the checkpoint is about other records than those before it");
}

TEST(Meaning, ReservedKindsAreInconclusive) {
  const Verdict verdict =
      run()
          .add(RecordType::key_rotated,
               Json::object({{"next_key_commitment", digest_bytes("k").to_string()},
                             {"next_kid", "0123456789abcdef"}}))
          .seal()
          .verdict();
  EXPECT_EQ(verdict.kind, VerdictKind::inconclusive);
  EXPECT_EQ(verdict.meaning.state, PropertyState::unknown);
}

TEST(Meaning, RunsOfAnIndexStartBeforeTheyFinish) {
  const Json finished = run_finished_body(kLogId, 5, digest_bytes("root"));
  Forger right = index();
  right.add(RecordType::run_started, run_started_body())
      .add(RecordType::run_finished, finished)
      .add(RecordType::run_refused, Json::object({{"decisions", Json::object()},
                                                  {"plan_digest", digest_bytes("p").to_string()},
                                                  {"run", "r-001122334455"}}));
  const Verdict verdict = right.verdict();
  EXPECT_EQ(verdict.kind, VerdictKind::inconclusive);
  EXPECT_EQ(verdict.completeness.note, "an index ledger is never sealed");
  EXPECT_EQ(verdict.meaning.state, PropertyState::holds);
  EXPECT_EQ(verdict.authenticity.state, PropertyState::holds);

  expect_meaningless(index().add(RecordType::run_finished, finished), 1,
                     "run `r-001122334455` is finished, but was not started");
  Forger twice = index();
  twice.add(RecordType::run_started, run_started_body());
  expect_meaningless(twice.add(RecordType::run_started, run_started_body()), 2,
                     "run `r-001122334455` is started again");
  Json misnamed = run_started_body();
  misnamed.set("run", "r-ffffffffffff");
  expect_meaningless(index().add(RecordType::run_started, misnamed), 1,
                     "the run's name is not that of its log id");
}

TEST(Meaning, ARollbackEndsAfterItWasBegun) {
  Forger right = index();
  right.add(RecordType::run_started, run_started_body())
      .add(RecordType::run_rolled_back, rolled_back_body("started"))
      .add(RecordType::run_rolled_back, rolled_back_body("started"))  // the first was cut short
      .add(RecordType::run_rolled_back, rolled_back_body("finished"));
  EXPECT_EQ(right.verdict().meaning.state, PropertyState::holds);
  expect_meaningless(right.add(RecordType::run_rolled_back, rolled_back_body("finished")), 5,
                     "the rollback of `r-001122334455` ends, but was not begun");

  Json other = rolled_back_body("finished");
  other.set("digest", digest_bytes("other files").to_string());
  Forger exchanged = index();
  exchanged.add(RecordType::run_rolled_back, rolled_back_body("started"));
  expect_meaningless(exchanged.add(RecordType::run_rolled_back, other), 2,
                     "the rollback of `r-001122334455` ends, but was not begun");
  expect_meaningless(run().add(RecordType::run_rolled_back, rolled_back_body("started")), 2,
                     "`run_rolled_back` does not belong into a run ledger");
}

// ---- what is not meaning, but needs a forger, too
// -------------------------------------------------

TEST(Seal, OfOtherRecordsFailsCompleteness) {
  for (const bool is_count : {true, false}) {
    Forger forger = run();
    Json body = seal_body();
    body.set("records", is_count ? 3 : 2);
    body.set("root", (is_count ? forger.tree().root() : digest_bytes("x")).to_string());
    forger.add(RecordType::run_sealed, body);
    const Verdict verdict = forger.verdict();
    EXPECT_EQ(verdict.kind, VerdictKind::tampered);
    EXPECT_EQ(verdict.completeness.note, "the seal states another count or root than the records");
    EXPECT_EQ(verdict.completeness.bad_seq, 2U);
  }
}

TEST(Seal, RecordsAfterItAreTampered) {
  Forger forger = run().seal();
  forger.add(RecordType::step_skipped, skipped_body("a"));
  const Verdict verdict = forger.verdict();
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.completeness.note, "there is a line after the seal");
}

}  // namespace
}  // namespace rgx::audit::test
