#include "engine/git_places.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "engine/posix_io.h"

namespace rgx::engine {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kSmallBytesMax = std::uintmax_t{64} << 10;  // a ref, HEAD, a pointer
constexpr std::uintmax_t kTextBytesMax = std::uintmax_t{1} << 20;    // configuration, rules
constexpr std::uintmax_t kListBytesMax = std::uintmax_t{64} << 20;   // packed refs
constexpr std::uintmax_t kIndexBytesMax = std::uintmax_t{256} << 20;
constexpr std::size_t kEntriesMax = 500'000;        // loose objects and refs
constexpr std::size_t kWorkEntriesMax = 5'000'000;  // of the work tree
constexpr int kDepthMax = 64;
constexpr int kWalksMax = 5;
constexpr int kIncludeDepthMax = 10;  // as git's own
constexpr std::size_t kAlternatesMax = 32;

struct KnownFile {
  std::string_view name;
  std::uintmax_t bytes_max;
};

constexpr std::array kKnownFiles = {
    KnownFile{"HEAD", kSmallBytesMax},
    KnownFile{"commondir", kSmallBytesMax},
    KnownFile{"gitdir", kSmallBytesMax},
    KnownFile{"config", kTextBytesMax},
    KnownFile{"config.worktree", kTextBytesMax},
    KnownFile{"index", kIndexBytesMax},
    KnownFile{"packed-refs", kListBytesMax},
    KnownFile{"shallow", kListBytesMax},
    KnownFile{"FETCH_HEAD", kListBytesMax},
    KnownFile{"ORIG_HEAD", kSmallBytesMax},
    KnownFile{"MERGE_HEAD", kSmallBytesMax},
    KnownFile{"MERGE_MSG", kTextBytesMax},
    KnownFile{"CHERRY_PICK_HEAD", kSmallBytesMax},
    KnownFile{"REVERT_HEAD", kSmallBytesMax},
    KnownFile{"BISECT_LOG", kListBytesMax},
};

// `info` first: its files are text, as large as configuration may be.
constexpr std::array kKnownFolders = {
    KnownFile{"info", kTextBytesMax},       KnownFile{"refs", kSmallBytesMax},
    KnownFile{"objects", UINTMAX_MAX},      KnownFile{"logs", UINTMAX_MAX},
    KnownFile{"rebase-merge", UINTMAX_MAX}, KnownFile{"rebase-apply", UINTMAX_MAX},
    KnownFile{"sequencer", UINTMAX_MAX},    KnownFile{"reftable", UINTMAX_MAX},
};

tl::unexpected<Error> not_regular(const std::string& file) {
  return fail(ErrorKind::environment, "repository.broken",
              "`" + printable(file) + "` is not a regular file", "check it with `git fsck`");
}

tl::unexpected<Error> too_large(const std::string& what, const std::string& remedy) {
  return fail(ErrorKind::environment, "repository.too_large", what, remedy);
}

Status check_size(const std::string& file, std::uintmax_t size, std::uintmax_t bytes_max) {
  if (size <= bytes_max) {
    return {};
  }
  return too_large(
      "`" + printable(file) + "` is larger than " + std::to_string(bytes_max >> 10) + " KiB",
      "see what is in it; git itself never makes it so large");
}

/// A link counts as what it leads to. Missing files are nobody's trouble here.
Status check_file(const std::string& file, std::uintmax_t bytes_max) {
  struct stat status = {};
  if (stat(file.c_str(), &status) != 0) {
    return {};
  }
  if (!S_ISREG(status.st_mode)) {
    return not_regular(file);
  }
  return check_size(file, static_cast<std::uintmax_t>(status.st_size), bytes_max);
}

/// Shows every entry below a folder; nothing where there is no folder. What cannot be looked
/// through is an error, since something could stand there unseen. An entry that goes away
/// meanwhile ends a listing: it is begun again.
template <class Look>
Status walk(const std::string& folder, fs::directory_options options, Look look) {
  std::error_code error;
  for (int attempt = 0; attempt < kWalksMax; ++attempt) {
    error.clear();
    fs::recursive_directory_iterator it(folder, options, error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
      RGX_TRY_STATUS(look(it));
    }
    std::error_code gone;
    const bool is_missing = error == std::errc::no_such_file_or_directory;
    if (!error || (is_missing && !fs::exists(folder, gone))) {
      return {};
    }
    if (!is_missing) {
      break;
    }
  }
  return fail(
      ErrorKind::environment, "repository.broken",
      "`" + printable(folder) + "` cannot be looked through: " + system_message(error.value()),
      "see what stands there or changes it, and run again");
}

/// Pipes, sockets and devices anywhere below. The type comes with the listing; nothing is opened.
Status check_folder(const std::string& folder, std::uintmax_t bytes_max) {
  std::size_t count = 0;
  const auto look = [&](const fs::recursive_directory_iterator& it) -> Status {
    if (++count > kEntriesMax) {
      return too_large(
          "`" + printable(folder) + "` holds more than " + std::to_string(kEntriesMax) + " files",
          "pack them: `git pack-refs --all`, `git gc`");
    }
    std::error_code gone;
    if (it->is_directory(gone)) {
      return it.depth() > kDepthMax ? not_regular(it->path().string()) : Status();
    }
    if (it->is_other(gone)) {
      return not_regular(it->path().string());
    }
    return bytes_max == UINTMAX_MAX ? Status() : check_file(it->path().string(), bytes_max);
  };
  return walk(folder,
              fs::directory_options::follow_directory_symlink |
                  fs::directory_options::skip_permission_denied,
              look);
}

/// The value of a line `path = VALUE`, with or without `[section]` before it and quotes around it.
std::optional<std::string> named_path(std::string_view line) {
  line.remove_prefix(line.starts_with('[') ? std::min(line.find(']'), line.size() - 1) + 1 : 0);
  const auto start = line.find_first_not_of(" \t");
  const auto equals = line.find('=');
  if (start == std::string_view::npos || equals == std::string_view::npos || equals < start) {
    return std::nullopt;
  }
  std::string key(line.substr(start, equals - start));
  while (key.ends_with(' ') || key.ends_with('\t')) {
    key.pop_back();
  }
  std::ranges::transform(key, key.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  std::string value(line.substr(equals + 1));
  std::erase_if(value, [](char letter) { return letter == '"' || letter == '\r'; });
  const auto first = value.find_first_not_of(" \t");
  const auto last = value.find_last_not_of(" \t");
  if (key != "path" || first == std::string::npos) {
    return std::nullopt;
  }
  return value.substr(first, last - first + 1);
}

/// Files that a configuration includes are read when it is.
Status check_includes(const std::string& file, int depth) {
  const std::string text = read_git_file(file).value_or("");
  for (const std::string_view line : split(text, '\n')) {
    const auto start = line.find_first_not_of(" \t");
    const auto named =
        start == std::string_view::npos ? std::nullopt : named_path(line.substr(start));
    if (!named || depth > kIncludeDepthMax) {
      continue;
    }
    const fs::path path(*named);
    const std::string included =
        path.is_absolute() ? *named
                           : (fs::path(file).parent_path() / path).lexically_normal().string();
    struct stat status = {};
    if (stat(included.c_str(), &status) == 0 && !S_ISDIR(status.st_mode)) {
      RGX_TRY_STATUS(check_file(included, kTextBytesMax));
      RGX_TRY_STATUS(check_includes(included, depth + 1));
    }
  }
  return {};
}

Status check_git_folder(const std::string& git_dir) {
  for (const auto& [name, bytes_max] : kKnownFiles) {
    RGX_TRY_STATUS(check_file(git_dir + "/" + std::string(name), bytes_max));
  }
  for (const auto& [name, bytes_max] : kKnownFolders) {
    RGX_TRY_STATUS(check_folder(git_dir + "/" + std::string(name), bytes_max));
  }
  RGX_TRY_STATUS(check_includes(git_dir + "/config", 0));
  return check_includes(git_dir + "/config.worktree", 0);
}

std::optional<std::string> canonical_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), &free);
  return real ? std::optional<std::string>(real.get()) : std::nullopt;
}

/// The folder that a file of one line names, relative to where it stands.
std::optional<std::string> folder_in(const std::string& file, std::string_view prefix) {
  auto text = read_git_file(file);
  if (!text || !text->starts_with(prefix)) {
    return std::nullopt;
  }
  text->erase(0, prefix.size());
  while (text->ends_with('\n') || text->ends_with('\r')) {
    text->pop_back();
  }
  const fs::path named(*text);
  return canonical_path(named.is_absolute() ? *text
                                            : (fs::path(file).parent_path() / named).string());
}

Result<GitPlaces> places_of(const std::string& root) {
  const std::string entry = (root == "/" ? "" : root) + "/.git";
  struct stat status = {};
  if (stat(entry.c_str(), &status) != 0 || (!S_ISDIR(status.st_mode) && !S_ISREG(status.st_mode))) {
    return not_regular(entry);
  }
  const auto git_dir =
      S_ISDIR(status.st_mode) ? canonical_path(entry) : folder_in(entry, "gitdir: ");
  if (!git_dir) {
    return fail(ErrorKind::environment, "repository.broken",
                "`" + printable(entry) + "` names no folder that exists",
                "make it again with `git worktree repair` or `git submodule update`");
  }
  const auto common = folder_in(*git_dir + "/commondir", "");
  return GitPlaces{root, *git_dir, common ? *common : *git_dir};
}

}  // namespace

std::optional<std::string> read_git_file(const std::string& file) {
  const FileDescriptor fd(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status = {};
  if (!fd.open() || fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  ReadBytes read = read_all(fd.get(), kTextBytesMax);
  return read.error == 0 ? std::optional(std::move(read.bytes)) : std::nullopt;
}

Result<std::optional<GitPlaces>> find_git_places(const std::string& start) {
  auto at = canonical_path(start);
  while (at) {
    struct stat status = {};
    const std::string entry = fs::path(*at) / ".git";
    struct stat head = {};
    // A folder without HEAD is no repository, as git sees it: it looks further up.
    const bool is_one = lstat(entry.c_str(), &status) == 0 &&
                        (!S_ISDIR(status.st_mode) || lstat((entry + "/HEAD").c_str(), &head) == 0);
    if (is_one) {
      RGX_TRY(GitPlaces places, places_of(*at));
      return std::optional<GitPlaces>(std::move(places));
    }
    if (*at == "/") {
      break;
    }
    const auto slash = at->rfind('/');
    at->resize(slash == 0 ? 1 : slash);
  }
  return std::optional<GitPlaces>();
}

std::vector<std::string> alternate_folders(const GitPlaces& places) {
  const std::string objects = places.common_dir + "/objects";
  const std::string text = read_git_file(objects + "/info/alternates").value_or("");
  std::vector<std::string> folders;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty() || line.starts_with('#') || folders.size() == kAlternatesMax) {
      continue;
    }
    if (auto folder = canonical_path(fs::path(objects) / line)) {
      folders.push_back(std::move(*folder));
    }
  }
  return folders;
}

Status check_git_files(const GitPlaces& places) {
  RGX_TRY_STATUS(check_git_folder(places.git_dir));
  if (places.common_dir != places.git_dir) {
    RGX_TRY_STATUS(check_git_folder(places.common_dir));
  }
  for (const std::string& folder : alternate_folders(places)) {
    RGX_TRY_STATUS(check_folder(folder, UINTMAX_MAX));
  }
  return {};
}

Status check_rule_files(const std::string& root) {
  std::size_t count = 0;
  const auto look = [&count](fs::recursive_directory_iterator& it) -> Status {
    if (++count > kWorkEntriesMax) {
      return too_large(
          "the work tree holds more than " + std::to_string(kWorkEntriesMax) + " files",
          "run rgx in a smaller repository");
    }
    const std::string& path = it->path().native();
    const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
    if (name == ".git") {
      it.disable_recursion_pending();
      return {};
    }
    std::error_code gone;
    const bool has_rules =
        name == ".gitignore" || name == ".gitattributes" || name == ".gitmodules";
    return has_rules && !it->is_directory(gone) ? check_file(path, kTextBytesMax) : Status();
  };
  return walk(root, fs::directory_options::skip_permission_denied, look);
}

}  // namespace rgx::engine
