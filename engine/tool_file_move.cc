#include <utility>

#include "base/text.h"
#include "engine/file_image.h"

// `file.move` and `file.delete`: a file under another name, or none.

namespace rgx::engine {

namespace {

class MoveFile final : public Action {
 public:
  /// An empty `to` means that the file goes.
  MoveFile(ToolPorts& ports, std::string path, std::string to, FileImage image)
      : ports_(ports),
        path_(std::move(path)),
        to_(std::move(to)),
        image_(std::move(image)) {}

  [[nodiscard]] policy::RunBudget needs() const override {
    policy::RunBudget needs;
    needs.files_changed = static_cast<std::int64_t>(planned().size());
    return needs;
  }

  [[nodiscard]] std::vector<Change> planned() const override {
    std::vector<Change> changes;
    changes.push_back({path_, image_.digest, std::nullopt, image_.mode, std::nullopt});
    if (!to_.empty()) {
      changes.push_back({to_, std::nullopt, image_.digest, std::nullopt, image_.mode});
      if (to_ < path_) {
        std::swap(changes[0], changes[1]);
      }
    }
    return changes;
  }

  Status begin() override {
    if (!to_.empty()) {
      RGX_TRY(const auto missing, missing_folders(to_, ports_.workspace));
      if (!missing.empty()) {
        made_ = missing;
        RGX_TRY_STATUS(ports_.workspace.make_directory(missing.back()));
      }
    }
    return {};
  }

  void act(const CancelFlag& /*stop*/) override {
    done_ = to_.empty() ? ports_.workspace.remove_file(path_, image_.digest)
                        : ports_.workspace.move_file(path_, to_, image_.digest);
  }

  Outcome finish() override {
    Outcome outcome;
    const bool happened = is_gone() && (to_.empty() || has_arrived());
    if (!done_) {
      outcome = failed_outcome(done_.error());
    } else if (!happened) {
      const auto error = fail(
          ErrorKind::failed, "step.changed_meanwhile",
          "`" + printable(path_) + "` was changed by something else while it was moved or deleted",
          "see what else writes to the workspace");
      outcome = failed_outcome(error.value());
    } else {
      outcome.state = StepState::succeeded;
      outcome.confinement = "in_process";
      outcome.spent.steps = 1;
      outcome.summary = to_.empty() ? std::string("deleted") : "moved to `" + printable(to_) + "`";
    }
    // It can fail after it happened (a folder could not be synced).
    if (happened || done_) {
      outcome.changed = planned();
      outcome.spent.files_changed = needs().files_changed;
    }
    if (!made_.empty()) {
      outcome.values.set("made", Json::array_of(made_));
    }
    return outcome;
  }

 private:
  [[nodiscard]] bool is_gone() const {
    const auto kind = ports_.workspace.kind(path_);
    return kind && *kind == EntryKind::missing;
  }
  [[nodiscard]] bool has_arrived() const {
    const auto state = ports_.workspace.state(to_);
    if (!state) {
      return false;
    }
    const std::optional<FileState>& there = *state;
    return there && there->digest == image_.digest;
  }

  ToolPorts& ports_;
  std::string path_;
  std::string to_;
  FileImage image_;
  std::vector<std::string> made_;
  Status done_ = fail(ErrorKind::internal, "step.not_done", "nothing was done");
};

}  // namespace

Result<std::unique_ptr<Action>> prepare_file_delete(const ToolRequest& request) {
  const std::string& path = request.step.tool.with.find("path")->as_string();
  RGX_TRY(FileImage image, keep_existing(request, path));
  return std::unique_ptr<Action>(
      std::make_unique<MoveFile>(request.ports, path, "", std::move(image)));
}

Result<std::unique_ptr<Action>> prepare_file_move(const ToolRequest& request) {
  const std::string& path = request.step.tool.with.find("path")->as_string();
  const std::string& to = request.step.tool.with.find("to")->as_string();
  RGX_TRY(FileImage image, keep_existing(request, path));
  RGX_TRY(const EntryKind there, request.ports.workspace.kind(to));
  if (there != EntryKind::missing) {
    return fail(ErrorKind::failed, "file.exists", "`" + printable(to) + "` exists already",
                "name another place, or delete it in a step before this one");
  }
  return std::unique_ptr<Action>(
      std::make_unique<MoveFile>(request.ports, path, to, std::move(image)));
}

}  // namespace rgx::engine
