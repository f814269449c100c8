#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/output.h"
#include "policy/lint.h"

// What `rgx policy lint` found, in the forms it is asked for in.

namespace rgx::cli {

struct LintedFile {
  std::string file;
  std::vector<policy::LintFinding> findings;
};

/// A finding that `rgx policy lint` exits with 1 for.
[[nodiscard]] bool has_failing_finding(const std::vector<LintedFile>& files);

/// Findings with their remedies, then one line a file.
[[nodiscard]] std::string lint_report_text(const std::vector<LintedFile>& files, Colour colour);
[[nodiscard]] Json lint_report_json(const std::vector<LintedFile>& files);  ///< docs: cli-json.md
/// SARIF 2.1.0. `unreadable`: mistakes of files that did not load, with code and place, too.
[[nodiscard]] Json lint_report_sarif(const std::vector<LintedFile>& files,
                                     const std::vector<Error>& unreadable,
                                     std::string_view version);

/// A file name as a relative or `file:` URI, as SARIF wants it.
[[nodiscard]] std::string uri_of(std::string_view file);

}  // namespace rgx::cli
