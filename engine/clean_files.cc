#include "engine/clean_files.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "base/glob.h"
#include "base/text.h"
#include "engine/git_need.h"
#include "engine/git_status.h"
#include "engine/git_work.h"
#include "engine/repository_system_git.h"
#include "templates/tool.h"

namespace rgx::engine {

namespace {

tl::unexpected<Error> git_failed(const GitLibrary& git, std::string_view what) {
  const git_error* error = git.error_last();
  const std::string message =
      error != nullptr && error->message != nullptr ? printable(error->message) : "unknown error";
  return fail(ErrorKind::environment, "repository.broken",
              std::string(what) + " failed: " + message, "check it with `git fsck`");
}

/// What git is in the middle of, in words; bisecting changes no file that it does not own.
std::string under_way(int state) {
  switch (state) {
    case GIT_REPOSITORY_STATE_MERGE:
      return "a merge";
    case GIT_REPOSITORY_STATE_REVERT:
    case GIT_REPOSITORY_STATE_REVERT_SEQUENCE:
      return "a revert";
    case GIT_REPOSITORY_STATE_CHERRYPICK:
    case GIT_REPOSITORY_STATE_CHERRYPICK_SEQUENCE:
      return "a cherry-pick";
    case GIT_REPOSITORY_STATE_REBASE:
    case GIT_REPOSITORY_STATE_REBASE_INTERACTIVE:
    case GIT_REPOSITORY_STATE_REBASE_MERGE:
      return "a rebase";
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX:
    case GIT_REPOSITORY_STATE_APPLY_MAILBOX_OR_REBASE:
      return "an application of patches";
    default:
      return {};
  }
}

/// Why a status is not clean; empty = it is.
std::string reason(unsigned int status) {
  constexpr unsigned int kStaged = GIT_STATUS_INDEX_MODIFIED | GIT_STATUS_INDEX_RENAMED |
                                   GIT_STATUS_INDEX_TYPECHANGE | GIT_STATUS_INDEX_DELETED;
  if ((status & GIT_STATUS_CONFLICTED) != 0) {
    return "has an unresolved conflict";
  }
  if ((status & (GIT_STATUS_WT_NEW | GIT_STATUS_IGNORED)) != 0) {
    return "exists and is not tracked";
  }
  if ((status & GIT_STATUS_WT_DELETED) != 0) {
    return "was deleted, which is not committed";
  }
  if ((status & GIT_STATUS_WT_TYPECHANGE) != 0) {
    return "is no regular file any more";
  }
  if ((status & (GIT_STATUS_WT_MODIFIED | GIT_STATUS_WT_RENAMED)) != 0) {
    return "has changes that are not committed";
  }
  if ((status & GIT_STATUS_WT_UNREADABLE) != 0) {
    return "cannot be read";
  }
  if ((status & (kStaged | GIT_STATUS_INDEX_NEW)) != 0) {
    return "has staged changes that are not committed";
  }
  return {};
}

/// The path that the effect of a tool means: effects are globs, and the name of a file may have
/// wildcards in it (`pages/[id].tsx`).
std::string without_escapes(std::string_view pattern) {
  std::string path;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    i += pattern[i] == '\\' && i + 1 < pattern.size() ? 1U : 0U;
    path += pattern[i];
  }
  return path;
}

constexpr std::string_view kUnwatched =
    "is marked so that git does not look at it (`git update-index`, `git sparse-checkout`)";

Result<EntryKind> kind_at(const std::string& path, Workspace& workspace) {
  auto kind = workspace.kind(path);
  if (!kind && kind.error().first().code == "workspace.symlink") {
    return EntryKind::symlink;
  }
  return kind;
}

std::string kind_reason(EntryKind kind) {
  if (kind == EntryKind::symlink) {
    return "is or goes through a symbolic link";
  }
  return kind == EntryKind::other ? "is no regular file" : "";
}

class Check {
 public:
  Check(const GitLibrary& git, git_repository* repository, Workspace& workspace)
      : git_(git),
        repository_(repository),
        workspace_(workspace) {}

  Result<CleanReport> run(const std::vector<std::string>& paths) {
    CleanReport report;
    report.under_way = under_way(git_.repository_state(repository_));
    git_index* raw = nullptr;
    if (git_.repository_index(&raw, repository_) != 0 || git_.index_read(raw, 1) != 0) {
      return git_failed(git_, "reading the index");
    }
    const GitHandle<git_index> index(raw, git_.index_free);
    std::vector<std::string> asked;
    for (const std::string& path : paths) {
      RGX_TRY(const EntryKind kind, kind_at(path, workspace_));
      if (std::string why = reason_of_kind(index.get(), path, kind); !why.empty()) {
        found_.emplace(path, std::move(why));
      } else if (kind != EntryKind::directory) {
        asked.push_back(path);
      }
    }
    RGX_TRY_STATUS(compare(asked));
    for (auto& [path, why] : found_) {
      report.files.push_back({path, std::move(why)});
    }
    return report;
  }

 private:
  /// What the comparison would not tell: links, submodules, and files that git was told not to
  /// look at.
  std::string reason_of_kind(git_index* index, const std::string& path, EntryKind kind) {
    if (std::string why = kind_reason(kind); !why.empty()) {
      return why;
    }
    for (auto slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      const git_index_entry* above = git_.index_get_bypath(index, path.substr(0, slash).c_str(), 0);
      if (above != nullptr && above->mode == GIT_FILEMODE_COMMIT) {
        return "is in a submodule";
      }
    }
    const git_index_entry* entry = git_.index_get_bypath(index, path.c_str(), 0);
    if (entry == nullptr) {
      return {};
    }
    if (entry->mode == GIT_FILEMODE_COMMIT) {
      return "is a submodule";
    }
    if ((entry->flags & GIT_INDEX_ENTRY_VALID) != 0 ||
        (entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0) {
      return std::string(kUnwatched);
    }
    return {};
  }

  Status compare(std::vector<std::string>& paths) {
    if (paths.empty()) {
      return {};
    }
    std::vector<char*> names;
    names.reserve(paths.size());
    for (std::string& path : paths) {
      names.push_back(path.data());
    }
    git_status_options options = {};
    if (git_.status_options_init(&options, GIT_STATUS_OPTIONS_VERSION) != 0) {
      return git_failed(git_, "comparing files with the last commit");
    }
    options.show = GIT_STATUS_SHOW_INDEX_AND_WORKDIR;
    options.flags = GIT_STATUS_OPT_INCLUDE_UNTRACKED | GIT_STATUS_OPT_INCLUDE_IGNORED |
                    GIT_STATUS_OPT_RECURSE_UNTRACKED_DIRS | GIT_STATUS_OPT_RECURSE_IGNORED_DIRS |
                    GIT_STATUS_OPT_INCLUDE_UNREADABLE | GIT_STATUS_OPT_DISABLE_PATHSPEC_MATCH;
    options.pathspec = {.strings = names.data(), .count = names.size()};
    git_status_list* raw = nullptr;
    if (git_.status_list_new(&raw, repository_, &options) != 0) {
      return git_failed(git_, "comparing files with the last commit");
    }
    const GitHandle<git_status_list> list(raw, git_.status_list_free);
    const std::set<std::string_view> wanted(paths.begin(), paths.end());
    const std::size_t count = git_.status_list_entrycount(list.get());
    for (std::size_t i = 0; i < count; ++i) {
      const git_status_entry* entry = git_.status_byindex(list.get(), i);
      const git_diff_delta* delta =
          entry->index_to_workdir != nullptr ? entry->index_to_workdir : entry->head_to_index;
      const char* name = delta == nullptr ? nullptr : delta->new_file.path;
      if (name == nullptr) {
        continue;
      }
      std::string why = reason(static_cast<unsigned int>(entry->status));
      if (!why.empty() && wanted.contains(name)) {
        found_.emplace(name, std::move(why));
      }
    }
    return {};
  }

  const GitLibrary& git_;
  git_repository* repository_;
  Workspace& workspace_;
  std::map<std::string, std::string> found_;
};

/// Why a path is not clean, as the program git tells it; empty = it is.
std::string reason(const GitStatusEntry& entry) {
  if (entry.conflict) {
    return "has an unresolved conflict";
  }
  if (entry.untracked || entry.ignored) {
    return "exists and is not tracked";
  }
  switch (entry.work) {
    case 'D':
      return "was deleted, which is not committed";
    case 'T':
      return "is no regular file any more";
    case '.':
      return entry.index == '.' ? "" : "has staged changes that are not committed";
    default:
      return "has changes that are not committed";
  }
}

/// The same looks through the program git.
class ProgramCheck {
 public:
  ProgramCheck(const GitProgram& git, Workspace& workspace) : git_(git), workspace_(workspace) {}

  Result<CleanReport> run(const std::vector<std::string>& paths) {
    CleanReport report;
    RGX_TRY(const std::optional<std::string> head, head_by_program(git_));
    if (!head) {
      return report;
    }
    report.under_way = under_way_in(git_.places().git_dir);
    report.under_way = report.under_way == "a bisection" ? "" : report.under_way;
    RGX_TRY(const std::vector<IndexRecord> index, index_by_program(git_));
    for (const IndexRecord& entry : index) {
      index_.emplace(entry.path, &entry);
    }
    RGX_TRY(const GitStatus status, status_by_program(git_, true));
    const std::set<std::string> asked(paths.begin(), paths.end());
    for (const std::string& path : asked) {
      RGX_TRY(const EntryKind kind, kind_at(path, workspace_));
      std::string why = reason_of_kind(path, kind);
      const auto found = status.entries.find(path);
      if (why.empty() && kind != EntryKind::directory && found != status.entries.end()) {
        why = reason(found->second);
      }
      if (!why.empty()) {
        report.files.push_back({path, std::move(why)});
      }
    }
    return report;
  }

 private:
  [[nodiscard]] std::string reason_of_kind(const std::string& path, EntryKind kind) const {
    if (std::string why = kind_reason(kind); !why.empty()) {
      return why;
    }
    for (auto slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      const auto above = index_.find(path.substr(0, slash));
      if (above != index_.end() && above->second->mode == "160000") {
        return "is in a submodule";
      }
    }
    const auto entry = index_.find(path);
    if (entry == index_.end()) {
      return {};
    }
    if (entry->second->mode == "160000") {
      return "is a submodule";
    }
    return entry->second->unwatched ? std::string(kUnwatched) : std::string();
  }

  const GitProgram& git_;
  Workspace& workspace_;
  std::map<std::string, const IndexRecord*> index_;
};

/// libgit2 does the looking where it can read the repository.
Result<CleanReport> check_by_library(const GitLibrary& git, const std::string& root,
                                     const std::vector<std::string>& paths, Workspace& workspace) {
  git_repository* raw = nullptr;
  if (git.repository_open_ext(&raw, root.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr) != 0) {
    return git_failed(git, "opening the repository");
  }
  const GitHandle<git_repository> repository(raw, git.repository_free);
  git_oid head = {};
  if (git.reference_name_to_id(&head, repository.get(), "HEAD") != 0) {
    return CleanReport();
  }
  RGX_TRY_STATUS(check_rule_files(root));
  return Check(git, repository.get(), workspace).run(paths);
}

}  // namespace

Result<std::vector<std::string>> files_written(const templates::Plan& plan) {
  std::set<std::string> paths;
  for (const templates::Step& step : plan.steps) {
    RGX_TRY(const templates::Effects effects, templates::effects_of(step.tool));
    for (const std::string& path : effects.writes) {
      RGX_TRY(const Glob glob, Glob::parse(path));
      if (path.starts_with("abs:") || path.starts_with("home:")) {
        continue;
      }
      if (!effects.starts_process) {
        paths.insert(without_escapes(path));
      } else if (glob.is_literal()) {
        paths.insert(path);
      }
    }
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

Result<CleanReport> check_clean(const std::string& root, const std::vector<std::string>& paths,
                                Workspace& workspace, ProcessRunner& processes) {
  if (paths.empty()) {
    return CleanReport();
  }
  RGX_TRY(const GitLibrary* git, git_library());
  RGX_TRY(const std::optional<GitPlaces> places, find_git_places(root));
  if (places) {
    RGX_TRY_STATUS(check_git_files(*places));
    RGX_TRY(const std::string why, why_system_git(*git, *places));
    if (!why.empty()) {
      RGX_TRY(const GitProgram program, GitProgram::open(*places, why, processes));
      return ProgramCheck(program, workspace).run(paths);
    }
  }
  return check_by_library(*git, root, paths, workspace);
}

}  // namespace rgx::engine
