#include "tests/support/shared_vectors.h"

#include <algorithm>
#include <system_error>

namespace rgx::test {

std::optional<std::filesystem::path> shared_path(std::string_view relative) {
  std::filesystem::path path = std::filesystem::path(RGX_SHARED_DIR) / relative;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return std::nullopt;
  }
  return path;
}

std::vector<std::filesystem::path> sorted_files(const std::filesystem::path& dir) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(dir)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace rgx::test
