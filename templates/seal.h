#pragma once

#include "templates/plan.h"

#include <string>
#include <string_view>

namespace rgx::templates {

/// Checks everything a plan promises, all mistakes at once: tools and inputs (tool.*), ids
/// (plan.duplicate_id), needs (plan.unknown_need, plan.cycle), bounds (plan.too_many_steps, ...),
/// pins (plan.bad_pin) and races between steps without an order (plan.race).
[[nodiscard]] Result<SealedPlan> seal(Draft draft);

/// The plan file: canonical `{"digest":...,"plan":...,"schema":"rgx.sealed-plan/v1"}` and a line
/// feed.
[[nodiscard]] std::string write_sealed_plan(const SealedPlan& plan);
/// Reads a plan file, checks its digest (plan.digest_mismatch) and seals it again.
[[nodiscard]] Result<SealedPlan> read_sealed_plan(std::string_view bytes, std::string_view file);

}  // namespace rgx::templates
