#include <utility>

#include "base/text.h"
#include "engine/file_image.h"
#include "engine/git_work.h"
#include "engine/text_edit.h"
#include "engine/tool.h"

// `git.status`, `git.diff`, `git.log`, `git.branch`: through libgit2, without hooks, external
// filters, pagers or anybody's configuration but the repository's.

namespace rgx::engine {

namespace {

constexpr std::size_t kNamedMax = 1000;  // paths that an outcome names
constexpr std::size_t kCommitsMax = 50;
constexpr std::size_t kSubjectBytesMax = 200;

using Look = Result<Outcome> (*)(const Json& with, ToolPorts& ports);

class GitAction final : public Action {
 public:
  GitAction(const ToolRequest& request, Look look)
      : with_(request.step.tool.with),
        ports_(request.ports),
        look_(look) {}
  void act(const CancelFlag& /*stop*/) override { outcome_ = look_(with_, ports_); }
  Outcome finish() override { return outcome_ ? *outcome_ : failed_outcome(outcome_.error()); }

 private:
  Json with_;
  ToolPorts& ports_;
  Look look_;
  Result<Outcome> outcome_ =
      fail(ErrorKind::internal, "step.not_done", "nothing was looked at or made");
};

Outcome success() {
  Outcome outcome;
  outcome.state = StepState::succeeded;
  outcome.confinement = "in_process";
  outcome.spent.steps = 1;
  return outcome;
}

Result<GitHandle<git_tree>> head_tree(const GitWork& work) {
  RGX_TRY(const std::optional<git_oid> head, work.head());
  return head ? work.tree_of(*head)
              : Result<GitHandle<git_tree>>(GitHandle<git_tree>(nullptr, work.git().tree_free));
}

Result<Outcome> status(const Json& /*with*/, ToolPorts& ports) {
  RGX_TRY(const GitWork work, GitWork::open(ports.workspace.root()));
  RGX_TRY(const GitHandle<git_tree> tree, head_tree(work));
  RGX_TRY(const GitHandle<git_diff> diff, work.diff(tree.get(), true));
  const std::vector<GitDelta> deltas = work.deltas(diff.get());
  Json paths = Json::array();
  for (std::size_t i = 0; i < deltas.size() && i < kNamedMax; ++i) {
    paths.push(printable(deltas[i].path));
  }
  Outcome outcome = success();
  outcome.values = Json::object({{"clean", deltas.empty()}, {"paths", std::move(paths)}});
  if (deltas.size() > kNamedMax) {
    outcome.values.set("paths_left_out", deltas.size() - kNamedMax);
  }
  outcome.summary = deltas.empty() ? "clean"
                                   : std::to_string(deltas.size()) +
                                         (deltas.size() == 1 ? " file differs" : " files differ") +
                                         " from the last commit";
  return outcome;
}

Result<Outcome> diff(const Json& with, ToolPorts& ports) {
  RGX_TRY(const GitWork work, GitWork::open(ports.workspace.root()));
  const GitLibrary& git = work.git();
  const Json* base = with.find("base");
  RGX_TRY(const git_oid commit, work.commit_id(base == nullptr ? "HEAD" : base->as_string()));
  RGX_TRY(const GitHandle<git_tree> tree, work.tree_of(commit));
  RGX_TRY(const GitHandle<git_diff> compared, work.diff(tree.get(), false));
  git_diff_stats* raw = nullptr;
  if (git.diff_get_stats(&raw, compared.get()) != 0) {
    return work.failed("comparing files with a commit");
  }
  const GitHandle<git_diff_stats> stats(raw, git.diff_stats_free);
  const std::size_t files = git.diff_stats_files_changed(stats.get());
  const std::size_t lines =
      git.diff_stats_insertions(stats.get()) + git.diff_stats_deletions(stats.get());
  git_buf buffer = {};
  if (git.diff_to_buf(&buffer, compared.get(), GIT_DIFF_FORMAT_PATCH) != 0) {
    return work.failed("writing the difference");
  }
  const std::string text(buffer.ptr == nullptr ? "" : buffer.ptr, buffer.size);
  git.buf_dispose(&buffer);
  const bool truncated = text.size() > kEditBytesMax;
  RGX_TRY(const Digest stored, ports.state.objects().put(text.substr(0, kEditBytesMax)));
  Outcome outcome = success();
  outcome.outputs.emplace("diff",
                          StoredOutput{stored, static_cast<std::int64_t>(text.size()), truncated});
  outcome.values = Json::object({{"files", files}, {"lines", lines}});
  outcome.summary = std::to_string(lines) + (lines == 1 ? " line" : " lines") + " in " +
                    std::to_string(files) + (files == 1 ? " file" : " files");
  return outcome;
}

Result<Outcome> log(const Json& /*with*/, ToolPorts& ports) {
  RGX_TRY(const GitWork work, GitWork::open(ports.workspace.root()));
  const GitLibrary& git = work.git();
  RGX_TRY(std::optional<git_oid> at, work.head());
  Json commits = Json::array();
  for (std::size_t i = 0; at && i < kCommitsMax; ++i) {
    RGX_TRY(const GitHandle<git_commit> commit, work.commit(*at));
    const char* subject = git.commit_summary(commit.get());
    commits.push(
        Json::object({{"commit", work.hex(*at)},
                      {"subject", printable(std::string_view(subject == nullptr ? "" : subject)
                                                .substr(0, kSubjectBytesMax))}}));
    const git_oid* parent =
        git.commit_parentcount(commit.get()) > 0 ? git.commit_parent_id(commit.get(), 0) : nullptr;
    at = parent == nullptr ? std::nullopt : std::optional(*parent);
  }
  Outcome outcome = success();
  const std::size_t count = commits.as_array().size();
  outcome.values.set("commits", std::move(commits));
  outcome.summary = std::to_string(count) + (count == 1 ? " commit" : " commits");
  return outcome;
}

Result<Outcome> branch(const Json& with, ToolPorts& ports) {
  RGX_TRY(const GitWork work, GitWork::open(ports.workspace.root()));
  const GitLibrary& git = work.git();
  const std::string& name = with.find("name")->as_string();
  const std::string ref = "refs/heads/" + name;
  if (git.reference_is_valid_name(ref.c_str()) != 1) {
    return fail(ErrorKind::failed, "git.bad_name",
                "`" + printable(name) + "` cannot be the name of a branch",
                "use letters, digits, `-`, `_` and single `/`");
  }
  const Json* base = with.find("base");
  RGX_TRY(const git_oid id, work.commit_id(base == nullptr ? "HEAD" : base->as_string()));
  RGX_TRY(const GitHandle<git_commit> commit, work.commit(id));
  git_reference* raw = nullptr;
  const int code = git.branch_create(&raw, work.get(), name.c_str(), commit.get(), 0);
  const GitHandle<git_reference> made(raw, git.reference_free);
  if (code == GIT_EEXISTS) {
    return fail(ErrorKind::failed, "git.branch_exists",
                "there is a branch `" + printable(name) + "` already",
                "name another one, or delete it with `git branch -d`");
  }
  if (code != 0) {
    return work.failed("making a branch");
  }
  Outcome outcome = success();
  outcome.values = Json::object({{"commit", work.hex(id)}, {"ref", ref}});
  outcome.summary = "branch `" + printable(name) + "` at " + work.hex(id).substr(0, 12);
  return outcome;
}

Result<std::unique_ptr<Action>> prepare(const ToolRequest& request, Look look) {
  return std::unique_ptr<Action>(std::make_unique<GitAction>(request, look));
}

}  // namespace

Result<std::unique_ptr<Action>> prepare_git_status(const ToolRequest& request) {
  return prepare(request, status);
}
Result<std::unique_ptr<Action>> prepare_git_diff(const ToolRequest& request) {
  return prepare(request, diff);
}
Result<std::unique_ptr<Action>> prepare_git_log(const ToolRequest& request) {
  return prepare(request, log);
}
Result<std::unique_ptr<Action>> prepare_git_branch(const ToolRequest& request) {
  return prepare(request, branch);
}

}  // namespace rgx::engine
