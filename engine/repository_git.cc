#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/path.h"
#include "base/text.h"
#include "engine/git_library.h"
#include "engine/posix_io.h"
#include "engine/posix_world.h"

// A git work tree, read through libgit2's index and objects; files are read from below a held
// descriptor of the root, never through a link.

namespace rgx::engine {

namespace {

constexpr std::size_t kFileBytesMax = std::size_t{16} << 20;
constexpr std::size_t kRevisionBytesMax = 512;
constexpr int kOwnerError = -36;  // GIT_EOWNER of later versions

template <class Type>
using GitHandle = std::unique_ptr<Type, void (*)(Type*)>;

std::string last_message(const GitLibrary& git) {
  const git_error* error = git.error_last();
  return error != nullptr && error->message != nullptr ? printable(error->message)
                                                       : "unknown error";
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

tl::unexpected<Error> unsupported(std::string_view what) {
  return fail(ErrorKind::environment, "repository.unsupported",
              "the repository cannot be read: " + std::string(what),
              "use a SHA-1 repository with a full checkout: `git sparse-checkout disable`, "
              "`git update-index --no-split-index`");
}

tl::unexpected<Error> git_failed(const GitLibrary& git, std::string_view what) {
  const std::string message = last_message(git);
  if (contains(message, "extension")) {  // sha256 objects, worktree configuration, split index
    return unsupported(message);
  }
  return fail(ErrorKind::environment, "repository.broken",
              std::string(what) + " failed: " + message, "check it with `git fsck`");
}

tl::unexpected<Error> open_failed(const GitLibrary& git, int code, const std::string& start) {
  const std::string message = last_message(git);
  if (code == kOwnerError || contains(message, "safe.directory") ||
      contains(message, "not owned by")) {
    return fail(ErrorKind::environment, "repository.foreign_owner",
                "the repository at `" + printable(start) + "` belongs to another user",
                "run rgx as its owner, or take it over with `chown -R`");
  }
  if (code == GIT_ENOTFOUND) {
    return fail(ErrorKind::usage, "repository.none",
                "there is no git repository at or above `" + printable(start) + "`",
                "go to a clone, or make one with `git init`");
  }
  return git_failed(git, "opening the repository");
}

std::pair<std::string, std::string> split_path(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::pair<std::string, std::string>(".", path)
                                    : std::pair(path.substr(0, slash), path.substr(slash + 1));
}

bool is_at_or_below(std::string_view path, std::string_view place) {
  return place == "." || path == place ||
         (path.size() > place.size() && path.starts_with(place) && path[place.size()] == '/');
}

/// One of the places is a submodule or lies in it: nothing would be found there, whatever it holds.
Status check_not_submodule(const std::string& path, const std::vector<std::string>& places) {
  for (const std::string& place : places) {
    if (place != "." && is_at_or_below(place, path)) {
      return fail(ErrorKind::usage, "repository.submodule",
                  "`" + printable(path) + "` is a submodule, which is a repository of its own",
                  "run rgx in it, or leave it out");
    }
  }
  return {};
}

bool is_special(const std::string& file) {
  struct stat status = {};
  return stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/// Sizes of files that come sorted by path: the directory stays open from one to the next.
class FileSizes {
 public:
  explicit FileSizes(int root) : root_(root) {}

  /// Nothing where there is no regular file now.
  std::optional<std::int64_t> size_of(const std::string& path) {
    const auto [directory, leaf] = split_path(path);
    if (directory != directory_ || !started_) {
      fd_ = FileDescriptor(open_beneath(root_, directory, O_PATH | O_DIRECTORY));
      directory_ = directory;
      started_ = true;
    }
    struct stat status = {};
    if (!fd_.open() || fstatat(fd_.get(), leaf.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode)) {
      return std::nullopt;
    }
    return status.st_size;
  }

 private:
  int root_;
  bool started_ = false;
  std::string directory_;
  FileDescriptor fd_;
};

class GitRepositoryView final : public RepositoryView {
 public:
  GitRepositoryView(const GitLibrary& git, git_repository* repository, FileDescriptor root)
      : git_(git),
        repository_(repository, git.repository_free),
        root_(std::move(root)) {}

  Result<std::string> head() override {
    git_oid id = {};
    if (git_.reference_name_to_id(&id, repository_.get(), "HEAD") != 0) {
      return fail(ErrorKind::usage, "repository.no_commits", "the repository has no commit yet",
                  "make a first commit: policy is taken from one");
    }
    return hex_of(id);
  }

  Result<std::string> commit_id(std::string_view revision) override {
    RGX_TRY(const GitHandle<git_object> commit, find_commit(revision));
    return hex_of(*git_.object_id(commit.get()));
  }

  Result<std::vector<RepositoryFile>> files(const std::vector<std::string>& paths) override;

  Result<std::vector<std::string>> untracked(const std::vector<std::string>& paths) override;

  Result<std::string> read(std::string_view path) override {
    RGX_TRY(const std::string name, normal(path));
    const FileDescriptor fd(open_beneath(root_.get(), name, O_RDONLY | O_NONBLOCK | O_NOCTTY));
    struct stat status = {};
    if (!fd.open() || fstat(fd.get(), &status) != 0) {
      return unreadable(path, system_message(errno));
    }
    if (!S_ISREG(status.st_mode)) {
      return unreadable(path, "not a regular file");
    }
    ReadBytes result = read_all(fd.get(), kFileBytesMax);
    if (result.error == EFBIG) {
      return too_large(path);
    }
    if (result.error != 0) {
      return unreadable(path, system_message(result.error));
    }
    return std::move(result.bytes);
  }

  Result<std::optional<std::string>> read_at(std::string_view revision,
                                             std::string_view path) override;

 private:
  [[nodiscard]] std::string hex_of(const git_oid& id) const {
    char text[GIT_OID_HEXSZ + 1];
    return git_.oid_tostr(text, sizeof(text), &id);
  }

  static Result<std::string> normal(std::string_view path) {
    auto name = normal_path(path);
    if (!name && name.error().first().code != "path.escapes" &&
        name.error().first().code != "path.absolute") {
      return name;  // a file of the repository whose very name cannot be taken
    }
    if (!name || name->starts_with("abs:") || name->starts_with("home:")) {
      return fail(ErrorKind::usage, "repository.path_outside",
                  "`" + printable(path) + "` is no path inside the workspace",
                  "name a path below the root of the repository");
    }
    return name;
  }
  static tl::unexpected<Error> unreadable(std::string_view path, std::string_view why) {
    return fail(ErrorKind::environment, "repository.unreadable",
                "`" + printable(path) + "` cannot be read: " + std::string(why),
                "check the file and its permissions");
  }
  static tl::unexpected<Error> too_large(std::string_view path) {
    return fail(ErrorKind::usage, "repository.too_large",
                "`" + printable(path) + "` is larger than 16 MiB", "leave the file out");
  }

  Result<GitHandle<git_object>> find_commit(std::string_view revision);
  Result<std::optional<std::string>> read_entry(const git_tree_entry* entry, std::string_view path);

  const GitLibrary& git_;
  GitHandle<git_repository> repository_;
  FileDescriptor root_;
};

Result<std::vector<RepositoryFile>> GitRepositoryView::files(
    const std::vector<std::string>& paths) {
  std::vector<std::string> places;
  for (const std::string& path : paths) {
    RGX_TRY(std::string place, normal(path));
    const FileDescriptor there(open_beneath(root_.get(), place, O_PATH));
    if (!there.open()) {
      return fail(
          ErrorKind::usage, "repository.no_such_path",
          "there is no `" + printable(place) + "` in the repository: " + system_message(errno),
          "name a path that exists, relative to the root of the repository");
    }
    places.push_back(std::move(place));
  }
  git_index* raw = nullptr;
  if (git_.repository_index(&raw, repository_.get()) != 0) {
    return git_failed(git_, "reading the index");
  }
  const GitHandle<git_index> index(raw, git_.index_free);
  if (git_.index_read(index.get(), 1) != 0) {
    return git_failed(git_, "reading the index");
  }
  std::vector<RepositoryFile> files;
  FileSizes sizes(root_.get());
  const std::size_t count = git_.index_entrycount(index.get());
  for (std::size_t i = 0; i < count; ++i) {
    const git_index_entry* entry = git_.index_get_byindex(index.get(), i);
    const std::string path = entry->path;
    if (entry->mode == GIT_FILEMODE_COMMIT) {
      RGX_TRY_STATUS(check_not_submodule(path, places));
    }
    if ((entry->mode != GIT_FILEMODE_BLOB && entry->mode != GIT_FILEMODE_BLOB_EXECUTABLE) ||
        std::ranges::none_of(
            places, [&path](const std::string& place) { return is_at_or_below(path, place); })) {
      continue;
    }
    // A checkout can be sparse without saying so in the configuration that libgit2 reads.
    if ((entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0) {
      return unsupported("it is a sparse checkout");
    }
    if ((entry->flags & GIT_INDEX_ENTRY_STAGEMASK) != 0) {
      return fail(ErrorKind::usage, "repository.unmerged",
                  "`" + printable(path) + "` has an unresolved conflict",
                  "finish or abort the merge first");
    }
    if (const auto size = sizes.size_of(path)) {
      files.push_back({path, *size});
    }
  }
  std::ranges::sort(files, {}, &RepositoryFile::path);
  return files;
}

Result<std::vector<std::string>> GitRepositoryView::untracked(
    const std::vector<std::string>& paths) {
  std::vector<std::string> places;
  for (const std::string& path : paths) {
    RGX_TRY(std::string place, normal(path));
    places.push_back(place == "." ? std::string() : std::move(place));
  }
  std::vector<char*> names;
  for (std::string& place : places) {
    if (place.empty()) {
      names.clear();
      break;
    }
    names.push_back(place.data());
  }
  git_status_options options = {};
  git_status_list* raw = nullptr;
  if (git_.status_options_init(&options, GIT_STATUS_OPTIONS_VERSION) != 0) {
    return git_failed(git_, "looking for files that git does not track");
  }
  options.show = GIT_STATUS_SHOW_WORKDIR_ONLY;
  options.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED | GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS |
                  GIT_STATUS_OPT_EXCLUDE_SUBMODULES | GIT_STATUS_OPT_DISABLE_PATHSPEC_MATCH;
  options.pathspec = {.strings = names.data(), .count = names.size()};
  if (git_.status_list_new(&raw, repository_.get(), &options) != 0) {
    return git_failed(git_, "looking for files that git does not track");
  }
  const GitHandle<git_status_list> list(raw, git_.status_list_free);
  std::vector<std::string> found;
  const std::size_t count = git_.status_list_entrycount(list.get());
  for (std::size_t i = 0; i < count; ++i) {
    const git_status_entry* entry = git_.status_byindex(list.get(), i);
    if ((entry->status & GIT_STATUS_WT_NEW) != 0 && entry->index_to_workdir != nullptr) {
      const std::string_view path = entry->index_to_workdir->new_file.path;
      if (!path.ends_with('/')) {  // a repository of its own
        found.emplace_back(path);
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

Result<std::optional<std::string>> GitRepositoryView::read_entry(const git_tree_entry* entry,
                                                                 std::string_view path) {
  const git_filemode_t mode = git_.tree_entry_filemode(entry);
  if (mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE) {
    return unreadable(path, "not a regular file in that commit");
  }
  // A few bytes of a repository can be any number of zeros: the size comes first.
  git_odb* raw_objects = nullptr;
  std::size_t stored_bytes = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  const bool opened = git_.repository_odb(&raw_objects, repository_.get()) == 0;
  const GitHandle<git_odb> objects(raw_objects, git_.odb_free);
  if (!opened ||
      git_.odb_read_header(&stored_bytes, &type, objects.get(), git_.tree_entry_id(entry)) != 0) {
    return git_failed(git_, "reading a file of a commit");
  }
  if (stored_bytes > kFileBytesMax) {
    return too_large(path);
  }
  git_blob* raw = nullptr;
  if (git_.blob_lookup(&raw, repository_.get(), git_.tree_entry_id(entry)) != 0) {
    return git_failed(git_, "reading a file of a commit");
  }
  const GitHandle<git_blob> blob(raw, git_.blob_free);
  const auto size = static_cast<std::uint64_t>(git_.blob_rawsize(blob.get()));
  return std::optional<std::string>(
      std::string(static_cast<const char*>(git_.blob_rawcontent(blob.get())), size));
}

Result<GitHandle<git_object>> GitRepositoryView::find_commit(std::string_view revision) {
  if (revision.size() > kRevisionBytesMax) {
    return fail(ErrorKind::usage, "repository.no_such_revision",
                "there is no commit `" + printable(revision.substr(0, kRevisionBytesMax)) + "...`",
                "name a commit, branch or tag of this repository");
  }
  git_object* raw_object = nullptr;
  git_object* raw_commit = nullptr;
  const int code =
      git_.revparse_single(&raw_object, repository_.get(), std::string(revision).c_str());
  const GitHandle<git_object> object(raw_object, git_.object_free);
  const bool is_damaged = code != 0 && code != GIT_ENOTFOUND && code != GIT_EINVALIDSPEC &&
                          code != GIT_EAMBIGUOUS && code != GIT_EINVALID;
  if (is_damaged) {
    return git_failed(git_, "reading a commit");
  }
  if (code != 0 || git_.object_peel(&raw_commit, object.get(), GIT_OBJECT_COMMIT) != 0) {
    return fail(ErrorKind::usage, "repository.no_such_revision",
                "there is no commit `" + printable(revision) + "`",
                "name a commit, branch or tag of this repository");
  }
  return GitHandle<git_object>(raw_commit, git_.object_free);
}

Result<std::optional<std::string>> GitRepositoryView::read_at(std::string_view revision,
                                                              std::string_view path) {
  RGX_TRY(const std::string name, normal(path));
  RGX_TRY(const GitHandle<git_object> commit, find_commit(revision));
  git_tree* raw_tree = nullptr;
  // A commit object by the peel above.
  if (git_.commit_tree(&raw_tree, reinterpret_cast<git_commit*>(commit.get())) != 0) {
    return git_failed(git_, "reading a commit");
  }
  const GitHandle<git_tree> tree(raw_tree, git_.tree_free);
  git_tree_entry* raw_entry = nullptr;
  const int code = git_.tree_entry_bypath(&raw_entry, tree.get(), name.c_str());
  const GitHandle<git_tree_entry> entry(raw_entry, git_.tree_entry_free);
  if (code == GIT_ENOTFOUND) {
    return std::optional<std::string>();
  }
  if (code != 0) {
    return git_failed(git_, "reading a commit");
  }
  return read_entry(entry.get(), path);
}

/// libgit2 opens whatever has the right name: a pipe in its place would hang us.
Status check_git_directory(const std::string& start) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(start.c_str(), nullptr), &free);
  struct stat status = {};
  for (std::string at = real ? real.get() : ""; !at.empty(); at.resize(at.rfind('/'))) {
    if (stat((at + "/.git").c_str(), &status) != 0) {
      continue;
    }
    for (const char* name : {"HEAD", "config", "index", "packed-refs", "objects/info/alternates"}) {
      const std::string file = at + "/.git/" + name;
      if (S_ISDIR(status.st_mode) && is_special(file)) {
        return fail(ErrorKind::environment, "repository.broken",
                    "`" + printable(file) + "` is not a regular file", "check it with `git fsck`");
      }
    }
    return {};
  }
  return {};
}

bool is_sparse(const GitLibrary& git, git_repository* repository) {
  git_config* raw = nullptr;
  if (git.repository_config_snapshot(&raw, repository) != 0) {
    return false;
  }
  const GitHandle<git_config> config(raw, git.config_free);
  int sparse = 0;
  return git.config_get_bool(&sparse, config.get(), "core.sparsecheckout") == 0 && sparse != 0;
}

}  // namespace

Result<OpenRepository> open_repository(const std::string& start) {
  RGX_TRY_STATUS(check_git_directory(start));
  RGX_TRY(const GitLibrary* git, git_library());
  git_repository* raw = nullptr;
  if (const int code = git->repository_open_ext(&raw, start.c_str(), 0, nullptr); code != 0) {
    return open_failed(*git, code, start);
  }
  GitHandle<git_repository> repository(raw, git->repository_free);
  const char* work_tree = git->repository_workdir(repository.get());
  if (git->repository_is_bare(repository.get()) != 0 || work_tree == nullptr) {
    return fail(ErrorKind::usage, "repository.bare",
                "the repository at `" + printable(start) + "` has no work tree",
                "clone it and run rgx in the clone");
  }
  if (is_sparse(*git, repository.get())) {
    return unsupported("it is a sparse checkout");
  }
  const std::unique_ptr<char, void (*)(void*)> root(realpath(work_tree, nullptr), &free);
  FileDescriptor fd(root ? open(root.get(), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1);
  if (!fd.open()) {
    return fail(
        ErrorKind::environment, "repository.unreadable",
        "the work tree `" + printable(work_tree) + "` cannot be opened: " + system_message(errno),
        "check its permissions");
  }
  // `core.worktree` can name any folder, also one that nobody thinks of here.
  const std::unique_ptr<char, void (*)(void*)> here(realpath(start.c_str(), nullptr), &free);
  const std::string_view beside = here ? std::string_view(here.get()) : std::string_view();
  if (std::string_view(root.get()) != "/" && !is_at_or_below(beside, root.get())) {
    return fail(ErrorKind::usage, "repository.elsewhere",
                "the repository at `" + printable(start) + "` has its work tree at `" +
                    printable(root.get()) + "`",
                "go there, or correct `core.worktree` of the repository");
  }
  OpenRepository opened;
  opened.root = root.get();
  opened.view = std::make_unique<GitRepositoryView>(*git, repository.release(), std::move(fd));
  return opened;
}

}  // namespace rgx::engine
