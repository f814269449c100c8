#include "audit/merkle.h"

#include "base/check.h"
#include "base/json.h"
#include "tests/support/scratch_dir.h"
#include "tests/support/shared_vectors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rgx::audit::test {
namespace {

std::string bytes_of(const Digest& digest) {
  return {digest.bytes().begin(), digest.bytes().end()};
}

Digest leaf(std::size_t number) {
  return digest_bytes("leaf " + std::to_string(number));
}

/// RFC 6962, 2.1, as it is written there.
Digest reference_root(const std::vector<Digest>& leaves) {
  if (leaves.empty()) {
    return digest_bytes("");
  }
  if (leaves.size() == 1) {
    return leaves.front();
  }
  std::size_t split = 1;
  while (split * 2 < leaves.size()) {
    split *= 2;
  }
  const auto middle = leaves.begin() + static_cast<std::ptrdiff_t>(split);
  return digest_bytes("\x01" + bytes_of(reference_root({leaves.begin(), middle})) +
                      bytes_of(reference_root({middle, leaves.end()})));
}

/// RFC 6962, 2.1.1.
std::vector<Digest> reference_path(std::size_t index, const std::vector<Digest>& leaves) {
  if (leaves.size() <= 1) {
    return {};
  }
  std::size_t split = 1;
  while (split * 2 < leaves.size()) {
    split *= 2;
  }
  const auto middle = leaves.begin() + static_cast<std::ptrdiff_t>(split);
  const std::vector<Digest> left(leaves.begin(), middle);
  const std::vector<Digest> right(middle, leaves.end());
  std::vector<Digest> path =
      index < split ? reference_path(index, left) : reference_path(index - split, right);
  path.push_back(reference_root(index < split ? right : left));
  return path;
}

TEST(MerkleTree, EmptyTreeIsTheHashOfNothing) {
  EXPECT_EQ(MerkleTree().root().hex(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(MerkleTree, RootIsThatOfTheDefinitionForEverySize) {
  MerkleTree tree;
  std::vector<Digest> leaves;
  for (std::size_t size = 0; size <= 130; ++size) {
    EXPECT_EQ(tree.size(), size);
    EXPECT_EQ(tree.root(), reference_root(leaves)) << size;
    leaves.push_back(leaf(size));
    tree.add(leaves.back());
  }
}

TEST(MerkleTree, InclusionHoldsForEveryLeafAndNoOther) {
  std::vector<Digest> leaves;
  for (std::size_t size = 1; size <= 20; ++size) {
    leaves.push_back(leaf(size));
    const Digest root = reference_root(leaves);
    for (std::size_t index = 0; index < size; ++index) {
      const std::vector<Digest> path = reference_path(index, leaves);
      EXPECT_TRUE(verify_inclusion(index, size, leaves[index], path, root));
      EXPECT_FALSE(verify_inclusion(index, size, leaf(99), path, root));
      EXPECT_FALSE(verify_inclusion(index, size, leaves[index], path, leaf(99)));
      EXPECT_FALSE(verify_inclusion(size, size, leaves[index], path, root));
      if (size > 1) {
        EXPECT_FALSE(verify_inclusion((index + 1) % size, size, leaves[index], path, root));
        EXPECT_FALSE(verify_inclusion(index, size, leaves[index], {}, root));  // scenario 34
      }
      std::vector<Digest> longer = path;
      longer.push_back(leaf(99));
      EXPECT_FALSE(verify_inclusion(index, size, leaves[index], longer, root));
    }
  }
}

// ---- published proofs
// -------------------------------------------------------------------------------

/// Some vectors have texts like `don't care 1` for roots: zeros fill them up.
std::optional<Digest> digest_of_base64(const Json& text) {
  const Result<std::string> bytes = from_base64(text.as_string());
  if (!bytes || bytes->empty() || bytes->size() > Digest::kSize) {
    return std::nullopt;
  }
  Digest::Array array{};
  std::copy(bytes->begin(), bytes->end(), array.begin());
  return Digest(array);
}

/// The proof of a vector; nothing when one of its hashes is no SHA-256.
std::optional<std::vector<Digest>> proof_of(const Json& vector) {
  std::vector<Digest> proof;
  const Json* items = vector.find("proof");
  if (items->is_null()) {
    return proof;
  }
  for (const Json& item : items->as_array()) {
    const std::optional<Digest> hash = digest_of_base64(item);
    if (!hash) {
      return std::nullopt;
    }
    proof.push_back(*hash);
  }
  return proof;
}

/// A position; the vectors also hold ones beyond 2^53, which are no values of this Json.
std::optional<std::uint64_t> position(const Json& vector, std::string_view key) {
  const Json* value = vector.find(key);
  if (value == nullptr || !value->is_integer() || value->as_integer() < 0) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(value->as_integer());
}

bool inclusion_holds(const Json& vector) {
  const auto index = position(vector, "leafIdx");
  const auto size = position(vector, "treeSize");
  const auto proof = proof_of(vector);
  const auto hash = digest_of_base64(*vector.find("leafHash"));
  const auto root = digest_of_base64(*vector.find("root"));
  return index && size && proof && hash && root &&
         verify_inclusion(*index, *size, *hash, *proof, *root);
}

bool consistency_holds(const Json& vector) {
  const auto old_size = position(vector, "size1");
  const auto size = position(vector, "size2");
  const auto proof = proof_of(vector);
  const auto old_root = digest_of_base64(*vector.find("root1"));
  const auto root = digest_of_base64(*vector.find("root2"));
  return old_size && size && proof && old_root && root &&
         verify_consistency(*old_size, *size, *old_root, *proof, *root);
}

/// Checks every vector of a folder; numbers that no Json holds count as refused.
template <class Holds>
void check_vectors(const std::filesystem::path& folder, Holds holds) {
  int checked = 0;
  int good = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) {
      continue;
    }
    const Result<Json> vector = parse_json(rgx::test::read_file(entry.path()));
    if (!vector && vector.error().first().code == "json.number") {
      continue;
    }
    ASSERT_TRUE(vector.has_value()) << entry.path() << to_string(vector.error());
    const bool want = !vector->find("wantErr")->as_boolean();
    EXPECT_EQ(holds(*vector), want) << entry.path();
    ++checked;
    good += want ? 1 : 0;
  }
  EXPECT_GT(checked, 50);
  EXPECT_GT(good, 3);
}

TEST(MerkleTree, InclusionMatchesThePublishedVectors) {
  RGX_REQUIRE_VECTORS(folder, "vectors/merkle/testdata/inclusion");
  check_vectors(folder, inclusion_holds);
}

TEST(MerkleTree, ConsistencyMatchesThePublishedVectors) {
  RGX_REQUIRE_VECTORS(folder, "vectors/merkle/testdata/consistency");
  check_vectors(folder, consistency_holds);
}

}  // namespace
}  // namespace rgx::audit::test
