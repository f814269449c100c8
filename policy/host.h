#pragma once

#include <string_view>

// Host patterns `NAME:PORT` and `*.NAME:PORT`. Private to the package.
// Format: docs/formats/policy.md, section "Patterns"

namespace rgx::policy {

[[nodiscard]] bool is_host_pattern(std::string_view text);
/// True when the pattern can mean the host of the facts, which may be a declared `*.NAME:PORT`.
[[nodiscard]] bool hits_host(std::string_view pattern, std::string_view host);
/// True when the pattern means every host that `host` stands for.
[[nodiscard]] bool covers_host(std::string_view pattern, std::string_view host);

}  // namespace rgx::policy
