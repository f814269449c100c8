#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "base/text.h"
#include "engine/git_repository_adapters.h"
#include "engine/git_status.h"
#include "engine/posix_io.h"
#include "engine/repository_system_git.h"

// The git tools through the program git (git_program.h).

namespace rgx::engine {

namespace {

constexpr std::size_t kScratchNameBytes = 8;

/// An index of our own beside the repository's, removed in every case.
class ScratchIndex {
 public:
  static Result<ScratchIndex> make(const std::string& git_dir) {
    RGX_TRY(const std::string name, random_name(kScratchNameBytes));
    return ScratchIndex(git_dir + "/rgx-index-" + name);
  }
  ~ScratchIndex() {
    if (!path_.empty()) {
      std::remove(path_.c_str());
      std::remove((path_ + ".lock").c_str());
    }
  }
  ScratchIndex(ScratchIndex&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchIndex& operator=(ScratchIndex&&) = delete;
  ScratchIndex(const ScratchIndex&) = delete;
  ScratchIndex& operator=(const ScratchIndex&) = delete;

  /// Whole and plain, whatever the repository's is.
  [[nodiscard]] static std::vector<std::string> arguments(const std::vector<std::string>& rest) {
    std::vector<std::string> all = {"-c", "core.splitIndex=false",    "-c", "index.sparse=false",
                                    "-c", "core.sparseCheckout=false"};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }
  [[nodiscard]] GitCall call() const {
    return {.writes = true, .env = {{"GIT_INDEX_FILE", path_}}};
  }

 private:
  explicit ScratchIndex(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// The paths of a commit.
struct Parts {
  std::vector<std::string> removed;  ///< from the index, whatever stands in the work tree
  std::vector<std::string> taken;    ///< as in the work tree, gone where it has none
};

class ProgramRepository final : public GitRepository {
 public:
  explicit ProgramRepository(GitProgram git) : git_(std::move(git)) {}

  [[nodiscard]] std::string confinement() const override {
    return std::string(to_string(git_.sandbox()));
  }
  Result<std::vector<std::string>> changed_paths() override {
    RGX_TRY(const GitStatus status, status_by_program(git_));
    return status.changed();
  }
  Result<GitDifference> difference(const std::string& revision) override;
  Result<std::vector<GitCommitLine>> log(std::size_t commits_max) override;
  Result<std::string> make_branch(const std::string& name, const std::string& revision) override;
  Result<GitCommitted> commit(const std::string& message,
                              const std::vector<std::string>& places) override;

 private:
  [[nodiscard]] Status check_unfiltered(const std::vector<std::string>& paths) const;
  [[nodiscard]] Result<std::string> write_tree(const std::optional<std::string>& head,
                                               const Parts& parts) const;
  /// Takes the files into an index as they are now.
  [[nodiscard]] Status put_into_index(const std::vector<std::string>& before, const Parts& parts,
                                      std::string_view what, const GitCall& call) const;
  [[nodiscard]] Result<std::string> write_commit(const std::string& tree,
                                                 const std::optional<std::string>& head,
                                                 const std::string& message) const;
  [[nodiscard]] Result<std::string> one_line(const std::vector<std::string>& arguments,
                                             std::string_view what, const GitCall& call) const;

  GitProgram git_;
};

std::size_t count_of(std::string_view text) {
  std::size_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);  // `-` of a binary file = 0
  return count;
}

Result<GitDifference> ProgramRepository::difference(const std::string& revision) {
  RGX_TRY_STATUS(check_rule_files(git_.places().root));
  RGX_TRY(const std::string unmerged,
          git_.tell({"ls-files", "-z", "--unmerged"}, "reading the index"));
  if (!unmerged.empty()) {
    return conflicts_error();
  }
  RGX_TRY(const std::string commit, commit_by_program(git_, revision));
  const std::vector<std::string> common = {
      "diff",         "--no-ext-diff",           "--no-textconv",   "--no-color",
      "--no-renames", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/"};
  std::vector<std::string> counting = common;
  counting.insert(counting.end(), {"--numstat", "-z", commit, "--"});
  std::vector<std::string> writing = common;
  writing.insert(writing.end(), {"--patch", commit, "--"});
  GitDifference difference;
  RGX_TRY(const std::string counts, git_.tell(counting, "comparing files with a commit"));
  for (const std::string& record : split_records(counts)) {
    const std::vector<std::string_view> words = split(record, '\t');
    if (words.size() >= 3) {
      ++difference.files;
      difference.lines += count_of(words[0]) + count_of(words[1]);
    }
  }
  RGX_TRY(difference.patch, git_.tell(writing, "writing the difference"));
  return difference;
}

Result<std::vector<GitCommitLine>> ProgramRepository::log(std::size_t commits_max) {
  std::vector<GitCommitLine> lines;
  RGX_TRY(const std::optional<std::string> head, head_by_program(git_));
  if (!head) {
    return lines;
  }
  RGX_TRY(const std::string listed,
          git_.tell({"rev-list", "--first-parent", "--no-commit-header", "--format=%H%x00%s%x00",
                     "--max-count=" + std::to_string(commits_max), *head, "--"},
                    "reading the history"));
  const std::vector<std::string> records = split_records(listed);
  for (std::size_t i = 0; i + 1 < records.size(); i += 2) {
    const auto start = records[i].find_first_not_of('\n');
    if (start != std::string::npos) {
      lines.push_back({records[i].substr(start), records[i + 1]});
    }
  }
  return lines;
}

Result<std::string> ProgramRepository::one_line(const std::vector<std::string>& arguments,
                                                std::string_view what, const GitCall& call) const {
  RGX_TRY(std::string text, git_.tell(arguments, what, call));
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  return text;
}

Result<std::string> ProgramRepository::make_branch(const std::string& name,
                                                   const std::string& revision) {
  const std::string ref = "refs/heads/" + name;
  if (name.starts_with('-') || name == "HEAD" || name.find('\0') != std::string::npos) {
    return bad_branch_name(name);
  }
  RGX_TRY(const GitAnswer checked, git_.ask({"check-ref-format", ref}));
  if (checked.status != 0) {
    return bad_branch_name(name);
  }
  RGX_TRY(std::string id, commit_by_program(git_, revision));
  RGX_TRY(const GitAnswer found, git_.ask({"show-ref", "--verify", "--quiet", ref}));
  if (found.status == 0) {
    return branch_exists(name);
  }
  // The empty value says that it must not be there yet.
  RGX_TRY_STATUS(status_of(
      git_.tell({"update-ref", "-m", "branch: Created from " + printable(revision), ref, id, ""},
                "making a branch", {.writes = true})));
  return id;
}

Status ProgramRepository::check_unfiltered(const std::vector<std::string>& paths) const {
  RGX_TRY(const std::string listed,
          git_.tell_of({"check-attr", "-z", "filter", "--"}, paths, "reading attributes"));
  const std::vector<std::string> records = split_records(listed);
  for (std::size_t i = 0; i + 2 < records.size(); i += 3) {
    const std::string& driver = records[i + 2];
    if (driver != "unspecified" && driver != "unset" && driver != "set") {
      return filtered_error(records[i], driver);
    }
  }
  return {};
}

Status ProgramRepository::put_into_index(const std::vector<std::string>& before, const Parts& parts,
                                         std::string_view what, const GitCall& call) const {
  std::vector<std::string> removing = before;
  removing.insert(removing.end(), {"update-index", "--force-remove", "--"});
  std::vector<std::string> adding = before;
  adding.insert(adding.end(), {"update-index", "--add", "--remove", "--replace", "--"});
  RGX_TRY_STATUS(status_of(git_.tell_of(removing, parts.removed, what, call)));
  RGX_TRY_STATUS(status_of(git_.tell_of(adding, parts.taken, what, call)));
  return {};
}

Result<std::string> ProgramRepository::write_tree(const std::optional<std::string>& head,
                                                  const Parts& parts) const {
  RGX_TRY(const ScratchIndex scratch, ScratchIndex::make(git_.places().git_dir));
  if (head) {
    RGX_TRY_STATUS(status_of(git_.tell(ScratchIndex::arguments({"read-tree", *head}),
                                       "reading the tree of HEAD", scratch.call())));
  }
  RGX_TRY_STATUS(put_into_index(ScratchIndex::arguments({}), parts, "adding files to the commit",
                                scratch.call()));
  return one_line(ScratchIndex::arguments({"write-tree"}), "writing the tree of the commit",
                  scratch.call());
}

Result<std::string> ProgramRepository::write_commit(const std::string& tree,
                                                    const std::optional<std::string>& head,
                                                    const std::string& message) const {
  const std::string name = git_.setting("user.name", kCommitterName);
  const std::string email = git_.setting("user.email", kCommitterEmail);
  std::vector<std::string> arguments = {"commit-tree", "--no-gpg-sign", "-m", message};
  if (head) {
    arguments.insert(arguments.end(), {"-p", *head});
  }
  arguments.push_back(tree);
  return one_line(arguments, "making a commit",
                  {.writes = true,
                   .env = {{"GIT_AUTHOR_NAME", name},
                           {"GIT_AUTHOR_EMAIL", email},
                           {"GIT_COMMITTER_NAME", name},
                           {"GIT_COMMITTER_EMAIL", email}}});
}

Result<GitCommitted> ProgramRepository::commit(const std::string& message,
                                               const std::vector<std::string>& places) {
  if (!under_way_in(git_.places().git_dir).empty()) {
    return under_way_error();
  }
  RGX_TRY(const GitStatus status, status_by_program(git_));
  if (status.has_conflicts()) {
    return conflicts_error();
  }
  RGX_TRY(const GitAnswer branch, git_.ask({"symbolic-ref", "--quiet", "HEAD"}));
  if (branch.status != 0) {
    return detached_error();
  }
  RGX_TRY(const std::optional<std::string> head, head_by_program(git_));
  RGX_TRY(const std::vector<std::string> paths, only_at(status.changed(), places));
  if (paths.empty()) {
    return GitCommitted{head.value_or(""), 0};
  }
  RGX_TRY_STATUS(check_unfiltered(status.files_among(paths)));
  Parts parts;
  for (const std::string& path : paths) {
    (status.is_removed(path) ? parts.removed : parts.taken).push_back(path);
  }
  RGX_TRY(const std::string tree, write_tree(head, parts));
  RGX_TRY(const std::string id, write_commit(tree, head, message));
  // git refuses when HEAD is no longer at the parent, or there by now.
  const std::string subject = message.substr(0, message.find('\n'));
  RGX_TRY_STATUS(
      status_of(git_.tell({"update-ref", "-m", "commit: " + subject, "HEAD", id, head.value_or("")},
                          "making a commit", {.writes = true})));
  return GitCommitted{id, paths.size(),
                      put_into_index({}, parts, "updating the index", {.writes = true})};
}

}  // namespace

std::unique_ptr<GitRepository> git_by_program(GitProgram git) {
  return std::make_unique<ProgramRepository>(std::move(git));
}

}  // namespace rgx::engine
