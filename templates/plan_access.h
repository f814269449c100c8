#pragma once

#include "base/glob.h"
#include "templates/step_graph.h"
#include "templates/tool.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What the steps of a plan read and write, indexed by path. Private to the package.

namespace rgx::templates {

enum class AccessMode : std::uint8_t { read, write };

/// All steps that read, or write, by one pattern.
struct Access {
  Glob glob;
  AccessMode mode = AccessMode::read;
  std::vector<std::uint32_t> steps;  ///< ascending
};

class AccessIndex {
 public:
  /// `effects[i]` are those of step i. Patterns must parse (effects_of gives only such).
  explicit AccessIndex(const std::vector<Effects>& effects);

  /// Literal paths, sorted by pattern then mode; then globs, likewise.
  [[nodiscard]] const std::vector<Access>& literals() const { return literals_; }
  [[nodiscard]] const std::vector<Access>& globs() const { return globs_; }
  /// Positions in literals() of the paths that `glob` matches.
  [[nodiscard]] std::vector<std::uint32_t> literals_matching(const Glob& glob) const;
  /// Steps that write `path`, literally or by a glob; ascending.
  [[nodiscard]] std::vector<std::uint32_t> writers_of(const std::string& path) const;

 private:
  std::vector<Access> literals_;
  std::vector<Access> globs_;
};

/// Of the steps before `step` that write `path`, the last one in order; nothing when none does.
[[nodiscard]] std::optional<std::uint32_t> last_writer_before(const AccessIndex& index,
                                                              StepGraph& graph, std::uint32_t step,
                                                              const std::string& path);

}  // namespace rgx::templates
