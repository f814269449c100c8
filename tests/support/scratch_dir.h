#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace rgx::test {

/// A new, empty folder below the system's temporary one, removed with everything in it at the end
/// of its scope. Two scratch folders never share a path, also between processes. Failures of the
/// file system end the test program with a message: a test has nothing useful to do after one.
class ScratchDir {
 public:
  ScratchDir();
  ~ScratchDir();
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  ScratchDir(ScratchDir&&) = delete;
  ScratchDir& operator=(ScratchDir&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// The path of `relative` below the folder, as text.
  [[nodiscard]] std::string operator/(std::string_view relative) const;

  /// Writes a file below the folder, making the folders that it needs; returns its path.
  std::string write(  // NOLINT(modernize-use-nodiscard): the path is often not needed
      std::string_view relative, std::string_view bytes) const;

  /// The bytes of a file below the folder.
  [[nodiscard]] std::string read(std::string_view relative) const;

 private:
  std::filesystem::path path_;
};

/// The bytes of a file; a file that cannot be read ends the test program.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Writes a file, replacing its content.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace rgx::test
