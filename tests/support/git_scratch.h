#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/scratch_dir.h"

namespace rgx::test {

/// A scratch folder for repositories that shell scripts make, with nobody's configuration and fixed
/// dates. Folders are named relative to it.
class GitScratch {
 public:
  [[nodiscard]] std::string operator/(std::string_view relative) const {
    return scratch_ / relative;
  }
  /// Runs a script with `set -eu` in `folder`; false when it failed. `printed()` has what it said.
  [[nodiscard]] bool shell(std::string_view folder, std::string_view script) const;
  [[nodiscard]] std::string printed() const { return scratch_.read("printed"); }
  /// What a script printed; the test fails when the script did.
  [[nodiscard]] std::string says(std::string_view folder, std::string_view script) const;
  /// A new repository in `folder`, configured, with what the script makes in it.
  [[nodiscard]] bool make(std::string_view folder, std::string_view script) const;
  /// Writes a program that leaves a mark when it runs; returns its path.
  [[nodiscard]] std::string canary() const;
  [[nodiscard]] bool canary_ran() const;

 private:
  ScratchDir scratch_;
};

}  // namespace rgx::test
