#pragma once

#include <string>

#include "base/digest.h"
#include "base/result.h"

// Which uncommitted repository policies are in force: a list of digests that belongs to the user,
// outside every repository. One line each: `sha256:<64 hex>`, a space, and where the file was when
// it was trusted (for people; only the digest counts). A line that starts with `#` is a comment.

namespace rgx::cli {

inline constexpr std::size_t kTrustBytesMax = 1U << 20;

/// No file means that nothing is trusted. Errors: file.unsafe and others of read_file,
/// trust.syntax with the line.
[[nodiscard]] Result<bool> is_trusted(const std::string& trust_file, const Digest& digest);

/// Adds a digest durably; one that is there already is not repeated.
[[nodiscard]] Status record_trust(const std::string& trust_file, const Digest& digest,
                                  std::string_view where);

}  // namespace rgx::cli
