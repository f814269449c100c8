#include "tests/support/memory_repository.h"

namespace rgx::test {

MemoryRepository& MemoryRepository::track(std::string_view path, std::string_view bytes) {
  files_.insert_or_assign(std::string(path), File{std::string(bytes), true, std::nullopt});
  return *this;
}

MemoryRepository& MemoryRepository::add_untracked(std::string_view path, std::string_view bytes) {
  files_.insert_or_assign(std::string(path), File{std::string(bytes), false, std::nullopt});
  return *this;
}

MemoryRepository& MemoryRepository::refuse_reads(std::string_view path) {
  refused_.emplace(path);
  return *this;
}

MemoryRepository& MemoryRepository::claim_size(std::string_view path, std::int64_t size_bytes) {
  files_[std::string(path)].claimed_size_bytes = size_bytes;
  return *this;
}

MemoryRepository& MemoryRepository::commit(std::string_view revision, std::string_view path,
                                           std::string_view bytes) {
  revisions_[std::string(revision)][std::string(path)] = bytes;
  return *this;
}

Result<std::string> MemoryRepository::head() {
  return std::string("0123456789abcdef0123456789abcdef01234567");
}

Result<std::string> MemoryRepository::commit_id(std::string_view revision) {
  if (!revisions_.contains(revision)) {
    return fail(ErrorKind::usage, "repository.no_such_revision",
                "there is no revision `" + std::string(revision) + "`", "name a commit");
  }
  return std::string(revision);
}

Result<std::vector<RepositoryFile>> MemoryRepository::files(const std::vector<std::string>& paths) {
  std::map<std::string, std::int64_t> found;
  for (const std::string& path : paths) {
    bool exists = path == ".";
    for (const auto& [name, file] : files_) {
      if (path == "." || name == path || name.starts_with(path + "/")) {
        exists = true;
        if (file.tracked) {
          found[name] =
              file.claimed_size_bytes.value_or(static_cast<std::int64_t>(file.bytes.size()));
        }
      }
    }
    if (!exists) {
      return fail(ErrorKind::usage, "repository.no_such_path", "there is no path `" + path + "`",
                  "name a path of the repository");
    }
  }
  std::vector<RepositoryFile> all;
  for (const auto& [name, size_bytes] : found) {
    all.push_back(RepositoryFile{name, size_bytes});
  }
  return all;
}

Result<std::vector<std::string>> MemoryRepository::untracked(
    const std::vector<std::string>& paths) {
  std::vector<std::string> all;
  for (const auto& [name, file] : files_) {
    for (const std::string& path : paths) {
      if (!file.tracked && (path == "." || name == path || name.starts_with(path + "/"))) {
        all.push_back(name);
        break;
      }
    }
  }
  return all;
}

Result<std::string> MemoryRepository::read(std::string_view path) {
  reads_.emplace_back(path);
  const auto file = files_.find(path);
  if (file == files_.end() || refused_.contains(path)) {
    return fail(ErrorKind::usage, "repository.unreadable",
                "`" + std::string(path) + "` cannot be read", "check that it exists");
  }
  return file->second.bytes;
}

Result<std::optional<std::string>> MemoryRepository::read_at(std::string_view revision,
                                                             std::string_view path) {
  const auto commit = revisions_.find(revision);
  if (commit == revisions_.end()) {
    return fail(ErrorKind::usage, "repository.no_such_revision",
                "there is no revision `" + std::string(revision) + "`", "name a commit");
  }
  const auto file = commit->second.find(path);
  return file == commit->second.end() ? std::nullopt : std::optional(file->second);
}

}  // namespace rgx::test
