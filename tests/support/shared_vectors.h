#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace rgx::test {

/// The path of `relative` in the folder of published vectors (CMake's RGX_SHARED_DIR), or nothing
/// where that folder is not on this machine. A test then skips:
///
///     RGX_REQUIRE_VECTORS(dir, "vectors/jcs");
[[nodiscard]] std::optional<std::filesystem::path> shared_path(std::string_view relative);

/// The regular files directly in `dir`, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> sorted_files(const std::filesystem::path& dir);

}  // namespace rgx::test

/// Declares `name` as the path of the vectors at `relative`, or skips the running test.
#define RGX_REQUIRE_VECTORS(name, relative)                                 \
  const auto name##_found = ::rgx::test::shared_path(relative);             \
  if (!name##_found.has_value()) {                                          \
    GTEST_SKIP() << "no " << (relative) << " below RGX_SHARED_DIR";         \
  }                                                                         \
  /* NOLINTNEXTLINE(bugprone-macro-parentheses): `name` is declared here */ \
  const std::filesystem::path& name = *name##_found
