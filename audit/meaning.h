#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "audit/merkle.h"
#include "audit/record.h"

// What records say together: the order of admission, intents, outcomes and seal. Bytes, chain and
// MACs are somebody else's business (ledger_scan.h). Rules: docs/formats/ledger.md, "Order".

namespace rgx::audit {

class Meaning {
 public:
  /// Takes the next record, `before` being the tree of all records before it. What is wrong with
  /// it in one line, or nothing. Not to be called again after a mistake.
  [[nodiscard]] std::optional<std::string> next(const Record& record, const MerkleTree& before);

  /// Steps whose last attempt has an intent and no outcome, sorted.
  [[nodiscard]] std::vector<std::string> indeterminate() const;
  /// Kinds were seen that this version does not judge.
  [[nodiscard]] bool has_reserved() const { return has_reserved_; }
  [[nodiscard]] bool is_index() const { return is_index_; }

 private:
  using Mistake = std::optional<std::string>;
  Mistake first(const Record& record);
  [[nodiscard]] Mistake kind(RecordType type) const;
  Mistake admission(const Json& body);
  Mistake intent(const Json& body);
  Mistake outcome(const Json& body);
  Mistake spend(const Json& spent);
  Mistake started(const Record& record);
  Mistake finished(const Json& body);
  Mistake rolled_back(const Json& body);
  [[nodiscard]] Mistake epoch_closed(const Record& record, const MerkleTree& before) const;
  [[nodiscard]] Mistake note(const Record& record, const MerkleTree& before) const;
  [[nodiscard]] Mistake sealed(const Json& body) const;
  [[nodiscard]] Mistake ended_worktree(const Json& body) const;
  [[nodiscard]] Mistake accepted(const Json& body) const;
  void answered(const Record& record);
  Mistake dispatch(const Record& record, const MerkleTree& before);

  bool is_index_ = false;
  bool is_admitted_ = false;
  bool has_reserved_ = false;
  std::string plan_digest_;
  std::string admission_digest_;
  std::string branch_;                            // of a run in a worktree; else empty
  std::string base_;                              // commit that the admission names
  std::map<std::string, std::int64_t> open_;      // step -> attempt, or log id -> 0 in an index
  std::map<std::string, std::string> rollbacks_;  // log id -> digest of one under way
  std::set<std::int64_t> approvals_;              // seq of records that approve
  std::set<std::int64_t> accepting_;              // those of them about the acceptance
  std::set<std::int64_t> rejecting_;              // seq of records that reject the acceptance
  bool needs_review_ = false;  // policy in force: who changed the judge's files needs an approval
  std::map<std::string, std::int64_t> spent_;  // sums over the outcomes
};

}  // namespace rgx::audit
