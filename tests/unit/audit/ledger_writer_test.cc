#include "audit/ledger_writer.h"

#include "audit/ledger_format.h"
#include "audit/storage_posix.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace rgx::audit::test {
namespace {

using rgx::test::accepted;
using rgx::test::refused;
using rgx::test::ScratchDir;
using Kind = rgx::test::MemoryDisk::Call::Kind;

Record record_of(const std::string& line) {
  const Result<Record> record = parse_record(
      std::string_view(line).substr(kLineOverhead - kLineTail.size(), line.size() - kLineOverhead));
  EXPECT_TRUE(accepted(record));
  return *record;
}

TEST(LedgerWriter, FirstRecordIsDurableWhenCreateReturns) {
  Bench bench;
  const LedgerWriter writer = bench.create();
  EXPECT_EQ(bench.disk->synced(), bench.disk->bytes().size());
  EXPECT_EQ(bench.disk->lines().size(), 1U);
  EXPECT_EQ(writer.records(), 1U);
  EXPECT_EQ(writer.log_id(), kLogId);
  EXPECT_EQ(writer.root(), writer.head());
}

TEST(LedgerWriter, GenesisCommitsToTheKeyOfTheLog) {
  Bench bench;
  static_cast<void>(bench.create());
  const Record genesis = record_of(bench.disk->lines().front());
  EXPECT_EQ(*genesis.body.find("key_commitment"),
            Json(key_commitment(log_key(bench.root, kLogId)).to_string()));
  EXPECT_EQ(*genesis.body.find("mode"), Json("local"));
  EXPECT_EQ(*genesis.body.find("schema"), Json("rgx.ledger/v1"));
  EXPECT_EQ(genesis.key_id, bench.root.id);
  EXPECT_EQ(genesis.prev, Digest());
}

TEST(LedgerWriter, NothingCountsBeforeCommit) {
  Bench bench;
  LedgerWriter writer = bench.create();
  const std::size_t before = bench.disk->bytes().size();
  append(writer, RecordType::admission, admission_body());
  append_step(writer, "edit");
  EXPECT_EQ(bench.disk->bytes().size(), before);
  ASSERT_TRUE(accepted(writer.commit()));
  EXPECT_EQ(bench.disk->lines().size(), 4U);
  EXPECT_EQ(bench.disk->synced(), bench.disk->bytes().size());
}

TEST(LedgerWriter, OneBatchIsOneWriteAndOneSync) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  append_step(writer, "edit");
  ASSERT_TRUE(accepted(writer.commit()));
  ASSERT_TRUE(accepted(writer.commit()));  // nothing new: no call
  EXPECT_EQ(bench.disk->count(Kind::append), 2U);
  EXPECT_EQ(bench.disk->count(Kind::sync), 2U);
  EXPECT_EQ(bench.disk->calls().back().kind, Kind::sync);
}

TEST(LedgerWriter, ReferenceIsPlaceAndLeaf) {
  Bench bench;
  LedgerWriter writer = bench.create();
  const auto reference = writer.append(RecordType::admission, admission_body());
  ASSERT_TRUE(accepted(reference));
  EXPECT_EQ(reference->seq, 1U);
  EXPECT_EQ(reference->leaf, writer.head());
  ASSERT_TRUE(accepted(writer.commit()));
  const Record record = record_of(bench.disk->lines().back());
  EXPECT_EQ(leaf_hash(record_bytes(record)), reference->leaf);
}

TEST(LedgerWriter, EnvironmentHoldsHostProcessAndTimes) {
  Bench bench;
  static_cast<void>(bench.create());
  EXPECT_EQ(record_of(bench.disk->lines().front()).env,
            Json::object({{"host", "build-7"},
                          {"monotonic_ms", 0},
                          {"pid", 4711},
                          {"time", "2026-01-01T00:00:00.000Z"}}));
}

// Scenario 37: order is by seq; a clock that steps back loses nothing.
TEST(LedgerWriter, Scenario37ClockThatStepsBackChangesNothing) {
  Bench bench;
  LedgerWriter writer = bench.create();
  bench.clock.set_unix_ms(0);
  append(writer, RecordType::admission, admission_body());
  ASSERT_TRUE(accepted(writer.seal(seal_body())));
  EXPECT_EQ(bench.verify().kind, VerdictKind::verified);
  EXPECT_EQ(*record_of(bench.disk->lines()[1]).env.find("time"), Json("1970-01-01T00:00:00.000Z"));
}

TEST(LedgerWriter, SealStatesWhatWasBeforeIt) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  const Digest root = writer.root();
  ASSERT_TRUE(accepted(writer.seal(seal_body("failed", 1))));
  const Record seal = record_of(bench.disk->lines().back());
  EXPECT_EQ(*seal.body.find("records"), Json(2));
  EXPECT_EQ(*seal.body.find("root"), Json(root.to_string()));
  EXPECT_EQ(bench.disk->synced(), bench.disk->bytes().size());
}

TEST(LedgerWriter, NothingFollowsTheSeal) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  ASSERT_TRUE(accepted(writer.seal(seal_body())));
  const std::string bytes = bench.disk->bytes();
  EXPECT_TRUE(refused(writer.append(RecordType::step_skipped, skipped_body("x")), "ledger.sealed",
                      "the run is finished"));
  EXPECT_TRUE(refused(writer.seal(seal_body()), "ledger.sealed", "the run is finished"));
  EXPECT_TRUE(accepted(writer.commit()));
  EXPECT_EQ(bench.disk->bytes(), bytes);
  EXPECT_TRUE(refused(bench.resume(), "ledger.sealed", "the run is finished"));
}

TEST(LedgerWriter, RefusesBodiesThatNobodyWouldUnderstand) {
  Bench bench;
  LedgerWriter writer = bench.create();
  Json body = admission_body();
  body.set("comment", "hello");
  const auto first = writer.append(RecordType::admission, body);
  EXPECT_TRUE(refused(first, "ledger.body", "`admission.comment` is not a member of the format"));
  EXPECT_EQ(first.error().kind, ErrorKind::internal);
  // INVARIANT: the first error is the answer to everything after it.
  EXPECT_TRUE(refused(writer.append(RecordType::admission, admission_body()), "ledger.body",
                      "admission.comment"));
  EXPECT_TRUE(refused(writer.commit(), "ledger.body", "admission.comment"));
  EXPECT_TRUE(refused(writer.seal(seal_body()), "ledger.body", "admission.comment"));
  EXPECT_EQ(bench.disk->lines().size(), 1U);
}

TEST(LedgerWriter, RefusesRecordsOutOfOrder) {
  Bench bench;
  LedgerWriter writer = bench.create();
  EXPECT_TRUE(refused(writer.append(RecordType::step_intent, intent_body("edit")), "ledger.body",
                      "`step_intent` stands where the admission must"));
}

TEST(LedgerWriter, RefusesRecordsThatAreTooLarge) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  Json body = intent_body("edit");
  body.set("decision",
           Json::object({{"decision", "allow"}, {"facts", std::string(kRecordBytesMax, 'x')}}));
  EXPECT_TRUE(refused(writer.append(RecordType::step_intent, body), "ledger.record_too_large",
                      "more than 1,048,576"));
}

TEST(LedgerWriter, NewLedgerMustBeEmpty) {
  Bench bench;
  bench.disk->append("something");
  EXPECT_TRUE(refused(LedgerWriter::create(bench.open(), bench.root, std::string(kLogId),
                                           RecordType::genesis, genesis_body(), bench.clock, {}),
                      "ledger.not_empty", "nothing is overwritten"));
  EXPECT_EQ(bench.disk->bytes(), "something");
}

TEST(LedgerWriter, LargeBatchesAreWrittenEarlyAndSyncedOnce) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  Json body = skipped_body("test");
  body.set("because", std::string(60000, 'x'));
  for (int i = 0; i < 100; ++i) {
    append(writer, RecordType::step_skipped, body);
  }
  EXPECT_GT(bench.disk->bytes().size(), 4U << 20U);
  EXPECT_LT(bench.disk->synced(), 10000U);
  ASSERT_TRUE(accepted(writer.commit()));
  EXPECT_EQ(bench.disk->count(Kind::sync), 2U);
  EXPECT_EQ(bench.verify().records, 102U);
}

// ---- epochs
// ---------------------------------------------------------------------------------------

TEST(LedgerWriter, EpochsEndAfterTheirRecordsAndHistoryStillVerifies) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  for (std::uint64_t i = 0; i < 3 * kEpochRecordsMax; ++i) {
    append(writer, RecordType::step_skipped, skipped_body("s"));
  }
  ASSERT_TRUE(accepted(writer.seal(seal_body())));
  const std::vector<std::string> lines = bench.disk->lines();
  std::uint32_t epoch = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Record record = record_of(lines[i]);
    EXPECT_EQ(record.epoch, epoch);
    const bool is_last = (i + 1) % kEpochRecordsMax == 0;
    EXPECT_EQ(record.type == RecordType::epoch_closed, is_last) << i;
    epoch += is_last ? 1 : 0;
  }
  EXPECT_EQ(epoch, 3U);
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::verified) << pretty(to_json(verdict));
}

TEST(LedgerWriter, SealMayBeTheFirstRecordOfAnEpoch) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  while (writer.records() + 1 < kEpochRecordsMax) {
    append(writer, RecordType::step_skipped, skipped_body("s"));
  }
  ASSERT_TRUE(accepted(writer.seal(seal_body())));
  EXPECT_EQ(writer.records(), kEpochRecordsMax + 1);
  EXPECT_EQ(bench.verify().kind, VerdictKind::verified);
}

// ---- going on
// ---------------------------------------------------------------------------------------

TEST(LedgerWriter, ResumedLedgerIsTheOneThatWasNeverLeft) {
  for (const std::size_t leave_after : {1U, 2U, 5U, 1022U, 1023U, 1024U, 1025U, 1500U}) {
    Bench whole;
    Bench parts;
    whole.clock = rgx::test::FakeClock(0);
    parts.clock = rgx::test::FakeClock(0);
    LedgerWriter once = whole.create();
    Result<LedgerWriter> writer = parts.create();
    for (std::size_t i = 1; i < 1600; ++i) {
      if (i == leave_after) {
        ASSERT_TRUE(accepted(writer->commit()));
        writer = LedgerWriter::resume(parts.open(), parts.root, parts.clock, {"build-7", 4711});
        ASSERT_TRUE(accepted(writer)) << leave_after;
      }
      const RecordType type = i == 1 ? RecordType::admission : RecordType::step_skipped;
      const Json body = i == 1 ? admission_body() : skipped_body("s");
      append(once, type, body);
      append(*writer, type, body);
    }
    ASSERT_TRUE(accepted(once.seal(seal_body())));
    ASSERT_TRUE(accepted(writer->seal(seal_body())));
    EXPECT_EQ(whole.disk->bytes(), parts.disk->bytes()) << leave_after;
    EXPECT_EQ(once.root(), writer->root());
  }
}

TEST(LedgerWriter, OpenIntentsSurviveResuming) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  append(writer, RecordType::step_intent, intent_body("edit"));
  ASSERT_TRUE(accepted(writer.commit()));
  Result<LedgerWriter> resumed = bench.resume();
  ASSERT_TRUE(accepted(resumed));
  append(*resumed, RecordType::step_outcome, outcome_body("edit"));
  ASSERT_TRUE(accepted(resumed->seal(seal_body())));
  EXPECT_EQ(bench.verify().kind, VerdictKind::verified);
}

TEST(LedgerWriter, TamperedLedgersAreNotContinued) {
  Bench bench = open_run();
  bench.disk->flip_bit(200, 3);
  const std::string bytes = bench.disk->bytes();
  const auto resumed = bench.resume();
  EXPECT_TRUE(refused(resumed, "ledger.tampered", "does not verify"));
  EXPECT_EQ(resumed.error().kind, ErrorKind::evidence);
  EXPECT_EQ(bench.disk->bytes(), bytes);
}

TEST(LedgerWriter, Scenario13NothingIsAppendedAfterHalfARecord) {
  Bench bench = open_run();
  bench.disk->append("{\"mac\":");
  EXPECT_TRUE(refused(bench.resume(), "ledger.torn", "a write that was not finished"));
}

TEST(LedgerWriter, AnotherKeyOrNoRecordIsNotContinued) {
  Bench bench = open_run();
  bench.root = root_key("another");
  EXPECT_TRUE(refused(bench.resume(), "ledger.unverified", "signed under key"));
  Bench empty;
  EXPECT_TRUE(refused(empty.resume(), "ledger.unverified", "there is no record"));
}

TEST(LedgerWriter, WorksOnFiles) {
  const ScratchDir dir;
  Bench bench;
  auto storage = open_storage(dir / "ledger.jsonl", OpenMode::create);
  ASSERT_TRUE(accepted(storage));
  {
    auto writer =
        LedgerWriter::create(*std::move(storage), bench.root, std::string(kLogId),
                             RecordType::genesis, genesis_body(), bench.clock, {"build-7", 4711});
    ASSERT_TRUE(accepted(writer));
    append(*writer, RecordType::admission, admission_body());
    ASSERT_TRUE(accepted(writer->commit()));
    // Scenario 12: verified while it is written, without a false alarm.
    auto reader = open_storage(dir / "ledger.jsonl", OpenMode::read);
    ASSERT_TRUE(accepted(reader));
    const auto verdict = verify_ledger(**reader, {bench.root, {}});
    ASSERT_TRUE(accepted(verdict));
    EXPECT_EQ(verdict->kind, VerdictKind::inconclusive);
  }
  storage = open_storage(dir / "ledger.jsonl", OpenMode::append);
  ASSERT_TRUE(accepted(storage));
  auto writer = LedgerWriter::resume(*std::move(storage), bench.root, bench.clock, {"h", 1});
  ASSERT_TRUE(accepted(writer));
  ASSERT_TRUE(accepted(writer->seal(seal_body())));
  auto reader = open_storage(dir / "ledger.jsonl", OpenMode::read);
  const auto verdict = verify_ledger(**reader, {bench.root, {}});
  EXPECT_EQ(verdict->kind, VerdictKind::verified);
}

TEST(LogId, Is32HexDigitsOfEntropy) {
  rgx::test::FakeEntropy entropy;
  const auto first = new_log_id(entropy);
  const auto second = new_log_id(entropy);
  ASSERT_TRUE(accepted(first));
  EXPECT_EQ(first->size(), 32U);
  EXPECT_NE(*first, *second);
  entropy.fail_from(1);
  EXPECT_TRUE(refused(new_log_id(entropy), "entropy.unavailable", "no random bytes"));
}

}  // namespace
}  // namespace rgx::audit::test
