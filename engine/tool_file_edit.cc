#include "engine/file_image.h"
#include "engine/text_edit.h"

// `file.edit`, `file.write`, `file.read`: the whole new content is made and checked before anything
// is written.

namespace rgx::engine {

Result<std::unique_ptr<Action>> prepare_file_edit(const ToolRequest& request) {
  const std::string& path = request.step.tool.with.find("path")->as_string();
  RGX_TRY(FileImage before, keep_existing(request, path));
  RGX_TRY(EditedText edited,
          apply_edits(before.bytes, *request.step.tool.with.find("edits"), path));
  Replacement replacement{path, std::move(before), std::move(edited.bytes), Json::object(), ""};
  replacement.values.set("replacements", edited.replacements);
  replacement.summary = std::to_string(edited.replacements) +
                        (edited.replacements == 1 ? " replacement" : " replacements");
  return replace_file(request.ports, std::move(replacement));
}

Result<std::unique_ptr<Action>> prepare_file_write(const ToolRequest& request) {
  const std::string& path = request.step.tool.with.find("path")->as_string();
  const std::string& content = request.step.tool.with.find("content")->as_string();
  RGX_TRY(std::optional<FileImage> before, keep_image(request, path));
  Replacement replacement{path, std::move(before), content, Json::object(), ""};
  replacement.values.set("bytes", content.size());
  const bool same = replacement.before && replacement.before->bytes == content;
  replacement.summary = same ? std::string("nothing to change")
                        : replacement.before
                            ? "replaced, " + std::to_string(content.size()) + " bytes"
                            : "made, " + std::to_string(content.size()) + " bytes";
  return replace_file(request.ports, std::move(replacement));
}

Result<std::unique_ptr<Action>> prepare_file_read(const ToolRequest& request) {
  const std::string& path = request.step.tool.with.find("path")->as_string();
  RGX_TRY(const FileImage image, keep_existing(request, path));
  const auto bytes = static_cast<std::int64_t>(image.bytes.size());
  Outcome outcome;
  outcome.state = StepState::succeeded;
  outcome.confinement = "in_process";
  outcome.spent.steps = 1;
  outcome.outputs.emplace("content", StoredOutput{image.digest, bytes, false});
  outcome.values.set("bytes", bytes);
  outcome.values.set("digest", image.digest.to_string());
  outcome.summary = std::to_string(bytes) + " bytes";
  return settled_action(std::move(outcome));
}

}  // namespace rgx::engine
