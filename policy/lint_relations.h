#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "templates/tool.h"

// When one rule says all that another says. Each relation is sound: it may miss a case, it never
// claims one. Private to the package. Format: docs/formats/decision.md, "Deciding"

namespace rgx::policy::linting {

using templates::Axis;

/// The axes that have patterns, in the order of files.
inline constexpr std::array<Axis, 5> kPatternAxes = {Axis::read, Axis::write, Axis::refs,
                                                     Axis::hosts, Axis::env};

/// The tools that a matcher takes, one bit each, in the order of templates::tools().
using ToolSet = std::uint64_t;
[[nodiscard]] ToolSet tools_of(const Matchers& when);
/// The axes of which a step of the tool can have elements.
[[nodiscard]] std::vector<Axis> axes_of(const templates::ToolContract& tool);
/// True when some tool of the set can have elements of the axis.
[[nodiscard]] bool may_have(ToolSet tools, Axis axis);

/// The patterns of an axis of kPatternAxes as they were written; nothing when it is not named.
[[nodiscard]] std::optional<std::vector<std::string>> patterns_of(const Matchers& when, Axis axis);

/// True when every element that `narrow` means is meant by `wide`.
[[nodiscard]] bool pattern_within(Axis axis, const std::string& narrow, const std::string& wide);
[[nodiscard]] bool glob_within(const Glob& narrow, const Glob& wide);
[[nodiscard]] bool argv_within(const ArgvPattern& narrow, const ArgvPattern& wide);

/// Every step whose tool and argv `narrow` takes, `wide` takes; the other matchers left aside.
[[nodiscard]] bool steps_within(const Matchers& narrow, const Matchers& wide);
/// True when the matchers look at no axis but `axis`, and at no risk, origin or analysis.
[[nodiscard]] bool looks_only_at(const Matchers& when, std::optional<Axis> axis);
/// A deny or approval rule, exceptions left aside: whenever `narrow` hits, so does `wide`.
[[nodiscard]] bool hits_within(const Matchers& narrow, const Matchers& wide);
/// An allow rule: whatever `narrow` grants, `wide` grants.
[[nodiscard]] bool grants_within(const Matchers& narrow, const Matchers& wide);
/// `wide` asks for no less than `narrow`.
[[nodiscard]] bool demand_within(const ApprovalDemand& narrow, const ApprovalDemand& wide);

}  // namespace rgx::policy::linting
