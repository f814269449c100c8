#include "tests/support/scratch_dir.h"

#include <stdlib.h>  // mkdtemp is POSIX, not in <cstdlib>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace rgx::test {
namespace {

[[noreturn]] void stop(const char* what, const std::string& path, const std::string& cause) {
  std::fprintf(stderr, "test support: cannot %s %s: %s\n", what, path.c_str(), cause.c_str());
  std::abort();
}

}  // namespace

ScratchDir::ScratchDir() {
  std::string pattern = (std::filesystem::temp_directory_path() / "rgx-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    stop("create", pattern, std::generic_category().message(errno));
  }
  // Canonical, so that a test may compare paths where the temporary folder is behind a link.
  path_ = std::filesystem::canonical(pattern);
}

ScratchDir::~ScratchDir() {
  // A test may have left folders without write permission behind.
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           path_, std::filesystem::directory_options::skip_permission_denied, ignored)) {
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) {
      std::filesystem::permissions(entry.path(), std::filesystem::perms::owner_all,
                                   std::filesystem::perm_options::add, ignored);
    }
  }
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchDir::operator/(std::string_view relative) const {
  return (path_ / relative).string();
}

std::string ScratchDir::write(std::string_view relative, std::string_view bytes) const {
  const std::filesystem::path path = path_ / relative;
  std::filesystem::create_directories(path.parent_path());
  write_file(path, bytes);
  return path.string();
}

std::string ScratchDir::read(std::string_view relative) const {
  return read_file(path_ / relative);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.is_open() || in.bad()) {
    stop("read", path.string(), "open or read failed");
  }
  return bytes;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) {
    stop("write", path.string(), "open or write failed");
  }
}

}  // namespace rgx::test
