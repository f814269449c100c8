#include "engine/file_image.h"

#include <utility>

#include "base/text.h"
#include "engine/text_edit.h"

namespace rgx::engine {

namespace {

class ReplaceFile final : public Action {
 public:
  ReplaceFile(ToolPorts& ports, Replacement replacement)
      : ports_(ports),
        replacement_(std::move(replacement)),
        after_(digest_bytes(replacement_.bytes)) {
    if (replacement_.before) {
      before_ = replacement_.before->digest;
    }
  }

  [[nodiscard]] policy::RunBudget needs() const override {
    policy::RunBudget needs;
    needs.files_changed = changes() ? 1 : 0;
    needs.bytes_written = changes() ? static_cast<std::int64_t>(replacement_.bytes.size()) : 0;
    return needs;
  }

  [[nodiscard]] std::vector<Change> planned() const override {
    return changes() ? std::vector{change()} : std::vector<Change>();
  }

  Status begin() override {
    if (!before_) {
      RGX_TRY(const auto missing, missing_folders(replacement_.path, ports_.workspace));
      if (!missing.empty()) {
        made_ = missing;
        RGX_TRY_STATUS(ports_.workspace.make_directory(missing.back()));
      }
    }
    return {};
  }

  void act(const CancelFlag& /*stop*/) override {
    if (changes()) {
      written_ = ports_.workspace.write(replacement_.path, replacement_.bytes, before_);
    }
  }

  Outcome finish() override {
    Outcome outcome = settle();
    if (!made_.empty()) {
      outcome.values.set("made", Json::array_of(made_));
    }
    return outcome;
  }

 private:
  [[nodiscard]] bool changes() const { return before_ != after_; }

  [[nodiscard]] Change change() const { return {replacement_.path, before_, after_}; }

  Outcome settle() {
    const auto now = ports_.workspace.state(replacement_.path);
    const std::optional<FileState> file = now ? *now : std::nullopt;
    if (!written_) {
      Outcome outcome = failed_outcome(written_.error());
      // A write can fail after the file was replaced (its folder could not be synced).
      if (!now || (file && file->digest == after_) || (!file && before_)) {
        note_change(outcome);
      }
      return outcome;
    }
    if (!file || file->digest != after_) {
      const auto error = fail(ErrorKind::failed, "step.changed_meanwhile",
                              "`" + printable(replacement_.path) +
                                  "` was changed by something else while it was edited",
                              "see what else writes to the workspace");
      Outcome outcome = failed_outcome(error.value());
      note_change(outcome);
      return outcome;
    }
    Outcome outcome;
    outcome.confinement = "in_process";
    outcome.spent.steps = 1;
    outcome.state = StepState::succeeded;
    outcome.values = replacement_.values;
    outcome.values.set("digest", after_.to_string());
    outcome.summary = replacement_.summary;
    note_change(outcome);
    return outcome;
  }

  void note_change(Outcome& outcome) const {
    if (!changes()) {
      return;
    }
    outcome.changed.push_back(change());
    const policy::RunBudget taken = needs();
    outcome.spent.files_changed = taken.files_changed;
    outcome.spent.bytes_written = taken.bytes_written;
  }

  ToolPorts& ports_;
  Replacement replacement_;
  std::optional<Digest> before_;
  Digest after_;
  std::vector<std::string> made_;
  Status written_;
};

class Settled final : public Action {
 public:
  explicit Settled(Outcome outcome) : outcome_(std::move(outcome)) {}
  void act(const CancelFlag& /*stop*/) override {}
  Outcome finish() override { return outcome_; }

 private:
  Outcome outcome_;
};

}  // namespace

Result<std::optional<FileImage>> keep_image(const ToolRequest& request, const std::string& path) {
  RGX_TRY(const std::optional<FileState> state, request.ports.workspace.state(path));
  const auto pin = request.expected.find(path);
  const bool pinned = pin != request.expected.end();
  if (!state) {
    if (pinned) {
      return fail(ErrorKind::drift, "workspace.changed",
                  "`" + printable(path) + "` is gone since the plan was made",
                  "compile the plan again");
    }
    return std::optional<FileImage>();
  }
  FileImage image;
  RGX_TRY(image.bytes, request.ports.workspace.read(path, kEditBytesMax));
  image.digest = digest_bytes(image.bytes);
  image.mode = state->mode;
  if (pinned && pin->second != image.digest) {
    return fail(ErrorKind::drift, "workspace.changed",
                "`" + printable(path) + "` is not the file that the plan was made for",
                "compile the plan again");
  }
  // The pre-image is durable before the intent that will name it.
  RGX_TRY([[maybe_unused]] const Digest stored, request.ports.state.objects().put(image.bytes));
  return std::optional<FileImage>(std::move(image));
}

Result<FileImage> keep_existing(const ToolRequest& request, const std::string& path) {
  RGX_TRY(std::optional<FileImage> image, keep_image(request, path));
  if (!image) {
    return fail(ErrorKind::failed, "file.missing", "there is no file `" + printable(path) + "`",
                "correct the path, or make the file in a step before this one");
  }
  return std::move(*image);
}

Result<std::vector<std::string>> missing_folders(const std::string& path, Workspace& workspace) {
  std::vector<std::string> missing;
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    RGX_TRY(const EntryKind kind, workspace.kind(folder));
    if (kind == EntryKind::missing) {
      missing.push_back(folder);
    }
  }
  return missing;
}

std::unique_ptr<Action> replace_file(ToolPorts& ports, Replacement replacement) {
  return std::make_unique<ReplaceFile>(ports, std::move(replacement));
}

std::unique_ptr<Action> settled_action(Outcome outcome) {
  return std::make_unique<Settled>(std::move(outcome));
}

}  // namespace rgx::engine
