#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "audit/meaning.h"
#include "audit/merkle.h"
#include "audit/verifier.h"

// The verifier's state between two lines of a ledger. What comes out of a whole ledger is also
// where a writer goes on.

namespace rgx::audit {

class LedgerScan {
 public:
  explicit LedgerScan(const VerifyOptions& options) : options_(options) {}

  enum class Next : std::uint8_t { more, stop };
  /// Takes one line with its line feed, which begins at `offset`. `stop` once integrity or
  /// completeness is broken: what follows says nothing more.
  [[nodiscard]] Next line(std::string_view line, std::uint64_t offset);
  /// The bytes after the last line feed are no torn tail.
  void damaged_tail(std::uint64_t offset, const std::string& note);
  /// A torn tail at `offset`, or none, and no more bytes.
  [[nodiscard]] Verdict finish(std::optional<std::uint64_t> torn_offset);

  [[nodiscard]] const MerkleTree& tree() const { return tree_; }
  [[nodiscard]] const Meaning& meaning() const { return meaning_; }
  /// Key, epoch and records of the open epoch; the key only if a root key was given.
  [[nodiscard]] const SecretKey& epoch_key() const { return epoch_key_; }
  [[nodiscard]] std::uint32_t epoch() const { return epoch_; }
  [[nodiscard]] std::uint64_t epoch_records() const { return epoch_records_; }

 private:
  Next broken(Property& property, const std::string& note, std::uint64_t offset);
  [[nodiscard]] std::optional<std::string> chain_mistake(const Record& record) const;
  void check_mac(const Digest& mac, std::string_view record_bytes, std::uint64_t offset);
  void check_commitment(const Json& body, std::string_view member, const SecretKey& key,
                        std::uint64_t offset);
  void check_meaning(const Record& record, std::uint64_t offset);
  Next check_seal(const Record& record, std::uint64_t offset);
  void advance(const Record& record);
  void settle_authenticity();
  void settle_others(bool is_torn);
  [[nodiscard]] VerdictKind kind(bool is_torn) const;

  const VerifyOptions& options_;
  Verdict verdict_;
  MerkleTree tree_;
  Meaning meaning_;
  std::string key_id_;
  std::optional<Authenticator> authenticator_;
  SecretKey epoch_key_;
  std::uint32_t epoch_ = 0;
  std::uint64_t epoch_records_ = 0;
  std::uint64_t macs_right_ = 0;
  bool commits_to_key_ = false;
  bool is_sealed_ = false;
  Property bad_mac_;  // the first, if any
};

}  // namespace rgx::audit
