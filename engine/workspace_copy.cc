#include "engine/workspace_copy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include "base/text.h"
#include "engine/posix_io.h"

namespace rgx::engine {

namespace {

constexpr std::size_t kEntriesMax = 200000;
constexpr std::int64_t kBytesMax = std::int64_t{2} << 30;
constexpr std::size_t kChunkBytes = std::size_t{1} << 17;

tl::unexpected<Error> io_failed(std::string_view path, int error) {
  return fail(ErrorKind::environment, "workspace.io",
              "`" + printable(path) + "` cannot be copied: " + system_message(error),
              "check permissions and the space for temporary files");
}

/// 0 or an errno.
int copy_bytes(int from, int to, std::int64_t& copied) {
  std::array<char, kChunkBytes> chunk;
  for (;;) {
    const ssize_t got = read(from, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return got == 0 ? 0 : errno;
    }
    copied += got;
    if (copied > kBytesMax) {
      return EFBIG;
    }
    if (const int error = write_all(to, {chunk.data(), static_cast<std::size_t>(got)});
        error != 0) {
      return error;
    }
  }
}

class Copy {
 public:
  Copy(int root, const std::string& root_path, const CopyRequest& request, int target)
      : root_(root),
        root_path_(root_path),
        request_(request),
        target_(target) {}

  Status entry(const std::string& path, EntryKind kind, bool& descend) {
    descend = false;
    if (++entries_ > kEntriesMax) {
      return too_large();
    }
    switch (kind) {
      case EntryKind::file:
        return file(path);
      case EntryKind::symlink:
        return matches(request_.left_out, path) ? Status() : link(path);
      case EntryKind::directory:
        if (!is_wanted_folder(path)) {
          return link_to_original(path);
        }
        descend = has_files_below(path) || !is_bound_to_its_place(path);
        return descend ? folder(path) : Status();
      case EntryKind::missing:
      case EntryKind::other:
        return {};
    }
    return {};
  }

 private:
  static tl::unexpected<Error> too_large() {
    return fail(ErrorKind::environment, "workspace.copy_too_large",
                "the workspace has more than 200,000 entries or 2 GiB to copy for its judge",
                "let git ignore what is made, or declare narrower writes of the check");
  }

  static bool matches(const std::vector<Glob>& globs, const std::string& path) {
    return std::ranges::any_of(globs, [&path](const Glob& glob) { return glob.matches(path); });
  }

  [[nodiscard]] bool has_files_below(const std::string& path) const {
    const auto below = request_.files.lower_bound(path + "/");
    return below != request_.files.end() && below->starts_with(path + "/");
  }

  /// Build trees of CMake and Meson name the place where they were made, and work in no other.
  [[nodiscard]] bool is_bound_to_its_place(const std::string& path) const {
    return std::ranges::any_of(
        std::array{"/CMakeCache.txt", "/meson-private"}, [&](const char* mark) {
          struct stat status = {};
          return fstatat(root_, (path + mark).c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
        });
  }

  /// Something below may have to be copied.
  [[nodiscard]] bool is_wanted_folder(const std::string& path) const {
    if (has_files_below(path)) {
      return true;
    }
    std::string pattern;
    for (const char c : path) {
      pattern += std::string_view("*?[]\\!{}~").find(c) == std::string_view::npos ? "" : "\\";
      pattern += c;
    }
    const auto tree = Glob::parse(pattern + "/**");
    if (!tree) {
      return true;
    }
    const auto overlaps = [&tree](const Glob& glob) { return glob.overlaps(*tree); };
    return std::ranges::any_of(request_.kept, overlaps) ||
           std::ranges::any_of(request_.left_out, overlaps);
  }

  Status file(const std::string& path) {
    if (!request_.files.contains(path)) {
      if (matches(request_.left_out, path)) {
        return {};
      }
      if (!matches(request_.kept, path)) {
        return link_to_original(path);
      }
    }
    const FileDescriptor from(open_beneath(root_, path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
    struct stat status = {};
    if (!from.open() || fstat(from.get(), &status) != 0) {
      return errno == ENOENT ? Status() : io_failed(path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
      return {};
    }
    const FileDescriptor to(
        openat(target_, path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!to.open()) {
      return io_failed(path, errno);
    }
    if (const int error = copy_bytes(from.get(), to.get(), bytes_); error != 0) {
      return error == EFBIG ? Status(too_large()) : io_failed(path, error);
    }
    // Builders compare times: a copy that is all new would be built all over, or not at all.
    const std::array<timespec, 2> times = {status.st_atim, status.st_mtim};
    if (futimens(to.get(), times.data()) != 0 || fchmod(to.get(), status.st_mode & 0777U) != 0) {
      return io_failed(path, errno);
    }
    return {};
  }

  [[nodiscard]] Status folder(const std::string& path) const {
    return mkdirat(target_, path.c_str(), 0700) == 0 ? Status() : io_failed(path, errno);
  }

  [[nodiscard]] Status link(const std::string& path) const {
    std::string text(PATH_MAX, '\0');
    const ssize_t size = readlinkat(root_, path.c_str(), text.data(), text.size());
    if (size < 0) {
      return io_failed(path, errno);
    }
    text.resize(static_cast<std::size_t>(size));
    return symlinkat(text.c_str(), target_, path.c_str()) == 0 ? Status() : io_failed(path, errno);
  }

  [[nodiscard]] Status link_to_original(const std::string& path) const {
    const std::string text = root_path_ + "/" + path;
    return symlinkat(text.c_str(), target_, path.c_str()) == 0 ? Status() : io_failed(path, errno);
  }

  int root_;
  const std::string& root_path_;
  const CopyRequest& request_;
  int target_;
  std::size_t entries_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace

Status copy_files(
    int root, const std::string& root_path, const CopyRequest& request,
    const std::function<Result<std::vector<Entry>>(const std::string& folder)>& list) {
  const FileDescriptor target(
      open(request.to.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!target.open()) {
    return io_failed(request.to, errno);
  }
  Copy copy(root, root_path, request, target.get());
  std::vector<std::string> folders = {"."};
  while (!folders.empty()) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    RGX_TRY(const std::vector<Entry> entries, list(folder));
    for (const Entry& entry : entries) {
      if (entry.name == ".git") {
        continue;
      }
      const std::string path = folder == "." ? entry.name : folder + "/" + entry.name;
      bool descend = false;
      RGX_TRY_STATUS(copy.entry(path, entry.kind, descend));
      if (descend) {
        folders.push_back(path);
      }
    }
  }
  return {};
}

}  // namespace rgx::engine
