#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/approval.h"

// The answers of people that are on record in a run's ledger. Private to the package.

namespace rgx::engine {

class ApprovalBook {
 public:
  /// An answer that was checked and recorded as record `seq`.
  void add(const SignedApproval& approval, std::int64_t seq);
  /// The file was looked at; whether it counted or not, it is not looked at again.
  void set_seen(const std::string& digest) { seen_.insert(digest); }
  [[nodiscard]] bool has_seen(const std::string& digest) const { return seen_.contains(digest); }

  [[nodiscard]] const std::set<std::string>& nonces() const { return nonces_; }
  /// Keys whose approval of the step is in force, and the records that say so, ascending.
  struct InForce {
    std::set<std::string> keys;
    std::vector<std::int64_t> records;
  };
  [[nodiscard]] InForce in_force(const StepId& step, std::int64_t now_unix_ms) const;
  /// Who rejected the step, and why; nothing where nobody did.
  struct Rejection {
    std::string why;
    std::int64_t record = 0;
  };
  [[nodiscard]] std::optional<Rejection> rejection(const StepId& step) const;

 private:
  struct Given {
    std::string key;
    std::int64_t expires_unix_ms = 0;
    std::int64_t seq = 0;
  };
  std::map<StepId, std::vector<Given>> given_;
  std::map<StepId, Rejection> rejected_;
  std::set<std::string> nonces_;
  std::set<std::string> seen_;
};

}  // namespace rgx::engine
