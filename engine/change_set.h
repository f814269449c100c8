#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/tool.h"

// What a run changed so far, file by file: what checks look at. Private to the package.

namespace rgx::engine {

class ChangeSet {
 public:
  /// A file that is again as it was before the run is no change any more.
  void add(const std::vector<Change>& changed);
  /// A step may have changed more than it could tell; `why` in one line.
  void note_unknown(const std::string& why) {
    if (unknown_.empty()) {
      unknown_ = why;
    }
  }

  [[nodiscard]] const std::map<std::string, Change>& files() const { return files_; }
  /// Why this is not everything; empty = it is.
  [[nodiscard]] const std::string& unknown() const { return unknown_; }

 private:
  std::map<std::string, Change> files_;
  std::string unknown_;
};

}  // namespace rgx::engine
