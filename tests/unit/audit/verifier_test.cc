#include "audit/verifier.h"

#include "audit/crypto.h"
#include "audit/ledger_format.h"
#include "base/check.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace rgx::audit::test {
namespace {

std::string describe(const Verdict& verdict) {
  return pretty(to_json(verdict));
}

Record last_of(const Verdict& verdict) {
  RGX_CHECK(verdict.last.has_value());
  return *verdict.last;
}

Verdict verify_lines(const std::vector<std::string>& lines) {
  Bench bench;
  for (const std::string& line : lines) {
    bench.disk->append(line);
  }
  return bench.verify();
}

TEST(Verifier, SealedRunIsVerified) {
  const Bench bench = sealed_run();
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::verified) << describe(verdict);
  EXPECT_EQ(verdict.records, 8U);
  EXPECT_EQ(verdict.log_id, kLogId);
  EXPECT_TRUE(verdict.indeterminate.empty());
  EXPECT_EQ(verdict.genesis.value_or(last_of(verdict)).type, RecordType::genesis);
  EXPECT_EQ(last_of(verdict).type, RecordType::run_sealed);
  EXPECT_EQ(verdict.head, leaf_hash(record_bytes(last_of(verdict))));
  for (const Property* property :
       {&verdict.integrity, &verdict.completeness, &verdict.authenticity, &verdict.meaning}) {
    EXPECT_EQ(property->state, PropertyState::holds);
    EXPECT_FALSE(property->note.empty());
    EXPECT_FALSE(property->bad_offset.has_value());
  }
}

TEST(Verifier, RecordsArriveOnceEachInOrder) {
  const Bench bench = sealed_run();
  std::vector<std::uint64_t> seen;
  static_cast<void>(
      bench.verify({bench.root, [&](const Record& record) { seen.push_back(record.seq); }}));
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Verifier, RecordsAfterTheFirstDamageDoNotArrive) {
  const Bench bench = sealed_run();
  const std::string fourth = bench.disk->lines()[3];
  const std::size_t offset = bench.disk->bytes().find(fourth) + kLineHead.size();
  bench.disk->set_byte(offset, fourth[kLineHead.size()] == '0' ? '1' : '0');
  std::uint64_t seen = 0;
  const Verdict verdict = bench.verify({bench.root, [&](const Record&) { ++seen; }});
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(seen, 3U);
}

TEST(Verifier, WithoutAKeyNothingIsVerified) {
  const Verdict verdict = sealed_run().verify(VerifyOptions{});
  EXPECT_EQ(verdict.kind, VerdictKind::inconclusive);
  EXPECT_EQ(verdict.authenticity.state, PropertyState::unknown);
  EXPECT_EQ(verdict.authenticity.note, "no key was given");
  EXPECT_EQ(verdict.integrity.state, PropertyState::holds);
  EXPECT_EQ(verdict.completeness.state, PropertyState::holds);
}

TEST(Verifier, AnotherKeyIsInconclusiveAndNamed) {
  const RootKey other = root_key("another");
  const Verdict verdict = sealed_run().verify({other, {}});
  EXPECT_EQ(verdict.kind, VerdictKind::inconclusive) << describe(verdict);
  EXPECT_EQ(verdict.authenticity.state, PropertyState::unknown);
  EXPECT_EQ(verdict.authenticity.note,
            "signed under key " + root_key().id + "; the given key is " + other.id);
}

TEST(Verifier, AnotherKeyThatCallsItselfTheGivenOneIsTampered) {
  // Forged under another key, with the id of the right one in every record.
  Bench forged;
  RootKey liar = root_key("another");
  liar.id = root_key().id;
  forged.root = liar;
  LedgerWriter writer = forged.create();
  append(writer, RecordType::admission, admission_body());
  ASSERT_TRUE(writer.seal(seal_body()).has_value());
  const Verdict verdict = forged.verify({root_key(), {}});
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.authenticity.bad_seq, 0U);
}

TEST(Verifier, DamageUnderAnotherKeyIsStillTampered) {
  const Bench bench = sealed_run();
  bench.disk->drop_line(3);
  EXPECT_EQ(bench.verify({root_key("another"), {}}).kind, VerdictKind::tampered);
}

// Scenario 25: a switch of keys in the middle is no rotation.
TEST(Verifier, Scenario25SilentKeySwitchIsTampered) {
  const Bench bench = open_run();
  const RootKey other = root_key("another");
  const Verdict before = bench.verify();
  Record record = last_of(before);
  record.seq = before.records;
  record.prev = before.head;
  bench.disk->append(signed_line(record, log_key(other, kLogId)));
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.authenticity.bad_seq, 7U);
  // With its own id, the key is another one than the genesis named.
  bench.disk->drop_line(7);
  record.key_id = other.id;
  bench.disk->append(signed_line(record, log_key(other, kLogId)));
  EXPECT_EQ(bench.verify().integrity.note, "the record names another key than the genesis");
}

// Scenario 3: no MACs although a key is given.
TEST(Verifier, Scenario03RecordsWithoutMacsAreTampered) {
  std::vector<std::string> lines = sealed_run().disk->lines();
  for (std::string& line : lines) {
    line.replace(kLineHead.size(), kMacHexSize, std::string(kMacHexSize, '0'));
  }
  EXPECT_EQ(verify_lines(lines).kind, VerdictKind::tampered);
  lines = sealed_run().disk->lines();
  for (std::string& line : lines) {
    line = line.substr(kLineOverhead - kLineTail.size(), line.size() - kLineOverhead) + "\n";
  }
  const Verdict verdict = verify_lines(lines);
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.integrity.note, "the line is not a MAC and a record");
}

// Scenario 6: the chain is recomputed, not believed.
TEST(Verifier, Scenario06ChangedRecordWithARightMacBreaksTheChain) {
  const Bench bench = sealed_run();
  std::vector<std::string> lines = bench.disk->lines();
  std::vector<Record> records;
  static_cast<void>(
      bench.verify({bench.root, [&](const Record& record) { records.push_back(record); }}));
  records[6].body.set("because", "another reason");
  lines[6] = signed_line(records[6], log_key(bench.root, kLogId));
  const Verdict verdict = verify_lines(lines);
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.integrity.bad_seq, 7U);
  EXPECT_EQ(verdict.integrity.note, "the record does not follow from the one before it");
}

// Scenario 9: an old epoch, signed again with a newer key, as CVE-2023-31439 has it.
TEST(Verifier, Scenario09OldEpochUnderANewerKeyIsTampered) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  for (std::uint64_t i = 0; i < kEpochRecordsMax; ++i) {
    append(writer, RecordType::step_skipped, skipped_body("s"));
  }
  ASSERT_TRUE(writer.commit().has_value());
  const SecretKey newer = next_epoch_key(log_key(bench.root, kLogId));
  std::vector<Record> records;
  static_cast<void>(
      bench.verify({bench.root, [&](const Record& record) { records.push_back(record); }}));
  // All of it, consistently chained, with what the thief of the open epoch's key can sign.
  std::vector<std::string> lines;
  Digest head;
  for (Record& record : records) {
    record.prev = head;
    if (record.seq == 5) {
      record.body.set("because", "forged");
    }
    lines.push_back(signed_line(record, newer));
    head = leaf_hash(record_bytes(record));
  }
  const Verdict verdict = verify_lines(lines);
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.authenticity.bad_seq, 0U);
  // Claiming a newer epoch for an old place does not help.
  lines = bench.disk->lines();
  Record early = records[5];
  early.epoch = 1;
  lines[5] = signed_line(early, newer);
  EXPECT_EQ(verify_lines(lines).integrity.note, "the record is of epoch 1 where 0 is open");
}

TEST(Verifier, EpochThatIsNotClosedInTimeIsTampered) {
  const RootKey root = root_key();
  std::vector<std::string> lines;
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  while (writer.records() < kEpochRecordsMax - 1) {
    append(writer, RecordType::step_skipped, skipped_body("s"));
  }
  ASSERT_TRUE(writer.commit().has_value());
  Record record = last_of(bench.verify());
  record.seq = writer.records();
  record.prev = writer.head();
  bench.disk->append(signed_line(record, log_key(root, kLogId)));
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.integrity.note, "the epoch is not closed after its last record");
}

// Scenario 24: what is missing in the middle of many epochs shows.
TEST(Verifier, Scenario24MissingEpochInTheMiddleIsTampered) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  for (std::uint64_t i = 0; i < 3 * kEpochRecordsMax; ++i) {
    append(writer, RecordType::step_skipped, skipped_body("s"));
  }
  ASSERT_TRUE(writer.seal(seal_body()).has_value());
  std::vector<std::string> lines = bench.disk->lines();
  EXPECT_EQ(verify_lines(lines).kind, VerdictKind::verified);
  const auto first = lines.begin() + static_cast<std::ptrdiff_t>(kEpochRecordsMax);
  lines.erase(first, first + static_cast<std::ptrdiff_t>(kEpochRecordsMax));
  const Verdict verdict = verify_lines(lines);
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.integrity.bad_seq, kEpochRecordsMax);
}

// Scenario 27: a public key is no secret, whatever it is used as.
TEST(Verifier, Scenario27PublicKeyAsSecretDoesNotVerify) {
  const Bench bench = sealed_run();
  const Result<std::string> raw = parse_public_key(signing_key().public_key());
  ASSERT_TRUE(raw.has_value());
  const RootKey wrong = RootKey::from_secret(SecretKey(*raw));
  EXPECT_EQ(bench.verify({wrong, {}}).kind, VerdictKind::inconclusive);
  RootKey disguised = wrong;
  disguised.id = bench.root.id;
  EXPECT_EQ(bench.verify({disguised, {}}).kind, VerdictKind::tampered);
}

// Scenario 32: one spelling of a MAC.
TEST(Verifier, Scenario32OtherSpellingsOfAMacAreTampered) {
  const std::vector<std::string> right = sealed_run().disk->lines();
  for (std::size_t at = kLineHead.size(); at < kLineHead.size() + kMacHexSize; ++at) {
    std::vector<std::string> lines = right;
    char& digit = lines[2][at];
    if (digit >= 'a') {
      digit = static_cast<char>(digit - 'a' + 'A');
      EXPECT_EQ(verify_lines(lines).integrity.note, "the line is not a MAC and a record");
    }
  }
}

// Scenario 35: the log keeps its identity.
TEST(Verifier, Scenario35AnotherLogIdIsTampered) {
  const Bench bench = open_run();
  const Verdict before = bench.verify();
  Record record = last_of(before);
  record.seq = before.records;
  record.prev = before.head;
  record.log_id = "ffffffffffffffffffffffffffffffff";
  bench.disk->append(signed_line(record, log_key(bench.root, kLogId)));
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.integrity.note, "the record is from another log");
}

// Scenario 12: a ledger that grows while it is verified gives no false alarm.
TEST(Verifier, Scenario12GrowthMeanwhileIsNotJudged) {
  class Growing final : public Storage {
   public:
    explicit Growing(std::string bytes) : bytes_(std::move(bytes)) {}
    Result<std::uint64_t> size() override { return bytes_.size(); }
    Result<std::string> read(std::uint64_t offset, std::size_t size) override {
      std::string part = bytes_.substr(static_cast<std::size_t>(offset), size);
      bytes_ += "{\"mac\":\"";  // half a record more with every look
      return part;
    }
    Status append(std::string_view) override { return {}; }
    Status sync() override { return {}; }

   private:
    std::string bytes_;
  };
  Growing storage(open_run().disk->bytes());
  const auto verdict = verify_ledger(storage, {root_key(), {}});
  ASSERT_TRUE(verdict.has_value());
  EXPECT_EQ(verdict->kind, VerdictKind::inconclusive) << describe(*verdict);
  EXPECT_EQ(verdict->records, 7U);
}

TEST(Verifier, IndexLedgerIsIntactAndNeverVerified) {
  Bench bench;
  LedgerWriter writer = bench.create_index();
  append(writer, RecordType::run_started, run_started_body());
  ASSERT_TRUE(writer.commit().has_value());
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::inconclusive);
  EXPECT_EQ(verdict.completeness.note, "an index ledger is never sealed");
  EXPECT_EQ(verdict.integrity.state, PropertyState::holds);
  EXPECT_EQ(verdict.authenticity.state, PropertyState::holds);
  EXPECT_EQ(verdict.meaning.state, PropertyState::holds);
  EXPECT_TRUE(verdict.indeterminate.empty());
}

// ---- size
// -----------------------------------------------------------------------------------------

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
constexpr bool kIsSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kIsSanitized = false;
#endif

long resident_kib() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long total = 0;
  long resident = 0;
  const int read = file == nullptr ? 0 : std::fscanf(file, "%ld %ld", &total, &resident);
  if (file != nullptr) {
    std::fclose(file);
  }
  return read == 2 ? resident * 4 : 0;
}

TEST(Verifier, HundredThousandRecordsInBoundedMemory) {
  Bench bench;
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  while (writer.records() < 100000) {
    append(writer, RecordType::step_skipped, skipped_body("s"));
  }
  ASSERT_TRUE(writer.seal(seal_body()).has_value());
  EXPECT_GT(bench.disk->bytes().size(), 40U << 20U);
  const long before = resident_kib();
  const Verdict verdict = bench.verify();
  const long grown = resident_kib() - before;
  EXPECT_EQ(verdict.kind, VerdictKind::verified) << describe(verdict);
  EXPECT_GT(verdict.records, 100000U);
  EXPECT_LE(bench.disk->read_bytes_max(), 1U << 20U);
  if (!kIsSanitized) {  // its own bookkeeping grows with every allocation
    EXPECT_LT(grown, 16 << 10) << "KiB";
  }
}

// ---- JSON
// -----------------------------------------------------------------------------------------

TEST(Verdict, JsonHasTheDocumentedMembers) {
  const Json verified = to_json(sealed_run().verify());
  EXPECT_EQ(*verified.find("schema"), Json("rgx.verdict/v1"));
  EXPECT_EQ(*verified.find("verdict"), Json("VERIFIED"));
  EXPECT_EQ(*verified.find("records"), Json(8));
  EXPECT_EQ(*verified.find("state"), Json::object({{"exit_code", 0}, {"state", "succeeded"}}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : verified.as_object()) {
    keys.push_back(key);
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"authenticity", "completeness", "head", "indeterminate",
                                            "integrity", "log_id", "meaning", "records", "root",
                                            "schema", "state", "verdict"}));
  const Json empty = to_json(Bench().verify());
  EXPECT_EQ(*empty.find("log_id"), Json());
  EXPECT_EQ(*empty.find("state"), Json());
  EXPECT_EQ(*empty.find("integrity"), Json::object({{"bad_offset", Json()},
                                                    {"bad_seq", Json()},
                                                    {"note", "the ledger is empty"},
                                                    {"state", "unknown"}}));
}

TEST(Verdict, NamesAreThoseOfTheDocument) {
  EXPECT_EQ(to_string(VerdictKind::verified), "VERIFIED");
  EXPECT_EQ(to_string(VerdictKind::tampered), "TAMPERED");
  EXPECT_EQ(to_string(VerdictKind::inconclusive), "INCONCLUSIVE");
  EXPECT_EQ(to_string(VerdictKind::torn), "TORN");
}

}  // namespace
}  // namespace rgx::audit::test
