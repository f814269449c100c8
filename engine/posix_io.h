#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/result.h"

// The few system calls that the POSIX adapters share. Private to the package.

namespace rgx::engine {

/// Owns an open descriptor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = other.release();
    }
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool open() const { return fd_ >= 0; }
  [[nodiscard]] int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset();

 private:
  int fd_ = -1;
};

/// Text of an errno, the same on every locale.
[[nodiscard]] std::string system_message(int error);

/// openat2 below `directory` through no symbolic or magic link and never above it; -1 and errno
/// otherwise (ELOOP: a link, EXDEV: outside). Retried where the kernel asks for it.
[[nodiscard]] int open_beneath(int directory, const std::string& path, int flags, mode_t mode = 0);

/// O_PATH of an absolute path that goes through no link at all; -1 and errno otherwise.
[[nodiscard]] int open_without_links(const std::string& path);

/// 0, or the errno of the write that failed.
[[nodiscard]] int write_all(int fd, std::string_view bytes);

/// Everything from the current offset on, up to `bytes_max`; `error` is EFBIG when there is more.
struct ReadBytes {
  int error = 0;
  std::string bytes;
};
[[nodiscard]] ReadBytes read_all(int fd, std::size_t bytes_max);

/// Digest of everything from offset 0 on, in bounded memory.
struct ReadDigest {
  int error = 0;
  Digest digest;
  std::int64_t size_bytes = 0;
};
[[nodiscard]] ReadDigest digest_file(int fd, std::int64_t bytes_max);

/// `count` random bytes in lower-case hex, for names that must not be guessed or taken.
[[nodiscard]] Result<std::string> random_name(std::size_t count);

/// Removes a directory tree without following a link, also where modes forbid it to its owner.
/// 0 or the first errno; a tree that does not exist is 0.
[[nodiscard]] int remove_tree(int directory, const std::string& name);

/// Writes a new file below `directory` as a whole: temporary, fsync, rename, fsync of the
/// directory. 0 or an errno.
[[nodiscard]] int write_durably(int directory, const std::string& name, std::string_view bytes);

}  // namespace rgx::engine
