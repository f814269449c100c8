#pragma once

#include "tests/tidy/source_tree.h"

namespace rgx::tidy {

/// Files that nothing builds, runs or includes:
/// * a source (or a package's header) that no CMakeLists.txt beside or above it names;
/// * a header of tests or bench that no file includes;
/// * a script under tests that no CMakeLists.txt and no other script there names;
/// * a catalog template, shipped policy or help page that no CMakeLists.txt embeds.
[[nodiscard]] Findings check_orphans(const Tree& tree);

}  // namespace rgx::tidy
