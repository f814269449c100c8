#include "engine/work_tree_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/path.h"
#include "base/text.h"

namespace rgx::engine {

namespace {

std::pair<std::string, std::string> split_path(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::pair<std::string, std::string>(".", path)
                                    : std::pair(path.substr(0, slash), path.substr(slash + 1));
}

}  // namespace

bool is_at_or_below(std::string_view path, std::string_view place) {
  return place == "." || path == place ||
         (path.size() > place.size() && path.starts_with(place) && path[place.size()] == '/');
}

Result<std::string> path_inside(std::string_view path) {
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

Result<std::vector<std::string>> paths_inside(const std::vector<std::string>& paths) {
  std::vector<std::string> places;
  for (const std::string& path : paths) {
    RGX_TRY(std::string place, path_inside(path));
    places.push_back(std::move(place));
  }
  return places;
}

Result<std::vector<std::string>> WorkTreeFiles::existing(
    const std::vector<std::string>& paths) const {
  RGX_TRY(std::vector<std::string> places, paths_inside(paths));
  for (const std::string& place : places) {
    const FileDescriptor there(open_beneath(root_.get(), place, O_PATH));
    if (!there.open()) {
      return fail(
          ErrorKind::usage, "repository.no_such_path",
          "there is no `" + printable(place) + "` in the repository: " + system_message(errno),
          "name a path that exists, relative to the root of the repository");
    }
  }
  return places;
}

Result<std::string> WorkTreeFiles::read(std::string_view path) const {
  RGX_TRY(const std::string name, path_inside(path));
  const FileDescriptor fd(open_beneath(root_.get(), name, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat status = {};
  if (!fd.open() || fstat(fd.get(), &status) != 0) {
    return unreadable_file(path, system_message(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    return unreadable_file(path, "not a regular file");
  }
  ReadBytes result = read_all(fd.get(), kRepositoryFileBytesMax);
  if (result.error == EFBIG) {
    return too_large_file(path);
  }
  if (result.error != 0) {
    return unreadable_file(path, system_message(result.error));
  }
  return std::move(result.bytes);
}

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

tl::unexpected<Error> unreadable_file(std::string_view path, std::string_view why) {
  return fail(ErrorKind::environment, "repository.unreadable",
              "`" + printable(path) + "` cannot be read: " + std::string(why),
              "check the file and its permissions");
}

tl::unexpected<Error> too_large_file(std::string_view path) {
  return fail(ErrorKind::usage, "repository.too_large",
              "`" + printable(path) + "` is larger than 16 MiB", "leave the file out");
}

tl::unexpected<Error> unmerged_file(std::string_view path) {
  return fail(ErrorKind::usage, "repository.unmerged",
              "`" + printable(path) + "` has an unresolved conflict",
              "finish or abort the merge first");
}

tl::unexpected<Error> no_such_commit(std::string_view revision) {
  const bool is_long = revision.size() > kRevisionBytesMax;
  return fail(ErrorKind::usage, "repository.no_such_revision",
              "there is no commit `" + printable(revision.substr(0, kRevisionBytesMax)) +
                  (is_long ? "...`" : "`"),
              "name a commit, branch or tag of this repository");
}

tl::unexpected<Error> no_commits() {
  return fail(ErrorKind::usage, "repository.no_commits", "the repository has no commit yet",
              "make a first commit: policy is taken from one");
}

std::optional<std::int64_t> FileSizes::size_of(const std::string& path) {
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

}  // namespace rgx::engine
