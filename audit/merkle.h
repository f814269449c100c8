#pragma once

#include <cstdint>
#include <vector>

#include "base/digest.h"

// RFC 6962 Merkle tree over leaf hashes, built as they come in O(log n) memory.

namespace rgx::audit {

class MerkleTree {
 public:
  void add(const Digest& leaf);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Root of the leaves so far; SHA-256 of nothing for the empty tree.
  [[nodiscard]] Digest root() const;

 private:
  std::uint64_t size_ = 0;
  std::vector<Digest> peaks_;  // complete subtrees, largest first
};

}  // namespace rgx::audit
