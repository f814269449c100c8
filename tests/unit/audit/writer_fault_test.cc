// Every call to storage fails in turn, once and for ever: the writer stops at the first failure,
// and what is left on the disk is never taken for tampering.

#include "audit/ledger_writer.h"
#include "tests/support/error_matchers.h"
#include "tests/support/faulty_storage.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <memory>
#include <tuple>
#include <utility>

namespace rgx::audit::test {
namespace {

using rgx::test::FaultPlan;
using rgx::test::FaultyStorage;
using rgx::test::refused;

/// A run as the engine does it: intent durable, effect, outcome durable. Counts effects; an effect
/// after an unacknowledged intent would be the worst of failures.
Status run_steps(LedgerWriter& writer, int& effects) {
  RGX_TRY_STATUS(writer.append(RecordType::admission, admission_body()));
  RGX_TRY_STATUS(writer.commit());
  for (const char* step : {"a", "b", "c"}) {
    RGX_TRY_STATUS(writer.append(RecordType::step_intent, intent_body(step)));
    RGX_TRY_STATUS(writer.commit());
    ++effects;
    RGX_TRY_STATUS(writer.append(RecordType::step_outcome, outcome_body(step)));
    RGX_TRY_STATUS(writer.commit());
  }
  Json seal = seal_body();
  seal.set("spent", Json::object({{"bytes_written", 360}, {"files_changed", 3}, {"steps", 3}}));
  RGX_TRY_STATUS(writer.seal(seal));
  return {};
}

Status run(Bench& bench, const std::shared_ptr<FaultPlan>& plan, int& effects) {
  auto storage = std::make_unique<FaultyStorage>(bench.open(), plan);
  RGX_TRY(LedgerWriter writer,
          LedgerWriter::create(std::move(storage), bench.root, std::string(kLogId),
                               RecordType::genesis, genesis_body(), bench.clock, {"build-7", 1}));
  Status status = run_steps(writer, effects);
  if (!status) {
    // INVARIANT: the first error is the answer to everything after it.
    EXPECT_EQ(writer.commit().error(), status.error());
    EXPECT_EQ(writer.append(RecordType::step_skipped, skipped_body("x")).error(), status.error());
    EXPECT_EQ(writer.seal(seal_body()).error(), status.error());
  }
  return status;
}

class WriterFault : public testing::TestWithParam<std::tuple<FaultPlan::Length, unsigned, bool>> {};

// Scenario 17: an error of a sync is final, nobody retries.
TEST_P(WriterFault, Scenario17WriterStopsAndTheLedgerIsNeverTampered) {
  const auto [length, partial_percent, is_crash] = GetParam();
  int failed_runs = 0;
  for (std::uint64_t call = 1;; ++call) {
    ASSERT_LT(call, 1000U);
    SCOPED_TRACE("call " + std::to_string(call));
    Bench bench;
    const auto plan = std::make_shared<FaultPlan>();
    plan->fail_call = call;
    plan->length = length;
    plan->partial_percent = partial_percent;
    int effects = 0;
    const Status status = run(bench, plan, effects);
    EXPECT_FALSE(plan->was_retried);
    if (is_crash) {
      bench.disk->drop_unsynced();
    }
    const Verdict verdict = bench.verify();
    if (status) {
      EXPECT_EQ(verdict.kind, VerdictKind::verified);
      EXPECT_EQ(plan->failures, 0U);
      break;
    }
    ++failed_runs;
    ASSERT_TRUE(refused(status, "storage.io", "injected"));
    EXPECT_NE(verdict.kind, VerdictKind::tampered) << pretty(to_json(verdict));
    // A seal that was written whole verifies, also where its sync was not acknowledged.
    if (verdict.kind != VerdictKind::verified) {
      EXPECT_TRUE(verdict.kind == VerdictKind::torn || verdict.kind == VerdictKind::inconclusive);
    }
    // Every effect has its intent in what is left.
    std::uint64_t intents = 0;
    VerifyOptions options{bench.root, [&](const Record& record) {
                            intents += record.type == RecordType::step_intent ? 1 : 0;
                          }};
    static_cast<void>(bench.verify(options));
    EXPECT_GE(intents, static_cast<std::uint64_t>(effects));
  }
  EXPECT_GT(failed_runs, 15);
}
INSTANTIATE_TEST_SUITE_P(Audit, WriterFault,
                         testing::Combine(testing::Values(FaultPlan::Length::once,
                                                          FaultPlan::Length::for_ever),
                                          testing::Values(0U, 50U, 100U), testing::Bool()));

TEST(ResumeFault, EveryFailureWhileResumingIsAnErrorAndChangesNothing) {
  const Bench before = open_run();
  for (std::uint64_t call = 1;; ++call) {
    ASSERT_LT(call, 1000U);
    Bench bench;
    *bench.disk = rgx::test::MemoryDisk(before.disk->bytes());
    const auto plan = std::make_shared<FaultPlan>();
    plan->fail_call = call;
    const auto writer = LedgerWriter::resume(std::make_unique<FaultyStorage>(bench.open(), plan),
                                             bench.root, bench.clock, {"h", 1});
    EXPECT_EQ(bench.disk->bytes(), before.disk->bytes());
    if (writer) {
      EXPECT_GT(call, 1U);
      break;
    }
    EXPECT_TRUE(refused(writer, "storage.io", "injected"));
  }
}

TEST(VerifierFault, UnreadableStorageIsAnErrorAndNoVerdict) {
  const Bench bench = sealed_run();
  for (std::uint64_t call = 1;; ++call) {
    ASSERT_LT(call, 100U);
    const auto plan = std::make_shared<FaultPlan>();
    plan->fail_call = call;
    FaultyStorage storage(bench.open(), plan);
    const auto verdict = verify_ledger(storage, {bench.root, {}});
    if (verdict) {
      EXPECT_EQ(verdict->kind, VerdictKind::verified);
      EXPECT_GT(call, 2U);
      break;
    }
    EXPECT_TRUE(refused(verdict, "storage.io", "injected"));
  }
}

}  // namespace
}  // namespace rgx::audit::test
