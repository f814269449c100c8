#include "cli/environment.h"

namespace rgx::cli {

Environment Environment::from_process(const char* const* list) {
  std::map<std::string, std::string, std::less<>> variables;
  for (; list != nullptr && *list != nullptr; ++list) {
    const std::string_view entry = *list;
    const std::size_t equals = entry.find('=');
    if (equals != std::string_view::npos) {
      variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  return Environment(std::move(variables));
}

std::optional<std::string> Environment::find(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end() || found->second.empty()) {
    return std::nullopt;
  }
  return found->second;
}

}  // namespace rgx::cli
