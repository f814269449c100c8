#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/json.h"

// One record of a ledger. Format: docs/formats/ledger.md

namespace rgx::audit {

/// The closed set of records; names are what stands in the file.
enum class RecordType : std::uint8_t {
  genesis,         ///< first record of a run's log: digests, key commitment, requester, index place
  admission,       ///< policy layers, decisions and worst-case budget of the whole plan
  step_intent,     ///< durable before any effect of the step
  step_outcome,    ///< how it ended, what changed, what it cost
  step_refused,    ///< a gate said no: the decision
  step_skipped,    ///< never started: a dependency failed or the run was stopped
  approval,        ///< a human answer, signed
  policy_changed,  ///< policy read again on resume differs
  run_interrupted,  ///< cancelled or signalled
  run_suspended,    ///< stops here, may be resumed
  recovery,         ///< a torn tail was set aside
  epoch_closed,     ///< last record under an epoch's key
  key_rotated,      ///< commitment to the next root key
  checkpoint,       ///< a signed note about the log so far
  run_sealed,       ///< last record of a finished run: state, count and tree root
  index_genesis,    ///< first record of a repository's index ledger
  run_started,      ///< index: a run's log id and digests
  run_finished,     ///< index: a run's final state, count and root
  run_refused,      ///< index: a plan that admission refused, with the decisions
  run_rolled_back,  ///< index: a run's files were given back, or that was begun
  pruned,           ///< index: records removed under retention, edge hashes kept
};
[[nodiscard]] std::string_view to_string(RecordType type);
[[nodiscard]] Result<RecordType> record_type(std::string_view name);

inline constexpr int kRecordVersion = 1;

/// `body` is deterministic (compared on replay); `env` holds time, host, process.
struct Record {
  std::string log_id;  ///< 32 hex digits
  std::uint64_t seq = 0;
  Digest prev;  ///< leaf hash of the record before; all zero for seq 0
  std::uint32_t epoch = 0;
  std::string key_id;  ///< 16 hex digits: selects among pinned keys, proves nothing
  RecordType type = RecordType::genesis;
  Json body;
  Json env;

  bool operator==(const Record&) const = default;
};

[[nodiscard]] std::string record_bytes(const Record& record);  ///< canonical JSON
[[nodiscard]] Result<Record> parse_record(std::string_view bytes);
/// SHA-256(0x00 || record bytes): chain link and RFC 6962 leaf.
[[nodiscard]] Digest leaf_hash(std::string_view record_bytes);

}  // namespace rgx::audit
