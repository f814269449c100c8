#include "cli/doctor.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace rgx::cli {
namespace {

Tone tone_of(Health health) {
  switch (health) {
    case Health::ok:
      return Tone::good;
    case Health::warn:
      return Tone::careful;
    case Health::fail:
      return Tone::bad;
  }
  RGX_CHECK(false);
}

std::string pad(std::string text, std::size_t width) {
  text.append(text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

std::int64_t count_of(const HealthReport& report, Health health) {
  return std::ranges::count(report, health, &HealthCheck::health);
}

}  // namespace

std::string_view to_string(Health health) {
  switch (health) {
    case Health::ok:
      return "ok";
    case Health::warn:
      return "warn";
    case Health::fail:
      return "fail";
  }
  RGX_CHECK(false);
}

Health worst(const HealthReport& report) {
  Health found = Health::ok;
  for (const HealthCheck& check : report) {
    found = std::max(found, check.health);
  }
  return found;
}

std::string doctor_text(const HealthReport& report, Colour colour) {
  std::size_t name_width = 0;
  std::size_t group_width = 0;
  for (const HealthCheck& check : report) {
    name_width = std::max(name_width, check.name.size());
    group_width = std::max(group_width, check.group.size());
  }
  std::string out;
  for (const HealthCheck& check : report) {
    const std::string word(to_string(check.health));
    out += paint(colour, tone_of(check.health), word) + std::string(6 - word.size(), ' ') +
           pad(check.group, group_width + 2) + pad(check.name, name_width + 2) + check.note + '\n';
    if (!check.remedy.empty()) {
      out += std::string(6, ' ') + check.remedy + '\n';
    }
  }
  return out + std::to_string(count_of(report, Health::ok)) + " ok, " +
         std::to_string(count_of(report, Health::warn)) + " warn, " +
         std::to_string(count_of(report, Health::fail)) + " fail\n";
}

Json doctor_json(const HealthReport& report) {
  Json checks = Json::array();
  for (const HealthCheck& check : report) {
    checks.push(Json::object({{"group", check.group},
                              {"name", check.name},
                              {"health", to_string(check.health)},
                              {"note", json_text(check.note)},
                              {"remedy", check.remedy.empty() ? Json() : Json(check.remedy)}}));
  }
  return Json::object({{"schema", "rgx.doctor/v1"},
                       {"health", to_string(worst(report))},
                       {"checks", std::move(checks)}});
}

}  // namespace rgx::cli
