#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/glob.h"
#include "engine/tool.h"

// What a program may change by a pattern is only known afterwards. So that it can be given back,
// the tracked files below its declared writes are kept before it starts, and what is new there
// afterwards is noticed. Files that git ignores are nobody's. Private to the package.

namespace rgx::engine {

/// Images of the tracked files that `writes` covers, in the object store.
class TrackedImages {
 public:
  /// Stores them, durably, and their list as a file of the run (`images-STEP.json`). Above the
  /// limits nothing is kept, and `missing()` says so.
  [[nodiscard]] static Result<TrackedImages> take(const policy::Facts& facts, const RunId& run,
                                                  std::size_t step, ToolPorts& ports);

  /// Which of them are not as they were, and which are new and not ignored, sorted by path.
  [[nodiscard]] std::vector<Change> changes(ToolPorts& ports);
  [[nodiscard]] const std::vector<Change>& images() const { return images_; }
  /// Why there are none, in one line; empty = there are.
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  Status note_new_files(ToolPorts& ports, std::vector<Change>& changed) const;

  std::vector<Glob> globs_;           // what the program may write
  std::vector<std::string> places_;   // where that is
  std::vector<std::string> strange_;  // untracked files that were there before, sorted
  std::vector<Change> images_;        // `before` and its mode only
  std::string missing_;
};

/// Name of the list of a step.
[[nodiscard]] std::string images_file(std::size_t step);

}  // namespace rgx::engine
