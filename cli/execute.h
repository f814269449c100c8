#pragma once

#include <optional>

#include "base/ids.h"
#include "cli/paths.h"
#include "cli/prepare.h"
#include "cli/progress.h"
#include "cli/session.h"

namespace rgx::cli {

struct Execution {
  ProgressSettings progress;
  bool json = false;
  std::optional<RunId> resumed;  ///< goes on with this run, else starts one
};

/// Runs an admitted plan under a watched terminal, and prints the report.
[[nodiscard]] Result<ExitCode> execute(Session& session, const Prepared& prepared, World& world,
                                       const Paths& paths, Execution execution);

}  // namespace rgx::cli
