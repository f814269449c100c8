#include <utility>

#include "engine/git_repository.h"
#include "engine/tool.h"

// `git.commit`: a commit of exactly the named paths on the branch of HEAD. What else is staged or
// changed stays as it is.

namespace rgx::engine {

namespace {

Outcome outcome_of(const GitCommitted& made, std::string confinement) {
  Outcome outcome;
  outcome.state = StepState::succeeded;
  outcome.confinement = std::move(confinement);
  outcome.spent.steps = 1;
  outcome.values.set("commit", made.id);
  outcome.values.set("files", made.files);
  if (made.files == 0) {
    outcome.summary = "nothing to commit";
    return outcome;
  }
  outcome.summary = "commit " + made.id.substr(0, 12) + ", " + std::to_string(made.files) +
                    (made.files == 1 ? " file" : " files");
  if (!made.index_updated) {
    // The commit stands all the same, and says what it is.
    const Diagnostic& why = made.index_updated.error().first();
    outcome.state = StepState::failed;
    outcome.error = why;
    outcome.summary += ", but " + why.message;
    outcome.detail = "give the index back with `git reset`";
  }
  return outcome;
}

class CommitAction final : public Action {
 public:
  explicit CommitAction(const ToolRequest& request)
      : with_(request.step.tool.with),
        ports_(request.ports) {}
  void act(const CancelFlag& /*stop*/) override { outcome_ = make(); }
  Outcome finish() override { return outcome_ ? *outcome_ : failed_outcome(outcome_.error()); }

 private:
  [[nodiscard]] Result<Outcome> make() {
    std::vector<std::string> places;
    for (const Json& path : with_.find("paths")->as_array()) {
      places.push_back(path.as_string());
    }
    RGX_TRY(const auto repository, open_git(ports_.workspace.root(), ports_.processes));
    RGX_TRY(const GitCommitted made,
            repository->commit(with_.find("message")->as_string(), places));
    return outcome_of(made, repository->confinement());
  }

  Json with_;
  ToolPorts& ports_;
  Result<Outcome> outcome_ = fail(ErrorKind::internal, "step.not_done", "no commit was made");
};

}  // namespace

Result<std::unique_ptr<Action>> prepare_git_commit(const ToolRequest& request) {
  return std::unique_ptr<Action>(std::make_unique<CommitAction>(request));
}

}  // namespace rgx::engine
