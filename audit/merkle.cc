#include "audit/merkle.h"

#include <bit>
#include <string>

namespace rgx::audit {
namespace {

constexpr char kNodePrefix = 0x01;

std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.bytes().data()), digest.bytes().size()};
}

Digest node(const Digest& left, const Digest& right) {
  std::string bytes(1, kNodePrefix);
  bytes += bytes_of(left);
  bytes += bytes_of(right);
  return digest_bytes(bytes);
}

}  // namespace

void MerkleTree::add(const Digest& leaf) {
  Digest merged = leaf;
  // Each trailing one bit of the size is a complete subtree as large as the merged one.
  for (std::uint64_t bits = size_; (bits & 1U) != 0; bits >>= 1U) {
    merged = node(peaks_.back(), merged);
    peaks_.pop_back();
  }
  peaks_.push_back(merged);
  ++size_;
}

Digest MerkleTree::root() const {
  if (peaks_.empty()) {
    return digest_bytes({});
  }
  Digest root = peaks_.back();
  for (auto peak = peaks_.rbegin() + 1; peak != peaks_.rend(); ++peak) {
    root = node(*peak, root);
  }
  return root;
}

bool verify_inclusion(std::uint64_t index, std::uint64_t size, const Digest& leaf,
                      const std::vector<Digest>& proof, const Digest& root) {
  if (index >= size) {
    return false;
  }
  std::uint64_t first = index;
  std::uint64_t last = size - 1;
  Digest hash = leaf;
  for (const Digest& sibling : proof) {
    if (last == 0) {
      return false;  // longer than the path
    }
    if ((first & 1U) != 0 || first == last) {
      hash = node(sibling, hash);
      while ((first & 1U) == 0 && first != 0) {
        first >>= 1U;
        last >>= 1U;
      }
    } else {
      hash = node(hash, sibling);
    }
    first >>= 1U;
    last >>= 1U;
  }
  return last == 0 && hash == root;
}

bool verify_consistency(std::uint64_t old_size, std::uint64_t size, const Digest& old_root,
                        const std::vector<Digest>& proof, const Digest& root) {
  if (old_size == 0 || old_size > size) {
    return false;  // a proof from the empty tree shows nothing
  }
  if (old_size == size) {
    return proof.empty() && old_root == root;
  }
  if (proof.empty()) {
    return false;
  }
  auto next = proof.begin();
  // A complete old tree is its own first node and is left out of the proof.
  Digest old_hash = std::has_single_bit(old_size) ? old_root : *next++;
  Digest hash = old_hash;
  std::uint64_t first = old_size - 1;
  std::uint64_t last = size - 1;
  while ((first & 1U) != 0) {
    first >>= 1U;
    last >>= 1U;
  }
  for (; next != proof.end(); ++next) {
    if (last == 0) {
      return false;
    }
    if ((first & 1U) != 0 || first == last) {
      old_hash = node(*next, old_hash);
      hash = node(*next, hash);
      while ((first & 1U) == 0 && first != 0) {
        first >>= 1U;
        last >>= 1U;
      }
    } else {
      hash = node(hash, *next);
    }
    first >>= 1U;
    last >>= 1U;
  }
  return last == 0 && old_hash == old_root && hash == root;
}

}  // namespace rgx::audit
