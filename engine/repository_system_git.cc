#include "engine/repository_system_git.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "engine/work_tree_files.h"

namespace rgx::engine {

namespace {

std::string without_newline(std::string text) {
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  return text;
}

bool is_regular(std::string_view mode) {
  return mode == "100644" || mode == "100755" || mode == "100664";
}

/// `100644 blob ID<tab>path`
struct TreeRecord {
  std::string mode;
  std::string id;
};

std::optional<TreeRecord> parse_tree_record(std::string_view text) {
  const auto tab = text.find('\t');
  const std::string_view head = text.substr(0, tab);
  const std::vector<std::string_view> words = split(head, ' ');
  if (tab == std::string_view::npos || words.size() != 3) {
    return std::nullopt;
  }
  return TreeRecord{std::string(words[0]), std::string(words[2])};
}

class ProgramView final : public RepositoryView {
 public:
  ProgramView(GitProgram git, FileDescriptor root)
      : git_(std::move(git)),
        files_(std::move(root)) {}

  Result<std::string> head() override {
    RGX_TRY(std::optional<std::string> id, head_by_program(git_));
    return id ? Result<std::string>(*std::move(id)) : no_commits();
  }
  Result<std::string> commit_id(std::string_view revision) override {
    return commit_by_program(git_, revision);
  }
  Result<std::vector<RepositoryFile>> files(const std::vector<std::string>& paths) override;
  Result<std::vector<std::string>> untracked(const std::vector<std::string>& paths) override;
  Result<std::string> read(std::string_view path) override { return files_.read(path); }
  Result<std::optional<std::string>> read_at(std::string_view revision,
                                             std::string_view path) override;

 private:
  GitProgram git_;
  WorkTreeFiles files_;
};

Result<std::vector<RepositoryFile>> ProgramView::files(const std::vector<std::string>& paths) {
  RGX_TRY(const std::vector<std::string> places, files_.existing(paths));
  RGX_TRY(const std::vector<IndexRecord> index, index_by_program(git_));
  std::vector<RepositoryFile> files;
  FileSizes sizes(files_.root());
  for (const IndexRecord& entry : index) {
    if (entry.mode == "160000") {
      RGX_TRY_STATUS(check_not_submodule(entry.path, places));
    }
    const bool wanted = std::ranges::any_of(
        places, [&entry](const std::string& place) { return is_at_or_below(entry.path, place); });
    if (!is_regular(entry.mode) || !wanted) {
      continue;
    }
    if (entry.unmerged) {
      return unmerged_file(entry.path);
    }
    if (const auto size = sizes.size_of(entry.path)) {
      files.push_back({entry.path, *size});
    }
  }
  std::ranges::sort(files, {}, &RepositoryFile::path);
  return files;
}

Result<std::vector<std::string>> ProgramView::untracked(const std::vector<std::string>& paths) {
  RGX_TRY(const std::vector<std::string> places, paths_inside(paths));
  RGX_TRY_STATUS(check_rule_files(git_.places().root));
  RGX_TRY(const std::string listed,
          git_.tell({"ls-files", "-z", "--others", "--exclude-standard", "--full-name"},
                    "looking for files that git does not track"));
  std::vector<std::string> found = split_records(listed);
  std::erase_if(found, [&places](const std::string& path) {
    return path.ends_with('/') ||  // a repository of its own
           std::ranges::none_of(
               places, [&path](const std::string& place) { return is_at_or_below(path, place); });
  });
  std::ranges::sort(found);
  return found;
}

Result<std::optional<std::string>> ProgramView::read_at(std::string_view revision,
                                                        std::string_view path) {
  RGX_TRY(const std::string name, path_inside(path));
  RGX_TRY(const std::string commit, commit_by_program(git_, revision));
  RGX_TRY(const std::string listed,
          git_.tell({"ls-tree", "-z", "--full-tree", commit, "--", name}, "reading a commit"));
  const std::vector<std::string> records = split_records(listed);
  if (records.empty() || name == ".") {
    return std::optional<std::string>();
  }
  const auto entry = parse_tree_record(records.front());
  if (!entry || !is_regular(entry->mode)) {
    return unreadable_file(path, "not a regular file in that commit");
  }
  // A few bytes of a repository can be any number of zeros: the size comes first.
  RGX_TRY(const std::string size,
          git_.tell({"cat-file", "-s", entry->id}, "reading a file of a commit"));
  std::uint64_t bytes = 0;
  const auto parsed = std::from_chars(size.data(), size.data() + size.size(), bytes);
  if (parsed.ec != std::errc() || bytes > kRepositoryFileBytesMax) {
    return too_large_file(path);
  }
  RGX_TRY(std::string content,
          git_.tell({"cat-file", "blob", entry->id}, "reading a file of a commit"));
  return std::optional<std::string>(std::move(content));
}

}  // namespace

Result<std::vector<IndexRecord>> index_by_program(const GitProgram& git) {
  RGX_TRY(const std::string listed,
          git.tell({"ls-files", "-z", "-s", "-v", "--full-name"}, "reading the index"));
  std::vector<IndexRecord> index;
  for (const std::string& record : split_records(listed)) {
    // `H 100644 ID STAGE<tab>path`; lower case = assumed unchanged, S = not checked out
    const auto tab = record.find('\t');
    if (record.size() < 11 || tab == std::string::npos) {
      continue;
    }
    const char tag = record.front();
    IndexRecord entry;
    entry.path = record.substr(tab + 1);
    entry.mode = record.substr(2, 6);
    entry.unmerged = record[tab - 1] != '0';
    entry.unwatched = tag == 'S' || std::islower(static_cast<unsigned char>(tag)) != 0;
    index.push_back(std::move(entry));
  }
  return index;
}

Result<std::string> commit_by_program(const GitProgram& git, std::string_view revision) {
  const std::string name(revision.substr(0, kRevisionBytesMax + 1));
  // `:/text` and `:path` would take what is put behind them for a part of the text.
  if (name.empty() || name.size() > kRevisionBytesMax || name.starts_with('-') ||
      name.starts_with(':') || name.find('\0') != std::string::npos) {
    return no_such_commit(revision);
  }
  RGX_TRY(const GitAnswer answer,
          git.ask({"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"}));
  if (answer.status == 1 && answer.err.empty()) {
    return no_such_commit(revision);
  }
  // A name that leads to something, which is no commit.
  if (answer.status != 0 && (answer.err.find("Needed a single revision") != std::string::npos ||
                             answer.err.find("expected commit type") != std::string::npos)) {
    return no_such_commit(revision);
  }
  if (answer.status != 0) {
    return git.failed("reading a commit", answer);
  }
  const std::string text = without_newline(answer.out);
  return text.substr(text.rfind('\n') + 1);
}

Result<std::optional<std::string>> head_by_program(const GitProgram& git) {
  RGX_TRY(const GitAnswer answer, git.ask({"rev-parse", "--verify", "--quiet", "HEAD"}));
  if (answer.status == 1) {
    return std::optional<std::string>();
  }
  if (answer.status != 0) {
    return git.failed("reading HEAD", answer);
  }
  return std::optional<std::string>(without_newline(answer.out));
}

Result<std::unique_ptr<RepositoryView>> view_by_program(GitProgram git) {
  FileDescriptor root(open(git.places().root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.open()) {
    return fail(ErrorKind::environment, "repository.unreadable",
                "the work tree `" + printable(git.places().root) +
                    "` cannot be opened: " + system_message(errno),
                "check its permissions");
  }
  return std::unique_ptr<RepositoryView>(
      std::make_unique<ProgramView>(std::move(git), std::move(root)));
}

}  // namespace rgx::engine
