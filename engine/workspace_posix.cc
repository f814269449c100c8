#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <deque>
#include <memory>

#include "base/path.h"
#include "base/text.h"
#include "engine/posix_io.h"
#include "engine/posix_world.h"
#include "engine/workspace_copy.h"

// The files under work, reached from one descriptor that is held from the start.

namespace rgx::engine {

namespace {

constexpr std::int64_t kFileBytesMax = std::int64_t{4} << 30;  // what a digest is taken of
constexpr int kLinksMax = 40;                                  // as the kernel's own limit
constexpr std::string_view kTemporaryHead = ".rgx-";
constexpr std::string_view kTemporaryTail = ".tmp";
constexpr std::size_t kTemporaryRandomBytes = 16;

/// `.rgx-` + 32 hex digits + `.tmp`: names that only this file makes.
bool is_temporary_name(std::string_view name) {
  if (name.size() != kTemporaryHead.size() + 2 * kTemporaryRandomBytes + kTemporaryTail.size() ||
      !name.starts_with(kTemporaryHead) || !name.ends_with(kTemporaryTail)) {
    return false;
  }
  return std::ranges::all_of(
      name.substr(kTemporaryHead.size(), 2 * kTemporaryRandomBytes),
      [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

tl::unexpected<Error> refuse(int error, std::string_view path) {
  const std::string shown = "`" + printable(path) + "`";
  switch (error) {
    case ELOOP:
      return fail(ErrorKind::failed, "workspace.symlink",
                  shown + " is or goes through a symbolic link, which steps never follow",
                  "name the file itself");
    case EXDEV:
      return fail(ErrorKind::failed, "workspace.outside", shown + " leaves the workspace",
                  "name a path inside the workspace");
    case EFBIG:
      return fail(ErrorKind::failed, "workspace.too_large", shown + " is larger than the limit",
                  "leave the file out of the plan");
    case ENOSYS:
      return fail(ErrorKind::environment, "workspace.unsupported",
                  "this kernel has no `openat2`, without which paths cannot be held inside the "
                  "workspace",
                  "run on Linux 5.6 or later");
    default:
      return fail(ErrorKind::environment, "workspace.io",
                  shown + " cannot be used: " + system_message(error),
                  "check permissions, space and the state of the disk");
  }
}

tl::unexpected<Error> not_regular(std::string_view path) {
  return fail(ErrorKind::failed, "workspace.not_regular",
              "`" + printable(path) + "` is not a regular file",
              "name a file, not a directory, pipe, socket or device");
}

tl::unexpected<Error> changed(std::string_view path, std::string_view how) {
  return fail(ErrorKind::drift, "workspace.changed",
              "`" + printable(path) + "` " + std::string(how), "compile the plan again");
}

bool is_missing(int error) {
  return error == ENOENT || error == ENOTDIR;
}

struct OpenFile {
  FileDescriptor fd;
  struct stat status = {};
};

class PosixWorkspace final : public Workspace {
 public:
  PosixWorkspace(FileDescriptor root, std::string path)
      : root_(std::move(root)),
        path_(std::move(path)) {}

  Result<std::optional<FileState>> state(std::string_view path) override {
    RGX_TRY(const std::string name, normal(path));
    return state_at(root_.get(), name, path);
  }

  Result<std::string> read(std::string_view path, std::size_t bytes_max) override {
    RGX_TRY(const std::string name, normal(path));
    RGX_TRY(const auto file, open_file(root_.get(), name, path));
    if (!file) {
      return refuse(ENOENT, path);
    }
    if (static_cast<std::uint64_t>(file->status.st_size) > bytes_max) {
      return refuse(EFBIG, path);
    }
    ReadBytes result = read_all(file->fd.get(), bytes_max);
    if (result.error != 0) {
      return refuse(result.error, path);
    }
    return std::move(result.bytes);
  }

  Status write(std::string_view path, std::string_view bytes,
               const std::optional<Digest>& expected) override;
  Status remove_file(std::string_view path, const Digest& expected) override;
  Status move_file(std::string_view path, std::string_view to, const Digest& expected) override;
  Status remove_directory(std::string_view path) override;
  Status set_mode(std::string_view path, std::uint32_t mode) override;
  Result<std::string> resolve(std::string_view path) override;

  Result<EntryKind> kind(std::string_view path) override {
    RGX_TRY(const std::string name, normal(path));
    const auto [directory, leaf] = split_path(name);
    const FileDescriptor parent(open_beneath(root_.get(), directory, O_PATH | O_DIRECTORY));
    if (!parent.open()) {
      return is_missing(errno) ? Result<EntryKind>(EntryKind::missing) : refuse(errno, path);
    }
    return kind_at(parent.get(), leaf, path);
  }

  Result<std::vector<Entry>> list(std::string_view path) override;
  Status make_directory(std::string_view path) override;
  Result<std::size_t> remove_leftovers(std::string_view directory) override;
  Result<std::unique_ptr<Workspace>> copy(const CopyRequest& request) override {
    RGX_TRY_STATUS(copy_files(root_.get(), path_, request,
                              [this](const std::string& folder) { return list(folder); }));
    return open_workspace(request.to);
  }
  [[nodiscard]] std::string root() const override { return path_; }

 private:
  /// Paths come from sealed plans in normal form; anything else is refused, not repaired.
  static Result<std::string> normal(std::string_view path) {
    RGX_TRY(std::string name, normal_path(path));
    if (name.starts_with("abs:") || name.starts_with("home:")) {
      return refuse(EXDEV, path);
    }
    return name;
  }

  static std::pair<std::string, std::string> split_path(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? std::pair<std::string, std::string>(".", path)
                                      : std::pair(path.substr(0, slash), path.substr(slash + 1));
  }

  /// Never waits (a FIFO without a writer) and never makes a terminal ours.
  static Result<std::optional<OpenFile>> open_file(int directory, const std::string& name,
                                                   std::string_view path) {
    OpenFile file;
    file.fd = FileDescriptor(open_beneath(directory, name, O_RDONLY | O_NONBLOCK | O_NOCTTY));
    if (!file.fd.open()) {
      if (is_missing(errno)) {
        return std::optional<OpenFile>();
      }
      if (errno == ENXIO) {  // a socket
        return not_regular(path);
      }
      return refuse(errno, path);
    }
    if (fstat(file.fd.get(), &file.status) != 0) {
      return refuse(errno, path);
    }
    if (!S_ISREG(file.status.st_mode)) {
      return not_regular(path);
    }
    return std::optional<OpenFile>(std::move(file));
  }

  static Result<std::optional<FileState>> state_at(int directory, const std::string& name,
                                                   std::string_view path) {
    RGX_TRY(const auto file, open_file(directory, name, path));
    if (!file) {
      return std::optional<FileState>();
    }
    const ReadDigest result = digest_file(file->fd.get(), kFileBytesMax);
    if (result.error != 0) {
      return refuse(result.error, path);
    }
    FileState state;
    state.digest = result.digest;
    state.size_bytes = result.size_bytes;
    state.mode = file->status.st_mode & 07777U;
    return std::optional<FileState>(state);
  }

  static Result<EntryKind> kind_at(int directory, const std::string& name, std::string_view path) {
    struct stat status = {};
    if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return is_missing(errno) ? Result<EntryKind>(EntryKind::missing) : refuse(errno, path);
    }
    if (S_ISREG(status.st_mode)) {
      return EntryKind::file;
    }
    if (S_ISDIR(status.st_mode)) {
      return EntryKind::directory;
    }
    return S_ISLNK(status.st_mode) ? EntryKind::symlink : EntryKind::other;
  }

  Status replace(const FileDescriptor& parent, const std::string& leaf, std::string_view path,
                 std::string_view bytes, const std::optional<Digest>& expected);

  FileDescriptor root_;
  std::string path_;
};

/// The file is what the caller believes it is; gives the status that the new one has to keep.
Result<std::optional<struct stat>> check_expected(std::string_view path,
                                                  const std::optional<Digest>& expected,
                                                  Result<std::optional<OpenFile>> opened) {
  RGX_TRY(const std::optional<OpenFile> file, std::move(opened));
  if (!file) {
    if (expected) {
      return changed(path, "is gone");
    }
    return std::optional<struct stat>();
  }
  if (!expected) {
    return changed(path, "exists already");
  }
  const ReadDigest now = digest_file(file->fd.get(), kFileBytesMax);
  if (now.error != 0) {
    return refuse(now.error, path);
  }
  if (now.digest != *expected) {
    return changed(path, "is not the file that the plan was made for");
  }
  return std::optional<struct stat>(file->status);
}

/// Gives the temporary the owner and the mode of the file that it replaces.
Status keep_attributes(int fd, const struct stat& old, std::string_view path) {
  struct stat now = {};
  if (fstat(fd, &now) != 0) {
    return refuse(errno, path);
  }
  if ((old.st_mode & S_IWUSR) == 0) {
    return fail(ErrorKind::failed, "workspace.read_only", "`" + printable(path) + "` is read-only",
                "make it writable first: `chmod u+w FILE`");
  }
  if ((now.st_uid != old.st_uid || now.st_gid != old.st_gid) &&
      fchown(fd, old.st_uid, old.st_gid) != 0) {
    return fail(ErrorKind::environment, "workspace.owner",
                "`" + printable(path) + "` belongs to another user or group, which cannot be kept",
                "run rgx as the owner of the workspace");
  }
  return fchmod(fd, old.st_mode & 0777U) == 0 ? Status() : refuse(errno, path);
}

Status PosixWorkspace::replace(const FileDescriptor& parent, const std::string& leaf,
                               std::string_view path, std::string_view bytes,
                               const std::optional<Digest>& expected) {
  RGX_TRY(const std::string random, random_name(kTemporaryRandomBytes));
  const std::string temporary = std::string(kTemporaryHead) + random + std::string(kTemporaryTail);
  RGX_TRY(const auto old, check_expected(path, expected, open_file(parent.get(), leaf, path)));
  const FileDescriptor fd(
      open_beneath(parent.get(), temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  if (!fd.open()) {
    return refuse(errno, path);
  }
  const auto fill = [&]() -> Status {
    if (const int error = write_all(fd.get(), bytes); error != 0) {
      return refuse(error, path);
    }
    if (old) {
      RGX_TRY_STATUS(keep_attributes(fd.get(), *old, path));
    } else if (fchmod(fd.get(), 0644) != 0) {
      return refuse(errno, path);
    }
    if (fsync(fd.get()) != 0) {
      return refuse(errno, path);
    }
    RGX_TRY([[maybe_unused]] const auto same,
            check_expected(path, expected, open_file(parent.get(), leaf, path)));
    const unsigned int flags = old ? 0U : RENAME_NOREPLACE;
    if (renameat2(parent.get(), temporary.c_str(), parent.get(), leaf.c_str(), flags) != 0) {
      return errno == EEXIST ? changed(path, "exists already") : refuse(errno, path);
    }
    return {};
  };
  if (auto filled = fill(); !filled) {
    unlinkat(parent.get(), temporary.c_str(), 0);
    return filled;
  }
  return fsync(parent.get()) == 0 ? Status() : refuse(errno, path);
}

Status PosixWorkspace::write(std::string_view path, std::string_view bytes,
                             const std::optional<Digest>& expected) {
  RGX_TRY(const std::string name, normal(path));
  const auto [directory, leaf] = split_path(name);
  if (leaf == ".") {
    return not_regular(path);
  }
  const FileDescriptor parent(open_beneath(root_.get(), directory, O_RDONLY | O_DIRECTORY));
  if (!parent.open()) {
    return refuse(errno, path);
  }
  return replace(parent, leaf, path, bytes, expected);
}

Status PosixWorkspace::remove_file(std::string_view path, const Digest& expected) {
  RGX_TRY(const std::string name, normal(path));
  const auto [directory, leaf] = split_path(name);
  const FileDescriptor parent(open_beneath(root_.get(), directory, O_RDONLY | O_DIRECTORY));
  if (!parent.open()) {
    return refuse(errno, path);
  }
  RGX_TRY([[maybe_unused]] const auto same,
          check_expected(path, expected, open_file(parent.get(), leaf, path)));
  if (unlinkat(parent.get(), leaf.c_str(), 0) != 0 || fsync(parent.get()) != 0) {
    return refuse(errno, path);
  }
  return {};
}

Status PosixWorkspace::move_file(std::string_view path, std::string_view to,
                                 const Digest& expected) {
  RGX_TRY(const std::string from_name, normal(path));
  RGX_TRY(const std::string to_name, normal(to));
  const auto [from_directory, from_leaf] = split_path(from_name);
  const auto [to_directory, to_leaf] = split_path(to_name);
  const FileDescriptor from(open_beneath(root_.get(), from_directory, O_RDONLY | O_DIRECTORY));
  if (!from.open()) {
    return refuse(errno, path);
  }
  const FileDescriptor target(open_beneath(root_.get(), to_directory, O_RDONLY | O_DIRECTORY));
  if (!target.open()) {
    return refuse(errno, to);
  }
  RGX_TRY([[maybe_unused]] const auto same,
          check_expected(path, expected, open_file(from.get(), from_leaf, path)));
  if (renameat2(from.get(), from_leaf.c_str(), target.get(), to_leaf.c_str(), RENAME_NOREPLACE) !=
      0) {
    return errno == EEXIST ? changed(to, "exists already") : refuse(errno, to);
  }
  if (fsync(target.get()) != 0 || fsync(from.get()) != 0) {
    return refuse(errno, to);
  }
  return {};
}

Status PosixWorkspace::remove_directory(std::string_view path) {
  RGX_TRY(const std::string name, normal(path));
  const auto [directory, leaf] = split_path(name);
  const FileDescriptor parent(open_beneath(root_.get(), directory, O_RDONLY | O_DIRECTORY));
  if (!parent.open() || unlinkat(parent.get(), leaf.c_str(), AT_REMOVEDIR) != 0 ||
      fsync(parent.get()) != 0) {
    return refuse(errno, path);
  }
  return {};
}

Status PosixWorkspace::set_mode(std::string_view path, std::uint32_t mode) {
  RGX_TRY(const std::string name, normal(path));
  const FileDescriptor fd(open_beneath(root_.get(), name, O_PATH));  // it may not be readable
  struct stat status = {};
  if (!fd.open() || fstat(fd.get(), &status) != 0) {
    return refuse(errno, path);
  }
  if (!S_ISREG(status.st_mode)) {
    return not_regular(path);
  }
  const std::string held = "/proc/self/fd/" + std::to_string(fd.get());
  return chmod(held.c_str(), mode & 07777U) == 0 ? Status() : refuse(errno, path);
}

Result<std::string> PosixWorkspace::resolve(std::string_view path) {
  RGX_TRY(std::string name, normal_path(path));
  if (name.starts_with("home:")) {
    return name;
  }
  std::deque<std::string> pending;
  const auto queue = [&pending](std::string_view text) {
    const auto parts = split(text, '/');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      if (!part->empty() && *part != ".") {
        pending.emplace_front(*part);
      }
    }
  };
  std::string at = name.starts_with("abs:") ? "" : path_;
  queue(name.starts_with("abs:") ? std::string_view(name).substr(4) : std::string_view(name));
  int links = 0;
  while (!pending.empty()) {
    const std::string part = std::move(pending.front());
    pending.pop_front();
    if (part == "..") {
      at.resize(at.empty() ? 0 : at.rfind('/'));
      continue;
    }
    std::string next = at;
    next.append("/").append(part);
    std::string target(PATH_MAX, '\0');
    const ssize_t size = readlink(next.c_str(), target.data(), target.size());
    if (size < 0) {
      if (errno != EINVAL && !is_missing(errno)) {
        return refuse(errno, path);
      }
      at = next;
      continue;
    }
    if (++links > kLinksMax) {
      return refuse(ELOOP, path);
    }
    target.resize(static_cast<std::size_t>(size));
    if (target.starts_with('/')) {
      at.clear();
    }
    queue(target);
  }
  if (at == path_) {
    return std::string(".");
  }
  if (at.starts_with(path_) && at.size() > path_.size() &&
      (at[path_.size()] == '/' || path_ == "/")) {
    return at.substr(path_ == "/" ? 1 : path_.size() + 1);
  }
  return "abs:" + (at.empty() ? std::string("/") : at);
}

Result<std::vector<Entry>> PosixWorkspace::list(std::string_view path) {
  RGX_TRY(const std::string name, normal(path));
  FileDescriptor fd(open_beneath(root_.get(), name, O_RDONLY | O_DIRECTORY));
  if (!fd.open()) {
    return refuse(errno, path);
  }
  const int directory = fd.get();
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(directory), &closedir);
  if (!stream) {
    return refuse(errno, path);
  }
  static_cast<void>(fd.release());  // the stream owns it now
  std::vector<Entry> entries;
  for (;;) {
    errno = 0;
    const dirent* item = readdir(stream.get());  // NOLINT(concurrency-mt-unsafe): own stream
    if (item == nullptr) {
      break;
    }
    const std::string entry = item->d_name;
    if (entry == "." || entry == "..") {
      continue;
    }
    RGX_TRY(const EntryKind kind, kind_at(directory, entry, path));
    if (kind != EntryKind::missing) {
      entries.push_back({entry, kind});
    }
  }
  if (errno != 0) {
    return refuse(errno, path);
  }
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

Status PosixWorkspace::make_directory(std::string_view path) {
  RGX_TRY(const std::string name, normal(path));
  FileDescriptor at(fcntl(root_.get(), F_DUPFD_CLOEXEC, 0));
  if (!at.open()) {
    return refuse(errno, path);
  }
  for (const std::string_view part : split(name, '/')) {
    const std::string leaf(part);
    if (leaf == ".") {
      continue;
    }
    if (mkdirat(at.get(), leaf.c_str(), 0755) != 0 && errno != EEXIST) {
      return refuse(errno, path);
    }
    FileDescriptor below(open_beneath(at.get(), leaf, O_RDONLY | O_DIRECTORY));
    if (!below.open()) {
      return refuse(errno, path);
    }
    at = std::move(below);
  }
  return {};
}

Result<std::size_t> PosixWorkspace::remove_leftovers(std::string_view directory) {
  if (auto found = kind(directory); !found || *found != EntryKind::directory) {
    return std::size_t{0};
  }
  RGX_TRY(const auto entries, list(directory));
  RGX_TRY(const std::string name, normal(directory));
  const FileDescriptor fd(open_beneath(root_.get(), name, O_RDONLY | O_DIRECTORY));
  if (!fd.open()) {
    return refuse(errno, directory);
  }
  std::size_t removed = 0;
  for (const Entry& entry : entries) {
    if (entry.kind != EntryKind::file || !is_temporary_name(entry.name)) {
      continue;
    }
    struct stat status = {};
    if (fstatat(fd.get(), entry.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        status.st_uid != geteuid()) {
      continue;
    }
    if (unlinkat(fd.get(), entry.name.c_str(), 0) != 0 && errno != ENOENT) {
      return refuse(errno, directory);
    }
    ++removed;
  }
  return removed;
}

}  // namespace

Result<std::unique_ptr<Workspace>> open_workspace(const std::string& root) {
  const std::unique_ptr<char, void (*)(void*)> canonical(realpath(root.c_str(), nullptr), &free);
  if (!canonical) {
    if (is_missing(errno)) {
      return fail(ErrorKind::usage, "workspace.missing",
                  "there is no directory `" + printable(root) + "`", "name an existing directory");
    }
    return refuse(errno, root);
  }
  FileDescriptor fd(open(canonical.get(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!fd.open()) {
    if (errno == ENOTDIR) {
      return fail(ErrorKind::usage, "workspace.missing",
                  "`" + printable(root) + "` is not a directory", "name a directory");
    }
    return refuse(errno, root);
  }
  return std::unique_ptr<Workspace>(
      std::make_unique<PosixWorkspace>(std::move(fd), std::string(canonical.get())));
}

}  // namespace rgx::engine
