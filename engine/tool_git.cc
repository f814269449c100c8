#include <utility>

#include "base/text.h"
#include "engine/file_image.h"
#include "engine/git_repository.h"
#include "engine/text_edit.h"
#include "engine/tool.h"

// `git.status`, `git.diff`, `git.log`, `git.branch`: without hooks, filter programs, pagers or
// anybody's configuration but the repository's.

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

Outcome success(const GitRepository& repository) {
  Outcome outcome;
  outcome.state = StepState::succeeded;
  outcome.confinement = repository.confinement();
  outcome.spent.steps = 1;
  return outcome;
}

Result<std::unique_ptr<GitRepository>> open(ToolPorts& ports) {
  return open_git(ports.workspace.root(), ports.processes);
}

std::string base_of(const Json& with) {
  const Json* base = with.find("base");
  return base == nullptr ? "HEAD" : base->as_string();
}

Result<Outcome> status(const Json& /*with*/, ToolPorts& ports) {
  RGX_TRY(const auto repository, open(ports));
  RGX_TRY(const std::vector<std::string> changed, repository->changed_paths());
  Json paths = Json::array();
  for (std::size_t i = 0; i < changed.size() && i < kNamedMax; ++i) {
    paths.push(printable(changed[i]));
  }
  Outcome outcome = success(*repository);
  outcome.values = Json::object({{"clean", changed.empty()}, {"paths", std::move(paths)}});
  if (changed.size() > kNamedMax) {
    outcome.values.set("paths_left_out", changed.size() - kNamedMax);
  }
  outcome.summary = changed.empty()
                        ? "clean"
                        : std::to_string(changed.size()) +
                              (changed.size() == 1 ? " file differs" : " files differ") +
                              " from the last commit";
  return outcome;
}

Result<Outcome> diff(const Json& with, ToolPorts& ports) {
  RGX_TRY(const auto repository, open(ports));
  RGX_TRY(const GitDifference found, repository->difference(base_of(with)));
  const std::string& text = found.patch;
  const bool truncated = text.size() > kEditBytesMax;
  RGX_TRY(const Digest stored, ports.state.objects().put(text.substr(0, kEditBytesMax)));
  Outcome outcome = success(*repository);
  outcome.outputs.emplace("diff",
                          StoredOutput{stored, static_cast<std::int64_t>(text.size()), truncated});
  outcome.values = Json::object({{"files", found.files}, {"lines", found.lines}});
  outcome.summary = std::to_string(found.lines) + (found.lines == 1 ? " line" : " lines") + " in " +
                    std::to_string(found.files) + (found.files == 1 ? " file" : " files");
  return outcome;
}

Result<Outcome> log(const Json& /*with*/, ToolPorts& ports) {
  RGX_TRY(const auto repository, open(ports));
  RGX_TRY(const std::vector<GitCommitLine> lines, repository->log(kCommitsMax));
  Json commits = Json::array();
  for (const GitCommitLine& line : lines) {
    const std::string_view subject = std::string_view(line.subject).substr(0, kSubjectBytesMax);
    commits.push(Json::object({{"commit", line.id}, {"subject", printable(subject)}}));
  }
  Outcome outcome = success(*repository);
  outcome.values.set("commits", std::move(commits));
  outcome.summary = std::to_string(lines.size()) + (lines.size() == 1 ? " commit" : " commits");
  return outcome;
}

Result<Outcome> branch(const Json& with, ToolPorts& ports) {
  RGX_TRY(const auto repository, open(ports));
  const std::string& name = with.find("name")->as_string();
  RGX_TRY(const std::string id, repository->make_branch(name, base_of(with)));
  Outcome outcome = success(*repository);
  outcome.values = Json::object({{"commit", id}, {"ref", "refs/heads/" + name}});
  outcome.summary = "branch `" + printable(name) + "` at " + id.substr(0, 12);
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
