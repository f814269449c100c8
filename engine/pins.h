#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/change_set.h"
#include "engine/tool.h"
#include "engine/workspace.h"
#include "templates/plan.h"

// What each file must hold when a step starts: the digest from compile time, or the post-image of
// the step that wrote it last. Private to the package.

namespace rgx::engine {

class PinTable {
 public:
  explicit PinTable(const templates::Plan& plan);

  /// Digests that the step's pins ask for, by path.
  [[nodiscard]] std::map<std::string, Digest> expected(const templates::Step& step) const;
  /// Compares them with the workspace: an error of kind drift names the first file that differs.
  [[nodiscard]] Status check(const templates::Step& step, Workspace& workspace) const;
  /// Notes what a step that succeeded left, for the pins that follow it.
  [[nodiscard]] Status record(const templates::Step& step, const std::vector<Change>& changed,
                              Workspace& workspace);
  /// Notes that the step was left out by its condition: what it would have written stays as it is.
  [[nodiscard]] Status pass_over(const templates::Step& step, Workspace& workspace);
  /// What the run changed so far.
  [[nodiscard]] const ChangeSet& changes() const { return change_set_; }
  [[nodiscard]] ChangeSet& changes() { return change_set_; }
  /// First file that this run changed and that is no longer as it left it, apart from those that
  /// `writes` (globs of steps that may write now) covers.
  [[nodiscard]] std::optional<std::string> find_foreign_change(
      const std::vector<std::string>& writes, Workspace& workspace) const;

 private:
  using Image = std::optional<Digest>;  // nothing = no file

  std::map<StepId, std::set<std::string>> wanted_;  // step -> paths that later pins refer to
  std::map<std::pair<StepId, std::string>, Image> images_;  // what it left there
  ChangeSet change_set_;
  std::map<std::string, Image> changed_;  // last image that this run wrote
};

}  // namespace rgx::engine
