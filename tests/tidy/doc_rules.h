#pragma once

#include "tests/tidy/source_tree.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace rgx::tidy {

/// Where each diagnostic code is used: code to the place of its first use in a package's .cc file.
/// A code is a literal like "policy.unknown_key" that is the first string of a call of make_error,
/// fail or anything with `error`, `diagnos`, `mistake` or `complain` in its name, the first
/// initialiser of a Diagnostic, or what is assigned to a `code`.
using CodeUses = std::map<std::string, Finding, std::less<>>;
[[nodiscard]] CodeUses find_codes(const Tree& tree);

/// Codes that docs/codes.md lists: the first cell of its table rows, in backticks.
[[nodiscard]] std::set<std::string, std::less<>> documented_codes(std::string_view codes_page);

/// Codes that are used but not documented, and the other way round. A documented code counts as
/// used when any literal of a package holds it.
[[nodiscard]] Findings check_codes(const Tree& tree);

/// The exit codes of cli/exit_code.h against the table of docs/exit-codes.md.
[[nodiscard]] Findings check_exit_codes(const Tree& tree);

/// Relative links of Markdown files: the file is there, and so is the heading behind a `#`.
[[nodiscard]] Findings check_links(const Tree& tree, std::string_view path);

}  // namespace rgx::tidy
