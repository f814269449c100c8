#include "engine/git_status.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace rgx::engine {

namespace {

struct UnderWay {
  std::string_view file;
  std::string_view what;
};

// Bisecting changes no file that it does not own, but moves HEAD.
constexpr std::array kUnderWay = {
    UnderWay{"rebase-merge", "a rebase"},
    UnderWay{"rebase-apply", "a rebase"},
    UnderWay{"MERGE_HEAD", "a merge"},
    UnderWay{"REVERT_HEAD", "a revert"},
    UnderWay{"CHERRY_PICK_HEAD", "a cherry-pick"},
    UnderWay{"BISECT_LOG", "a bisection"},
};

/// The text after `count` blanks.
std::optional<std::string_view> after_words(std::string_view text, int count) {
  for (; count > 0; --count) {
    const auto blank = text.find(' ');
    if (blank == std::string_view::npos) {
      return std::nullopt;
    }
    text.remove_prefix(blank + 1);
  }
  return text;
}

bool is_file_mode(std::string_view mode) {
  return mode.starts_with("100");
}

/// `1 XY SUB MODE_HEAD MODE_INDEX MODE_WORK ID ID PATH`
void add_changed(std::string_view record, GitStatus& status) {
  const std::vector<std::string_view> words = split(record, ' ');
  const auto path = after_words(record, 8);
  if (!path || words.size() < 9 || words[1].size() != 2 || words[2] != "N...") {
    return;
  }
  GitStatusEntry& entry = status.entries[std::string(*path)];
  entry.index = words[1][0];
  entry.work = words[1][1];
  const bool was = words[3] != "000000";
  const bool is = words[5] != "000000";
  entry.differs = entry.differs || was || is;
  entry.is_file = entry.is_file || is_file_mode(words[5]);
}

/// `u XY SUB MODE MODE MODE MODE_WORK ID ID ID PATH`
void add_conflict(std::string_view record, GitStatus& status) {
  const std::vector<std::string_view> words = split(record, ' ');
  const auto path = after_words(record, 10);
  if (path && words.size() >= 11) {
    GitStatusEntry& entry = status.entries[std::string(*path)];
    entry.conflict = true;
    entry.differs = true;
    entry.is_file = is_file_mode(words[6]);
  }
}

void add_other(std::string_view path, bool ignored, const std::string& root, GitStatus& status) {
  if (path.ends_with('/')) {
    return;  // a repository of its own
  }
  GitStatusEntry& entry = status.entries[std::string(path)];
  entry.untracked = !ignored;
  entry.ignored = ignored;
  entry.differs = entry.differs || !ignored;
  struct stat there = {};
  entry.is_file =
      lstat((root + "/" + std::string(path)).c_str(), &there) == 0 && S_ISREG(there.st_mode);
}

}  // namespace

std::vector<std::string> GitStatus::changed() const {
  std::vector<std::string> paths;
  for (const auto& [path, entry] : entries) {
    if (entry.differs) {
      paths.push_back(path);
    }
  }
  return paths;
}

bool GitStatus::has_conflicts() const {
  return std::ranges::any_of(entries, [](const auto& one) { return one.second.conflict; });
}

bool GitStatus::is_removed(const std::string& path) const {
  const auto found = entries.find(path);
  return found != entries.end() && found->second.index == 'D';
}

std::vector<std::string> GitStatus::files_among(const std::vector<std::string>& paths) const {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    const auto found = entries.find(path);
    if (found != entries.end() && found->second.is_file && !is_removed(path)) {
      files.push_back(path);
    }
  }
  return files;
}

Result<GitStatus> status_by_program(const GitProgram& git, bool with_ignored) {
  RGX_TRY_STATUS(check_rule_files(git.places().root));
  std::vector<std::string> arguments = {
      "status",      "--porcelain=v2", "-z", "--untracked-files=all", "--ignore-submodules=all",
      "--no-renames"};
  if (with_ignored) {
    arguments.emplace_back("--ignored=traditional");
  }
  RGX_TRY(const std::string listed, git.tell(arguments, "comparing files with the last commit"));
  GitStatus status;
  for (const std::string& record : split_records(listed)) {
    const std::string_view text(record);
    if (text.starts_with("1 ")) {
      add_changed(text, status);
    } else if (text.starts_with("u ")) {
      add_conflict(text, status);
    } else if (text.starts_with("? ") || text.starts_with("! ")) {
      add_other(text.substr(2), text.front() == '!', git.places().root, status);
    }
  }
  return status;
}

std::string under_way_in(const std::string& git_dir) {
  struct stat status = {};
  for (const auto& [file, what] : kUnderWay) {
    if (lstat((git_dir + "/" + std::string(file)).c_str(), &status) == 0) {
      return std::string(what);
    }
  }
  return {};
}

}  // namespace rgx::engine
