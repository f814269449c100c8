#pragma once

#include <string>
#include <string_view>

#include "audit/keys.h"
#include "base/digest.h"

// The requester's signature in a genesis: this person asked for this admission of this plan, and
// this log is its record. Format: docs/formats/ledger.md

namespace rgx::audit {

inline constexpr std::string_view kRequesterPayloadType =
    "application/vnd.rgx.audit.requester.v1+json";

/// The signed bytes: canonical JSON of the two digests and the log id.
[[nodiscard]] std::string requester_statement(std::string_view log_id, const Digest& plan_digest,
                                              const Digest& admission_digest);
/// Member `requester` of a genesis body: {public_key, signature}.
[[nodiscard]] Json sign_requester(const SigningKey& key, std::string_view log_id,
                                  const Digest& plan_digest, const Digest& admission_digest);

}  // namespace rgx::audit
