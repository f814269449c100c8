// Ledgers: any bytes get a verdict, and only the bytes that the key's holder wrote are verified.
// The corpus is signed with the key of tests/golden/ledger/root.key.
#include "audit/verifier.h"
#include "base/digest.h"

#include "tests/fuzz/target.h"

#include <algorithm>
#include <string>

namespace {

using namespace rgx;

class Text final : public audit::Storage {
 public:
  explicit Text(std::string_view bytes) : bytes_(bytes) {}
  Result<std::uint64_t> size() override { return bytes_.size(); }
  Result<std::string> read(std::uint64_t offset, std::size_t size) override {
    const auto begin = std::min<std::uint64_t>(offset, bytes_.size());
    return std::string(bytes_.substr(static_cast<std::size_t>(begin), size));
  }
  Status append(std::string_view) override { return {}; }
  Status sync() override { return {}; }

 private:
  std::string_view bytes_;
};

const audit::RootKey& root() {
  static const audit::RootKey key = [] {
    const Digest secret = digest_bytes("rgx golden root");
    return audit::RootKey::from_secret(
        audit::SecretKey(std::string(secret.bytes().begin(), secret.bytes().end())));
  }();
  return key;
}

// Of tests/golden/ledger/run.jsonl, the one ledger under this key that is sealed.
constexpr std::string_view kGenuine =
    "sha256:c8128256b9f68c9521339ba026faba3a3c480837f8cf6fa237aefa386417875f";

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  Text storage(bytes);
  std::uint64_t seen = 0;
  const auto verdict = audit::verify_ledger(storage, {root(), [&](const audit::Record& record) {
                                                        RGX_FUZZ_CHECK(record.seq == seen);
                                                        ++seen;
                                                      }});
  RGX_FUZZ_CHECK(verdict.has_value());
  RGX_FUZZ_CHECK(seen <= verdict->records);
  if (verdict->kind == audit::VerdictKind::verified) {
    RGX_FUZZ_CHECK(digest_bytes(bytes).to_string() == kGenuine);
  }
  for (const audit::Property* property :
       {&verdict->integrity, &verdict->completeness, &verdict->authenticity, &verdict->meaning}) {
    const bool fails = property->state == audit::PropertyState::fails;
    RGX_FUZZ_CHECK(!fails || verdict->kind == audit::VerdictKind::tampered);
    RGX_FUZZ_CHECK(!fails || property->bad_offset.value_or(bytes.size()) < bytes.size());
  }
  // Without a key the same bytes are never more than inconclusive.
  const auto without_key = audit::verify_ledger(storage, {});
  RGX_FUZZ_CHECK(without_key.has_value());
  RGX_FUZZ_CHECK(without_key->kind != audit::VerdictKind::verified);
  return 0;
}
