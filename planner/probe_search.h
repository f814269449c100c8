#pragma once

#include "base/repository_view.h"
#include "templates/instantiate.h"

// The probes `search.text` and `search.files`. Private to the package.
// Format: docs/formats/template.md, section "Facts"

namespace rgx::planner {

[[nodiscard]] Result<templates::FactValue> probe_search_text(const templates::Fact& fact,
                                                             const templates::Value& with,
                                                             RepositoryView& repository);
[[nodiscard]] Result<templates::FactValue> probe_search_files(const templates::Fact& fact,
                                                              const templates::Value& with,
                                                              RepositoryView& repository);

/// An input that is a list of texts; `fallback` when it is absent. fact.input_type.
[[nodiscard]] Result<std::vector<std::string>> texts_of(const templates::Fact& fact,
                                                        const Json& with, std::string_view input,
                                                        std::vector<std::string> fallback);
[[nodiscard]] tl::unexpected<Error> bad_input(const templates::Fact& fact,
                                              const std::string& problem, std::string_view remedy);

/// Files larger than this are not looked into.
inline constexpr std::int64_t kSearchedBytesMax = 16LL << 20;

}  // namespace rgx::planner
