#include <algorithm>
#include <climits>
#include <deque>
#include <map>
#include <utility>

#include "base/path.h"
#include "base/text.h"
#include "engine/git_work.h"
#include "engine/worktrees.h"

// A commit as repository and workspace: what `git worktree add` would put on the disk, without
// putting it there.

namespace rgx::engine {

namespace {

constexpr int kLinksMax = 40;  // as the kernel

struct TreeEntry {
  EntryKind kind = EntryKind::file;
  bool executable = false;
  bool submodule = false;
  std::int64_t size_bytes = 0;
};

/// The entries of a commit by path, folders included.
class BaseTree {
 public:
  BaseTree(std::string commit, RepositoryView& repository)
      : commit_(std::move(commit)),
        repository_(repository) {}

  Status load(const std::string& root);
  [[nodiscard]] const std::string& commit() const { return commit_; }
  [[nodiscard]] RepositoryView& repository() const { return repository_; }
  [[nodiscard]] const std::map<std::string, TreeEntry>& entries() const { return entries_; }

  [[nodiscard]] const TreeEntry* find(const std::string& path) const {
    static const TreeEntry kRoot{.kind = EntryKind::directory};
    if (path == ".") {
      return &kRoot;
    }
    const auto entry = entries_.find(path);
    return entry == entries_.end() ? nullptr : &entry->second;
  }
  /// A symbolic link that the path is or goes through before its end; empty = none.
  [[nodiscard]] std::string link_on(const std::string& path) const {
    for (auto slash = path.find('/');; slash = path.find('/', slash + 1)) {
      std::string head = path.substr(0, slash);
      const TreeEntry* entry = find(head);
      if (slash == std::string::npos) {
        return {};
      }
      if (entry != nullptr && entry->kind == EntryKind::symlink) {
        return head;
      }
    }
  }
  [[nodiscard]] Result<std::string> read(const std::string& path) const {
    RGX_TRY(std::optional<std::string> bytes, repository_.read_at(commit_, path));
    if (!bytes) {
      return fail(ErrorKind::environment, "repository.unreadable",
                  "there is no `" + printable(path) + "` in commit " + commit_.substr(0, 12),
                  "name a file of that commit");
    }
    return std::move(*bytes);
  }
  /// Where a link leads, as it stands in the commit.
  [[nodiscard]] Result<std::string> link_target(const std::string& path) const {
    const auto target = targets_.find(path);
    return target == targets_.end() ? std::string() : target->second;
  }

 private:
  Status add(const GitWork& work, git_odb* objects, const git_index_entry& entry);

  std::string commit_;
  RepositoryView& repository_;
  std::map<std::string, TreeEntry> entries_;
  std::map<std::string, std::string> targets_;
};

Status BaseTree::add(const GitWork& work, git_odb* objects, const git_index_entry& entry) {
  const std::string path = entry.path;
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    entries_[path.substr(0, slash)].kind = EntryKind::directory;
  }
  TreeEntry& made = entries_[path];
  if (entry.mode == GIT_FILEMODE_COMMIT) {
    made = {.kind = EntryKind::directory, .submodule = true};
    return {};
  }
  std::size_t bytes = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  if (work.git().odb_read_header(&bytes, &type, objects, &entry.id) != 0) {
    return work.failed("reading a commit");
  }
  made.size_bytes = static_cast<std::int64_t>(bytes);
  made.executable = entry.mode == GIT_FILEMODE_BLOB_EXECUTABLE;
  if (entry.mode != GIT_FILEMODE_LINK) {
    return {};
  }
  made.kind = EntryKind::symlink;
  git_blob* raw = nullptr;
  if (bytes > PATH_MAX || work.git().blob_lookup(&raw, work.get(), &entry.id) != 0) {
    return work.failed("reading a symbolic link of a commit");
  }
  const GitHandle<git_blob> blob(raw, work.git().blob_free);
  targets_[path] = std::string(static_cast<const char*>(work.git().blob_rawcontent(blob.get())),
                               static_cast<std::size_t>(work.git().blob_rawsize(blob.get())));
  return {};
}

Status BaseTree::load(const std::string& root) {
  RGX_TRY(const GitWork work, GitWork::open(root));
  const GitLibrary& git = work.git();
  RGX_TRY(const git_oid id, work.commit_id(commit_));
  RGX_TRY(const GitHandle<git_tree> tree, work.tree_of(id));
  git_index* raw = nullptr;
  git_odb* raw_objects = nullptr;
  if (git.index_new(&raw) != 0 || git.repository_odb(&raw_objects, work.get()) != 0) {
    return work.failed("reading a commit");
  }
  const GitHandle<git_index> index(raw, git.index_free);
  const GitHandle<git_odb> objects(raw_objects, git.odb_free);
  if (git.index_read_tree(index.get(), tree.get()) != 0) {
    return work.failed("reading a commit");
  }
  const std::size_t count = git.index_entrycount(index.get());
  for (std::size_t i = 0; i < count; ++i) {
    RGX_TRY_STATUS(add(work, objects.get(), *git.index_get_byindex(index.get(), i)));
  }
  return {};
}

bool is_at_or_below(std::string_view path, std::string_view place) {
  return place == "." || path == place ||
         (path.size() > place.size() && path.starts_with(place) && path[place.size()] == '/');
}

class BaseView final : public RepositoryView {
 public:
  explicit BaseView(std::shared_ptr<const BaseTree> tree) : tree_(std::move(tree)) {}

  Result<std::string> head() override { return tree_->commit(); }
  Result<std::string> commit_id(std::string_view revision) override {
    return tree_->repository().commit_id(revision);
  }
  Result<std::vector<RepositoryFile>> files(const std::vector<std::string>& paths) override;
  Result<std::vector<std::string>> untracked(const std::vector<std::string>& /*paths*/) override {
    return std::vector<std::string>();
  }
  Result<std::string> read(std::string_view path) override {
    RGX_TRY(const std::string name, normal_path(path));
    return tree_->read(name);
  }
  Result<std::optional<std::string>> read_at(std::string_view revision,
                                             std::string_view path) override {
    return tree_->repository().read_at(revision, path);
  }

 private:
  [[nodiscard]] Result<std::string> place_of(const std::string& path) const;

  std::shared_ptr<const BaseTree> tree_;
};

Result<std::string> BaseView::place_of(const std::string& path) const {
  auto name = normal_path(path);
  if (!name || name->starts_with("abs:") || name->starts_with("home:")) {
    return fail(ErrorKind::usage, "repository.path_outside",
                "`" + printable(path) + "` is no path inside the workspace",
                "name a path below the root of the repository");
  }
  if (tree_->find(*name) == nullptr) {
    return fail(ErrorKind::usage, "repository.no_such_path",
                "there is no `" + printable(*name) + "` in commit " +
                    tree_->commit().substr(0, 12) + ", where the worktree starts",
                "name a path that is committed, relative to the root of the repository");
  }
  return name;
}

Result<std::vector<RepositoryFile>> BaseView::files(const std::vector<std::string>& paths) {
  std::vector<std::string> places;
  for (const std::string& path : paths) {
    RGX_TRY(std::string place, place_of(path));
    places.push_back(std::move(place));
  }
  std::vector<RepositoryFile> files;
  for (const auto& [path, entry] : tree_->entries()) {
    for (const std::string& place : places) {
      if (entry.submodule && place != "." && is_at_or_below(place, path)) {
        return fail(ErrorKind::usage, "repository.submodule",
                    "`" + printable(path) + "` is a submodule, which is a repository of its own",
                    "run rgx in it, or leave it out");
      }
    }
    if (entry.kind == EntryKind::file &&
        std::ranges::any_of(places, [&at = path](const std::string& wanted) {
          return is_at_or_below(at, wanted);
        })) {
      files.push_back({path, entry.size_bytes});
    }
  }
  return files;
}

class BaseWorkspace final : public Workspace {
 public:
  BaseWorkspace(std::shared_ptr<const BaseTree> tree, Workspace& outside)
      : tree_(std::move(tree)),
        outside_(outside) {}

  Result<std::optional<FileState>> state(std::string_view path) override {
    RGX_TRY(const EntryKind there, kind(path));
    if (there == EntryKind::missing) {
      return std::optional<FileState>();
    }
    RGX_TRY(const std::string bytes, read(path, SIZE_MAX));
    RGX_TRY(const std::string name, normal_path(path));
    return std::optional(FileState{digest_bytes(bytes), static_cast<std::int64_t>(bytes.size()),
                                   tree_->find(name)->executable ? 0755U : 0644U});
  }
  Result<std::string> read(std::string_view path, std::size_t bytes_max) override {
    RGX_TRY(const EntryKind there, kind(path));
    if (there == EntryKind::symlink) {
      return link_refused(path);
    }
    if (there != EntryKind::file) {
      return fail(ErrorKind::failed, "workspace.not_regular",
                  "`" + printable(path) + "` is no regular file", "name a file");
    }
    RGX_TRY(const std::string name, normal_path(path));
    RGX_TRY(std::string bytes, tree_->read(name));
    if (bytes.size() > bytes_max) {
      return fail(ErrorKind::failed, "workspace.too_large",
                  "`" + printable(path) + "` is larger than the limit", "leave the file out");
    }
    return bytes;
  }
  Result<std::string> resolve(std::string_view path) override;
  Result<EntryKind> kind(std::string_view path) override {
    RGX_TRY(const std::string name, normal_path(path));
    if (!tree_->link_on(name).empty()) {
      return link_refused(path);
    }
    const TreeEntry* entry = tree_->find(name);
    return entry == nullptr ? EntryKind::missing : entry->kind;
  }
  Result<std::vector<Entry>> list(std::string_view path) override {
    RGX_TRY(const std::string name, normal_path(path));
    const std::string head = name == "." ? "" : name + "/";
    std::vector<Entry> entries;
    for (const auto& [at, entry] : tree_->entries()) {
      if (at.starts_with(head) && at.find('/', head.size()) == std::string::npos) {
        entries.push_back({at.substr(head.size()), entry.kind});
      }
    }
    return entries;
  }
  [[nodiscard]] std::string root() const override { return outside_.root(); }

  Status write(std::string_view path, std::string_view /*bytes*/,
               const std::optional<Digest>& /*expected*/) override {
    return read_only(path);
  }
  Status remove_file(std::string_view path, const Digest& /*expected*/) override {
    return read_only(path);
  }
  Status move_file(std::string_view path, std::string_view /*to*/,
                   const Digest& /*expected*/) override {
    return read_only(path);
  }
  Status remove_directory(std::string_view path) override { return read_only(path); }
  Status set_mode(std::string_view path, std::uint32_t /*mode*/) override {
    return read_only(path);
  }
  Status make_directory(std::string_view path) override { return read_only(path); }
  Result<std::size_t> remove_leftovers(std::string_view /*directory*/) override { return 0U; }
  Result<std::unique_ptr<Workspace>> copy(const CopyRequest& /*request*/) override {
    return read_only(".");
  }

 private:
  static tl::unexpected<Error> read_only(std::string_view path) {
    return fail(ErrorKind::internal, "workspace.read_only",
                "`" + printable(path) + "` is in a commit, which nobody changes");
  }
  static tl::unexpected<Error> link_refused(std::string_view path) {
    return fail(ErrorKind::failed, "workspace.symlink",
                "`" + printable(path) + "` is or goes through a symbolic link",
                "name the file that the link leads to");
  }

  std::shared_ptr<const BaseTree> tree_;
  Workspace& outside_;
};

Result<std::string> BaseWorkspace::resolve(std::string_view path) {
  RGX_TRY(const std::string name, normal_path(path));
  if (name.starts_with("home:") || name.starts_with("abs:")) {
    return outside_.resolve(name);
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
  queue(name);
  std::string at;
  int links = 0;
  while (!pending.empty()) {
    const std::string part = std::move(pending.front());
    pending.pop_front();
    if (part == "..") {
      if (at.empty()) {
        return fail(ErrorKind::failed, "workspace.outside",
                    "`" + printable(path) + "` leaves the workspace",
                    "name a path inside the workspace");
      }
      const auto slash = at.rfind('/');
      at.resize(slash == std::string::npos ? 0 : slash);
      continue;
    }
    std::string next = at;
    next.append(at.empty() ? "" : "/").append(part);
    const TreeEntry* entry = tree_->find(next);
    if (entry == nullptr || entry->kind != EntryKind::symlink) {
      at = std::move(next);
      continue;
    }
    if (++links > kLinksMax) {
      return link_refused(path);
    }
    RGX_TRY(std::string target, tree_->link_target(next));
    if (!target.starts_with('/')) {
      queue(target);
      continue;
    }
    for (const std::string& rest : pending) {
      target.append("/").append(rest);
    }
    // Inside the checkout of people is outside the worktree.
    RGX_TRY(const std::string there, outside_.resolve("abs:" + target));
    return there.starts_with("abs:") ? there : "abs:" + outside_.root() + "/" + there;
  }
  return at.empty() ? std::string(".") : at;
}

}  // namespace

Result<OpenBase> open_base(const std::string& commit, RepositoryView& repository,
                           Workspace& workspace) {
  auto tree = std::make_shared<BaseTree>(commit, repository);
  RGX_TRY_STATUS(tree->load(workspace.root()));
  OpenBase base;
  base.view = std::make_unique<BaseView>(tree);
  base.workspace = std::make_unique<BaseWorkspace>(tree, workspace);
  return base;
}

}  // namespace rgx::engine
