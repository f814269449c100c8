#pragma once

#include "tests/tidy/source_tree.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace rgx::tidy {

/// Which libraries each package's sources may use, by the names of cmake/RgxThirdParty.cmake.
using LibraryTable = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;

/// Reads the `set(RGX_THIRD_PARTY_<package> ...)` lines of cmake/RgxLayers.cmake.
[[nodiscard]] LibraryTable parse_library_table(std::string_view layers);

/// Includes of one file: from the root and never relative, existing, the own header first; no
/// third-party header in a header (but base/result.h) nor in a package without that library; no
/// system header in a package that works on memory only.
[[nodiscard]] Findings check_includes(std::string_view path, const Tree& tree,
                                      const LibraryTable& libraries);

}  // namespace rgx::tidy
