#include "audit/posix_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace rgx::audit {

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) {
    ::close(fd_);  // nothing is buffered: what mattered was synced, an error says nothing more
  }
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

int open_file(const std::string& path, int flags, unsigned mode, FileDescriptor& file) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) {
    return errno;
  }
  file = FileDescriptor(fd);
  return 0;
}

int write_whole(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return written < 0 ? errno : EIO;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int sync_directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  std::string directory = ".";
  if (slash != std::string::npos) {
    directory = slash == 0 ? "/" : path.substr(0, slash);
  }
  FileDescriptor file;
  if (const int error = open_file(directory, O_RDONLY | O_DIRECTORY, 0, file); error != 0) {
    return error;
  }
  return ::fsync(file.get()) == 0 ? 0 : errno;
}

std::string error_text(int error_number) {
  std::string text = std::generic_category().message(error_number);
  if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z') {
    text.front() = static_cast<char>(text.front() - 'A' + 'a');
  }
  return text;
}

}  // namespace rgx::audit
