#pragma once

#include <cstdint>
#include <vector>

#include "base/digest.h"

// RFC 6962 Merkle tree over leaf hashes, built as they come in O(log n) memory, and the two
// proofs about such trees (RFC 9162, 2.1.3 and 2.1.4).

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

/// True if `proof` shows that `leaf` is at `index` of the tree of `size` leaves under `root`.
[[nodiscard]] bool verify_inclusion(std::uint64_t index, std::uint64_t size, const Digest& leaf,
                                    const std::vector<Digest>& proof, const Digest& root);
/// True if `proof` shows that the tree of `old_size` is a prefix of the tree of `size`.
[[nodiscard]] bool verify_consistency(std::uint64_t old_size, std::uint64_t size,
                                      const Digest& old_root, const std::vector<Digest>& proof,
                                      const Digest& root);

}  // namespace rgx::audit
