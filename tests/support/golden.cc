#include "tests/support/golden.h"

#include "tests/support/scratch_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace rgx::test {
namespace {

bool is_accepting() {
  // Tests set no environment of their own process, so reading it is safe in any thread.
  const char* value = std::getenv("RGX_ACCEPT");  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr && std::string_view(value) == "1";
}

// The line of `text` that holds `offset`, with its number.
std::string line_at(std::string_view text, std::size_t offset) {
  const std::size_t at = std::min(offset, text.size());
  const std::string_view before = text.substr(0, at);
  const std::size_t newline = before.rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  const auto number = std::count(before.begin(), before.end(), '\n') + 1;
  return std::to_string(number) + ": " + std::string(text.substr(begin, end - begin));
}

}  // namespace

void expect_golden(std::string_view name, std::string_view actual) {
  const std::filesystem::path path =
      std::filesystem::path(RGX_SOURCE_DIR) / "tests" / "golden" / name;
  if (is_accepting()) {
    std::filesystem::create_directories(path.parent_path());
    write_file(path, actual);
    GTEST_SKIP() << "accepted " << path.string();
  }
  if (!std::filesystem::exists(path)) {
    FAIL() << path.string() << " does not exist; run the test with RGX_ACCEPT=1 to write it";
  }
  const std::string expected = read_file(path);
  if (expected == actual) {
    return;
  }
  const auto [left, right] =
      std::mismatch(expected.begin(), expected.end(), actual.begin(), actual.end());
  const auto offset = static_cast<std::size_t>(left - expected.begin());
  FAIL() << path.string() << " differs at byte " << offset << " (" << expected.size()
         << " expected, " << actual.size() << " actual bytes)\n  expected line "
         << line_at(expected, offset) << "\n  actual line " << line_at(actual, offset)
         << "\nrun the test with RGX_ACCEPT=1 to accept the new bytes";
}

}  // namespace rgx::test
