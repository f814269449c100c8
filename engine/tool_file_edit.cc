#include <utility>

#include "engine/text_edit.h"
#include "engine/tool.h"

// `file.edit`: the whole new content is made and checked before anything is written.

namespace rgx::engine {

namespace {

class FileEdit final : public Action {
 public:
  FileEdit(ToolPorts& ports, std::string path, const Digest& before, EditedText edited)
      : ports_(ports),
        path_(std::move(path)),
        before_(before),
        after_(digest_bytes(edited.bytes)),
        edited_(std::move(edited)) {}

  [[nodiscard]] policy::RunBudget needs() const override {
    policy::RunBudget needs;
    needs.files_changed = after_ == before_ ? 0 : 1;
    needs.bytes_written = after_ == before_ ? 0 : static_cast<std::int64_t>(edited_.bytes.size());
    return needs;
  }

  [[nodiscard]] std::vector<Change> planned() const override {
    return after_ == before_ ? std::vector<Change>() : std::vector{Change{path_, before_, after_}};
  }

  void act(const CancelFlag& /*stop*/) override {
    if (after_ != before_) {
      written_ = ports_.workspace.write(path_, edited_.bytes, before_);
    }
  }

  Outcome finish() override {
    const auto now = ports_.workspace.state(path_);
    const std::optional<FileState> file = now ? *now : std::nullopt;
    if (!written_) {
      Outcome outcome = failed_outcome(written_.error());
      // A write can fail after the file was replaced (its folder could not be synced).
      if (!file || file->digest == after_) {
        note_change(outcome);
      }
      return outcome;
    }
    Outcome outcome;
    outcome.confinement = "in_process";
    outcome.spent.steps = 1;
    if (!file || file->digest != after_) {
      const auto error = fail(ErrorKind::failed, "step.changed_meanwhile",
                              "`" + path_ + "` was changed by something else while it was edited",
                              "see what else writes to the workspace");
      outcome = failed_outcome(error.value());
      note_change(outcome);
      return outcome;
    }
    outcome.state = StepState::succeeded;
    outcome.values.set("digest", after_.to_string());
    outcome.values.set("replacements", edited_.replacements);
    outcome.summary = std::to_string(edited_.replacements) +
                      (edited_.replacements == 1 ? " replacement" : " replacements");
    note_change(outcome);
    return outcome;
  }

 private:
  void note_change(Outcome& outcome) const {
    if (after_ == before_) {
      return;
    }
    outcome.changed.push_back({path_, before_, after_});
    const policy::RunBudget taken = needs();
    outcome.spent.files_changed = taken.files_changed;
    outcome.spent.bytes_written = taken.bytes_written;
  }

  ToolPorts& ports_;
  std::string path_;
  Digest before_;
  Digest after_;
  EditedText edited_;
  Status written_;
};

}  // namespace

Result<std::unique_ptr<Action>> prepare_file_edit(const ToolRequest& request) {
  const std::string& path = request.step.tool.with.find("path")->as_string();
  RGX_TRY(std::string bytes, request.ports.workspace.read(path, kEditBytesMax));
  const Digest before = digest_bytes(bytes);
  if (const auto pin = request.expected.find(path);
      pin != request.expected.end() && pin->second != before) {
    return fail(ErrorKind::drift, "workspace.changed",
                "`" + path + "` is not the file that the plan was made for",
                "compile the plan again");
  }
  // The pre-image is durable before the intent that will name it.
  RGX_TRY([[maybe_unused]] const Digest stored, request.ports.state.objects().put(bytes));
  RGX_TRY(EditedText edited,
          apply_edits(std::move(bytes), *request.step.tool.with.find("edits"), path));
  return std::unique_ptr<Action>(
      std::make_unique<FileEdit>(request.ports, path, before, std::move(edited)));
}

}  // namespace rgx::engine
