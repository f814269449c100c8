#include "engine/object_store_posix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace rgx::engine {

namespace {

constexpr std::size_t kObjectBytesMax = std::size_t{1} << 30;

tl::unexpected<Error> io_failed(const Digest& digest, int error) {
  return fail(
      ErrorKind::environment, "object.io",
      "object `" + digest.to_string() + "` cannot be stored or read: " + system_message(error),
      "check space and permissions of the state directory");
}

/// `ab` and the other 62 digits.
std::pair<std::string, std::string> place_of(const Digest& digest) {
  const std::string hex = digest.hex();
  return {hex.substr(0, 2), hex.substr(2)};
}

}  // namespace

Result<Digest> PosixObjectStore::put(std::string_view bytes) {
  const Digest digest = digest_bytes(bytes);
  // A damaged object counts as none: it is written again.
  if (const auto stored = get(digest)) {
    return digest;
  }
  RGX_TRY(const FileDescriptor root, open_root_(true));
  const auto [fan, name] = place_of(digest);
  if (mkdirat(root.get(), fan.c_str(), 0700) == 0) {
    if (fsync(root.get()) != 0) {
      return io_failed(digest, errno);
    }
  } else if (errno != EEXIST) {
    return io_failed(digest, errno);
  }
  const FileDescriptor directory(open_beneath(root.get(), fan, O_RDONLY | O_DIRECTORY));
  if (!directory.open()) {
    return io_failed(digest, errno);
  }
  if (const int error = write_durably(directory.get(), name, bytes); error != 0) {
    return io_failed(digest, error);
  }
  return digest;
}

Result<std::string> PosixObjectStore::get(const Digest& digest) {
  RGX_TRY(const FileDescriptor root, open_root_(false));
  const auto [fan, name] = place_of(digest);
  const FileDescriptor fd(
      root.open() ? open_beneath(root.get(), fan + "/" + name, O_RDONLY | O_NONBLOCK) : -1);
  if (!fd.open()) {
    if (!root.open() || errno == ENOENT) {
      return fail(ErrorKind::evidence, "object.missing",
                  "object `" + digest.to_string() + "` is not in the store",
                  "it was erased, or the state directory is another one");
    }
    return io_failed(digest, errno);
  }
  ReadBytes result = read_all(fd.get(), kObjectBytesMax);
  if (result.error != 0) {
    return io_failed(digest, result.error);
  }
  if (digest_bytes(result.bytes) != digest) {
    return fail(ErrorKind::evidence, "object.corrupt",
                "object `" + digest.to_string() + "` no longer has the bytes of its name",
                "restore the state directory from a copy");
  }
  return std::move(result.bytes);
}

Result<bool> PosixObjectStore::has(const Digest& digest) {
  RGX_TRY(const FileDescriptor root, open_root_(false));
  if (!root.open()) {
    return false;
  }
  const auto [fan, name] = place_of(digest);
  struct stat status = {};
  if (fstatat(root.get(), (fan + "/" + name).c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? Result<bool>(false) : io_failed(digest, errno);
  }
  return S_ISREG(status.st_mode);
}

}  // namespace rgx::engine
