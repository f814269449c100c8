#include "cli/history.h"

#include "audit/ledger_writer.h"
#include "tests/support/call_log.h"
#include "tests/support/error_matchers.h"
#include "tests/support/fake_clock.h"
#include "tests/support/memory_state.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

using rgx::test::accepted;
using rgx::test::refused;

constexpr std::string_view kFirstLog = "aaaa1111000000000000000000000000";
constexpr std::string_view kSecondLog = "aaaa2222000000000000000000000000";

RunId run_of(std::string_view log_id) {
  return RunId("r-" + std::string(log_id.substr(0, 12)));
}

class RunHistory : public testing::Test {
 protected:
  static audit::RootKey key() {
    return audit::RootKey::from_secret(audit::SecretKey(std::string(32, 'k')));
  }

  void write_index() {
    auto storage = state.open_index(audit::OpenMode::create);
    ASSERT_TRUE(accepted(storage));
    auto made = audit::LedgerWriter::create(
        std::move(*storage), key(), "ffffffffffffffffffffffffffffffff",
        audit::RecordType::index_genesis,
        Json::object({{"repository", "/repo"}, {"rgx_version", "0.1.0"}}), clock,
        {.host = "h", .pid = 1});
    ASSERT_TRUE(accepted(made));
    audit::LedgerWriter writer = std::move(*made);
    for (const std::string_view log : {kFirstLog, kSecondLog}) {
      ASSERT_TRUE(
          accepted(writer.append(audit::RecordType::run_started,
                                 Json::object({{"run", run_of(log).text()},
                                               {"log_id", log},
                                               {"plan_digest", digest.to_string()},
                                               {"admission_digest", digest.to_string()}}))));
    }
    ASSERT_TRUE(accepted(writer.append(audit::RecordType::run_finished,
                                       Json::object({{"run", run_of(kFirstLog).text()},
                                                     {"log_id", kFirstLog},
                                                     {"state", "failed"},
                                                     {"exit_code", 1},
                                                     {"records", 7},
                                                     {"root", digest.to_string()}}))));
    ASSERT_TRUE(accepted(writer.commit()));
  }

  Digest digest = digest_bytes("x");
  rgx::test::CallLog calls;
  rgx::test::MemoryStateStore state{calls};
  rgx::test::FakeClock clock;
};

TEST_F(RunHistory, IsEmptyWithoutAnIndex) {
  const auto history = read_history(state, std::nullopt);
  ASSERT_TRUE(accepted(history));
  EXPECT_TRUE(history->entries.empty());
  EXPECT_FALSE(history->verdict.has_value());
  EXPECT_TRUE(refused(find_run("last", *history, state), "run.none", "has no runs yet"));
}

TEST_F(RunHistory, TellsStartsAndEnds) {
  write_index();
  const auto history = read_history(state, key());
  ASSERT_TRUE(accepted(history));
  ASSERT_EQ(history->entries.size(), 2U);
  EXPECT_EQ(history->repository, "/repo");
  EXPECT_EQ(history->entries[0].state, "failed");
  EXPECT_EQ(history->entries[0].records, 7U);
  EXPECT_EQ(history->entries[0].root, digest);
  EXPECT_EQ(history->entries[0].start_seq, 1U);
  EXPECT_EQ(history->entries[1].state, "unfinished");
  EXPECT_FALSE(history->entries[1].root.has_value());
  EXPECT_EQ(history->verdict->kind, audit::VerdictKind::inconclusive);
}

TEST_F(RunHistory, FindsRunsByIdPrefixAndLast) {
  write_index();
  const History history = read_history(state, std::nullopt).value();
  EXPECT_EQ(find_run("last", history, state).value(), run_of(kSecondLog));
  EXPECT_EQ(find_run("r-aaaa1", history, state).value(), run_of(kFirstLog));
  EXPECT_EQ(find_run("aaaa1111", history, state).value(), run_of(kFirstLog));
  EXPECT_EQ(find_run(run_of(kFirstLog).text(), history, state).value(), run_of(kFirstLog));
  EXPECT_TRUE(refused(find_run("r-aaaa", history, state), "run.ambiguous",
                      "`r-aaaa` is the start of 2 run ids"));
  EXPECT_TRUE(refused(find_run("r-b", history, state), "run.unknown", "no run `r-b`"));
}

TEST_F(RunHistory, AnEmptyNameIsNoRun) {
  write_index();
  const History history = read_history(state, std::nullopt).value();
  EXPECT_TRUE(refused(find_run("", history, state), "run.unknown", "an empty name is no run"));
}

TEST_F(RunHistory, IndexUnderAnotherKeyTellsNoLastRun) {
  write_index();
  state.ledgers[run_of(kFirstLog)] = nullptr;
  const auto other = audit::RootKey::from_secret(audit::SecretKey(std::string(32, 'o')));
  const auto history = read_history(state, other);
  ASSERT_TRUE(accepted(history));
  EXPECT_TRUE(history->other_key);
  EXPECT_TRUE(history->entries.empty());
  EXPECT_TRUE(refused(find_run("last", *history, state), "run.other_key", "signed under key"));
  EXPECT_FALSE(read_history(state, key())->other_key);
  EXPECT_FALSE(read_history(state, std::nullopt)->other_key);
}

TEST_F(RunHistory, RunsWithoutAnIndexAreEvidence) {
  state.ledgers[run_of(kFirstLog)] = nullptr;
  const auto found = find_run("last", read_history(state, key()).value(), state);
  EXPECT_TRUE(refused(found, "run.index_gone", "such as " + run_of(kFirstLog).text()));
  EXPECT_EQ(found.error().kind, ErrorKind::evidence);
}

TEST_F(RunHistory, StoredRunThatTheIndexDoesNotTellOfIsSeen) {
  write_index();
  state.ledgers[run_of(kFirstLog)] = nullptr;
  EXPECT_TRUE(read_history(state, key())->unlisted.empty());
  const RunId cut_off("r-cccc00000000");
  state.ledgers[cut_off] = nullptr;
  const History history = read_history(state, key()).value();
  EXPECT_EQ(history.unlisted, std::vector{cut_off});
  const auto found = find_run("last", history, state);
  EXPECT_TRUE(refused(found, "run.index_damaged", "does not tell of run r-cccc00000000"));
  EXPECT_EQ(found.error().kind, ErrorKind::evidence);
  EXPECT_TRUE(accepted(find_run("r-aaaa1", history, state)));
}

TEST_F(RunHistory, LastMeansNothingInADamagedIndex) {
  write_index();
  History history = read_history(state, std::nullopt).value();
  history.verdict->kind = audit::VerdictKind::tampered;
  const auto found = find_run("last", history, state);
  EXPECT_TRUE(refused(found, "run.index_damaged", "nobody can say which run is the last"));
  EXPECT_EQ(found.error().kind, ErrorKind::evidence);
  EXPECT_TRUE(accepted(find_run("r-aaaa1", history, state)));
}

}  // namespace
}  // namespace rgx::cli
