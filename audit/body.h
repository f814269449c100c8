#pragma once

#include <optional>
#include <string>

#include "audit/record.h"

// The shape of each kind's body: a closed set of members with their types, as
// docs/formats/ledger.md lists them. Writer and verifier both ask, so that nothing is written
// that would not be understood.

namespace rgx::audit {

/// What is wrong with `body` as one of `type`, naming the member; nothing when it is right.
[[nodiscard]] std::optional<std::string> body_mistake(RecordType type, const Json& body);

}  // namespace rgx::audit
