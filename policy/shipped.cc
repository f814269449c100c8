#include "policy/shipped.h"

#include "policy/embedded_shipped_policies.h"

#include <algorithm>

namespace rgx::policy {
namespace {

constexpr std::string_view kSuffix = ".yaml";
constexpr std::string_view kDefault = "default";

std::string_view name_of(const EmbeddedFile& file) {
  std::string_view name = file.name;
  name.remove_prefix(name.rfind('/') + 1);
  name.remove_suffix(kSuffix.size());
  return name;
}

}  // namespace

std::span<const EmbeddedFile> shipped_policies() {
  return embedded_shipped_policies();
}

std::optional<EmbeddedFile> find_shipped_policy(std::string_view name) {
  const auto files = shipped_policies();
  const auto found = std::ranges::find(files, name, &name_of);
  return found == files.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string_view> starting_policies() {
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : shipped_policies()) {
    if (name_of(file) != kDefault) {
      names.push_back(name_of(file));
    }
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace rgx::policy
