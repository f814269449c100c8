// What damage does to a verdict. Every kind of it, everywhere: nothing of it is ever VERIFIED.

#include "audit/ledger_format.h"
#include "audit/verifier.h"
#include "tests/support/memory_storage.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace rgx::audit::test {
namespace {

using rgx::test::MemoryDisk;

Verdict verify_bytes(const std::string& bytes, const VerifyOptions& options) {
  Bench bench;
  *bench.disk = MemoryDisk(bytes);
  return bench.verify(options);
}

Verdict verify_bytes(const std::string& bytes) {
  return verify_bytes(bytes, VerifyOptions{root_key(), {}});
}

/// Offset at which each line begins, and the end.
std::vector<std::size_t> line_offsets(const std::string& bytes) {
  std::vector<std::size_t> offsets = {0};
  for (std::size_t feed = bytes.find('\n'); feed != std::string::npos;
       feed = bytes.find('\n', feed + 1)) {
    offsets.push_back(feed + 1);
  }
  return offsets;
}

// Scenario 5: each bit of each byte. Only the last line feed is in the torn tail's reach.
class FlippedBit : public testing::TestWithParam<unsigned> {};

TEST_P(FlippedBit, Scenario05IsDetectedInEveryByte) {
  const std::string bytes = sealed_run().disk->bytes();
  for (std::size_t offset = 0; offset < bytes.size(); ++offset) {
    MemoryDisk disk(bytes);
    disk.flip_bit(offset, GetParam());
    const Verdict verdict = verify_bytes(disk.bytes());
    const VerdictKind expected =
        offset + 1 == bytes.size() ? VerdictKind::torn : VerdictKind::tampered;
    ASSERT_EQ(verdict.kind, expected) << "byte " << offset << "\n" << pretty(to_json(verdict));
  }
}
INSTANTIATE_TEST_SUITE_P(Damage, FlippedBit, testing::Range(0U, 8U));

TEST(Damage, EveryReplacedByteIsDetectedWithoutAKeyAsFarAsTheChainGoes) {
  const std::string bytes = sealed_run().disk->bytes();
  const std::vector<std::size_t> offsets = line_offsets(bytes);
  for (std::size_t offset = 0; offset < offsets[offsets.size() - 2]; ++offset) {
    MemoryDisk disk(bytes);
    disk.flip_bit(offset, 0);
    const Verdict verdict = verify_bytes(disk.bytes(), {});
    // A MAC is not part of the chain: without the key another one cannot be told, but verified it
    // is not either. Everything else shows.
    ASSERT_NE(verdict.kind, VerdictKind::verified) << offset;
    const bool is_in_mac = [&] {
      const auto line = std::upper_bound(offsets.begin(), offsets.end(), offset) - 1;
      const std::size_t column = offset - *line;
      return column >= kLineHead.size() && column < kLineHead.size() + kMacHexSize;
    }();
    if (!is_in_mac) {
      ASSERT_EQ(verdict.kind, VerdictKind::tampered) << offset;
    }
  }
}

TEST(Damage, FirstBadOffsetIsThatOfTheLine) {
  const std::string bytes = sealed_run().disk->bytes();
  const std::vector<std::size_t> offsets = line_offsets(bytes);
  for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
    MemoryDisk disk(bytes);
    const std::size_t digit = offsets[line] + kLineHead.size();  // the first of its MAC
    disk.set_byte(digit, bytes[digit] == '0' ? '1' : '0');
    const Verdict verdict = verify_bytes(disk.bytes());
    ASSERT_EQ(verdict.kind, VerdictKind::tampered);
    EXPECT_EQ(verdict.authenticity.bad_offset, offsets[line]);
    EXPECT_EQ(verdict.authenticity.bad_seq, line);
    EXPECT_EQ(verdict.integrity.state, PropertyState::holds) << line;
    EXPECT_EQ(verdict.authenticity.note, "the record's MAC does not verify under the given key");
  }
}

TEST(Damage, EveryCutIsTornOrInconclusiveAndNeverVerified) {
  const std::string bytes = sealed_run().disk->bytes();
  const std::vector<std::size_t> offsets = line_offsets(bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const bool is_boundary = std::binary_search(offsets.begin(), offsets.end(), size);
    const Verdict verdict = verify_bytes(bytes.substr(0, size));
    ASSERT_EQ(verdict.kind, is_boundary ? VerdictKind::inconclusive : VerdictKind::torn) << size;
    if (!is_boundary) {
      const std::size_t begin = *(std::upper_bound(offsets.begin(), offsets.end(), size) - 1);
      ASSERT_EQ(verdict.completeness.bad_offset, begin) << size;
      ASSERT_EQ(verdict.completeness.note, "the last write was not finished");
    }
  }
}

TEST(Damage, EveryDroppedLineIsTamperedExceptTheLast) {
  const Bench bench = sealed_run();
  const std::size_t lines = bench.disk->lines().size();
  for (std::size_t line = 0; line < lines; ++line) {
    MemoryDisk disk(bench.disk->bytes());
    disk.drop_line(line);
    const Verdict verdict = verify_bytes(disk.bytes());
    EXPECT_EQ(verdict.kind, line + 1 == lines ? VerdictKind::inconclusive : VerdictKind::tampered)
        << line;
  }
}

TEST(Damage, EverySwapOfTwoLinesIsTampered) {
  const Bench bench = sealed_run();
  const std::size_t lines = bench.disk->lines().size();
  for (std::size_t a = 0; a < lines; ++a) {
    for (std::size_t b = a + 1; b < lines; ++b) {
      MemoryDisk disk(bench.disk->bytes());
      disk.swap_lines(a, b);
      const Verdict verdict = verify_bytes(disk.bytes());
      EXPECT_EQ(verdict.kind, VerdictKind::tampered) << a << " and " << b;
      EXPECT_EQ(verdict.integrity.bad_seq, a);
    }
  }
}

TEST(Damage, EveryRepeatedLineAnywhereIsTampered) {
  const Bench bench = sealed_run();
  const std::vector<std::string> lines = bench.disk->lines();
  for (const std::string& line : lines) {
    for (std::size_t at = 0; at <= lines.size(); ++at) {
      MemoryDisk disk(bench.disk->bytes());
      disk.insert_line(at, line);
      EXPECT_EQ(verify_bytes(disk.bytes()).kind, VerdictKind::tampered) << at;
    }
  }
}

class InsertedByte : public testing::TestWithParam<char> {};

TEST_P(InsertedByte, IsDetectedAnywhere) {
  const std::string bytes = sealed_run().disk->bytes();
  for (std::size_t at = 0; at <= bytes.size(); ++at) {
    std::string changed = bytes;
    changed.insert(at, 1, GetParam());
    ASSERT_EQ(verify_bytes(changed).kind, VerdictKind::tampered) << at;
  }
}
INSTANTIATE_TEST_SUITE_P(Damage, InsertedByte, testing::Values('\n', ' ', '\0', '0'));

TEST(Damage, EveryRemovedByteIsDetected) {
  const std::string bytes = sealed_run().disk->bytes();
  for (std::size_t at = 0; at + 1 < bytes.size(); ++at) {
    std::string changed = bytes;
    changed.erase(at, 1);
    ASSERT_EQ(verify_bytes(changed).kind, VerdictKind::tampered) << at;
  }
}

TEST(Damage, EverySpliceOfTwoLedgersOfOneKeyIsTampered) {
  const std::vector<std::string> a = sealed_run().disk->lines();
  const std::vector<std::string> b = sealed_run("ffffffffffffffffffffffffffffffff").disk->lines();
  ASSERT_EQ(a.size(), b.size());
  // Heads of one with tails of the other, and single lines replaced.
  for (std::size_t cut = 1; cut < a.size(); ++cut) {
    std::string spliced;
    std::string replaced;
    for (std::size_t line = 0; line < a.size(); ++line) {
      spliced += line < cut ? a[line] : b[line];
      replaced += line == cut ? b[line] : a[line];
    }
    EXPECT_EQ(verify_bytes(spliced).kind, VerdictKind::tampered) << cut;
    EXPECT_EQ(verify_bytes(replaced).kind, VerdictKind::tampered) << cut;
  }
  std::string joined;
  for (const std::string& line : a) {
    joined += line;
  }
  joined += b.front();
  const Verdict verdict = verify_bytes(joined);
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.completeness.note, "there is a line after the seal");
}

// ---- tails
// ----------------------------------------------------------------------------------------

TEST(Damage, Scenario01TailCutAtARecordBoundaryIsInconclusive) {
  const Bench bench = sealed_run();
  bench.disk->drop_line(bench.disk->lines().size() - 1);
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::inconclusive);
  EXPECT_EQ(verdict.completeness.state, PropertyState::unknown);
  EXPECT_EQ(verdict.completeness.note,
            "there is no seal: the run is unfinished or the end is cut off");
  EXPECT_EQ(verdict.authenticity.state, PropertyState::holds);
}

TEST(Damage, Scenario02AnEmptyLedgerIsNeverVerified) {
  const Verdict verdict = verify_bytes("");
  EXPECT_EQ(verdict.kind, VerdictKind::inconclusive);
  EXPECT_EQ(verdict.integrity.note, "the ledger is empty");
  EXPECT_EQ(verdict.records, 0U);
  EXPECT_TRUE(verdict.log_id.empty());
}

TEST(Damage, Scenario13PowerCutInARecordIsTorn) {
  const Bench bench = open_run();
  bench.disk->append("{\"mac\":\"0123");
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::torn);
  EXPECT_EQ(verdict.integrity.state, PropertyState::holds);
  EXPECT_EQ(verdict.records, 7U);
}

TEST(Damage, Scenario14ZeroFilledTailIsTorn) {
  for (const std::size_t zeros : {1U, 4096U, 3U << 20U}) {
    for (const std::string_view part : {"", "{\"mac\":\"01"}) {
      const Bench bench = open_run();
      bench.disk->append(part);
      bench.disk->append(std::string(zeros, '\0'));
      EXPECT_EQ(bench.verify().kind, VerdictKind::torn) << zeros << part;
    }
  }
}

TEST(Damage, Scenario14DamageFollowedByRecordsIsNoTail) {
  for (const std::size_t zeros : {1U, 4096U, 3U << 20U}) {
    const Bench bench = open_run();
    const std::string last = bench.disk->lines().back();
    bench.disk->drop_line(bench.disk->lines().size() - 1);
    bench.disk->append(std::string(zeros, '\0'));
    bench.disk->append(last);
    const Verdict verdict = bench.verify();
    EXPECT_EQ(verdict.kind, VerdictKind::tampered) << zeros;
    EXPECT_EQ(verdict.integrity.bad_seq, 6U);
  }
}

TEST(Damage, ZerosInsideTheLastBytesAreNoTail) {
  const Bench bench = open_run();
  bench.disk->append(std::string(3U << 20U, '\0') + "x");
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.integrity.note, "the line is longer than any record");
}

TEST(Damage, AnEndlessLineIsTamperedInBoundedMemory) {
  Bench bench;
  *bench.disk = MemoryDisk(std::string(16U << 20U, 'x'));
  EXPECT_EQ(bench.verify().kind, VerdictKind::tampered);
  EXPECT_LE(bench.disk->read_bytes_max(), 1U << 20U);
}

TEST(Damage, BytesAfterTheSealAreTampered) {
  for (const std::string_view tail : {"x", "\n", "{\"mac\":\"", "\0"}) {
    const Bench bench = sealed_run();
    bench.disk->append(tail.empty() ? std::string_view("\0", 1) : tail);
    const Verdict verdict = bench.verify();
    EXPECT_EQ(verdict.kind, VerdictKind::tampered);
    EXPECT_EQ(verdict.completeness.state, PropertyState::fails);
    EXPECT_EQ(verdict.completeness.bad_seq, 8U);
  }
}

TEST(Damage, Scenario16TwoRecordsOnOneLineAreFoundAtTheirOffset) {
  const Bench bench = sealed_run();
  const std::vector<std::size_t> offsets = line_offsets(bench.disk->bytes());
  std::string bytes = bench.disk->bytes();
  bytes.erase(offsets[3] - 1, 1);
  const Verdict verdict = verify_bytes(bytes);
  EXPECT_EQ(verdict.kind, VerdictKind::tampered);
  EXPECT_EQ(verdict.integrity.bad_offset, offsets[2]);
  EXPECT_EQ(verdict.integrity.bad_seq, 2U);
}

}  // namespace
}  // namespace rgx::audit::test
