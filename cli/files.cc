#include "cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "base/text.h"

namespace rgx::cli {
namespace {

constexpr mode_t kOthersWrite = S_IWGRP | S_IWOTH;
constexpr std::size_t kReadBytes = 64U << 10;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  /// Closes now, so that a late write error is seen.
  [[nodiscard]] bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) {
    return ".";
  }
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string quoted(const std::string& path) {
  return "`" + printable(path) + "`";
}

ErrorKind kind_for(Ownership ownership) {
  return ownership == Ownership::any ? ErrorKind::usage : ErrorKind::environment;
}

Status check_owner(const std::string& path, const struct stat& status, Ownership ownership) {
  const bool owner_ok =
      status.st_uid == 0 || (ownership == Ownership::root_or_user && status.st_uid == ::geteuid());
  if (!owner_ok) {
    const std::string owner = ownership == Ownership::root ? "root" : "root or yourself";
    return fail(ErrorKind::environment, "file.unsafe",
                quoted(path) + " belongs to user " + std::to_string(status.st_uid) + ", not to " +
                    owner + ", so somebody else can change it",
                "give it to " + owner + " after you looked at it: chown");
  }
  // A sticky folder (/tmp) protects the entries of others.
  const bool sticky_folder = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
  if ((status.st_mode & kOthersWrite) != 0 && !sticky_folder) {
    return fail(ErrorKind::environment, "file.unsafe",
                quoted(path) + " is writable by others than its owner",
                "chmod go-w " + printable(path));
  }
  return {};
}

Status check_folders(const std::string& path) {
  for (std::string folder = parent_of(path);; folder = parent_of(folder)) {
    struct stat status = {};
    if (::stat(folder.c_str(), &status) != 0) {
      return fail(ErrorKind::environment, "file.unreadable",
                  quoted(folder) + " cannot be looked at: " + errno_text(errno));
    }
    RGX_TRY_STATUS(check_owner(folder, status, Ownership::root));
    if (folder == "/" || folder == ".") {
      return {};
    }
  }
}

Result<std::string> read_all(int fd, const ReadRequest& request, const std::string& name) {
  const auto too_large = [&](const std::string& size) {
    return fail(kind_for(request.ownership), "file.too_large",
                name + " has " + size + " bytes; the limit is " + std::to_string(request.bytes_max),
                "split it, or check that this is the file you meant");
  };
  struct stat status = {};
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
      std::cmp_greater(status.st_size, request.bytes_max)) {
    return too_large(std::to_string(status.st_size));
  }
  std::string bytes;
  std::vector<char> buffer(kReadBytes);
  for (;;) {
    const ssize_t got = ::read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return fail(kind_for(request.ownership), "file.unreadable",
                  name + " cannot be read: " + errno_text(errno));
    }
    if (got == 0) {
      return bytes;
    }
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
    if (bytes.size() > request.bytes_max) {
      return too_large("more than " + std::to_string(request.bytes_max));
    }
  }
}

Status write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) {
      continue;
    }
    if (wrote < 0) {
      return fail(ErrorKind::environment, "file.unwritable", errno_text(errno));
    }
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return {};
}

auto unwritable(const std::string& path, int error) {
  std::string remedy = "check that the folder exists and that you may write there";
  if (error == ENOSPC || error == EDQUOT) {
    remedy = "free some space and try again; nothing was written";
  } else if (error == EROFS) {
    remedy = "the file system is read-only: name a place on another one";
  }
  return fail(ErrorKind::environment, "file.unwritable",
              quoted(path) + " cannot be written: " + errno_text(error), remedy);
}

// Gives the finished temporary file its name.
Status publish(const std::string& temporary, const std::string& path, IfExists if_exists) {
  if (if_exists == IfExists::replace) {
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
      return unwritable(path, errno);
    }
    return {};
  }
  if (::link(temporary.c_str(), path.c_str()) != 0) {
    if (errno == EEXIST) {
      return fail(ErrorKind::usage, "file.exists",
                  quoted(path) + " exists already and is never overwritten",
                  "move it away first if it is to be made anew");
    }
    return unwritable(path, errno);
  }
  static_cast<void>(::unlink(temporary.c_str()));
  return {};
}

}  // namespace

std::string errno_text(int error) {
  std::vector<char> buffer(256);
  return ::strerror_r(error, buffer.data(), buffer.size());
}

std::string canonical_path(const std::string& path) {
  std::string head = path;
  std::string tail;
  for (;;) {
    const std::unique_ptr<char, decltype(&std::free)> found(::realpath(head.c_str(), nullptr),
                                                            &std::free);
    if (found != nullptr) {
      const std::string canonical = found.get();
      return tail.empty() ? canonical : (canonical == "/" ? "" : canonical) + tail;
    }
    const std::size_t slash = head.rfind('/');
    if (errno != ENOENT || slash == std::string::npos || head == "/") {
      return path;
    }
    tail.insert(0, head, slash);
    head = slash == 0 ? "/" : head.substr(0, slash);
  }
}

bool exists(const std::string& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) == 0) {
    return true;
  }
  if (errno != ENOENT) {
    return errno != ENOTDIR;
  }
  const std::string folder = parent_of(path);
  return ::lstat(folder.c_str(), &status) == 0 && S_ISLNK(status.st_mode) &&
         ::stat(folder.c_str(), &status) != 0;
}

Status check_folder(const std::string& folder, Ownership ownership) {
  struct stat status = {};
  if (::stat(folder.c_str(), &status) != 0) {
    if (!exists(folder)) {
      return {};
    }
    return fail(ErrorKind::environment, "file.unreadable",
                quoted(folder) + " cannot be looked at: " + errno_text(errno));
  }
  return check_owner(folder, status, ownership);
}

Result<std::string> read_file(const ReadRequest& request) {
  if (request.standard_input && request.path == "-") {
    return read_all(STDIN_FILENO, request, "standard input");
  }
  const ErrorKind kind = kind_for(request.ownership);
  const std::string name = quoted(request.path);
  // O_NONBLOCK: a pipe that nobody writes to must not hang us before fstat tells.
  const Descriptor file(::open(request.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return fail(kind, "file.missing", name + " does not exist", "check the path");
    }
    return fail(kind, "file.unreadable", name + " cannot be opened: " + errno_text(errno),
                errno == EACCES ? "check its permissions" : "check that it is an ordinary file");
  }
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) {
    return fail(kind, "file.unreadable", name + " cannot be looked at: " + errno_text(errno));
  }
  const bool regular = S_ISREG(status.st_mode);
  if (S_ISDIR(status.st_mode) || (!regular && request.ownership != Ownership::any)) {
    return fail(kind, "file.not_a_file", name + " is not a regular file", "name a file");
  }
  if (request.ownership != Ownership::any) {
    RGX_TRY_STATUS(check_owner(request.path, status, request.ownership));
  }
  if (request.ownership == Ownership::root) {
    // Both the folders of the name and those of the file that a symbolic link leads to.
    RGX_TRY_STATUS(check_folders(request.path));
    const std::unique_ptr<char, decltype(&std::free)> real(
        ::realpath(request.path.c_str(), nullptr), &std::free);
    if (real == nullptr) {
      return fail(kind, "file.unreadable", name + " cannot be resolved: " + errno_text(errno));
    }
    RGX_TRY_STATUS(check_folders(real.get()));
  }
  // A pipe with a writer, such as a shell's `<(command)`, is waited for; one without is empty.
  if (S_ISFIFO(status.st_mode) && ::fcntl(file.get(), F_SETFL, 0) != 0) {
    return fail(kind, "file.unreadable", name + " cannot be read: " + errno_text(errno));
  }
  return read_all(file.get(), request, name);
}

Status write_file(const std::string& path, std::string_view bytes, std::uint32_t mode,
                  IfExists if_exists) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    return fail(ErrorKind::usage, "file.not_a_file", quoted(path) + " is not a regular file",
                "name a file");
  }
  std::string temporary = parent_of(path) + "/.rgx-XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) {
    return unwritable(path, errno);
  }
  // mkostemp makes owner-only files; the wanted mode still bows to the umask.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  Status done;
  if (!write_all(file.get(), bytes) || ::fchmod(file.get(), mode & ~mask) != 0 ||
      ::fsync(file.get()) != 0 || !file.close()) {
    done = unwritable(path, errno);
  } else {
    done = publish(temporary, path, if_exists);
  }
  if (!done) {
    static_cast<void>(::unlink(temporary.c_str()));
    return done;
  }
  const Descriptor folder(::open(parent_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || ::fsync(folder.get()) != 0) {
    return unwritable(path, errno);
  }
  return {};
}

Status make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), S_IRWXU) == 0) {
    return {};
  }
  if (errno == EEXIST) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
      return {};
    }
    return fail(ErrorKind::environment, "file.not_a_folder",
                quoted(path) + " is there, but it is no folder", "move it away");
  }
  if (errno == ENOENT && path != "/" && parent_of(path) != path) {
    RGX_TRY_STATUS(make_folder(parent_of(path)));
    if (::mkdir(path.c_str(), S_IRWXU) == 0 || errno == EEXIST) {
      return {};
    }
  }
  return unwritable(path, errno);
}

}  // namespace rgx::cli
