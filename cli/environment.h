#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace rgx::cli {

/// The environment variables of the program, copied once at its start. An empty variable counts
/// as absent.
class Environment {
 public:
  Environment() = default;
  explicit Environment(std::map<std::string, std::string, std::less<>> variables)
      : variables_(std::move(variables)) {}
  /// From a null-terminated list of `NAME=value`.
  [[nodiscard]] static Environment from_process(const char* const* list);

  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> variables_;
};

}  // namespace rgx::cli
