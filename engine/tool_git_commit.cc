#include <algorithm>
#include <utility>

#include "base/glob.h"
#include "base/text.h"
#include "engine/git_work.h"
#include "engine/tool.h"

// `git.commit`: a commit of exactly the named paths on the branch of HEAD. What else is staged or
// changed stays as it is.

namespace rgx::engine {

namespace {

constexpr const char* kDefaultName = "rgx";
constexpr const char* kDefaultEmail = "rgx@localhost";

class Commit {
 public:
  Commit(const GitWork& work, const Json& with) : work_(work), git_(work.git()), with_(with) {}

  Result<Outcome> make();

 private:
  Status check_state(git_index* index) const;
  Result<std::vector<GitDelta>> wanted(git_tree* tree) const;
  Result<git_oid> write_tree(git_tree* tree, const std::vector<GitDelta>& deltas) const;
  [[nodiscard]] Result<git_oid> write_commit(const std::optional<git_oid>& parent,
                                             const git_oid& tree) const;
  Status update_index(git_index* index, const std::vector<GitDelta>& deltas) const;
  [[nodiscard]] std::string setting(const char* name, const char* otherwise) const;

  const GitWork& work_;
  const GitLibrary& git_;
  const Json& with_;
};

Status Commit::check_state(git_index* index) const {
  if (git_.repository_state(work_.get()) != GIT_REPOSITORY_STATE_NONE) {
    return fail(ErrorKind::failed, "git.under_way",
                "the repository is in the middle of a merge, rebase or the like",
                "finish or abort it first");
  }
  if (git_.index_has_conflicts(index) != 0) {
    return fail(ErrorKind::failed, "git.conflicts", "the index has unresolved conflicts",
                "resolve them first: `git status` names them");
  }
  if (git_.repository_head_detached(work_.get()) != 0) {
    return fail(ErrorKind::failed, "git.detached", "HEAD is on no branch",
                "go to one: `git switch BRANCH`");
  }
  return {};
}

/// What differs from HEAD at the named places.
Result<std::vector<GitDelta>> Commit::wanted(git_tree* tree) const {
  std::vector<Glob> places;
  for (const Json& path : with_.find("paths")->as_array()) {
    RGX_TRY(Glob glob, Glob::parse(path.as_string()));
    places.push_back(std::move(glob));
  }
  RGX_TRY(const GitHandle<git_diff> diff, work_.diff(tree, true));
  std::vector<GitDelta> deltas = work_.deltas(diff.get());
  std::erase_if(deltas, [&places](const GitDelta& delta) {
    return std::ranges::none_of(places, [&delta](const Glob& glob) {
      return glob.matches(delta.path) || glob.pattern() == "." ||
             (glob.is_literal() && delta.path.starts_with(glob.pattern() + "/"));
    });
  });
  return deltas;
}

Result<git_oid> Commit::write_tree(git_tree* tree, const std::vector<GitDelta>& deltas) const {
  git_index* raw = nullptr;
  if (git_.index_new(&raw) != 0) {
    return work_.failed("making a commit");
  }
  const GitHandle<git_index> index(raw, git_.index_free);
  if (tree != nullptr && git_.index_read_tree(index.get(), tree) != 0) {
    return work_.failed("reading the tree of HEAD");
  }
  for (const GitDelta& delta : deltas) {
    if (delta.gone) {
      if (git_.index_remove(index.get(), delta.path.c_str(), 0) != 0) {
        return work_.failed("taking a file out of the commit");
      }
      continue;
    }
    git_index_entry entry = {};
    entry.path = delta.path.c_str();
    entry.mode = delta.mode;
    if (git_.blob_create_from_workdir(&entry.id, work_.get(), delta.path.c_str()) != 0 ||
        git_.index_add(index.get(), &entry) != 0) {
      return work_.failed("adding `" + printable(delta.path) + "` to the commit");
    }
  }
  git_oid id = {};
  if (git_.index_write_tree_to(&id, index.get(), work_.get()) != 0) {
    return work_.failed("writing the tree of the commit");
  }
  return id;
}

std::string Commit::setting(const char* name, const char* otherwise) const {
  git_config* raw = nullptr;
  if (git_.repository_config_snapshot(&raw, work_.get()) != 0) {
    return otherwise;
  }
  const GitHandle<git_config> config(raw, git_.config_free);
  const char* value = nullptr;
  const bool found = git_.config_get_string(&value, config.get(), name) == 0 && value != nullptr;
  return found && *value != '\0' ? value : otherwise;
}

Result<git_oid> Commit::write_commit(const std::optional<git_oid>& parent,
                                     const git_oid& tree_id) const {
  git_tree* raw_tree = nullptr;
  git_signature* raw_author = nullptr;
  const int looked = git_.tree_lookup(&raw_tree, work_.get(), &tree_id);
  const GitHandle<git_tree> tree(raw_tree, git_.tree_free);
  const int signed_by = git_.signature_now(&raw_author, setting("user.name", kDefaultName).c_str(),
                                           setting("user.email", kDefaultEmail).c_str());
  const GitHandle<git_signature> author(raw_author, git_.signature_free);
  if (looked != 0 || signed_by != 0) {
    return work_.failed("making a commit");
  }
  GitHandle<git_commit> parent_commit(nullptr, git_.commit_free);
  if (parent) {
    RGX_TRY(parent_commit, work_.commit(*parent));
  }
  const git_commit* parents[] = {parent_commit.get()};
  std::string message = with_.find("message")->as_string();
  message += message.ends_with('\n') ? "" : "\n";
  git_oid id = {};
  // libgit2 refuses when HEAD is no longer at the parent.
  if (git_.commit_create(&id, work_.get(), "HEAD", author.get(), author.get(), "UTF-8",
                         message.c_str(), tree.get(), parent ? 1U : 0U, parents) != 0) {
    return work_.failed("making a commit");
  }
  return id;
}

/// So that the committed files are not shown as changed; what else is staged stays staged.
Status Commit::update_index(git_index* index, const std::vector<GitDelta>& deltas) const {
  for (const GitDelta& delta : deltas) {
    const int code = delta.gone ? git_.index_remove_bypath(index, delta.path.c_str())
                                : git_.index_add_bypath(index, delta.path.c_str());
    if (code != 0) {
      return work_.failed("updating the index");
    }
  }
  return git_.index_write(index) == 0 ? Status() : work_.failed("writing the index");
}

Result<Outcome> Commit::make() {
  git_index* raw = nullptr;
  if (git_.repository_index(&raw, work_.get()) != 0 || git_.index_read(raw, 1) != 0) {
    return work_.failed("reading the index");
  }
  const GitHandle<git_index> index(raw, git_.index_free);
  RGX_TRY_STATUS(check_state(index.get()));
  RGX_TRY(const std::optional<git_oid> head, work_.head());
  GitHandle<git_tree> tree(nullptr, git_.tree_free);
  if (head) {
    RGX_TRY(tree, work_.tree_of(*head));
  }
  RGX_TRY(const std::vector<GitDelta> deltas, wanted(tree.get()));
  Outcome outcome;
  outcome.state = StepState::succeeded;
  outcome.confinement = "in_process";
  outcome.spent.steps = 1;
  if (deltas.empty()) {
    outcome.values.set("commit", head ? work_.hex(*head) : std::string());
    outcome.values.set("files", 0);
    outcome.summary = "nothing to commit";
    return outcome;
  }
  RGX_TRY(const git_oid written, write_tree(tree.get(), deltas));
  RGX_TRY(const git_oid commit, write_commit(head, written));
  const std::string id = work_.hex(commit);
  outcome.values.set("commit", id);
  outcome.values.set("files", deltas.size());
  outcome.summary = "commit " + id.substr(0, 12) + ", " + std::to_string(deltas.size()) +
                    (deltas.size() == 1 ? " file" : " files");
  if (const Status updated = update_index(index.get(), deltas); !updated) {
    // The commit stands all the same, and says what it is.
    outcome.state = StepState::failed;
    outcome.error = updated.error().first();
    outcome.summary += ", but " + updated.error().first().message;
    outcome.detail = "give the index back with `git reset`";
  }
  return outcome;
}

class CommitAction final : public Action {
 public:
  explicit CommitAction(const ToolRequest& request)
      : with_(request.step.tool.with),
        root_(request.ports.workspace.root()) {}
  void act(const CancelFlag& /*stop*/) override {
    auto work = GitWork::open(root_);
    outcome_ = work ? Commit(*work, with_).make() : Result<Outcome>(fail(work.error()));
  }
  Outcome finish() override { return outcome_ ? *outcome_ : failed_outcome(outcome_.error()); }

 private:
  Json with_;
  std::string root_;
  Result<Outcome> outcome_ = fail(ErrorKind::internal, "step.not_done", "no commit was made");
};

}  // namespace

Result<std::unique_ptr<Action>> prepare_git_commit(const ToolRequest& request) {
  return std::unique_ptr<Action>(std::make_unique<CommitAction>(request));
}

}  // namespace rgx::engine
