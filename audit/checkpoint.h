#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "audit/keys.h"
#include "base/digest.h"

// A checkpoint says, under an Ed25519 signature, how large a log was and what its tree root was.
// C2SP tlog-checkpoint in a C2SP signed note. Format: docs/formats/checkpoint.md

namespace rgx::audit {

struct Checkpoint {
  std::string origin;  ///< `rgx/LOG_ID`
  std::uint64_t size = 0;
  Digest root;

  bool operator==(const Checkpoint&) const = default;
};

[[nodiscard]] std::string checkpoint_text(const Checkpoint& checkpoint);
/// Key id of a note signature: first 4 bytes of SHA-256(name || LF || 0x01 || public key).
[[nodiscard]] std::string sign_checkpoint(const Checkpoint& checkpoint, std::string_view key_name,
                                          const SigningKey& key);
/// The checkpoint of a note, whoever signed it: nothing is proven (checkpoint.syntax).
[[nodiscard]] Result<Checkpoint> read_checkpoint(std::string_view note);
/// The checkpoint of a note that carries a valid signature of `public_key` under `key_name`
/// (checkpoint.syntax, checkpoint.signature).
[[nodiscard]] Result<Checkpoint> open_checkpoint(std::string_view note, std::string_view key_name,
                                                 std::string_view public_key);

}  // namespace rgx::audit
