#pragma once

#include "audit/keys.h"
#include "audit/ledger_writer.h"
#include "audit/requester.h"
#include "audit/verifier.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_entropy.h"
#include "tests/support/memory_storage.h"

#include <memory>
#include <string>
#include <string_view>

// Bodies as the engine writes them, and ledgers made of them, with fixed keys and times.

namespace rgx::audit::test {

inline constexpr std::string_view kLogId = "00112233445566778899aabbccddeeff";

/// Root key whose secret is SHA-256 of `seed`.
[[nodiscard]] RootKey root_key(std::string_view seed = "rgx golden root");
/// Signing key whose seed is SHA-256 of `seed`.
[[nodiscard]] SigningKey signing_key(std::string_view seed = "rgx golden requester");

[[nodiscard]] Json genesis_body(std::string_view log_id = kLogId);
[[nodiscard]] Json index_genesis_body();
[[nodiscard]] Json admission_body();
[[nodiscard]] Json intent_body(std::string_view step, std::int64_t attempt = 1);
[[nodiscard]] Json outcome_body(std::string_view step, std::int64_t attempt = 1,
                                std::string_view state = "succeeded");
[[nodiscard]] Json skipped_body(std::string_view step);
[[nodiscard]] Json seal_body(std::string_view state = "succeeded", std::int64_t exit_code = 0);
[[nodiscard]] Json run_started_body(std::string_view log_id = kLogId);
[[nodiscard]] Json run_finished_body(std::string_view log_id, std::uint64_t records,
                                     const Digest& root);
[[nodiscard]] Json rolled_back_body(std::string_view state, std::string_view log_id = kLogId);

/// A writer over a disk that outlasts it, with everything it needs.
struct Bench {
  std::shared_ptr<rgx::test::MemoryDisk> disk = std::make_shared<rgx::test::MemoryDisk>();
  rgx::test::FakeClock clock{rgx::test::FakeClock::kStartUnixMs, 7};
  RootKey root = root_key();

  [[nodiscard]] std::unique_ptr<Storage> open() const;
  /// Programmer errors of a test end it: these calls must succeed.
  [[nodiscard]] LedgerWriter create(std::string_view log_id = kLogId);
  [[nodiscard]] LedgerWriter create_index();
  [[nodiscard]] Result<LedgerWriter> resume();
  [[nodiscard]] Verdict verify() const;
  [[nodiscard]] Verdict verify(const VerifyOptions& options) const;
};

/// Appends with the expectation that it works.
void append(LedgerWriter& writer, RecordType type, Json body);
void append_step(LedgerWriter& writer, std::string_view step);

/// genesis, admission, two steps, a skipped one, seal: 8 records.
[[nodiscard]] Bench sealed_run(std::string_view log_id = kLogId);
/// The same without the seal.
[[nodiscard]] Bench open_run(std::string_view log_id = kLogId);

/// A line made by hand from `record`, with the right MAC of `key`: what only a key holder can do.
[[nodiscard]] std::string signed_line(const Record& record, const SecretKey& key);

}  // namespace rgx::audit::test
