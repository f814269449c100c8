#pragma once

#include "base/digest.h"
#include "base/yaml/reader.h"
#include "templates/step_options.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A template as its author wrote it, checked as far as it can be without arguments.
// Format: docs/formats/template.md

namespace rgx::templates {

enum class ParameterType : std::uint8_t {
  path,
  glob,
  identifier,
  symbol,
  string,
  text,
  integer,
  duration,
  size,
  boolean,
  enumeration,
  version,
  regex,
  url,
  branch,
  command,
  list,
};
[[nodiscard]] std::string_view to_string(ParameterType type);

/// What a value must be beyond its type; of a list, what each item must be.
struct Constraints {
  std::optional<std::int64_t> min, max;    ///< of integer, duration (ms), size (bytes)
  std::optional<std::string> pattern;      ///< RE2, the whole text
  std::optional<std::int64_t> length_max;  ///< bytes of a text
  std::optional<std::int64_t> items_max;   ///< of list and command

  bool operator==(const Constraints&) const = default;
};

struct Parameter {
  std::string name;
  ParameterType type = ParameterType::string;
  std::optional<ParameterType> of;  ///< element type of a list
  bool required = false;
  std::optional<Json> fallback;     ///< `default`
  std::vector<std::string> values;  ///< of an enum
  Constraints constraints;
  std::string description;
  Place place;
};

/// A read-only probe, evaluated while compiling.
struct Fact {
  std::string name;
  std::string probe;  ///< `search.text`, `project.settings`
  yaml::Node with;    ///< values may hold expressions
  std::int64_t items_max = 1000;
  Place place;
};

enum class OnInterrupted : std::uint8_t { rerun, check, ask };
[[nodiscard]] std::string_view to_string(OnInterrupted choice);

/// A step before expansion; nodes may hold expressions.
struct StepTemplate {
  std::string id;
  std::string use;      ///< empty for an include
  std::string include;  ///< another template, whose steps stand here; `with` are its arguments
  yaml::Node with;
  std::vector<std::string> needs;
  std::optional<yaml::Node> for_each;
  std::optional<yaml::Node> read, write, hosts;
  std::optional<std::int64_t> timeout_ms;
  std::optional<bool> idempotent;
  OnInterrupted on_interrupted = OnInterrupted::check;
  std::optional<yaml::Node> when;  ///< a condition
  std::optional<std::string> phase;
  std::optional<StepGate> gate;
  std::optional<std::string> risk;
  std::map<std::string, std::int64_t> budget;
  std::optional<Retry> retry;
  Place place;
};

/// A named stage: its steps come after those of the phase before, and after that one's checks.
struct Phase {
  std::string name;
  std::vector<StepTemplate> exit;  ///< checks after its steps, in order; `NAME.exit[1]`, ...
  Place place;
};

struct Template {
  std::string file;  ///< name for messages
  std::string name;
  std::string version;
  std::string summary;
  std::map<std::string, std::vector<std::string>> utterances;  ///< language -> patterns
  std::vector<Parameter> parameters;                           ///< in file order
  std::vector<Fact> facts;
  std::vector<StepTemplate> steps;
  std::vector<StepTemplate> acceptance;  ///< checks after the last step, in order
  std::vector<Phase> phases;
  std::string workspace = "in_place";
  Digest digest;  ///< of the file's bytes

  [[nodiscard]] const Parameter* find_parameter(std::string_view name) const;
};

/// Parses and checks a template file: unknown keys, types, ids, needs, cycles, references,
/// tools, conditions, phases; all mistakes at once. Keys of the format that this version does not
/// support are template.unsupported_key, never ignored. What a template includes is checked by
/// check_includes() (templates/include.h), when all templates are known.
enum class ToolChoice : std::uint8_t { that_run, all };  ///< `that_run`: by this version's engine
[[nodiscard]] Result<Template> parse_template(std::string_view text, std::string_view file,
                                              ToolChoice tools = ToolChoice::that_run);

/// Checks a value against a parameter's type and constraints and returns its normal form
/// (`./src/` -> `src`). Strings from a command line are converted (`"3"` for an integer,
/// `a,b` is not split: a list is given by repeating). parameter.type, parameter.value.
[[nodiscard]] Result<Json> check_argument(const Parameter& parameter, const Json& value);

}  // namespace rgx::templates
