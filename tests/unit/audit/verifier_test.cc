#include "audit/verifier.h"

#include "audit/ledger_format.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rgx::audit::test {
namespace {

std::string describe(const Verdict& verdict) {
  return pretty(to_json(verdict));
}

TEST(Verifier, SealedRunIsVerified) {
  const Bench bench = sealed_run();
  const Verdict verdict = bench.verify();
  EXPECT_EQ(verdict.kind, VerdictKind::verified) << describe(verdict);
  EXPECT_EQ(verdict.records, 8U);
  EXPECT_EQ(verdict.log_id, kLogId);
  EXPECT_TRUE(verdict.indeterminate.empty());
}

}  // namespace
}  // namespace rgx::audit::test
