// The small texts of the audit: records, root keys, public keys, checkpoints, signing keys. What
// is accepted has one spelling: writing it again gives the same bytes.
#include "audit/checkpoint.h"
#include "audit/crypto.h"
#include "audit/keys.h"
#include "audit/record.h"
#include "base/text.h"

#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rgx;
  const std::string_view text = fuzz::text_of(data, size);
  if (const auto record = audit::parse_record(text)) {
    RGX_FUZZ_CHECK(audit::record_bytes(*record) == text);
  } else {
    RGX_FUZZ_CHECK(!record.error().first().message.empty());
  }
  if (const auto key = audit::parse_root_key(text, "root.key")) {
    RGX_FUZZ_CHECK(audit::write_root_key(*key) == text);
  }
  const std::string_view line = text.substr(0, text.find('\n'));
  if (const auto key = audit::parse_public_key(line)) {
    RGX_FUZZ_CHECK(audit::public_key_text(*key) == line);
  }
  if (const auto checkpoint = audit::read_checkpoint(text)) {
    RGX_FUZZ_CHECK(text.starts_with(audit::checkpoint_text(*checkpoint)));
  }
  if (const auto key = audit::SigningKey::parse_pem(text, "key.pem")) {
    RGX_FUZZ_CHECK(audit::SigningKey::parse_pem(key->pem(), "key.pem")->public_key() ==
                   key->public_key());
  }
  return 0;
}
