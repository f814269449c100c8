#include "base/text.h"
#include "engine/file_image.h"
#include "engine/text_edit.h"
#include "engine/unified_diff.h"

// `file.patch`: a unified diff of one file, as a whole or not at all.

namespace rgx::engine {

Result<std::unique_ptr<Action>> prepare_file_patch(const ToolRequest& request) {
  const std::string& path = request.step.tool.with.find("path")->as_string();
  RGX_TRY(const UnifiedDiff diff,
          parse_unified_diff(request.step.tool.with.find("diff")->as_string()));
  if (diff.deletes_file) {
    return fail(ErrorKind::failed, "patch.deletes", "the diff deletes the file",
                "use `file.delete`, which keeps it for a rollback");
  }
  RGX_TRY(std::optional<FileImage> before, keep_image(request, path));
  if (before.has_value() == diff.makes_file) {
    return before ? fail(ErrorKind::failed, "file.exists",
                         "`" + printable(path) + "` exists already, and the diff makes it",
                         "make the diff again from the file as it is now")
                  : fail(ErrorKind::failed, "file.missing",
                         "there is no file `" + printable(path) + "`",
                         "correct the path, or make the file in a step before this one");
  }
  if (before && is_binary(before->bytes)) {
    return fail(ErrorKind::failed, "edit.binary", "`" + printable(path) + "` is a binary file",
                "leave the file out");
  }
  RGX_TRY(std::string bytes,
          apply_unified_diff(before ? std::string_view(before->bytes) : std::string_view(), diff,
                             path));
  Replacement replacement{path, std::move(before), std::move(bytes), Json::object(), ""};
  replacement.values.set("bytes", replacement.bytes.size());
  replacement.summary =
      std::to_string(diff.hunks.size()) + (diff.hunks.size() == 1 ? " hunk" : " hunks");
  return replace_file(request.ports, std::move(replacement));
}

}  // namespace rgx::engine
