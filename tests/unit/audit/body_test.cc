#include "audit/body.h"

#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rgx::audit::test {
namespace {

Json digest(std::string_view of) {
  return digest_bytes(of).to_string();
}

/// A right body of every kind, with every member that may be there.
// NOLINTNEXTLINE(readability-function-size): a table
std::vector<std::pair<RecordType, Json>> full_bodies() {
  Json genesis = genesis_body();
  Json index_genesis = index_genesis_body();
  for (Json* body : {&genesis, &index_genesis}) {
    body->set("key_commitment", digest("key"));
    body->set("mode", "local");
    body->set("schema", "rgx.ledger/v1");
  }
  Json intent = intent_body("edit");
  intent.set("approvals", Json::array({Json(2)}));
  intent.set("now_unix_ms", -1);
  Json outcome = outcome_body("edit");
  outcome.set("error", Json::object({{"code", "exec.failed"}, {"message", "no"}}));
  outcome.set("exit_code", -1);
  outcome.set("signal", 9);
  outcome.set("values", Json::object({{"count", 3}}));
  Json changed = *outcome.find("changed");
  changed.as_array()[0].set("before_mode", 0644);
  changed.as_array()[0].set("after_mode", 0755);
  intent.set("changes", changed);
  outcome.set("changed", std::move(changed));
  Json seal = seal_body();
  seal.set(
      "acceptance",
      Json::object(
          {{"approval", 9},
           {"changed_judge", Json::array({Json::object({{"path", "tests/a.c"}})})},
           {"changed_judge_total", 1},
           {"checks", Json::array({Json::object(
                          {{"record", 7}, {"state", "succeeded"}, {"step", "acceptance[1]"}})})},
           {"verdict", "accepted"}}));
  seal.set("worktree",
           Json::object({{"base", "c0ffee"}, {"branch", "rgx/r-001122334455"}, {"tree", "7ea"}}));
  seal.set("records", 3);
  seal.set("root", digest("root"));
  seal.set("steps", Json::object({{"succeeded", 2}}));
  Json run_finished = run_finished_body(kLogId, 3, digest_bytes("root"));
  run_finished.set("commit", "c0ffee");
  Json policy_changed = admission_body();
  for (const char* key : {"base_revision", "now_unix_ms", "plan_digest", "review", "sandbox"}) {
    policy_changed.as_object().erase(key);
  }
  return {
      {RecordType::genesis, genesis},
      {RecordType::admission, admission_body()},
      {RecordType::step_intent, intent},
      {RecordType::step_outcome, outcome},
      {RecordType::step_refused, Json::object({{"attempt", 1},
                                               {"because", "policy"},
                                               {"decision", Json::object()},
                                               {"message", "denied"},
                                               {"now_unix_ms", 1},
                                               {"step", "edit"}})},
      {RecordType::step_skipped, skipped_body("edit")},
      {RecordType::approval, Json::object({{"answer", "approve"},
                                           {"approval", Json::object()},
                                           {"digest", digest("file")},
                                           {"step", Json()}})},
      {RecordType::policy_changed, policy_changed},
      {RecordType::run_interrupted, Json::object({{"because", "signal"}, {"signal", 2}})},
      {RecordType::run_suspended,
       Json::object({{"because", "approval"}, {"steps", Json::array({Json("edit")})}})},
      {RecordType::recovery,
       Json::object({{"bytes", 3}, {"digest", digest("tail")}, {"offset", 100}})},
      {RecordType::epoch_closed, Json::object({{"epoch", 0},
                                               {"next_key_commitment", digest("next")},
                                               {"records", 3},
                                               {"root", digest("root")}})},
      {RecordType::key_rotated,
       Json::object({{"next_key_commitment", digest("next")}, {"next_kid", "0123456789abcdef"}})},
      {RecordType::checkpoint, Json::object({{"note", "text"}})},
      {RecordType::run_sealed, seal},
      {RecordType::index_genesis, index_genesis},
      {RecordType::run_started, run_started_body()},
      {RecordType::run_finished, run_finished},
      {RecordType::run_refused, Json::object({{"decisions", Json::object()},
                                              {"intent", "replace a with b"},
                                              {"plan_digest", digest("plan")},
                                              {"run", "r-001122334455"},
                                              {"truncated", false}})},
      {RecordType::run_rolled_back, rolled_back_body("started")},
      {RecordType::pruned,
       Json::object(
           {{"first", digest("first")}, {"from", 0}, {"last", digest("last")}, {"to", 9}})},
  };
}

bool is_optional(std::string_view key) {
  for (const std::string_view name :
       {"approvals", "now_unix_ms", "error", "exit_code", "signal", "values", "steps", "review",
        "sandbox", "attempt", "decision", "message", "intent", "truncated", "changes", "acceptance",
        "worktree", "commit"}) {
    if (name == key) {
      return true;
    }
  }
  return false;
}

TEST(Body, FullBodiesOfAllKindsAreRight) {
  const auto bodies = full_bodies();
  EXPECT_EQ(bodies.size(), static_cast<std::size_t>(RecordType::pruned) + 1);
  for (const auto& [type, body] : bodies) {
    EXPECT_EQ(body_mistake(type, body), std::nullopt) << to_string(type);
  }
}

TEST(Body, UnknownMembersAreNamed) {
  for (auto [type, body] : full_bodies()) {
    body.set("zzz\x1b", 1);
    EXPECT_EQ(body_mistake(type, body),
              "`" + std::string(to_string(type)) + ".zzz\\x1b` is not a member of the format");
  }
}

TEST(Body, MembersOfAnotherTypeAreNamed) {
  for (const auto& [type, body] : full_bodies()) {
    for (const auto& [key, value] : body.as_object()) {
      Json changed = body;
      changed.set(key, value.is_boolean() ? Json(1) : Json(true));
      const std::string mistake = body_mistake(type, changed).value_or("none");
      EXPECT_EQ(mistake.find("`" + std::string(to_string(type)) + "." + key + "` must be "), 0U)
          << mistake;
    }
  }
}

TEST(Body, RequiredMembersAreNamed) {
  int missing = 0;
  for (const auto& [type, body] : full_bodies()) {
    for (const auto& [key, value] : body.as_object()) {
      Json changed = body;
      changed.as_object().erase(key);
      const auto mistake = body_mistake(type, changed);
      const std::string name = "`" + std::string(to_string(type)) + "." + key + "`";
      if (mistake) {
        EXPECT_EQ(*mistake, name + " is missing");
        ++missing;
      } else {
        EXPECT_TRUE(is_optional(key)) << name;
      }
    }
  }
  EXPECT_GT(missing, 80);
}

TEST(Body, NestedRecordsAreClosedToo) {
  Json outcome = outcome_body("edit");
  Json changed = *outcome.find("changed");
  changed.as_array()[0].set("mode", 420);
  outcome.set("changed", changed);
  EXPECT_EQ(body_mistake(RecordType::step_outcome, outcome),
            "`step_outcome.changed[0].mode` is not a member of the format");

  outcome = outcome_body("edit");
  outcome.set("outputs", Json::object({{"stdout", Json::object({{"bytes", 1}})}}));
  EXPECT_EQ(body_mistake(RecordType::step_outcome, outcome),
            "`step_outcome.outputs.stdout.digest` is missing");

  Json genesis = full_bodies().front().second;
  genesis.set("requester", Json::object({{"public_key", 1}, {"signature", "x"}}));
  EXPECT_EQ(body_mistake(RecordType::genesis, genesis),
            "`genesis.requester.public_key` must be a string of at most 65,536 bytes");

  // The sandbox may say more than what it achieved.
  outcome = outcome_body("edit");
  outcome.set("sandbox", Json::object({{"achieved", "landlock"}, {"landlock_abi", 4}}));
  EXPECT_EQ(body_mistake(RecordType::step_outcome, outcome), std::nullopt);
}

TEST(Body, WordsAndNumbersHaveTheirRange) {
  EXPECT_EQ(body_mistake(RecordType::step_outcome, outcome_body("edit", 1, "done")),
            "`step_outcome.state` must be one of the words of the format");
  EXPECT_EQ(body_mistake(RecordType::step_intent, intent_body("edit", 0)),
            "`step_intent.attempt` must be an integer, 1 or more");
  EXPECT_EQ(body_mistake(RecordType::step_intent, intent_body("")),
            "`step_intent.step` must be a step id");
  EXPECT_EQ(body_mistake(RecordType::step_intent, intent_body(std::string(1025, 'x'))),
            "`step_intent.step` must be a step id");
  Json seal = seal_body();
  seal.set("spent", Json::object({{"tokens", -1}}));
  seal.set("records", 1);
  seal.set("root", digest("root"));
  EXPECT_EQ(body_mistake(RecordType::run_sealed, seal),
            "`run_sealed.spent` must be an object of integers, 0 or more");
  Json skipped = skipped_body("edit");
  skipped.set("because", std::string(65537, 'x'));
  EXPECT_EQ(body_mistake(RecordType::step_skipped, skipped),
            "`step_skipped.because` must be a string of at most 65,536 bytes");
}

TEST(Body, EscrowIsNotOfThisVersion) {
  Json genesis = full_bodies().front().second;
  genesis.set("mode", "escrow");
  EXPECT_EQ(body_mistake(RecordType::genesis, genesis),
            "`genesis.mode` must be one of the words of the format");
}

}  // namespace
}  // namespace rgx::audit::test
