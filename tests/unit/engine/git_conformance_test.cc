#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/text.h"
#include "engine/clean_files.h"
#include "engine/git_repository.h"
#include "engine/posix_world.h"
#include "tests/support/error_matchers.h"
#include "tests/support/git_scratch.h"

// One repository, read and written by libgit2 and by the program git: the answers are the same.
// A copy whose configuration says `extensions.worktreeConfig` is what libgit2 does not get.

namespace rgx::engine {
namespace {

using rgx::test::accepted;
using rgx::test::GitScratch;

struct Scenario {
  const char* name;
  const char* script;
  std::vector<std::string> commit = {"."};  ///< what git.commit is asked for
};

std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
  return out << scenario.name;
}

// The commit of every scenario; the file `same` is in all of them.
constexpr const char* kStart =
    "mkdir -p d/deep; printf 'same\\n' >same; printf 'one\\ntwo\\n' >a; printf 'b\\n' >d/b;\n"
    "printf 'c\\n' >d/deep/c; printf 'out/\\n' >.gitignore; git add -A; git commit -qm 'first "
    "one'\n";

// A table of one entry each.
// NOLINTNEXTLINE(readability-function-size)
const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> kAll = {
      {"Clean", ""},
      {"Changes",
       "printf 'ONE\\ntwo\\nthree\\n' >a; rm d/b; printf n >new; mkdir out; echo o >out/o"},
      {"ChangesOfAFolder", "echo x >a; echo x >d/b; echo n >d/new", {"d"}},
      {"ChangesByGlob", "echo x >a; echo x >d/b; echo n >d/deep/n", {"d/**"}},
      {"Staged", "echo s >staged; git add staged; echo x >a; git add a; echo y >a", {"a"}},
      {"StagedAndDeleted", "echo s >staged; git add staged; rm staged; git rm -q --cached d/b"},
      {"IntentToAdd", "echo n >new; git add -N new"},
      {"OnlyTouched", "touch -d 2020-01-01 a d/b"},
      {"Executable", "chmod +x a"},
      {"ModesAreNotTrusted", "git config core.fileMode false; chmod +x a; echo x >d/b"},
      {"Links", "ln -s a link; ln -s d dl; git add link; git commit -qm l; ln -sf d/b link"},
      {"FileBecomesLink", "rm a; ln -s same a"},
      {"FileBecomesFolder", "rm a; mkdir a; echo x >a/x"},
      {"FolderBecomesFile", "rm -r d; echo x >d"},
      {"Names",
       "printf x >'b c'; printf x >\"$(printf 'new\\nline')\"; printf x >\"$(printf 'l\\351')\";\n"
       "printf x >'[id].tsx'; printf x >-dash; printf x >':(glob)x'; printf x >'q\"\\\\'; git add "
       "-A;\n"
       "git commit -qm names; printf y >'b c'; printf y >'[id].tsx'; printf y >-dash;\n"
       "printf y >':(glob)x'; printf y >'q\"\\\\'; printf y >'*'"},
      {"Binary", "printf 'a\\0b' >bin; git add bin; git commit -qm bin; printf 'a\\0c' >bin"},
      {"Empty", ": >empty; git add empty; git commit -qm e; : >a"},
      {"LineEnds",
       "printf '*.txt text=auto\\nx.txt text\\n*.dat -text\\n*.id ident\\n*.lf eol=lf\\n*.cr "
       "eol=crlf\\n'"
       " >.gitattributes; git add -A; git commit -qm rules;\n"
       "for f in x.txt y.txt z.dat e.lf e.cr plain; do printf 'x\\r\\ny\\r\\n' >$f; done;\n"
       "printf '$Id: 0 $\\n' >x.id; printf 'x\\ny\\n' >n.cr; printf 'x\\r\\n\\0' >nul.txt"},
      {"AutoCrlf",
       "git config core.autocrlf true; printf 'x\\r\\ny\\r\\n' >w; printf 'q\\r\\n' >a"},
      {"AutoCrlfInput", "git config core.autocrlf input; printf 'x\\r\\ny\\r\\n' >w"},
      {"RawCrlf", "git config core.autocrlf false; printf 'x\\r\\ny\\r\\n' >w"},
      {"Filtered",
       "echo '*.bin filter=lfs' >.gitattributes; git add -A; git commit -qm f; echo x >x.bin"},
      {"FilteredIsLeftOut",
       "echo '*.bin filter=lfs' >.gitattributes; echo x >x.bin; echo x >a",
       {"a"}},
      {"FilteredIsDeleted",
       "echo x >x.bin; git add -A; git commit -qm b; echo '*.bin filter=lfs' >.gitattributes; rm "
       "x.bin"},
      {"Unfiltered", "printf '*.bin filter=lfs\\nx.bin -filter\\n' >.gitattributes; echo x >x.bin"},
      {"Macro", "printf '[attr]big filter=lfs\\n*.bin big\\n' >.gitattributes; echo x >x.bin"},
      {"Detached", "git checkout -q --detach; echo x >a"},
      {"Merging",
       "git switch -qc other; echo theirs >a; git commit -qam t; git switch -q main; echo ours "
       ">a;\n"
       "git commit -qam o; ! git merge -q other"},
      {"Conflicted",
       "git switch -qc other; echo theirs >a; git commit -qam t; git switch -q main; echo ours "
       ">a;\n"
       "git commit -qam o; ! git merge -q other; rm .git/MERGE_HEAD"},
      {"Rebasing",
       "git switch -qc other; echo theirs >a; git commit -qam t; git switch -q main; echo ours "
       ">a;\n"
       "git commit -qam o; ! git rebase -q other"},
      {"CherryPicking",
       "git switch -qc other; echo theirs >a; git commit -qam t; git switch -q main; echo ours "
       ">a;\n"
       "git commit -qam o; ! git cherry-pick other"},
      {"Merged",
       "git switch -qc other; echo o >o; git add o; git commit -qm t; git switch -q main; echo m "
       ">m;\n"
       "git add m; git commit -qm o; git merge -q -m joined other"},
      {"NestedRepository", "mkdir in; git -C in init -q; echo x >in/x; echo x >a"},
      {"Submodule",
       "mkdir in; git -C in init -q -b main; git -C in -c user.name=t -c user.email=t commit -q "
       "--allow-empty -m s;\n"
       "git add in 2>/dev/null; git commit -qm s; echo x >in/x; git -C in -c user.name=t -c "
       "user.email=t commit -q --allow-empty -m s2"},
      {"IndexOfVersion4", "git update-index --index-version 4; echo x >a"},
      {"AssumedUnchanged", "git update-index --assume-unchanged a; echo x >a; echo x >d/b"},
      {"Packed", "git tag v1; git tag -a -m note v2; git pack-refs --all; git gc -q; echo x >a"},
      {"Replaced",
       "echo x >a; git commit -qam two; git replace HEAD HEAD~1; git -c core.commentChar=% log "
       ">/dev/null"},
      {"LongSubject",
       "git commit -q --allow-empty -m \"$(printf 'two\\nlines\\n\\nbody')\"; echo x >a"},
  };
  return kAll;
}

std::string code_of(const Error& error) {
  return "error " + error.first().code + "\n";
}

template <class T, class Print>
std::string print(const Result<T>& result, Print print_value) {
  return result ? print_value(*result) + "\n" : code_of(result.error());
}

std::string print_paths(const Result<std::vector<std::string>>& paths) {
  return print(paths, [](const auto& all) {
    std::string text;
    for (const std::string& path : all) {
      text += printable(path) + " ";
    }
    return text;
  });
}

std::string same(const std::string& text) {
  return text;
}

class GitConformance : public testing::TestWithParam<Scenario> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(scratch.make("library", std::string(kStart) + GetParam().script))
        << scratch.printed();
    // The index knows the times of the files: they are kept.
    ASSERT_TRUE(scratch.shell(".",
                              "cp -a library program; cd program\n"
                              "git config extensions.worktreeConfig true"));
  }

  std::string view_of(const std::string& folder, bool by_program) {
    auto opened = open_repository(scratch / folder, *processes);
    if (!opened) {
      return code_of(opened.error());
    }
    EXPECT_EQ(!opened->why_program.empty(), by_program);
    RepositoryView& view = *opened->view;
    const auto files = view.files({"."});
    std::string text = "head " + print(view.head(), same);
    text += "files " + print(files, [](const auto& all) {
              std::string listed;
              for (const RepositoryFile& file : all) {
                listed += printable(file.path) + ":" + std::to_string(file.size_bytes) + " ";
              }
              return listed;
            });
    text += "untracked " + print_paths(view.untracked({"."}));
    text += "untracked below " + print_paths(view.untracked({"d", "nothing"}));
    for (const char* revision : {"HEAD", "main", "other", "HEAD~1", "v1", "v2", "HEAD^{tree}",
                                 "HEAD:a", "-x", "", "no such", "refs/heads/main", "@"}) {
      text += std::string(revision) + " " + print(view.commit_id(revision), same);
    }
    for (const char* path : {"a", "d/b", "d", "none", "link", "in", "b c", "[id].tsx", "-dash",
                             ":(glob)x", ".", "../x"}) {
      text += std::string(path) + " " + print(view.read_at("HEAD", path), [](const auto& bytes) {
                return bytes ? printable(*bytes) : std::string("nothing");
              });
    }
    return text;
  }

  std::string tools_of(const std::string& folder) {
    auto opened = open_git(scratch / folder, *processes);
    if (!opened) {
      return code_of(opened.error());
    }
    GitRepository& git = **opened;
    std::string text = "changed " + print_paths(git.changed_paths());
    for (const char* revision : {"HEAD", "HEAD~1", "none"}) {
      text += std::string("difference ") + print(git.difference(revision), [](const auto& found) {
                return std::to_string(found.files) + " " + std::to_string(found.lines);
              });
    }
    text += "log " + print(git.log(50), [](const auto& lines) {
              std::string listed;
              for (const GitCommitLine& line : lines) {
                listed += line.id + " " + line.subject + "\n";
              }
              return listed;
            });
    for (const char* name : {"topic/x", "topic/x", "topic", "a..b", "-x", "HEAD", "x.lock", ""}) {
      text += std::string("branch ") + print(git.make_branch(name, "HEAD"), same);
    }
    return text;
  }

  std::string cleanness_of(const std::string& folder) {
    auto workspace = open_workspace(scratch / folder);
    EXPECT_TRUE(accepted(workspace));
    const std::vector<std::string> paths = {"a",    "d/b",  "same", "new", "out/o", "none",
                                            "link", "in/x", "in",   "w",   "x.bin", "staged"};
    return print(check_clean(scratch / folder, paths, **workspace, *processes),
                 [](const CleanReport& report) {
                   std::string text = report.under_way + ": ";
                   for (const UncleanFile& file : report.files) {
                     text += file.path + " " + file.why + "; ";
                   }
                   return text;
                 });
  }

  /// What git itself says afterwards: ids of commits differ, since they have the time in them.
  std::string commit_of(const std::string& folder) {
    auto opened = open_git(scratch / folder, *processes);
    EXPECT_TRUE(accepted(opened));
    const auto made = (*opened)->commit("second\n\nbody", GetParam().commit);
    std::string text = print(made, [](const GitCommitted& commit) {
      EXPECT_TRUE(accepted(commit.index_updated));
      return std::to_string(commit.files);
    });
    return text + scratch.says(folder,
                               "git log -1 --format='%T %an %ae %cn %B'; git ls-files -s; "
                               "git status --porcelain=v1 --ignore-submodules=all; git fsck; "
                               "git reflog -1 --format=%gs; ls .git | grep -v COMMIT_EDITMSG");
  }

  GitScratch scratch;
  std::unique_ptr<Sandbox> sandbox = real_sandbox();
  std::unique_ptr<ProcessRunner> processes = real_process_runner(*sandbox);
};

TEST_P(GitConformance, BothReadTheSame) {
  EXPECT_EQ(view_of("program", true), view_of("library", false));
  EXPECT_EQ(cleanness_of("program"), cleanness_of("library"));
}

TEST_P(GitConformance, BothToolsSayTheSame) {
  EXPECT_EQ(tools_of("program"), tools_of("library"));
}

TEST_P(GitConformance, BothCommitTheSame) {
  EXPECT_EQ(commit_of("program"), commit_of("library"));
}

INSTANTIATE_TEST_SUITE_P(All, GitConformance, testing::ValuesIn(scenarios()),
                         [](const auto& scenario) { return std::string(scenario.param.name); });

}  // namespace
}  // namespace rgx::engine
