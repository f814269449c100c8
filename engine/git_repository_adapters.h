#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/git_program.h"
#include "engine/git_repository.h"
#include "engine/git_work.h"

// The two forms of GitRepository. Private to the package.

namespace rgx::engine {

[[nodiscard]] std::unique_ptr<GitRepository> git_by_library(GitWork work, std::string root);
[[nodiscard]] std::unique_ptr<GitRepository> git_by_program(GitProgram git);

}  // namespace rgx::engine
