#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "audit/keys.h"
#include "audit/merkle.h"
#include "audit/record.h"
#include "audit/storage.h"
#include "base/clock.h"

// The single writer of one ledger. Appends are buffered; nothing counts until commit() returned.
// INVARIANT: after the first error every call fails with the same error; nothing is retried.

namespace rgx::audit {

/// Where a record stands: enough to cite it.
struct RecordReference {
  std::uint64_t seq = 0;
  Digest leaf;
};

class LedgerWriter {
 public:
  struct Environment {
    std::string host;  ///< recorded in every `env`
    std::int64_t pid = 0;
  };

  /// Starts an empty storage with its first record (`genesis` or `index_genesis`), whose body
  /// gets `key_commitment`, `mode` and `schema` added, and commits it (ledger.not_empty).
  [[nodiscard]] static Result<LedgerWriter> create(std::unique_ptr<Storage> storage,
                                                   const RootKey& root, const std::string& log_id,
                                                   RecordType first, Json body, Clock& clock,
                                                   Environment environment);
  /// Continues a ledger after verifying it whole (ledger.tampered, ledger.torn, ledger.sealed,
  /// ledger.unverified: another key, or no record). `on_record` is told of every record.
  [[nodiscard]] static Result<LedgerWriter> resume(
      std::unique_ptr<Storage> storage, const RootKey& root, Clock& clock, Environment environment,
      std::function<void(const Record&)> on_record = {});
  LedgerWriter(LedgerWriter&&) noexcept;
  LedgerWriter& operator=(LedgerWriter&&) noexcept;
  ~LedgerWriter();

  /// Buffers one record (ledger.record_too_large; ledger.body: no verifier would accept it).
  /// Changes of epoch key happen in here.
  [[nodiscard]] Result<RecordReference> append(RecordType type, Json body);
  /// Writes and syncs everything buffered.
  [[nodiscard]] Status commit();
  /// Appends `run_sealed` with `body` + {records, root}, commits; no append after it.
  [[nodiscard]] Result<RecordReference> seal(Json body);

  [[nodiscard]] const std::string& log_id() const;
  [[nodiscard]] std::uint64_t records() const;
  [[nodiscard]] Digest root() const;  ///< tree root over all records appended
  [[nodiscard]] Digest head() const;  ///< leaf hash of the last record

 private:
  struct State;
  explicit LedgerWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// 32 hex digits from 16 random bytes.
[[nodiscard]] Result<std::string> new_log_id(Entropy& entropy);

}  // namespace rgx::audit
