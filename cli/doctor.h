#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/output.h"

// What `rgx doctor` found, as lines and as JSON (docs/formats/cli-json.md).

namespace rgx::cli {

enum class Health : std::uint8_t { ok, warn, fail };
[[nodiscard]] std::string_view to_string(Health health);

struct HealthCheck {
  std::string group;  ///< `kernel`, `keys`
  std::string name;   ///< `landlock`
  Health health = Health::ok;
  std::string note;    ///< what was found; printable
  std::string remedy;  ///< what to do; empty where nothing needs doing

  bool operator==(const HealthCheck&) const = default;
};

using HealthReport = std::vector<HealthCheck>;

/// The worst of all; `ok` of none.
[[nodiscard]] Health worst(const HealthReport& report);

/// A line a check, its remedy under it, and how many there are of each.
[[nodiscard]] std::string doctor_text(const HealthReport& report, Colour colour);
/// `rgx.doctor/v1`.
[[nodiscard]] Json doctor_json(const HealthReport& report);

}  // namespace rgx::cli
