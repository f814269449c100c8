#pragma once

#include <string>
#include <vector>

#include "audit/record.h"
#include "cli/output.h"

// A ledger in words, record by record.

namespace rgx::cli {

/// One line: number, time, kind, and what it says.
[[nodiscard]] std::string record_line(const audit::Record& record);

/// How the run stands after `records`, in a few lines: state, what did not succeed first, what
/// changed. `records` begin with the genesis.
[[nodiscard]] std::string ledger_summary(const std::vector<audit::Record>& records, Colour colour);

}  // namespace rgx::cli
