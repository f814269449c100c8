#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/ledger_writer.h"
#include "engine/replay.h"
#include "engine/run.h"
#include "engine/run_index.h"

// The ledger of a run before its first step: begun, or found again. Private to the package.

namespace rgx::engine {

struct OpenRun {
  RunId run;
  std::string log_id;
  std::string requester;  ///< public key in the genesis
  std::unique_ptr<OpenIndex> index;
  std::unique_ptr<audit::LedgerWriter> ledger;
  audit::RecordReference last_record;
  std::int64_t started_ms = 0;  ///< monotonic; of a run that goes on, less the time it had before
  std::int64_t now_unix_ms = 0;
  std::vector<std::string> notes;     ///< for the report
  std::optional<ReplayedRun> stands;  ///< of a run that goes on
};

/// Index entry, genesis and admission record, durable.
[[nodiscard]] Result<OpenRun> begin_run(const policy::AdmittedPlan& plan, RunPorts& ports,
                                        const RunIdentity& identity);
/// Replays the ledger of a run that was suspended or killed (resume.finished, resume.other_run,
/// those of a ledger that cannot be continued).
[[nodiscard]] Result<OpenRun> continue_run(const policy::AdmittedPlan& plan, RunPorts& ports,
                                           const RunIdentity& identity, const RunId& run);

}  // namespace rgx::engine
