#pragma once

#include "audit/ledger_scan.h"
#include "audit/storage.h"
#include "audit/verifier.h"

namespace rgx::audit {

/// verify_ledger() with the scan left to the caller: a writer goes on from it.
[[nodiscard]] Result<Verdict> verify_with(Storage& storage, LedgerScan& scan);

}  // namespace rgx::audit
