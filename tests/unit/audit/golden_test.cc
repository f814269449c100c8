// The vectors that the format documents name. Keys come from seeds, times from a fake clock, so
// the real writer makes the same bytes again.

#include "tests/support/golden.h"
#include "audit/checkpoint.h"
#include "audit/crypto.h"
#include "audit/ledger_format.h"
#include "audit/merkle.h"
#include "audit/verifier.h"
#include "base/canonical.h"
#include "tests/support/error_matchers.h"
#include "tests/support/scratch_dir.h"
#include "tests/unit/audit/ledger_fixture.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::audit::test {
namespace {

using rgx::test::expect_golden;
using rgx::test::MemoryDisk;

std::string golden(std::string_view name) {
  return rgx::test::read_file(std::filesystem::path(RGX_SOURCE_DIR) / "tests" / "golden" / name);
}

Verdict verify_golden(std::string_view name) {
  Bench bench;
  *bench.disk = MemoryDisk(golden(name));
  const Result<RootKey> root = parse_root_key(golden("ledger/root.key"), "root.key");
  EXPECT_TRUE(rgx::test::accepted(root));
  return bench.verify({*root, {}});
}

// ---- ledger
// ---------------------------------------------------------------------------------------

TEST(LedgerGolden, RootKey) {
  expect_golden("ledger/root.key", write_root_key(root_key()));
}

TEST(LedgerGolden, RunIsWrittenAsBefore) {
  expect_golden("ledger/run.jsonl", sealed_run().disk->bytes());
}

TEST(LedgerGolden, RunIsVerified) {
  const Verdict verdict = verify_golden("ledger/run.jsonl");
  EXPECT_EQ(verdict.kind, VerdictKind::verified) << pretty(to_json(verdict));
}

TEST(LedgerGolden, IndexIsWrittenAsBefore) {
  Bench run = sealed_run();
  const Verdict verdict = run.verify();
  Bench bench;
  LedgerWriter writer = bench.create_index();
  append(writer, RecordType::run_started, run_started_body());
  append(writer, RecordType::run_finished,
         run_finished_body(kLogId, verdict.records, verdict.root));
  append(writer, RecordType::run_refused,
         Json::object({{"decisions", Json::object({{"denied", Json::object()},
                                                   {"over_budget", Json::array()},
                                                   {"schema", "rgx.refusal/v1"}})},
                       {"intent", "replace `a` with `b`"},
                       {"plan_digest", digest_bytes("plan").to_string()},
                       {"run", "r-0123456789ab"}}));
  ASSERT_TRUE(writer.commit().has_value());
  expect_golden("ledger/index.jsonl", bench.disk->bytes());
}

TEST(LedgerGolden, IndexIsIntactAndInconclusive) {
  const Verdict verdict = verify_golden("ledger/index.jsonl");
  EXPECT_EQ(verdict.kind, VerdictKind::inconclusive);
  EXPECT_EQ(verdict.integrity.state, PropertyState::holds);
  EXPECT_EQ(verdict.authenticity.state, PropertyState::holds);
  EXPECT_EQ(verdict.meaning.state, PropertyState::holds);
}

TEST(LedgerGolden, VectorsNameEveryHash) {
  const RootKey root = root_key();
  const SecretKey first = log_key(root, kLogId);
  const SecretKey second = next_epoch_key(first);
  Json records = Json::array();
  MerkleTree tree;
  const Bench bench = sealed_run();
  for (const std::string& line : bench.disk->lines()) {
    const std::string_view bytes = std::string_view(line).substr(kLineOverhead - kLineTail.size(),
                                                                 line.size() - kLineOverhead);
    tree.add(leaf_hash(bytes));
    records.push(Json::object(
        {{"leaf", leaf_hash(bytes).to_string()},
         {"mac", line.substr(kLineHead.size(), kMacHexSize)},
         {"pre_authentication_size", pre_authentication(kRecordPayloadType, bytes).size()},
         {"root_after", tree.root().to_string()}}));
  }
  const Json vectors =
      Json::object({{"commitment_k0", key_commitment(first).to_string()},
                    {"commitment_k1", key_commitment(second).to_string()},
                    {"k0", to_hex(first.bytes())},
                    {"k1", to_hex(second.bytes())},
                    {"log_id", kLogId},
                    {"records", records},
                    {"requester_statement",
                     requester_statement(kLogId, digest_bytes("plan"), digest_bytes("admission"))},
                    {"root_id", root.id},
                    {"root_secret", to_hex(root.secret.bytes())}});
  expect_golden("ledger/vectors.json", pretty(vectors));
}

// ---- checkpoint
// -------------------------------------------------------------------------------------

TEST(CheckpointGolden, PublicKey) {
  expect_golden("checkpoint/public.txt", signing_key("rgx golden checkpoint").public_key() + "\n");
}

TEST(CheckpointGolden, NoteIsSignedAsBefore) {
  const Checkpoint checkpoint{"rgx/" + std::string(kLogId), 3, digest_bytes("root")};
  expect_golden("checkpoint/three.note",
                sign_checkpoint(checkpoint, "rgx/golden", signing_key("rgx golden checkpoint")));
}

TEST(CheckpointGolden, NoteOpensWithThePublicKey) {
  std::string key = golden("checkpoint/public.txt");
  key.pop_back();
  const auto opened = open_checkpoint(golden("checkpoint/three.note"), "rgx/golden", key);
  ASSERT_TRUE(rgx::test::accepted(opened));
  EXPECT_EQ(opened->size, 3U);
  EXPECT_EQ(opened->root, digest_bytes("root"));
}

// ---- approval
// ---------------------------------------------------------------------------------------

constexpr std::string_view kApprovalType = "application/vnd.rgx.approval.v1+json";
constexpr std::string_view kApprovalHead = "{\"approval\":";
constexpr std::string_view kApprovalKey = ",\"public_key\":\"";
constexpr std::string_view kApprovalSignature = "\",\"signature\":\"";
constexpr std::string_view kApprovalTail = "\"}\n";
constexpr std::size_t kPublicKeySize = 68;
constexpr std::size_t kSignatureSize = 88;

enum class Scope : std::uint8_t { step, plan };

Json approval(Scope scope) {
  const bool is_step = scope == Scope::step;
  const auto digest = [](std::string_view of) { return digest_bytes(of).to_string(); };
  return Json::object(
      {{"admission_digest", digest("admission")},
       {"answer", "approve"},
       {"approver", "ada"},
       {"environment", is_step ? Json::array({Json("LANG=" + digest("C.UTF-8"))}) : Json::array()},
       {"expires", "2026-01-02T00:00:00.000Z"},
       {"issued", "2026-01-01T00:00:00.000Z"},
       {"nonce", "8899aabbccddeeff0011223344556677"},
       {"operands", is_step ? Json::array({Json(digest("src/a.c"))}) : Json::array()},
       {"plan_digest", digest("plan")},
       {"reason", "reviewed the diff"},
       {"run", is_step ? Json("r-001122334455") : Json()},
       {"schema", "rgx.approval/v1"},
       {"step", is_step ? Json("edit[src/a.c]") : Json()}});
}

std::string approval_file(Scope scope) {
  const SigningKey key = signing_key("rgx golden approver");
  const std::string bytes = canonical(approval(scope));
  std::string file(kApprovalHead);
  file += bytes;
  file += kApprovalKey;
  file += key.public_key();
  file += kApprovalSignature;
  file += key.sign(kApprovalType, bytes);
  file += kApprovalTail;
  return file;
}

/// Reads a file by its fixed places, from the end; true when form and signature are right.
bool approval_verifies(std::string_view file) {
  constexpr std::size_t kEnd = kApprovalKey.size() + kPublicKeySize + kApprovalSignature.size() +
                               kSignatureSize + kApprovalTail.size();
  if (file.size() <= kApprovalHead.size() + kEnd || !file.starts_with(kApprovalHead)) {
    return false;
  }
  const std::string_view body =
      file.substr(kApprovalHead.size(), file.size() - kApprovalHead.size() - kEnd);
  std::string_view rest = file.substr(file.size() - kEnd);
  const auto take = [&rest](std::size_t size) {
    const std::string_view part = rest.substr(0, size);
    rest.remove_prefix(size);
    return part;
  };
  const bool has_key = take(kApprovalKey.size()) == kApprovalKey;
  const std::string_view key = take(kPublicKeySize);
  const bool has_signature = take(kApprovalSignature.size()) == kApprovalSignature;
  const std::string_view signature = take(kSignatureSize);
  if (!has_key || !has_signature || rest != kApprovalTail || !parse_canonical(body)) {
    return false;
  }
  const Result<bool> verifies = verify_signature(key, kApprovalType, body, signature);
  return verifies.has_value() && *verifies;
}

TEST(ApprovalGolden, StepIsSignedAsBefore) {
  expect_golden("approval/step.json", approval_file(Scope::step));
}

TEST(ApprovalGolden, PlanIsSignedAsBefore) {
  expect_golden("approval/plan.json", approval_file(Scope::plan));
}

TEST(ApprovalGolden, FilesVerifyAndAreCanonicalAsAWhole) {
  for (const std::string_view name : {"approval/step.json", "approval/plan.json"}) {
    const std::string file = golden(name);
    EXPECT_TRUE(approval_verifies(file)) << name;
    EXPECT_TRUE(rgx::test::accepted(parse_canonical(file.substr(0, file.size() - 1))));
  }
}

TEST(ApprovalGolden, EveryChangedByteIsRefused) {
  const std::string file = golden("approval/step.json");
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed = file;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ (1U << bit));
      ASSERT_FALSE(approval_verifies(changed)) << "bit " << bit << " of byte " << at;
    }
  }
}

TEST(ApprovalGolden, SignatureOfAnotherKindDoesNotCount) {
  const std::string bytes = canonical(approval(Scope::plan));
  const SigningKey key = signing_key("rgx golden approver");
  const std::string signature = key.sign(kRequesterPayloadType, bytes);
  EXPECT_EQ(verify_signature(key.public_key(), kApprovalType, bytes, signature), false);
}

}  // namespace
}  // namespace rgx::audit::test
