#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>

#include "base/text.h"
#include "engine/object_store_posix.h"
#include "engine/posix_io.h"
#include "engine/state_store.h"

// `$XDG_STATE_HOME/rgx/repositories/ID`, owner-only from `rgx` down.

namespace rgx::engine {

namespace {

constexpr std::size_t kRunFileBytesMax = std::size_t{65} << 20;  // above the largest plan
constexpr std::size_t kTornBytesMax = std::size_t{4} << 20;      // above the longest line
constexpr int kTornFilesMax = 10000;
constexpr std::string_view kScratchRoot = "/tmp";  // short: sockets are made below it

tl::unexpected<Error> io_failed(const std::string& path, int error) {
  return fail(ErrorKind::environment, "state.io",
              "state `" + printable(path) + "` cannot be used: " + system_message(error),
              "check space and permissions, or set XDG_STATE_HOME to another directory");
}

tl::unexpected<Error> unsafe(const std::string& path, std::string_view why) {
  return fail(ErrorKind::environment, "state.unsafe",
              "state directory `" + printable(path) + "` " + std::string(why),
              "make it a directory of your own with mode 0700, or set XDG_STATE_HOME");
}

bool is_run_name(std::string_view name) {
  return name.size() == 14 && name.starts_with("r-") &&
         std::ranges::all_of(name.substr(2), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool is_file_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && name.find('/') == std::string_view::npos &&
         !name.starts_with('.');
}

/// `path` with the links of its existing part followed.
Result<std::string> canonical_path(const std::string& path) {
  std::string head = path;
  std::string tail;
  for (;;) {
    const std::unique_ptr<char, void (*)(void*)> found(realpath(head.c_str(), nullptr), &free);
    if (found) {
      const std::string canonical = found.get();
      return tail.empty() ? canonical : (canonical == "/" ? "" : canonical) + tail;
    }
    const auto slash = head.rfind('/');
    if (errno != ENOENT || slash == std::string::npos || head == "/") {
      return io_failed(path, errno);
    }
    tail.insert(0, head, slash);
    head = slash == 0 ? "/" : head.substr(0, slash);
  }
}

bool is_within(const std::string& path, const std::string& root) {
  return path == root || root == "/" || path.starts_with(root + "/");
}

std::string repository_id(const std::string& repository_root) {
  return digest_bytes(repository_root).hex().substr(0, 16);
}

class PosixStateStore final : public StateStore {
 public:
  PosixStateStore(std::string home, std::string scratch_root, const std::string& repository_root)
      : home_(std::move(home)),
        scratch_root_(std::move(scratch_root)),
        id_(repository_id(repository_root)),
        path_(home_ + "/rgx/repositories/" + id_),
        objects_([this](bool make) { return open_directory("objects", make); }) {}

  Result<bool> has_index() override {
    RGX_TRY(const FileDescriptor root, open_directory("", false));
    struct stat status = {};
    if (!root.open() || fstatat(root.get(), "index.jsonl", &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return !root.open() || errno == ENOENT ? Result<bool>(false) : io_failed(index(), errno);
    }
    return true;
  }

  Result<std::unique_ptr<audit::Storage>> open_index(audit::OpenMode mode) override {
    RGX_TRY([[maybe_unused]] const FileDescriptor root,
            open_directory("", mode == audit::OpenMode::create));
    return audit::open_storage(index(), mode);
  }

  Result<std::unique_ptr<audit::Storage>> create_run(const RunId& run) override {
    RGX_TRY_STATUS(check_run(run));
    RGX_TRY(const FileDescriptor runs, open_directory("runs", true));
    if (mkdirat(runs.get(), run.text().c_str(), 0700) != 0 || fsync(runs.get()) != 0) {
      return io_failed(run_path(run), errno);
    }
    return audit::open_storage(run_path(run) + "/ledger.jsonl", audit::OpenMode::create);
  }

  Result<std::unique_ptr<audit::Storage>> open_run(const RunId& run,
                                                   audit::OpenMode mode) override {
    RGX_TRY_STATUS(check_run(run));
    RGX_TRY([[maybe_unused]] const FileDescriptor runs,
            open_directory("runs/" + run.text(), false));
    return audit::open_storage(run_path(run) + "/ledger.jsonl", mode);
  }

  Status write_run_file(const RunId& run, std::string_view name, std::string_view bytes) override {
    RGX_TRY_STATUS(check_file(run, name));
    RGX_TRY(const FileDescriptor directory, open_directory("runs/" + run.text(), true));
    if (const int error = write_durably(directory.get(), std::string(name), bytes); error != 0) {
      return io_failed(run_path(run) + "/" + std::string(name), error);
    }
    return {};
  }

  Result<std::string> read_run_file(const RunId& run, std::string_view name) override {
    RGX_TRY_STATUS(check_file(run, name));
    RGX_TRY(const FileDescriptor directory, open_directory("runs/" + run.text(), false));
    const FileDescriptor fd(
        directory.open() ? open_beneath(directory.get(), std::string(name), O_RDONLY | O_NONBLOCK)
                         : -1);
    if (!fd.open()) {
      if (!directory.open() || errno == ENOENT) {
        return fail(ErrorKind::usage, "state.no_such_file",
                    "run `" + printable(run.text()) + "` has no `" + printable(name) + "`",
                    "`rgx runs` lists the runs of this repository");
      }
      return io_failed(run_path(run) + "/" + std::string(name), errno);
    }
    ReadBytes result = read_all(fd.get(), kRunFileBytesMax);
    if (result.error != 0) {
      return io_failed(run_path(run) + "/" + std::string(name), result.error);
    }
    return std::move(result.bytes);
  }

  Result<std::vector<std::string>> run_files(const RunId& run, std::string_view head) override;
  Result<std::vector<RunId>> runs() override;
  ObjectStore& objects() override { return objects_; }
  Result<TornTail> set_aside_torn_index() override;
  Result<std::string> make_scratch(const RunId& run, std::size_t step) override;
  Status remove_scratch(const std::string& path) override;
  Status remove_leftover_scratch() override;

 private:
  [[nodiscard]] std::string index() const { return path_ + "/index.jsonl"; }
  [[nodiscard]] std::string run_path(const RunId& run) const {
    return path_ + "/runs/" + run.text();
  }
  [[nodiscard]] std::string scratch_head() const { return "rgx-" + id_ + "-"; }

  static Status check_run(const RunId& run) {
    if (!is_run_name(run.text())) {
      return fail(ErrorKind::usage, "state.run_name",
                  "`" + printable(run.text()) + "` is no run id",
                  "a run id is `r-` and 12 hex digits, see `rgx runs`");
    }
    return {};
  }
  static Status check_file(const RunId& run, std::string_view name) {
    if (!is_file_name(name)) {
      return fail(ErrorKind::internal, "state.file_name",
                  "`" + printable(name) + "` is no name of a run's file");
    }
    return check_run(run);
  }

  /// A directory below the repository's state; closed when it does not exist and is not to be made.
  Result<FileDescriptor> open_directory(const std::string& below, bool make);
  Result<FileDescriptor> open_home(bool make);
  Result<FileDescriptor> enter(const FileDescriptor& parent, const std::string& name,
                               const std::string& path, bool make);

  std::string home_;
  std::string scratch_root_;
  std::string id_;
  std::string path_;
  PosixObjectStore objects_;
};

/// One owner-only directory below another.
Result<FileDescriptor> PosixStateStore::enter(const FileDescriptor& parent, const std::string& name,
                                              const std::string& path, bool make) {
  if (make) {
    if (mkdirat(parent.get(), name.c_str(), 0700) == 0) {
      if (fsync(parent.get()) != 0) {
        return io_failed(path, errno);
      }
    } else if (errno != EEXIST) {
      return io_failed(path, errno);
    }
  }
  FileDescriptor fd(
      openat(parent.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.open()) {
    if (errno == ENOENT && !make) {
      return fd;
    }
    return errno == ELOOP || errno == ENOTDIR ? unsafe(path, "is a link or no directory")
                                              : io_failed(path, errno);
  }
  struct stat status = {};
  if (fstat(fd.get(), &status) != 0) {
    return io_failed(path, errno);
  }
  if (status.st_uid != geteuid()) {
    return unsafe(path, "belongs to another user");
  }
  if ((status.st_mode & 077U) != 0) {
    return unsafe(path, "is open to other users");
  }
  return fd;
}

/// `$XDG_STATE_HOME` itself is the user's business: it may be a link and open to others.
Result<FileDescriptor> PosixStateStore::open_home(bool make) {
  FileDescriptor fd(open(home_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.open() || (errno == ENOENT && !make)) {
    return fd;
  }
  if (errno != ENOENT) {
    return io_failed(home_, errno);
  }
  std::string at;
  for (const std::string_view part : split(std::string_view(home_).substr(1), '/')) {
    at += "/" + std::string(part);
    if (mkdir(at.c_str(), 0700) != 0 && errno != EEXIST) {
      return io_failed(at, errno);
    }
  }
  fd = FileDescriptor(open(home_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd.open() ? Result<FileDescriptor>(std::move(fd)) : io_failed(home_, errno);
}

Result<FileDescriptor> PosixStateStore::open_directory(const std::string& below, bool make) {
  RGX_TRY(FileDescriptor at, open_home(make));
  std::string path = home_;
  const std::string names = "rgx/repositories/" + id_ + (below.empty() ? "" : "/" + below);
  for (const std::string_view name : split(names, '/')) {
    if (!at.open()) {
      break;
    }
    path += "/" + std::string(name);
    RGX_TRY(at, enter(at, std::string(name), path, make));
  }
  return at;
}

/// Names in an open directory, sorted; none where it is closed.
Result<std::vector<std::string>> names_in(FileDescriptor fd, const std::string& path) {
  std::vector<std::string> names;
  if (!fd.open()) {
    return names;
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fdopendir(fd.get()), &closedir);
  if (!stream) {
    return io_failed(path, errno);
  }
  static_cast<void>(fd.release());  // the stream owns it now
  for (;;) {
    errno = 0;
    const dirent* item = readdir(stream.get());  // NOLINT(concurrency-mt-unsafe): own stream
    if (item == nullptr) {
      break;
    }
    names.emplace_back(item->d_name);
  }
  if (errno != 0) {
    return io_failed(path, errno);
  }
  std::ranges::sort(names);
  return names;
}

Result<std::vector<RunId>> PosixStateStore::runs() {
  RGX_TRY(FileDescriptor fd, open_directory("runs", false));
  RGX_TRY(const std::vector<std::string> names, names_in(std::move(fd), path_ + "/runs"));
  std::vector<RunId> runs;
  for (const std::string& name : names) {
    if (is_run_name(name)) {
      runs.emplace_back(name);
    }
  }
  return runs;
}

Result<std::vector<std::string>> PosixStateStore::run_files(const RunId& run,
                                                            std::string_view head) {
  RGX_TRY_STATUS(check_run(run));
  RGX_TRY(FileDescriptor fd, open_directory("runs/" + run.text(), false));
  RGX_TRY(const std::vector<std::string> names, names_in(std::move(fd), run_path(run)));
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (name.starts_with(head) && is_file_name(name) && found.size() < kRunFilesMax) {
      found.push_back(name);
    }
  }
  return found;
}

Result<TornTail> PosixStateStore::set_aside_torn_index() {
  RGX_TRY(const FileDescriptor directory, open_directory("", false));
  const FileDescriptor fd(directory.open() ? openat(directory.get(), "index.jsonl",
                                                    O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                                           : -1);
  if (!fd.open()) {
    return io_failed(index(), errno);
  }
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorKind::environment, "storage.locked",
                "`" + printable(index()) + "` is being written by another process",
                "wait until the other run has ended");
  }
  struct stat status = {};
  if (fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return io_failed(index(), errno);
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t start = size > kTornBytesMax ? size - kTornBytesMax : 0;
  if (lseek(fd.get(), static_cast<off_t>(start), SEEK_SET) < 0) {
    return io_failed(index(), errno);
  }
  const ReadBytes end = read_all(fd.get(), kTornBytesMax);
  if (end.error != 0) {
    return io_failed(index(), end.error);
  }
  const auto line_feed = end.bytes.rfind('\n');
  if (line_feed == std::string::npos && start > 0) {
    return fail(ErrorKind::evidence, "state.index_damaged",
                "the end of `" + printable(index()) + "` is no torn write",
                "look at it with `rgx verify`, and restore it from a copy");
  }
  const std::size_t whole = line_feed == std::string::npos ? 0 : line_feed + 1;
  const std::string_view torn = std::string_view(end.bytes).substr(whole);
  const TornTail tail{start + whole, torn.size(), digest_bytes(torn)};
  if (torn.empty()) {
    return tail;
  }
  for (int number = 1; number <= kTornFilesMax; ++number) {
    const std::string name = "index.jsonl.torn-" + std::to_string(number);
    if (fstatat(directory.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
      continue;
    }
    if (const int error = write_durably(directory.get(), name, torn); error != 0) {
      return io_failed(path_ + "/" + name, error);
    }
    if (ftruncate(fd.get(), static_cast<off_t>(tail.offset)) != 0 || fsync(fd.get()) != 0) {
      return io_failed(index(), errno);
    }
    return tail;
  }
  return io_failed(index(), EMFILE);
}

Result<std::string> PosixStateStore::make_scratch(const RunId& run, std::size_t step) {
  RGX_TRY_STATUS(check_run(run));
  RGX_TRY(const std::string random, random_name(8));
  std::string path =
      scratch_root_ + "/" + scratch_head() + run.text() + "-" + std::to_string(step) + "-" + random;
  for (const char* below : {"", "/home", "/tmp"}) {
    if (mkdir((path + below).c_str(), 0700) != 0) {
      return io_failed(path, errno);
    }
  }
  return path;
}

Status PosixStateStore::remove_scratch(const std::string& path) {
  const std::string name =
      path.starts_with(scratch_root_ + "/") ? path.substr(scratch_root_.size() + 1) : "";
  if (!name.starts_with(scratch_head()) || name.find('/') != std::string::npos) {
    return fail(ErrorKind::internal, "state.scratch",
                "`" + printable(path) + "` is no scratch folder");
  }
  const FileDescriptor root(open(scratch_root_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.open()) {
    return io_failed(scratch_root_, errno);
  }
  const int error = remove_tree(root.get(), name);
  return error == 0 ? Status() : io_failed(path, error);
}

Status PosixStateStore::remove_leftover_scratch() {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opendir(scratch_root_.c_str()), &closedir);
  if (!stream) {
    return io_failed(scratch_root_, errno);
  }
  std::vector<std::string> names;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): own stream
  while (const dirent* item = readdir(stream.get())) {
    struct stat status = {};
    if (std::string_view(item->d_name).starts_with(scratch_head()) &&
        fstatat(dirfd(stream.get()), item->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(status.st_mode) && status.st_uid == geteuid()) {
      names.emplace_back(item->d_name);
    }
  }
  for (const std::string& name : names) {
    if (const int error = remove_tree(dirfd(stream.get()), name); error != 0) {
      return io_failed(scratch_root_ + "/" + name, error);
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<StateStore>> open_state_store(const std::string& state_home,
                                                     const std::string& repository_root) {
  if (!state_home.starts_with('/') || (state_home + "/").find("/../") != std::string::npos) {
    return fail(
        ErrorKind::environment, "state.unsafe",
        "state directory `" + printable(state_home) + "` is not an absolute path without `..`",
        "set XDG_STATE_HOME to an absolute path, or HOME");
  }
  RGX_TRY(const std::string home, canonical_path(state_home));
  const std::string root = home == "/" ? "/rgx" : home + "/rgx";
  if (is_within(repository_root, root)) {
    return fail(ErrorKind::usage, "state.is_worktree",
                "`" + printable(repository_root) + "` is the worktree of a run",
                "go to the checkout that the run was started in");
  }
  if (is_within(root, repository_root)) {
    return fail(ErrorKind::environment, "state.in_workspace",
                "state directory `" + printable(root) + "` is inside the workspace `" +
                    printable(repository_root) + "`, where steps could reach it",
                "set XDG_STATE_HOME to a directory outside the workspace");
  }
  RGX_TRY(const std::string scratch_root, canonical_path(std::string(kScratchRoot)));
  return std::unique_ptr<StateStore>(
      std::make_unique<PosixStateStore>(home, scratch_root, repository_root));
}

Result<std::string> worktrees_path(const std::string& state_home,
                                   const std::string& repository_root) {
  RGX_TRY(const std::string home, canonical_path(state_home));
  return (home == "/" ? "" : home) + "/rgx/repositories/" + repository_id(repository_root) +
         "/worktrees";
}

std::string ledger_path(const std::string& state_home, const std::string& repository_root,
                        const RunId& run) {
  return state_home + "/rgx/repositories/" + repository_id(repository_root) + "/runs/" +
         run.text() + "/ledger.jsonl";
}

}  // namespace rgx::engine
