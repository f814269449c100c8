#include "engine/git_repository.h"

#include <algorithm>
#include <utility>

#include "base/glob.h"
#include "base/text.h"
#include "engine/git_need.h"
#include "engine/git_repository_adapters.h"

namespace rgx::engine {

Result<std::unique_ptr<GitRepository>> open_git(const std::string& root, ProcessRunner& processes) {
  RGX_TRY(const std::optional<GitPlaces> places, find_git_places(root));
  if (places) {
    RGX_TRY_STATUS(check_git_files(*places));
    RGX_TRY(const GitLibrary* git, git_library());
    RGX_TRY(const std::string why, why_system_git(*git, *places));
    if (!why.empty()) {
      RGX_TRY(GitProgram program, GitProgram::open(*places, why, processes));
      return git_by_program(std::move(program));
    }
  }
  RGX_TRY(GitWork work, GitWork::open(root));
  return git_by_library(std::move(work), root);
}

Result<std::vector<std::string>> only_at(std::vector<std::string> paths,
                                         const std::vector<std::string>& places) {
  std::vector<Glob> globs;
  for (const std::string& place : places) {
    RGX_TRY(Glob glob, Glob::parse(place));
    globs.push_back(std::move(glob));
  }
  std::erase_if(paths, [&globs](const std::string& path) {
    return std::ranges::none_of(globs, [&path](const Glob& glob) {
      return glob.matches(path) || glob.pattern() == "." ||
             (glob.is_literal() && path.starts_with(glob.pattern() + "/"));
    });
  });
  return paths;
}

tl::unexpected<Error> under_way_error() {
  return fail(ErrorKind::failed, "git.under_way",
              "the repository is in the middle of a merge, rebase or the like",
              "finish or abort it first");
}

tl::unexpected<Error> conflicts_error() {
  return fail(ErrorKind::failed, "git.conflicts", "the index has unresolved conflicts",
              "resolve them first: `git status` names them");
}

tl::unexpected<Error> detached_error() {
  return fail(ErrorKind::failed, "git.detached", "HEAD is on no branch",
              "go to one: `git switch BRANCH`");
}

tl::unexpected<Error> bad_branch_name(const std::string& name) {
  return fail(ErrorKind::failed, "git.bad_name",
              "`" + printable(name) + "` cannot be the name of a branch",
              "use letters, digits, `-`, `_` and single `/`");
}

tl::unexpected<Error> branch_exists(const std::string& name) {
  return fail(ErrorKind::failed, "git.branch_exists",
              "there is a branch `" + printable(name) + "` already",
              "name another one, or delete it with `git branch -d`");
}

tl::unexpected<Error> filtered_error(const std::string& path, std::string_view driver) {
  return fail(ErrorKind::failed, "git.filtered",
              "`" + printable(path) + "` is kept through the filter `" + printable(driver) +
                  "`, which rgx does not start: nothing was committed",
              "leave the file out of `paths`, and commit it with git");
}

}  // namespace rgx::engine
