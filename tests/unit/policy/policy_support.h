#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/decision.h"

// What tests of policies share: short policies, stacks and requests as text.

namespace rgx::policy::test {

/// 2026-01-01T00:00:00Z
inline constexpr std::int64_t kNow = 1767225600000;

/// A whole policy of layer `org`: head and budgets are added before `body`. The first line of
/// `body` is line 5 of the file.
[[nodiscard]] std::string org(std::string_view body);
/// A policy of another layer, named like the layer; the first line of `body` is line 4.
[[nodiscard]] std::string lower(std::string_view layer, std::string_view body);

/// Loads; a mistake fails the running test and ends the test program.
[[nodiscard]] Policy must_load(std::string_view text, std::string_view file = "p.yaml");
[[nodiscard]] PolicySet must_stack(const std::vector<std::string>& texts);
/// Facts of a request in JSON.
[[nodiscard]] Facts must_derive(std::string_view request);
[[nodiscard]] Decision eval(const PolicySet& policy, std::string_view request,
                            std::int64_t now = kNow);
[[nodiscard]] std::string_view answer(const Decision& decision);
/// Ids of the deciding rules, joined by `,`.
[[nodiscard]] std::string deciding(const Decision& decision);
/// All texts of a decision for people, to look for words in.
[[nodiscard]] std::string text_of(const Decision& decision);

/// Runs a file of `rgx.policy-test/v1`; each failed case is one line. Mistakes of the file, too.
[[nodiscard]] std::vector<std::string> run_cases(const std::string& path, std::size_t& count);

}  // namespace rgx::policy::test
