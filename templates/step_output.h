#pragma once

#include "base/ids.h"
#include "base/json.h"
#include "base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// What only a run can know: outputs of earlier steps, in inputs and in conditions.
// `{"$output": {"step", "member", "filters"?}}` stands for one output, `{"$text": [...]}` for a
// text made of literals and outputs. Format: docs/formats/plan.md, section "Outputs of a run"

namespace rgx::templates {

inline constexpr std::string_view kOutputKey = "$output";
inline constexpr std::string_view kTextKey = "$text";
inline constexpr std::size_t kConditionNodesMax = 256;
inline constexpr std::size_t kConditionDepthMax = 16;

/// One output of one step; `member` is `count`, or `tests.failed` for a member of a mapping.
struct OutputReference {
  StepId step;
  std::string member;

  auto operator<=>(const OutputReference&) const = default;
};

/// What `reference` is now: null when its step was skipped or has no such output.
using OutputLookup = std::function<Json(const OutputReference& reference)>;

/// True for `{"$output": ...}` and `{"$text": ...}`.
[[nodiscard]] bool is_open(const Json& value);
/// All references at or below `value`, sorted, each once.
[[nodiscard]] std::vector<OutputReference> outputs_in(const Json& value);
/// The shape of an open value: known keys, known filters, texts (plan.bad_output).
[[nodiscard]] Status check_open(const Json& value);
/// The value of an open one. An output that is missing, or no text where a text is made, is
/// output.missing or output.type.
[[nodiscard]] Result<Json> close_value(const Json& value, const OutputLookup& lookup);
/// `value` with every open value at or below it closed.
[[nodiscard]] Result<Json> close_values(const Json& value, const OutputLookup& lookup);

/// The shape of a condition: one of `equals in empty not all any`, operands, bounds
/// (plan.bad_condition).
[[nodiscard]] Status check_condition(const Json& condition);
/// Whether a checked condition holds. A missing output is null: equal to nothing but null, empty,
/// in no list. A filter that cannot be applied makes its output null.
[[nodiscard]] bool holds(const Json& condition, const OutputLookup& lookup);

}  // namespace rgx::templates
