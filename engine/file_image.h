#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/tool.h"

// What the file tools share: the file as it was, kept before the intent that will name it, and the
// replacement of a file as a whole. Private to the package.

namespace rgx::engine {

/// A file as it is before a step.
struct FileImage {
  std::string bytes;
  Digest digest;
  std::uint32_t mode = 0;
};

/// Reads a file and puts it into the object store; nothing where there is none. Errors:
/// workspace.changed (drift) when it is not what the step's pin asks for, workspace.too_large.
[[nodiscard]] Result<std::optional<FileImage>> keep_image(const ToolRequest& request,
                                                          const std::string& path);
/// The same for a file that must exist (file.missing).
[[nodiscard]] Result<FileImage> keep_existing(const ToolRequest& request, const std::string& path);

/// Folders above `path` that do not exist, outermost first.
[[nodiscard]] Result<std::vector<std::string>> missing_folders(const std::string& path,
                                                               Workspace& workspace);

/// New content of one file.
struct Replacement {
  std::string path;
  std::optional<FileImage> before;
  std::string bytes;
  Json values = Json::object();  ///< outputs of the step; `digest` is added
  std::string summary;
};

/// Writes it as a whole, makes missing folders, and checks afterwards what is there.
[[nodiscard]] std::unique_ptr<Action> replace_file(ToolPorts& ports, Replacement replacement);

/// An action that changes nothing: its outcome is known before it starts.
[[nodiscard]] std::unique_ptr<Action> settled_action(Outcome outcome);

}  // namespace rgx::engine
