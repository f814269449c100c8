#include "audit/storage_posix.h"

#include "audit/posix_file.h"
#include "base/check.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

namespace rgx::audit {
namespace {

constexpr unsigned kOwnerOnly = 0600;

tl::unexpected<Error> io_error(const std::string& path, std::string_view what, int error) {
  const Place place{path, 0, 0};
  if (error == ENOSPC || error == EDQUOT || error == EFBIG) {
    return fail(ErrorKind::environment, "storage.no_space",
                std::string(what) + ": " + error_text(error),
                "free space on that file system, then resume the run", place);
  }
  return fail(ErrorKind::environment, "storage.io", std::string(what) + ": " + error_text(error),
              "check the file, the folders above it and the disk", place);
}

/// The process that holds the flock on a file, as the kernel lists it; nothing when it is hidden
/// (another pid namespace, no /proc).
std::optional<std::string> lock_holder(const struct stat& status) {
  // `1: FLOCK  ADVISORY  WRITE 4711 fe:01:131077 0 EOF`, device numbers in hex.
  std::ostringstream wanted;
  wanted << std::hex;
  const auto hex2 = [&wanted](unsigned number) {
    if (number < 16) {
      wanted << '0';
    }
    wanted << number << ':';
  };
  hex2(major(status.st_dev));
  hex2(minor(status.st_dev));
  wanted << std::dec << status.st_ino;
  std::ifstream locks("/proc/locks");
  std::string line;
  while (std::getline(locks, line)) {
    std::istringstream words(line);
    std::string number;
    std::string kind;
    std::string advice;
    std::string access;
    std::string pid;
    std::string file;
    words >> number >> kind >> advice >> access >> pid >> file;
    if (kind == "FLOCK" && file == wanted.str() && pid != "0") {
      return pid;
    }
  }
  return std::nullopt;
}

class PosixStorage final : public Storage {
 public:
  PosixStorage(std::string path, FileDescriptor file, bool is_writer, std::uint64_t size)
      : path_(std::move(path)),
        file_(std::move(file)),
        is_writer_(is_writer),
        end_(size) {}

  Result<std::uint64_t> size() override {
    struct stat status{};
    if (::fstat(file_.get(), &status) != 0) {
      return io_error(path_, "the ledger cannot be examined", errno);
    }
    return static_cast<std::uint64_t>(status.st_size);
  }

  Result<std::string> read(std::uint64_t offset, std::size_t size) override {
    if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
      return std::string();
    }
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (got < size) {
      const ssize_t count =
          ::pread(file_.get(), bytes.data() + got, size - got, static_cast<off_t>(offset + got));
      if (count < 0 && errno == EINTR) {
        continue;
      }
      if (count < 0) {
        return io_error(path_, "the ledger cannot be read", errno);
      }
      if (count == 0) {
        break;
      }
      got += static_cast<std::size_t>(count);
    }
    bytes.resize(got);
    return bytes;
  }

  Status append(std::string_view bytes) override {
    RGX_CHECK(is_writer_);
    if (failure_) {
      return fail(*failure_);
    }
    if (const int error = write_whole(file_.get(), bytes); error != 0) {
      return stop(io_error(path_, "the ledger cannot be written", error));
    }
    end_ += bytes.size();
    return {};
  }

  Status sync() override {
    RGX_CHECK(is_writer_);
    if (failure_) {
      return fail(*failure_);
    }
    // No retry, also not after EINTR: a failed sync may have dropped the pages it did not write.
    if (::fdatasync(file_.get()) != 0) {
      return stop(io_error(path_, "the ledger cannot be made durable", errno));
    }
    return check_in_place();
  }

  /// What is durable must be what others find under the path.
  Status check_in_place() {
    struct stat ours{};
    struct stat named{};
    if (::fstat(file_.get(), &ours) != 0) {
      return stop(io_error(path_, "the ledger cannot be examined", errno));
    }
    if (::lstat(path_.c_str(), &named) != 0 || named.st_dev != ours.st_dev ||
        named.st_ino != ours.st_ino) {
      return stop(fail(ErrorKind::environment, "storage.replaced",
                       "the ledger was removed or replaced while it was being written",
                       "find out who did; the run stops here", Place{path_, 0, 0}));
    }
    if (static_cast<std::uint64_t>(ours.st_size) != end_) {
      return stop(fail(ErrorKind::environment, "storage.changed",
                       "somebody else changed the ledger while it was being written",
                       "find out who did; `rgx verify` shows where", Place{path_, 0, 0}));
    }
    return {};
  }

 private:
  tl::unexpected<Error> stop(tl::unexpected<Error> error) {
    failure_ = error.value();
    return error;
  }

  std::string path_;
  FileDescriptor file_;
  bool is_writer_;
  std::uint64_t end_;  // size the file has when only we write
  std::optional<Error> failure_;
};

int open_flags(OpenMode mode) {
  switch (mode) {
    case OpenMode::create:
      return O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW;
    case OpenMode::append:
      return O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK;
    case OpenMode::read:
      return O_RDONLY | O_NONBLOCK;  // a pipe must not hang us before fstat tells
  }
  return O_RDONLY;
}

tl::unexpected<Error> open_error(const std::string& path, OpenMode mode, int error) {
  const Place place{path, 0, 0};
  switch (error) {
    case EEXIST:
      return fail(ErrorKind::environment, "storage.exists", "there is a ledger already",
                  "nothing is overwritten; name another file", place);
    case ENOENT:
    case ENOTDIR:
      return fail(ErrorKind::usage, "storage.missing", "there is no such ledger",
                  "`rgx runs` lists the runs of this repository", place);
    case ELOOP:
    case EISDIR:
    case ENXIO:  // a socket
      // What is only read was named by somebody; what is written is rgx's own.
      return fail(mode == OpenMode::read ? ErrorKind::usage : ErrorKind::environment,
                  "storage.not_a_file", "the ledger is not a regular file", "name the file itself",
                  place);
    default:
      return io_error(path, "the ledger cannot be opened", error);
  }
}

Status lock(const std::string& path, const FileDescriptor& file, const struct stat& status) {
  int outcome = 0;
  do {
    outcome = ::flock(file.get(), LOCK_EX | LOCK_NB);
  } while (outcome != 0 && errno == EINTR);
  if (outcome == 0) {
    return {};
  }
  if (errno != EWOULDBLOCK) {
    return io_error(path, "the ledger cannot be locked", errno);
  }
  const std::optional<std::string> holder = lock_holder(status);
  return fail(ErrorKind::environment, "storage.locked",
              holder ? "process " + *holder + " is writing the ledger"
                     : "another process is writing the ledger",
              "wait for it to end; one process writes at a time", Place{path, 0, 0});
}

}  // namespace

Result<std::unique_ptr<Storage>> open_storage(const std::string& path, OpenMode mode) {
  FileDescriptor file;
  const int error = open_file(path, open_flags(mode), kOwnerOnly, file);
  if (error == ENOENT && mode == OpenMode::create) {
    return io_error(path, "the ledger cannot be created", error);
  }
  if (error != 0) {
    return open_error(path, mode, error);
  }
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) {
    return io_error(path, "the ledger cannot be examined", errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return open_error(path, mode, EISDIR);
  }
  if (mode != OpenMode::read) {
    RGX_TRY_STATUS(lock(path, file, status));
    // Its size may have changed between open and lock.
    if (::fstat(file.get(), &status) != 0) {
      return io_error(path, "the ledger cannot be examined", errno);
    }
  }
  if (mode == OpenMode::create) {
    if (const int failed = sync_directory_of(path); failed != 0) {
      return io_error(path, "the folder of the ledger cannot be made durable", failed);
    }
  }
  auto storage = std::make_unique<PosixStorage>(path, std::move(file), mode != OpenMode::read,
                                                static_cast<std::uint64_t>(status.st_size));
  if (mode != OpenMode::read) {
    RGX_TRY_STATUS(storage->check_in_place());
  }
  return std::unique_ptr<Storage>(std::move(storage));
}

}  // namespace rgx::audit
