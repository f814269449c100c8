#pragma once

#include <string>

#include "base/result.h"
#include "engine/git_library.h"
#include "engine/git_places.h"

// Which of the two ways a repository is read: libgit2 in this process where it can, the program
// git in a sandbox where it cannot or would read it wrongly. Private to the package.

namespace rgx::engine {

/// Why libgit2 will not do (`it is a sparse checkout`); empty when it will, and when the repository
/// cannot be opened for a reason that is none of a format. Errors: repository.broken.
[[nodiscard]] Result<std::string> why_system_git(const GitLibrary& git, const GitPlaces& places);

}  // namespace rgx::engine
