#pragma once

#include "templates/shape.h"

#include <span>
#include <string_view>

// Probe contracts: what a template may ask of the repository while it is compiled, and the members
// of the answer. The probes themselves live in planner. Format: docs/formats/template.md

namespace rgx::templates {

struct ProbeInput {
  std::string_view name;
  Shape shape;
  bool required;
};

struct ProbeMember {
  std::string_view name;
  Shape shape;
};

struct Probe {
  std::string_view name;
  std::span<const ProbeInput> inputs;
  std::span<const ProbeMember> members;
};

/// All probes, sorted by name.
[[nodiscard]] std::span<const Probe> probes();
[[nodiscard]] const Probe* find_probe(std::string_view name);

}  // namespace rgx::templates
