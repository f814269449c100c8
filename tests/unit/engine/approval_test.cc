#include "engine/approval.h"

#include <gtest/gtest.h>

#include "engine/question.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::edit_step;
using rgx::test::EngineWorld;
using rgx::test::exec_step;
using rgx::test::make_policy;
using rgx::test::PolicyText;
using rgx::test::refused;
using rgx::test::state_of;

using Lines = std::vector<std::string>;

audit::SigningKey make_key(EngineWorld& world) {
  auto key = audit::SigningKey::generate(world.entropy);
  EXPECT_TRUE(accepted(key));
  return std::move(*key);
}

/// Edits of `a.c` need `demand`; ada is a lead, bob is not, and the requester is a lead, too.
struct Approvals : ::testing::Test {
  EngineWorld world;
  audit::SigningKey ada = make_key(world);
  audit::SigningKey bob = make_key(world);
  audit::SigningKey eve = make_key(world);

  void use_policy(const std::string& demand, bool listed = true) {
    PolicyText text;
    if (listed) {
      text.more_programs = "approvers:\n  - {name: ada, public_key: \"" + ada.public_key() +
                           "\", groups: [leads]}\n  - {name: bob, public_key: \"" +
                           bob.public_key() +
                           "\", groups: [staff]}\n  - {name: me, public_key: \"" +
                           world.identity.requester.public_key() + "\", groups: [leads]}\n";
    }
    text.more_rules =
        "  - {id: asks, effect: require_approval, write: [\"a.c\"], approval: " + demand +
        ", why: \"w\", remedy: \"m\"}\n"
        "  - {id: people, effect: allow, tool: [\"human.approve\"], why: \"w\", remedy: \"m\"}\n";
    world.policy = make_policy(text);
  }

  policy::AdmittedPlan two_files() {
    world.workspace.put("a.c", "old").put("b.c", "old");
    return world.admit({edit_step("edit[a.c]", "a.c"), edit_step("edit[b.c]", "b.c"),
                        exec_step("tests", {"true"}, {"edit[a.c]"})});
  }

  Approval about(const policy::AdmittedPlan& plan, const RunId& run, const std::string& step) {
    const std::int64_t now = world.clock.now_unix_ms();
    const templates::Step* found = plan.plan().find(StepId(step));
    EXPECT_NE(found, nullptr);
    return {.answer = Answer::approve,
            .approver = "ada",
            .subject = subject_of(plan.digest(), plan.plan().digest(), run, *found),
            .nonce = "00112233445566778899aabbccddeeff",
            .issued_unix_ms = now,
            .expires_unix_ms = now + 1000000,
            .reason = ""};
  }

  Status check(const Approval& approval, const audit::SigningKey& key,
               const policy::AdmittedPlan& plan, const RunId& run,
               const std::set<std::string>& used = {}) {
    const auto read = read_approval(sign_approval(approval, key), "file");
    EXPECT_TRUE(accepted(read));
    const StepId step("edit[a.c]");
    const ApprovalRules rules{.policy = plan.policy(),
                              .demands = plan.decision(step).approvals,
                              .requester = world.identity.requester.public_key()};
    return check_approval(
        *read, subject_of(plan.digest(), plan.plan().digest(), run, *plan.plan().find(step)), rules,
        world.clock.now_unix_ms(), used);
  }

  void send(const policy::AdmittedPlan& plan, const RunId& run, const audit::SigningKey& key,
            const std::string& nonce, Answer answer = Answer::approve) {
    Approval approval = about(plan, run, "edit[a.c]");
    approval.nonce = nonce;
    approval.answer = answer;
    approval.reason = "because";
    ASSERT_TRUE(accepted(send_answer(world.state, run, nonce, sign_approval(approval, key))));
  }

  Result<RunReport> resume(const policy::AdmittedPlan& plan, const RunId& run) {
    return engine::resume(plan, world.ports(), world.identity, world.interruption, run);
  }
};

constexpr std::string_view kFirst = "00000000000000000000000000000001";
constexpr std::string_view kSecond = "00000000000000000000000000000002";

TEST_F(Approvals, EachThingThatDoesNotFitHasItsCode) {
  use_policy("{count: 1, group: leads}");
  const auto plan = two_files();
  const RunId run("r-001122334455");
  const Approval good = about(plan, run, "edit[a.c]");
  EXPECT_TRUE(accepted(check(good, ada, plan, run)));
  EXPECT_TRUE(refused(check(good, bob, plan, run), "approval.approver", "not that of an approver"));
  EXPECT_TRUE(refused(check(good, eve, plan, run), "approval.approver", "1 of leads"));
  EXPECT_TRUE(
      refused(check(good, world.identity.requester, plan, run), "approval.self", "somebody else"));
  EXPECT_TRUE(refused(check(good, ada, plan, run, {good.nonce}), "approval.used", "before"));
  EXPECT_TRUE(
      refused(check(good, ada, plan, RunId("r-ffffffffffff")), "approval.mismatch", "another run"));
  Approval other = about(plan, run, "edit[b.c]");
  EXPECT_TRUE(refused(check(other, ada, plan, run), "approval.mismatch", "step"));
  other = good;
  other.subject.environment = {"PATH=sha256:x"};
  EXPECT_TRUE(refused(check(other, ada, plan, run), "approval.mismatch", "another run"));
  other = good;
  other.subject.admission_digest = digest_bytes("other");
  EXPECT_TRUE(refused(check(other, ada, plan, run), "approval.mismatch", "admission"));
  other = good;
  other.expires_unix_ms = other.issued_unix_ms;
  EXPECT_TRUE(refused(check(other, ada, plan, run), "approval.expired", "counts from"));
  // Who says no need not be in time.
  other.answer = Answer::reject;
  EXPECT_TRUE(accepted(check(other, ada, plan, run)));
}

TEST_F(Approvals, AlteredFilesAreNoApprovals) {
  use_policy("{count: 1}");
  const auto plan = two_files();
  const std::string file = sign_approval(about(plan, RunId("r-001122334455"), "edit[a.c]"), ada);
  std::string altered = file;
  altered.replace(altered.find("\"ada\""), 5, "\"eve\"");
  EXPECT_TRUE(refused(read_approval(altered, "f"), "approval.signature", "does not verify"));
  EXPECT_TRUE(refused(read_approval(file + " ", "f"), "approval.syntax", "line"));
  EXPECT_TRUE(refused(read_approval("{}\n", "f"), "approval.syntax", "no approval"));
  altered = file;
  altered.replace(altered.find("\"step\":\"edit[a.c]\""), 18, "\"step\":null");
  EXPECT_TRUE(refused(read_approval(altered, "f"), "approval.scope", "no step"));
}

TEST_F(Approvals, RunDoesWhatItCanAndThenWaits) {
  use_policy("{count: 1, group: leads}");
  const auto plan = two_files();
  const auto report = world.run(plan);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::waiting);
  EXPECT_EQ(exit_code(report->state), 6);
  ASSERT_EQ(report->waiting.size(), 1U);
  EXPECT_EQ(report->waiting.front().need, "1 of leads");
  EXPECT_EQ(world.workspace.bytes("a.c"), "old");
  EXPECT_EQ(world.workspace.bytes("b.c"), "new");
  EXPECT_EQ(world.verify(report->run).kind, audit::VerdictKind::inconclusive);
  EXPECT_EQ(world.index_records().back().type, audit::RecordType::run_started);
}

TEST_F(Approvals, ApprovedStepRunsOnResumeAndFinishedOnesDoNot) {
  use_policy("{count: 1, group: leads}");
  const auto plan = two_files();
  const auto waiting = world.run(plan);
  ASSERT_TRUE(accepted(waiting));
  send(plan, waiting->run, ada, std::string(kFirst));
  const auto report = resume(plan, waiting->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(world.workspace.bytes("a.c"), "new");
  EXPECT_EQ(report->spent.files_changed, 2);
  EXPECT_EQ(world.story(report->run),
            (Lines{"step_intent edit[b.c]", "step_outcome edit[b.c] succeeded",
                   "run_suspended steps wait for an approval", "approval edit[a.c]",
                   "step_intent edit[a.c]", "step_outcome edit[a.c] succeeded", "step_intent tests",
                   "step_outcome tests succeeded", "run_sealed succeeded"}));
  EXPECT_EQ(world.verify(report->run).kind, audit::VerdictKind::verified);
  EXPECT_TRUE(refused(resume(plan, report->run), "resume.finished", "has ended"));
}

TEST_F(Approvals, CountAsksForDifferentPeople) {
  use_policy("{count: 2}");
  const auto plan = two_files();
  const auto waiting = world.run(plan);
  ASSERT_TRUE(accepted(waiting));
  send(plan, waiting->run, ada, std::string(kFirst));
  send(plan, waiting->run, ada, std::string(kSecond));
  const auto still = resume(plan, waiting->run);
  ASSERT_TRUE(accepted(still));
  EXPECT_EQ(still->state, RunState::waiting);
  send(plan, waiting->run, bob, "00000000000000000000000000000003");
  const auto report = resume(plan, waiting->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
}

TEST_F(Approvals, RejectedStepIsDeniedAndWhatNeedsItIsSkipped) {
  use_policy("{count: 1, group: leads}");
  const auto plan = two_files();
  const auto waiting = world.run(plan);
  ASSERT_TRUE(accepted(waiting));
  send(plan, waiting->run, ada, std::string(kFirst), Answer::reject);
  const auto report = resume(plan, waiting->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::denied);
  EXPECT_EQ(state_of(*report, "edit[a.c]"), StepState::refused);
  EXPECT_EQ(state_of(*report, "tests"), StepState::skipped);
  EXPECT_EQ(world.workspace.bytes("a.c"), "old");
}

TEST_F(Approvals, AnswersThatDoNotCountAreNamedAndChangeNothing) {
  use_policy("{count: 1, group: leads}");
  const auto plan = two_files();
  const auto waiting = world.run(plan);
  ASSERT_TRUE(accepted(waiting));
  send(plan, waiting->run, bob, std::string(kFirst));
  const auto report = resume(plan, waiting->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::waiting);
  ASSERT_EQ(report->notes.size(), 1U);
  EXPECT_NE(report->notes.front().find("not that of an approver"), std::string::npos);
}

TEST_F(Approvals, ChangedPolicyVoidsApprovals) {
  use_policy("{count: 1, group: leads}");
  const auto plan = two_files();
  const auto waiting = world.run(plan);
  ASSERT_TRUE(accepted(waiting));
  send(plan, waiting->run, ada, std::string(kFirst));
  use_policy("{count: 1, group: staff}");
  world.workspace.put("b.c", "old");
  const auto changed = two_files();
  world.workspace.put("b.c", "new");
  const auto report = resume(changed, waiting->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::waiting);
  EXPECT_NE(report->notes.front().find("policy has changed"), std::string::npos);
}

TEST_F(Approvals, RequesterAnswersWhereNobodyIsListedAndPolicySaysSelf) {
  use_policy("{count: 1, self: true}", false);
  const auto plan = two_files();
  const auto waiting = world.run(plan);
  ASSERT_TRUE(accepted(waiting));
  send(plan, waiting->run, world.identity.requester, std::string(kFirst));
  const auto report = resume(plan, waiting->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
}

TEST_F(Approvals, QuestionToPeopleIsAStep) {
  use_policy("{count: 1}", false);
  templates::Step ask;
  ask.id = StepId("ask");
  ask.tool.use = "human.approve";
  ask.tool.with = Json::object({{"message", "shall it be?"}});
  const auto plan = world.admit({ask});
  const auto waiting = world.run(plan);
  ASSERT_TRUE(accepted(waiting));
  EXPECT_EQ(waiting->state, RunState::waiting);
  Approval approval = about(plan, waiting->run, "ask");
  ASSERT_TRUE(accepted(send_answer(world.state, waiting->run, approval.nonce,
                                   sign_approval(approval, world.identity.requester))));
  const auto report = resume(plan, waiting->run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
}

}  // namespace
}  // namespace rgx::engine
