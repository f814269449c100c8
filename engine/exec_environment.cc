#include "engine/exec_environment.h"

#include <string_view>

namespace rgx::engine {

namespace {

constexpr std::string_view kSearchPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

}  // namespace

std::map<std::string, std::string> fixed_environment(const templates::Step& step) {
  std::map<std::string, std::string> all;
  const auto effects = templates::effects_of(step.tool);
  if (!effects || !effects->starts_process) {
    return all;
  }
  if (const Json* env = step.tool.with.find("env"); env != nullptr && env->is_object()) {
    for (const auto& [name, value] : env->as_object()) {
      all.emplace(name, value.is_string() ? value.as_string() : std::string());
    }
  }
  // What a step declares and policy grants wins over these.
  all.emplace("PATH", kSearchPath);
  all.emplace("LANG", "C.UTF-8");
  all.emplace("TZ", "UTC");
  return all;
}

}  // namespace rgx::engine
