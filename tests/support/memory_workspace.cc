#include "tests/support/memory_workspace.h"

#include <algorithm>

namespace rgx::test {

using engine::Entry;
using engine::EntryKind;
using engine::FileState;

MemoryWorkspace& MemoryWorkspace::put(std::string_view path, std::string_view bytes) {
  files_.insert_or_assign(std::string(path), std::string(bytes));
  return *this;
}

MemoryWorkspace& MemoryWorkspace::put_folder(std::string_view path) {
  folders_.emplace(path);
  return *this;
}

MemoryWorkspace& MemoryWorkspace::put_link(std::string_view path, std::string_view target) {
  files_.erase(std::string(path));
  links_.insert_or_assign(std::string(path), std::string(target));
  return *this;
}

MemoryWorkspace& MemoryWorkspace::remove(std::string_view path) {
  files_.erase(std::string(path));
  links_.erase(std::string(path));
  return *this;
}

std::string MemoryWorkspace::bytes(std::string_view path) const {
  const auto file = files_.find(path);
  return file == files_.end() ? std::string() : file->second;
}

Result<EntryKind> MemoryWorkspace::kind(std::string_view path) {
  if (links_.contains(path)) {
    return EntryKind::symlink;
  }
  if (files_.contains(path)) {
    return EntryKind::file;
  }
  const std::string below = std::string(path) + "/";
  const auto has_below = [&below](const auto& item) { return item.first.starts_with(below); };
  if (path == "." || folders_.contains(path) ||
      std::any_of(files_.begin(), files_.end(), has_below)) {
    return EntryKind::directory;
  }
  return EntryKind::missing;
}

Result<std::optional<FileState>> MemoryWorkspace::state(std::string_view path) {
  log_.add("workspace.state " + std::string(path));
  RGX_TRY(const EntryKind found, kind(path));
  switch (found) {
    case EntryKind::missing:
      return std::optional<FileState>();
    case EntryKind::file:
      break;
    case EntryKind::symlink:
      return fail(ErrorKind::failed, "workspace.symlink",
                  "`" + std::string(path) + "` is a symbolic link");
    case EntryKind::directory:
    case EntryKind::other:
      return fail(ErrorKind::failed, "workspace.not_regular",
                  "`" + std::string(path) + "` is not a regular file");
  }
  const std::string& bytes = files_.find(path)->second;
  return std::optional(
      FileState{digest_bytes(bytes), static_cast<std::int64_t>(bytes.size()), mode(path)});
}

Result<std::string> MemoryWorkspace::read(std::string_view path, std::size_t bytes_max) {
  RGX_TRY(const auto found, state(path));
  if (!found || static_cast<std::size_t>(found->size_bytes) > bytes_max) {
    return fail(ErrorKind::environment, "workspace.io",
                "`" + std::string(path) + "` cannot be read");
  }
  return bytes(path);
}

Status MemoryWorkspace::write(std::string_view path, std::string_view bytes,
                              const std::optional<Digest>& expected) {
  log_.add("workspace.write " + std::string(path));
  if (before_write) {
    before_write(path);
  }
  RGX_TRY(const auto found, state(path));
  if (found.has_value() != expected.has_value() || (found && found->digest != *expected)) {
    return fail(ErrorKind::drift, "workspace.changed",
                "`" + std::string(path) + "` is not the file that the plan was made for");
  }
  put(path, bytes);
  return {};
}

std::uint32_t MemoryWorkspace::mode(std::string_view path) const {
  const auto found = modes_.find(path);
  return found == modes_.end() ? 0644 : found->second;
}

Status MemoryWorkspace::remove_file(std::string_view path, const Digest& expected) {
  log_.add("workspace.remove_file " + std::string(path));
  RGX_TRY(const auto found, state(path));
  if (!found || found->digest != expected) {
    return fail(ErrorKind::drift, "workspace.changed",
                "`" + std::string(path) + "` is not the file that was to be removed");
  }
  modes_.erase(std::string(path));
  remove(path);
  return {};
}

Status MemoryWorkspace::move_file(std::string_view path, std::string_view to,
                                  const Digest& expected) {
  log_.add("workspace.move_file " + std::string(path) + " " + std::string(to));
  RGX_TRY(const auto found, state(path));
  if (!found || found->digest != expected) {
    return fail(ErrorKind::drift, "workspace.changed",
                "`" + std::string(path) + "` is not the file that was to be moved");
  }
  RGX_TRY(const EntryKind there, kind(to));
  if (there != EntryKind::missing) {
    return fail(ErrorKind::drift, "workspace.changed", "`" + std::string(to) + "` exists already");
  }
  put(to, bytes(path));
  modes_[std::string(to)] = found->mode;
  modes_.erase(std::string(path));
  remove(path);
  return {};
}

Status MemoryWorkspace::remove_directory(std::string_view path) {
  log_.add("workspace.remove_directory " + std::string(path));
  folders_.erase(std::string(path));
  return {};
}

Status MemoryWorkspace::set_mode(std::string_view path, std::uint32_t mode) {
  log_.add("workspace.set_mode " + std::string(path));
  modes_.insert_or_assign(std::string(path), mode);
  return {};
}

Result<std::unique_ptr<engine::Workspace>> MemoryWorkspace::copy(
    const engine::CopyRequest& request) {
  log_.add("workspace.copy");
  copies.push_back(request);
  auto made = std::make_unique<MemoryWorkspace>(log_);
  made->root_ = request.to;
  made->files_ = files_;
  made->modes_ = modes_;
  made->links_ = links_;
  made->folders_ = folders_;
  return std::unique_ptr<engine::Workspace>(std::move(made));
}

Result<std::string> MemoryWorkspace::resolve(std::string_view path) {
  const auto link = links_.find(path);
  return link == links_.end() ? std::string(path) : link->second;
}

Result<std::vector<Entry>> MemoryWorkspace::list(std::string_view path) {
  std::map<std::string, EntryKind> names;
  const std::string head = path == "." ? "" : std::string(path) + "/";
  for (const auto& [file, bytes] : files_) {
    if (file.starts_with(head)) {
      const std::string rest = file.substr(head.size());
      const auto slash = rest.find('/');
      names[rest.substr(0, slash)] =
          slash == std::string::npos ? EntryKind::file : EntryKind::directory;
    }
  }
  std::vector<Entry> entries;
  for (const auto& [name, entry_kind] : names) {
    entries.push_back({name, entry_kind});
  }
  return entries;
}

Status MemoryWorkspace::make_directory(std::string_view path) {
  log_.add("workspace.make_directory " + std::string(path));
  folders_.emplace(path);
  return {};
}

Result<std::size_t> MemoryWorkspace::remove_leftovers(std::string_view directory) {
  log_.add("workspace.remove_leftovers " + std::string(directory));
  return std::size_t{0};
}

}  // namespace rgx::test
