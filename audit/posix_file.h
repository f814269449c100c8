#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

// The few system calls that storage and key files share. Calls interrupted by a signal are
// repeated; short writes are continued.

namespace rgx::audit {

/// Owns one file descriptor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// 0, or the error number of the call that failed.
[[nodiscard]] int open_file(const std::string& path, int flags, unsigned mode,
                            FileDescriptor& file);
[[nodiscard]] int write_whole(int fd, std::string_view bytes);
/// Makes the entry of `path` in its directory durable.
[[nodiscard]] int sync_directory_of(const std::string& path);
/// `permission denied`, without a full stop and in lower case.
[[nodiscard]] std::string error_text(int error_number);

}  // namespace rgx::audit
