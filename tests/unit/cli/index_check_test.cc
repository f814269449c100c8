#include "cli/index_check.h"

#include <gtest/gtest.h>

namespace rgx::cli {
namespace {

const Digest kRoot = digest_bytes("root");
const Digest kLeaf = digest_bytes("leaf");
constexpr std::string_view kLog = "00112233445566778899aabbccddeeff";

audit::Verdict ledger() {
  audit::Verdict verdict;
  verdict.kind = audit::VerdictKind::verified;
  verdict.log_id = kLog;
  verdict.records = 5;
  verdict.root = kRoot;
  audit::Record genesis;
  genesis.body = Json::object(
      {{"index", Json::object({{"log_id", "ff"}, {"seq", 1}, {"head", kLeaf.to_string()}})}});
  verdict.genesis = genesis;
  return verdict;
}

History history() {
  History history;
  history.verdict = audit::Verdict{};
  history.verdict->kind = audit::VerdictKind::inconclusive;
  HistoryEntry entry;
  entry.run = RunId("r-001122334455");
  entry.log_id = kLog;
  entry.root = kRoot;
  entry.records = 5;
  entry.start_seq = 1;
  entry.start_leaf = kLeaf;
  history.entries.push_back(entry);
  return history;
}

audit::Property check(const audit::Verdict& verdict, const History& index) {
  return check_index(RunId("r-001122334455"), verdict, index, "/repo");
}

void expect_fails(const audit::Property& property, std::string_view note) {
  EXPECT_EQ(property.state, audit::PropertyState::fails);
  EXPECT_NE(property.note.find(note), std::string::npos) << property.note;
}

TEST(IndexCheck, HoldsWhereBothAgree) {
  EXPECT_EQ(check(ledger(), history()).state, audit::PropertyState::holds);
}

TEST(IndexCheck, AnUnfinishedRunHolds) {
  History index = history();
  index.entries[0].root.reset();
  index.entries[0].records.reset();
  const audit::Property property = check(ledger(), index);
  EXPECT_EQ(property.state, audit::PropertyState::holds);
  EXPECT_NE(property.note.find("its end was never recorded"), std::string::npos);
}

TEST(IndexCheck, ACutOrExchangedLedgerFails) {
  audit::Verdict cut = ledger();
  cut.records = 4;
  cut.root = digest_bytes("shorter");
  expect_fails(check(cut, history()), "recorded 5 records with another tree root");
  audit::Verdict other = ledger();
  other.log_id = "ffffffffffffffffffffffffffffffff";
  expect_fails(check(other, history()), "does not know this ledger");
  expect_fails(check_index(RunId("r-ffffffffffff"), ledger(), history(), "/repo"),
               "does not know this ledger as run r-ffffffffffff");
}

TEST(IndexCheck, AnotherPlaceInTheIndexFails) {
  History index = history();
  index.entries[0].start_seq = 2;
  expect_fails(check(ledger(), index), "cites another place");
  index = history();
  index.entries[0].start_leaf = digest_bytes("other");
  expect_fails(check(ledger(), index), "cites another place");
}

TEST(IndexCheck, UnderAnotherKeyNothingIsCompared) {
  History index = history();
  index.entries.clear();
  index.other_key = true;
  index.verdict->authenticity.note = "signed under key a; the given key is b";
  const audit::Property property = check(ledger(), index);
  EXPECT_EQ(property.state, audit::PropertyState::unknown);
  EXPECT_NE(property.note.find("cannot be compared: signed under key a"), std::string::npos);
  // A ledger that is under the key cannot have begun in an index that is not.
  audit::Verdict authentic = ledger();
  authentic.authenticity.state = audit::PropertyState::holds;
  expect_fails(check(authentic, index), "index ledger is signed under key a");
}

TEST(IndexCheck, TheIndexOfAnotherRepositoryFails) {
  History index = history();
  index.repository = "/repo";
  EXPECT_EQ(check(ledger(), index).state, audit::PropertyState::holds);
  index.repository = "/other";
  expect_fails(check(ledger(), index), "the index is that of another repository, `/other`");
}

TEST(IndexCheck, AMissingOrDamagedIndexFails) {
  expect_fails(check(ledger(), History{}), "index ledger is gone");
  History index = history();
  index.verdict->kind = audit::VerdictKind::tampered;
  index.verdict->integrity = {
      .state = audit::PropertyState::fails, .note = "line 3", .bad_offset = {}, .bad_seq = {}};
  expect_fails(check(ledger(), index), "index ledger is damaged: line 3");
}

TEST(IndexCheck, ALedgerWithoutAFirstRecordIsUnknownUnlessTheRunEnded) {
  audit::Verdict empty = ledger();
  empty.genesis.reset();
  expect_fails(check(empty, history()), "its ledger has no first record");
  History index = history();
  index.entries[0].root.reset();
  EXPECT_EQ(check(empty, index).state, audit::PropertyState::unknown);
}

TEST(IndexCheck, AMissingLedgerIsTampered) {
  EXPECT_EQ(missing_ledger().kind, audit::VerdictKind::tampered);
  expect_fails(missing_ledger().completeness, "its ledger is gone");
}

}  // namespace
}  // namespace rgx::cli
