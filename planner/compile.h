#pragma once

#include "base/repository_view.h"
#include "templates/instantiate.h"
#include "templates/template.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Intent -> Draft: classify (which template), extract (which arguments), evaluate facts,
// instantiate. Deterministic, offline; unsure means asking, never guessing.

namespace rgx::planner {

/// How well a template fits an intent; score 0..1000 (integer: the same on every machine).
struct Candidate {
  std::string name;
  std::uint32_t score = 0;
  std::string utterance;  ///< the best matching one

  bool operator==(const Candidate&) const = default;
};

/// What must be answered before there is a plan.
struct Question {
  std::string text;    ///< one line to a person
  std::string remedy;  ///< the flags that answer it: `--template api-replace`, `--set to=NAME`
  std::vector<Candidate> candidates;

  bool operator==(const Question&) const = default;
};

struct CompileRequest {
  std::string intent;  ///< may be empty when `template_name` is given
  std::optional<std::string> template_name;
  std::multimap<std::string, std::string> set;  ///< `--set KEY=VALUE`, repeated for lists
};

/// Settings of the project from `.rgx/config.yaml`, as the probe `project.settings` gives them.
struct ProjectSettings {
  std::vector<std::string> test_argv;
  std::vector<std::string> test_writes;
  std::vector<std::string> format_argv;    ///< empty when the project names no formatter
  std::vector<std::string> format_files;   ///< globs of what it takes
  std::vector<std::string> format_writes;  ///< beyond the files themselves
};
/// Format: docs/formats/config.md. config.* errors with place.
[[nodiscard]] Result<ProjectSettings> parse_project_settings(std::string_view text,
                                                             std::string_view file);

/// Evidence of how the plan came to be; recorded by the engine's single writer.
struct CompileTrace {
  std::vector<Candidate> candidates;
  std::string chosen_by;  ///< `intent` or `flag`
};

struct Compiled {
  templates::Draft draft;
  CompileTrace trace;
};

using CompileAnswer = std::variant<Compiled, Question>;

/// Ranks templates for an intent, best first, ties by name.
[[nodiscard]] std::vector<Candidate> classify(std::string_view intent,
                                              const std::vector<templates::Template>& templates);

/// Arguments found in an intent by aligning it with a template's utterances.
[[nodiscard]] templates::Arguments extract(std::string_view intent,
                                           const templates::Template& source);

/// Errors: intent.* (empty, too long, not UTF-8, control characters), template.unknown,
/// argument.*, fact.* and those of the repository.
[[nodiscard]] Result<CompileAnswer> compile(const CompileRequest& request,
                                            const std::vector<templates::Template>& templates,
                                            RepositoryView& repository);

}  // namespace rgx::planner
