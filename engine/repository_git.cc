#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/text.h"
#include "engine/git_library.h"
#include "engine/git_need.h"
#include "engine/git_places.h"
#include "engine/posix_world.h"
#include "engine/repository_system_git.h"
#include "engine/work_tree_files.h"

// A git work tree, read through libgit2's index and objects; files are read from below a held
// descriptor of the root, never through a link.

namespace rgx::engine {

namespace {

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

tl::unexpected<Error> git_failed(const GitLibrary& git, std::string_view what) {
  const std::string message = last_message(git);
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

class GitRepositoryView final : public RepositoryView {
 public:
  GitRepositoryView(const GitLibrary& git, git_repository* repository, std::string root_path,
                    FileDescriptor root)
      : git_(git),
        repository_(repository, git.repository_free),
        root_(std::move(root_path)),
        files_(std::move(root)) {}

  Result<std::string> head() override {
    git_oid id = {};
    if (git_.reference_name_to_id(&id, repository_.get(), "HEAD") != 0) {
      return no_commits();
    }
    return hex_of(id);
  }

  Result<std::string> commit_id(std::string_view revision) override {
    RGX_TRY(const GitHandle<git_object> commit, find_commit(revision));
    return hex_of(*git_.object_id(commit.get()));
  }

  Result<std::vector<RepositoryFile>> files(const std::vector<std::string>& paths) override;

  Result<std::vector<std::string>> untracked(const std::vector<std::string>& paths) override;

  Result<std::string> read(std::string_view path) override { return files_.read(path); }

  Result<std::optional<std::string>> read_at(std::string_view revision,
                                             std::string_view path) override;

 private:
  [[nodiscard]] std::string hex_of(const git_oid& id) const {
    char text[GIT_OID_HEXSZ + 1];
    return git_.oid_tostr(text, sizeof(text), &id);
  }
  Result<GitHandle<git_object>> find_commit(std::string_view revision);
  Result<std::optional<std::string>> read_entry(const git_tree_entry* entry, std::string_view path);

  const GitLibrary& git_;
  GitHandle<git_repository> repository_;
  std::string root_;
  WorkTreeFiles files_;
};

Result<std::vector<RepositoryFile>> GitRepositoryView::files(
    const std::vector<std::string>& paths) {
  RGX_TRY(const std::vector<std::string> places, files_.existing(paths));
  git_index* raw = nullptr;
  if (git_.repository_index(&raw, repository_.get()) != 0) {
    return git_failed(git_, "reading the index");
  }
  const GitHandle<git_index> index(raw, git_.index_free);
  if (git_.index_read(index.get(), 1) != 0) {
    return git_failed(git_, "reading the index");
  }
  std::vector<RepositoryFile> files;
  FileSizes sizes(files_.root());
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
    if ((entry->flags & GIT_INDEX_ENTRY_STAGEMASK) != 0) {
      return unmerged_file(path);
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
  RGX_TRY(std::vector<std::string> places, paths_inside(paths));
  RGX_TRY_STATUS(check_rule_files(root_));
  std::vector<char*> names;
  for (std::string& place : places) {
    if (place == ".") {
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
    return unreadable_file(path, "not a regular file in that commit");
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
  if (stored_bytes > kRepositoryFileBytesMax) {
    return too_large_file(path);
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
    return no_such_commit(revision);
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
    return no_such_commit(revision);
  }
  return GitHandle<git_object>(raw_commit, git_.object_free);
}

Result<std::optional<std::string>> GitRepositoryView::read_at(std::string_view revision,
                                                              std::string_view path) {
  RGX_TRY(const std::string name, path_inside(path));
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

Result<OpenRepository> open_by_program(const GitPlaces& places, std::string why,
                                       ProcessRunner& processes) {
  RGX_TRY(GitProgram git, GitProgram::open(places, why, processes));
  OpenRepository opened;
  opened.root = places.root;
  opened.reader = git.path() + " " + git.version();
  opened.why_program = std::move(why);
  RGX_TRY(opened.view, view_by_program(std::move(git)));
  return opened;
}

}  // namespace

Result<OpenRepository> open_repository(const std::string& start, ProcessRunner& processes) {
  RGX_TRY(const std::optional<GitPlaces> places, find_git_places(start));
  RGX_TRY(const GitLibrary* git, git_library());
  if (places) {
    RGX_TRY_STATUS(check_git_files(*places));
    RGX_TRY(std::string why, why_system_git(*git, *places));
    if (!why.empty()) {
      return open_by_program(*places, std::move(why), processes);
    }
  }
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
  opened.reader = "libgit2";
  opened.view =
      std::make_unique<GitRepositoryView>(*git, repository.release(), opened.root, std::move(fd));
  return opened;
}

}  // namespace rgx::engine
