#pragma once

#include <set>
#include <string>
#include <string_view>

#include "templates/plan.h"

// Which files a judge relies on: tests, build and pipeline files. Who changes them can make any
// check pass. The list is in docs/acceptance.md. Private to the package.

namespace rgx::engine {

/// A file by which tests of common languages and builders are found, built or started.
[[nodiscard]] bool is_judge_file(std::string_view path);

/// Files that the checks of a plan name themselves: scripts and folders in their argv, and the
/// paths of `check.file`.
[[nodiscard]] std::set<std::string> files_named_by_checks(const templates::Plan& plan);

}  // namespace rgx::engine
