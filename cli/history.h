#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/verifier.h"
#include "base/ids.h"
#include "engine/state_store.h"

// What the repository's index ledger says about its runs.

namespace rgx::cli {

struct HistoryEntry {
  RunId run;
  std::string log_id;       ///< empty for a plan that admission refused
  std::string state;        ///< as sealed; `unfinished` without an end, `refused` for a refusal
  std::string started;      ///< time of the record, RFC 3339
  std::string finished;     ///< likewise; empty while there is none
  std::string rolled_back;  ///< likewise; empty unless its files were given back
  std::string plan_digest;
  std::optional<Digest> root;            ///< tree root of the whole ledger, from the end
  std::optional<std::uint64_t> records;  ///< likewise
  std::uint64_t start_seq = 0;           ///< of the record that started it
  Digest start_leaf;                     ///< leaf hash of that record

  bool operator==(const HistoryEntry&) const = default;
};

struct History {
  std::vector<HistoryEntry> entries;      ///< in the order of their start
  std::optional<audit::Verdict> verdict;  ///< of the index; none where there is no index yet
  /// The index is whole, but no record of it is signed under the given key: there are no entries.
  bool other_key = false;
  /// Runs that are stored, but that the index, which is intact as far as it goes, does not tell of:
  /// its end was cut off, or somebody brought them here. Each run begins in the index.
  std::vector<RunId> unlisted;
  std::string repository;  ///< root of the repository that the index is of, as it says itself

  [[nodiscard]] const HistoryEntry* find(const RunId& run) const;
};

/// Reads the index, under a key or without one. Entries after damage are not told.
[[nodiscard]] Result<History> read_history(engine::StateStore& state,
                                           const std::optional<audit::RootKey>& key);

/// A run id, a unique prefix of one (`r-` may be left out), or `last`: the one that started last.
/// Errors: run.none, run.unknown, run.ambiguous, run.index_damaged and run.index_gone
/// (evidence; of `last`), run.other_key.
[[nodiscard]] Result<RunId> find_run(std::string_view text, const History& history,
                                     engine::StateStore& state);

}  // namespace rgx::cli
