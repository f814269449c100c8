#include "engine/posix_io.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <vector>

namespace rgx::engine {

namespace {

constexpr int kOpenRetriesMax = 1000;  // EAGAIN of openat2: a rename raced with the walk
constexpr std::size_t kBufferBytes = 64U << 10;
constexpr int kTreeDepthMax = 64;  // one descriptor each
constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

/// Names in an open directory but `.` and `..`.
int list_names(int fd, std::vector<std::string>& names) {
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) {
    return errno;
  }
  const std::unique_ptr<DIR, CloseDirectory> directory(fdopendir(copy));
  if (!directory) {
    const int error = errno;
    close(copy);
    return error;
  }
  rewinddir(directory.get());
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(directory.get());  // NOLINT(concurrency-mt-unsafe): own stream
    if (entry == nullptr) {
      return errno;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") {
      names.emplace_back(name);
    }
  }
}

FileDescriptor open_to_empty(int directory, const std::string& name) {
  FileDescriptor fd(openat(directory, name.c_str(), kOpenDirectory));
  // The owner may have taken the permission from itself.
  if (!fd.open() && errno == EACCES && fchmodat(directory, name.c_str(), S_IRWXU, 0) == 0) {
    fd = FileDescriptor(openat(directory, name.c_str(), kOpenDirectory));
  }
  if (fd.open() && fchmod(fd.get(), S_IRWXU) != 0) {
    fd.reset();
  }
  return fd;
}

/// Removes one tree. What lies deeper than the limit is moved up into `top`, the root of the whole,
/// for another pass: a program can nest deeper than there are descriptors or stack.
int remove_tree_at(int top, int directory, const std::string& name, int depth) {
  if (unlinkat(directory, name.c_str(), 0) == 0 || errno == ENOENT) {
    return 0;
  }
  if (errno != EISDIR && errno != EPERM && errno != EACCES) {
    return errno;
  }
  const FileDescriptor fd = open_to_empty(directory, name);
  if (!fd.open()) {
    return errno;
  }
  if (depth > kTreeDepthMax) {
    const auto up = random_name(16);
    return up && renameat(directory, name.c_str(), top, up->c_str()) == 0 ? 0 : errno;
  }
  std::vector<std::string> names;
  do {
    names.clear();
    if (const int error = list_names(fd.get(), names); error != 0) {
      return error;
    }
    for (const std::string& child : names) {
      const int error = remove_tree_at(depth == 0 ? fd.get() : top, fd.get(), child, depth + 1);
      if (error != 0) {
        return error;
      }
    }
  } while (depth == 0 && !names.empty());
  return unlinkat(directory, name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : errno;
}

}  // namespace

void FileDescriptor::reset() {
  if (fd_ >= 0) {
    close(fd_);
    fd_ = -1;
  }
}

std::string system_message(int error) {
  return std::generic_category().message(error);
}

namespace {

int open_resolved(int directory, const std::string& path, int flags, mode_t mode,
                  std::uint64_t resolve) {
  struct open_how how = {};
  how.flags = static_cast<std::uint64_t>(static_cast<unsigned>(flags | O_CLOEXEC));
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = resolve;
  for (int attempt = 0; attempt < kOpenRetriesMax; ++attempt) {
    const long fd = syscall(SYS_openat2, directory, path.c_str(), &how, sizeof(how));
    if (fd >= 0) {
      return static_cast<int>(fd);
    }
    if (errno != EAGAIN && errno != EINTR) {
      return -1;
    }
  }
  return -1;
}

}  // namespace

int open_beneath(int directory, const std::string& path, int flags, mode_t mode) {
  return open_resolved(directory, path, flags, mode,
                       RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

int open_without_links(const std::string& path) {
  return open_resolved(AT_FDCWD, path, O_PATH, 0, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

ReadBytes read_all(int fd, std::size_t bytes_max) {
  ReadBytes result;
  std::vector<char> buffer(kBufferBytes);
  for (;;) {
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count < 0) {
      if (errno == EINTR) {
        continue;
      }
      result.error = errno;
      return result;
    }
    if (count == 0) {
      return result;
    }
    if (result.bytes.size() + static_cast<std::size_t>(count) > bytes_max) {
      result.error = EFBIG;
      return result;
    }
    result.bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

ReadDigest digest_file(int fd, std::int64_t bytes_max) {
  ReadDigest result;
  Hasher hasher;
  std::vector<char> buffer(kBufferBytes);
  for (;;) {
    const ssize_t count = pread(fd, buffer.data(), buffer.size(), result.size_bytes);
    if (count < 0) {
      if (errno == EINTR) {
        continue;
      }
      result.error = errno;
      return result;
    }
    if (count == 0) {
      result.digest = hasher.finish();
      return result;
    }
    result.size_bytes += count;
    if (result.size_bytes > bytes_max) {
      result.error = EFBIG;
      return result;
    }
    hasher.update(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  }
}

Result<std::string> random_name(std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t filled = 0;
  while (filled < count) {
    const ssize_t got = getrandom(bytes.data() + filled, count - filled, 0);
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      return fail(ErrorKind::environment, "entropy.unavailable",
                  "the kernel gives no random bytes: " + system_message(errno),
                  "run on Linux 3.17 or later with getrandom allowed");
    }
    filled += static_cast<std::size_t>(got);
  }
  return to_hex(as_bytes(bytes));
}

int remove_tree(int directory, const std::string& name) {
  return remove_tree_at(directory, directory, name, 0);
}

int write_durably(int directory, const std::string& name, std::string_view bytes) {
  const auto random = random_name(16);
  if (!random) {
    return EIO;
  }
  const std::string temporary = ".tmp-" + *random;
  FileDescriptor fd(openat(directory, temporary.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.open()) {
    return errno;
  }
  int error = write_all(fd.get(), bytes);
  if (error == 0 && fsync(fd.get()) != 0) {
    error = errno;
  }
  if (error == 0 && renameat(directory, temporary.c_str(), directory, name.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    unlinkat(directory, temporary.c_str(), 0);
    return error;
  }
  return fsync(directory) == 0 ? 0 : errno;
}

}  // namespace rgx::engine
