#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/keys.h"
#include "audit/record.h"
#include "audit/storage.h"

// Proves a ledger from its bytes and a key, streaming, in bounded memory. Depends on nothing of
// the machine that wrote it.

namespace rgx::audit {

enum class VerdictKind : std::uint8_t {
  verified,      ///< sealed and intact under the given key
  tampered,      ///< bytes, chain, order or seal contradict each other or the key
  inconclusive,  ///< intact so far, but not sealed, or no key to tell
  torn,          ///< an incomplete last write; intact before it
};
[[nodiscard]] std::string_view to_string(VerdictKind kind);  ///< `VERIFIED`, ...

enum class PropertyState : std::uint8_t { holds, fails, unknown };
[[nodiscard]] std::string_view to_string(PropertyState state);

/// One thing that was checked, told apart from the others.
struct Property {
  PropertyState state = PropertyState::unknown;
  std::string note;                         ///< why, in one line
  std::optional<std::uint64_t> bad_offset;  ///< first byte that shows it
  std::optional<std::uint64_t> bad_seq;
};

struct Verdict {
  VerdictKind kind = VerdictKind::inconclusive;
  Property integrity;     ///< every line well formed, chain and tree unbroken
  Property completeness;  ///< first to last record, sealed, counts agree
  Property authenticity;  ///< MACs under the given key
  Property meaning;       ///< order of admission, intents and outcomes
  std::string log_id;
  std::uint64_t records = 0;
  Digest root;
  Digest head;
  std::optional<Record> genesis;
  std::optional<Record> last;
  std::vector<std::string> indeterminate;  ///< steps with an intent and no outcome
};

struct VerifyOptions {
  std::optional<RootKey> root_key;  ///< none: authenticity unknown, never VERIFIED
  /// Called for each record that is intact so far, in order.
  std::function<void(const Record&)> on_record;
};

/// An unreadable storage is an Error; everything its bytes can hold is a Verdict.
[[nodiscard]] Result<Verdict> verify_ledger(Storage& storage, const VerifyOptions& options);

/// `rgx.verdict/v1`.
[[nodiscard]] Json to_json(const Verdict& verdict);

}  // namespace rgx::audit
