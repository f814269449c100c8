#include <gtest/gtest.h>

#include "engine/approval.h"
#include "engine/question.h"
#include "policy/step_decision.h"
#include "tests/support/engine_world.h"
#include "tests/support/error_matchers.h"

// A run whose acceptance waits for people, and what their answers make of it.

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::edit_step;
using rgx::test::EngineWorld;
using rgx::test::exec_step;
using rgx::test::PolicyText;
using rgx::test::refused;
using rgx::test::ScriptedProcess;
using Verdict = AcceptanceReport::Verdict;
using Lines = std::vector<std::string>;

constexpr std::string_view kAskPeople =
    "  - {id: people, effect: allow, tool: [\"human.approve\"], why: \"w\", remedy: \"m\"}\n";

templates::Step check(int number, std::string_view tool, Json with) {
  templates::Step step;
  step.id = StepId("acceptance[" + std::to_string(number) + "]");
  step.tool.use = tool;
  step.tool.with = std::move(with);
  step.idempotent = true;
  return step;
}

templates::Step test_check(int number) {
  templates::Step step =
      check(number, "check.tests", Json::object({{"argv", Json::array_of({"true", "tests"})}}));
  step.tool.read = {"**"};
  step.tool.write = {"build/**"};
  return step;
}

templates::Step person(int number) {
  return check(number, "human.approve", Json::object({{"message", "does it read well"}}));
}

/// `tests/a.c` is edited, which the checks rely on.
struct Settle : ::testing::Test {
  EngineWorld world;
  audit::SigningKey ada = *audit::SigningKey::generate(world.entropy);

  Settle() { world.workspace.put("src/a.c", "old").put("tests/a.c", "old"); }

  void use_policy(const std::string& more, bool listed) {
    PolicyText text;
    text.more_rules = kAskPeople;
    text.more_programs = more;
    if (listed) {
      text.more_programs += "approvers:\n  - {name: ada, public_key: \"" + ada.public_key() +
                            "\", groups: [leads]}\n";
    }
    world.policy = rgx::test::make_policy(text);
  }

  policy::AdmittedPlan plan(std::vector<templates::Step> checks = {test_check(1)},
                            const std::string& path = "tests/a.c") {
    return world.admit({edit_step("edit", path)}, std::move(checks));
  }

  RunId wait(const policy::AdmittedPlan& plan) {
    const auto report = world.run(plan);
    EXPECT_TRUE(accepted(report));
    EXPECT_EQ(report->state, RunState::waiting);
    return report->run;
  }

  /// What is asked, as it stands in the ledger.
  ApprovalSubject asked(const policy::AdmittedPlan& plan, const RunId& run,
                        const std::string& step) {
    const auto stored = read_stored_run(world.state, run, std::nullopt);
    EXPECT_TRUE(accepted(stored));
    EXPECT_TRUE(stored->found);
    EXPECT_TRUE(stored->asked.contains(StepId(step))) << step;
    if (step == kAcceptanceStep) {
      return subject_of_acceptance(plan.digest(), plan.plan().digest(), run, *stored->found);
    }
    auto subject =
        subject_of(plan.digest(), plan.plan().digest(), run, *plan.plan().find(StepId(step)));
    bind_acceptance(subject, *stored->found);
    return subject;
  }

  void send(const ApprovalSubject& subject, const audit::SigningKey& key, char nonce,
            Answer answer = Answer::approve) {
    const std::int64_t now = world.clock.now_unix_ms();
    const Approval approval{.answer = answer,
                            .approver = "ada",
                            .subject = subject,
                            .nonce = std::string(32, nonce),
                            .issued_unix_ms = now,
                            .expires_unix_ms = now + 100000,
                            .reason = answer == Answer::reject ? "the tests are gone" : ""};
    ASSERT_TRUE(accepted(
        send_answer(world.state, subject.run, approval.nonce, sign_approval(approval, key))));
  }

  Result<RunReport> resume(const policy::AdmittedPlan& plan, const RunId& run) {
    return engine::resume(plan, world.ports(), world.identity, world.interruption, run);
  }

  Json seal(const RunId& run) { return *world.records(run).back().body.find("acceptance"); }
};

TEST_F(Settle, ApprovalEndsTheRunAndRunsNothingAgain) {
  const auto admitted = plan();
  const RunId run = wait(admitted);
  const std::size_t programs = world.processes.specs().size();
  send(asked(admitted, run, "acceptance"), world.identity.requester, 'a');
  const auto report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(report->acceptance->verdict, Verdict::accepted);
  EXPECT_EQ(world.processes.specs().size(), programs);
  EXPECT_EQ(world.story(run),
            (Lines{"step_intent edit", "step_outcome edit succeeded", "step_intent acceptance[1]",
                   "step_outcome acceptance[1] succeeded",
                   "run_suspended the acceptance waits for people", "approval acceptance",
                   "run_sealed succeeded"}));
  const auto records = world.records(run);
  const Json acceptance = seal(run);
  const auto settled = static_cast<std::size_t>(acceptance.find("approval")->as_integer());
  EXPECT_EQ(records.at(settled).type, audit::RecordType::approval);
  EXPECT_EQ(acceptance.find("checks")->as_array()[0].find("record")->as_integer(), 5);
  EXPECT_EQ(world.verify(run).kind, audit::VerdictKind::verified);
}

TEST_F(Settle, RejectionFailsTheRun) {
  const auto admitted = plan();
  const RunId run = wait(admitted);
  send(asked(admitted, run, "acceptance"), world.identity.requester, 'a', Answer::reject);
  // Who says no need not look at files that have changed since.
  world.workspace.put("src/a.c", "edited");
  const auto report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_EQ(exit_code(report->state), 1);
  EXPECT_EQ(report->acceptance->verdict, Verdict::refused);
  EXPECT_EQ(report->acceptance->answer, "`ada` said no: the tests are gone");
  EXPECT_EQ(seal(run).find("verdict")->as_string(), "refused");
  EXPECT_EQ(world.verify(run).kind, audit::VerdictKind::verified);
}

TEST_F(Settle, WithoutAnAnswerItWaitsOn) {
  const auto admitted = plan();
  const RunId run = wait(admitted);
  const auto report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::waiting);
  send(asked(admitted, run, "acceptance"), world.identity.requester, 'a');
  EXPECT_EQ(resume(admitted, run)->state, RunState::succeeded);
}

TEST_F(Settle, FilesThatChangedSinceAreDriftUntilTheyAreBack) {
  const auto admitted = plan();
  const RunId run = wait(admitted);
  send(asked(admitted, run, "acceptance"), world.identity.requester, 'a');
  const std::string left = world.workspace.bytes("tests/a.c");
  world.workspace.put("tests/a.c", "edited");
  EXPECT_TRUE(refused(resume(admitted, run), "run.judged_drift", "`tests/a.c` has changed"));
  world.workspace.put("tests/a.c", left);
  EXPECT_TRUE(is_suspended(world.state, run));
  const auto report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(world.verify(run).kind, audit::VerdictKind::verified);
}

TEST_F(Settle, FilesThatTheRunDidNotTouchAreJudgedToo) {
  const auto admitted = plan();
  world.repository.track("src/a.c", "old");
  const RunId run = wait(admitted);
  send(asked(admitted, run, "acceptance"), world.identity.requester, 'a');
  world.workspace.put("src/a.c", "edited");
  EXPECT_TRUE(refused(resume(admitted, run), "run.judged_drift", "does not ignore"));
}

TEST_F(Settle, ListedApproversAnswerAndNotTheRequester) {
  use_policy("", true);
  const auto admitted = plan();
  const RunId run = wait(admitted);
  send(asked(admitted, run, "acceptance"), world.identity.requester, 'a');
  auto report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::waiting);
  ASSERT_EQ(report->notes.size(), 1U);
  EXPECT_EQ(report->notes[0], "the key of `ada` is not that of an approver whom the step asks for");
  send(asked(admitted, run, "acceptance"), ada, 'b');
  report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
}

TEST_F(Settle, GateOfHighSaysWhoAnswers) {
  EXPECT_EQ(policy::review_demands(world.policy),
            (std::vector<policy::ApprovalDemand>{{.count = 1, .group = "", .self = true}}));
  use_policy("", true);
  EXPECT_EQ(policy::review_demands(world.policy),
            (std::vector<policy::ApprovalDemand>{{.count = 1, .group = "", .self = false}}));
  use_policy("gates: {high: {count: 2, group: leads, self: true}}\n", true);
  EXPECT_EQ(policy::review_demands(world.policy),
            (std::vector<policy::ApprovalDemand>{{.count = 2, .group = "leads", .self = true}}));
  use_policy("gates: {high: {effect: deny}}\n", false);
  EXPECT_EQ(policy::review_demands(world.policy),
            (std::vector<policy::ApprovalDemand>{{.count = 1, .group = "", .self = false}}));
}

TEST_F(Settle, PersonAmongTheChecksIsAskedWhenTheOthersPassed) {
  use_policy("", false);
  const auto admitted = plan({person(1), test_check(2)}, "src/a.c");
  const RunId run = wait(admitted);
  EXPECT_EQ(world.story(run).back(), "run_suspended the acceptance waits for people");
  EXPECT_EQ(world.story(run).at(2), "step_intent acceptance[2]");
  send(asked(admitted, run, "acceptance[1]"), world.identity.requester, 'a');
  const auto report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
  EXPECT_EQ(report->acceptance->checks[0].state, StepState::succeeded);
  EXPECT_EQ(world.processes.specs().size(), 1U);
  EXPECT_EQ(world.verify(run).kind, audit::VerdictKind::verified);
}

TEST_F(Settle, PersonAmongTheChecksIsNotAskedWhenAnotherFailed) {
  use_policy("", false);
  world.processes.on("true tests", ScriptedProcess::exit_with(1));
  const auto report = world.run(plan({person(1), test_check(2)}, "src/a.c"));
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_EQ(world.story(report->run).at(4), "step_skipped acceptance[1] a check did not pass");
}

TEST_F(Settle, PersonWhoSaysNoFailsTheRun) {
  use_policy("", false);
  const auto admitted = plan({person(1), person(2)}, "src/a.c");
  const RunId run = wait(admitted);
  send(asked(admitted, run, "acceptance[1]"), world.identity.requester, 'a', Answer::reject);
  const auto report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::failed);
  EXPECT_EQ(report->acceptance->checks[0].state, StepState::refused);
  EXPECT_EQ(report->acceptance->checks[1].state, StepState::skipped);
  EXPECT_EQ(world.verify(run).kind, audit::VerdictKind::verified);
}

TEST_F(Settle, EachOfSeveralQuestionsNeedsItsAnswer) {
  use_policy("", false);
  const auto admitted = plan({test_check(1), person(2)});
  const RunId run = wait(admitted);
  send(asked(admitted, run, "acceptance[2]"), world.identity.requester, 'a');
  auto report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::waiting);
  ASSERT_EQ(report->waiting.size(), 1U);
  EXPECT_EQ(report->waiting[0].step, StepId("acceptance"));
  send(asked(admitted, run, "acceptance"), world.identity.requester, 'b');
  report = resume(admitted, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::succeeded);
}

TEST_F(Settle, ChangedPolicyIsJudgedAnewAndVoidsAnswers) {
  use_policy("", false);
  const auto admitted = plan();
  const RunId run = wait(admitted);
  send(asked(admitted, run, "acceptance"), world.identity.requester, 'a');
  use_policy("", true);
  const auto anew = plan();
  const auto report = resume(anew, run);
  ASSERT_TRUE(accepted(report));
  EXPECT_EQ(report->state, RunState::waiting);
  EXPECT_EQ(world.processes.specs().size(), 2U);  // the check, once more
  send(asked(anew, run, "acceptance"), ada, 'b');
  EXPECT_EQ(resume(anew, run)->state, RunState::succeeded);
}

}  // namespace
}  // namespace rgx::engine
