#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/verifier.h"

// Reads a ledger while another process writes it. Every record is checked against the chain before
// it is told; a line that is not whole yet is one that is being written.

namespace rgx::cli {

enum class FollowEnd : std::uint8_t {
  none,         ///< more may come
  sealed,       ///< the run is over
  suspended,    ///< it waits for people
  writer_gone,  ///< no seal, and the process that wrote it is no more
  damaged,      ///< what follows is no ledger
};

class LedgerFollower {
 public:
  /// `path` is where the bytes of `storage` are, to be told of changes.
  LedgerFollower(audit::Storage& storage, const std::string& path);
  ~LedgerFollower();
  LedgerFollower(const LedgerFollower&) = delete;
  LedgerFollower& operator=(const LedgerFollower&) = delete;
  LedgerFollower(LedgerFollower&&) = delete;
  LedgerFollower& operator=(LedgerFollower&&) = delete;

  /// The records that were added since the last call.
  [[nodiscard]] Result<std::vector<audit::Record>> take();
  /// As of the last take().
  [[nodiscard]] FollowEnd end() const { return end_; }
  /// Until something was written, or a moment at most.
  void wait();

 private:
  void judge_last();

  audit::Storage& storage_;
  int notifier_ = -1;  // inotify; -1: only the moment
  std::uint64_t size_ = 0;
  std::uint64_t told_ = 0;
  std::optional<audit::Record> last_;
  FollowEnd end_ = FollowEnd::none;
  bool writer_was_gone_ = false;
};

}  // namespace rgx::cli
