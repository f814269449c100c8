#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/result.h"

// Finds a program that policy names on this machine. Private to the package.

namespace rgx::engine {

struct FoundProgram {
  std::string path;  ///< the candidate as policy writes it
  Digest digest;     ///< of the bytes it leads to
};

/// The first candidate that exists, if it can be trusted: a regular executable file that belongs to
/// root or the user, that nobody else may write (nor a folder above it), outside `workspace_root`.
/// Otherwise nothing, and `why` says it in one line.
[[nodiscard]] std::optional<FoundProgram> find_program(const std::vector<std::string>& candidates,
                                                       const std::string& workspace_root,
                                                       std::string& why);

}  // namespace rgx::engine
