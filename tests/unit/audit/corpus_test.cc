// Every ledger that some version of rgx wrote and that is kept in tests/golden/corpus still
// verifies. Each folder is named for its version and holds `ledger.jsonl` and `root.key`, a key
// that was made for the purpose. A new folder comes with every release; none is ever changed.

#include "audit/verifier.h"
#include "tests/support/error_matchers.h"
#include "tests/support/golden.h"
#include "tests/support/scratch_dir.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::audit::test {
namespace {

using rgx::test::MemoryDisk;

const std::filesystem::path& corpus() {
  static const std::filesystem::path path =
      std::filesystem::path(RGX_SOURCE_DIR) / "tests" / "golden" / "corpus";
  return path;
}

std::vector<std::filesystem::path> folders() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(corpus())) {
    if (entry.is_directory()) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Corpus, LedgersOfEveryVersionAreVerified) {
  ASSERT_FALSE(folders().empty()) << "no version is kept in " << corpus();
  for (const std::filesystem::path& folder : folders()) {
    SCOPED_TRACE(folder.string());
    const std::string key_text = rgx::test::read_file(folder / "root.key");
    const Result<RootKey> root = parse_root_key(key_text, "root.key");
    ASSERT_TRUE(rgx::test::accepted(root));
    Bench bench;
    *bench.disk = MemoryDisk(rgx::test::read_file(folder / "ledger.jsonl"));
    const Verdict verdict = bench.verify({*root, {}});
    EXPECT_EQ(verdict.kind, VerdictKind::verified) << pretty(to_json(verdict));
    EXPECT_GT(verdict.records, 3U);
    // The same bytes with one bit changed do not.
    bench.disk->flip_bit(bench.disk->bytes().size() / 2, 0);
    EXPECT_EQ(bench.verify({*root, {}}).kind, VerdictKind::tampered);
  }
}

// When a later version writes other bytes, these tests get a new folder and the old one stays.
constexpr std::string_view kWrittenNow = "corpus/writer-v0.1.0/";

/// A run with what a run can hold, as this version writes it.
std::string long_run() {
  Bench bench;
  bench.root = root_key("rgx corpus root v0.1.0");
  LedgerWriter writer = bench.create();
  append(writer, RecordType::admission, admission_body());
  append_step(writer, "find");
  append(writer, RecordType::step_intent, intent_body("edit[src/a.c]", 1));
  append(writer, RecordType::step_outcome, outcome_body("edit[src/a.c]", 1, "timed_out"));
  append(writer, RecordType::step_intent, intent_body("edit[src/a.c]", 2));
  append(writer, RecordType::step_outcome, outcome_body("edit[src/a.c]", 2));
  append(writer, RecordType::step_refused,
         Json::object({{"because", "budget"}, {"message", "no steps left"}, {"step", "b"}}));
  append(writer, RecordType::run_suspended, Json::object({{"because", "approval"}}));
  append(writer, RecordType::run_interrupted, Json::object({{"because", "signal"}, {"signal", 2}}));
  while (writer.records() < 40) {
    append(writer, RecordType::step_skipped, skipped_body("test"));
  }
  Json seal = seal_body("denied", 3);
  seal.set("spent", Json::object({{"bytes_written", 360}, {"files_changed", 3}, {"steps", 3}}));
  EXPECT_TRUE(rgx::test::accepted(writer.seal(seal)));
  return bench.disk->bytes();
}

TEST(Corpus, ThisVersionStillWritesItsLedger) {
  rgx::test::expect_golden(std::string(kWrittenNow) + "ledger.jsonl", long_run());
}

TEST(Corpus, ThisVersionStillWritesItsKey) {
  rgx::test::expect_golden(std::string(kWrittenNow) + "root.key",
                           write_root_key(root_key("rgx corpus root v0.1.0")));
}

}  // namespace
}  // namespace rgx::audit::test
