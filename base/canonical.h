#pragma once

#include <string>

#include "base/json.h"

// RFC 8785 (JSON Canonicalization Scheme) for rgx's value space: members sorted by UTF-16 code
// units of their names, no white space, shortest escapes. Format: docs/formats/canonical-json.md

namespace rgx {

[[nodiscard]] std::string canonical(const Json& value);

/// Parses `text` and requires it to be its own canonical form (json.not_canonical otherwise).
[[nodiscard]] Result<Json> parse_canonical(std::string_view text, std::string_view name = "json",
                                           JsonLimits limits = {});

}  // namespace rgx
