#pragma once

#include "base/json.h"
#include "base/result.h"
#include "templates/provenance.h"
#include "templates/shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Tool contracts: the one vocabulary of tools, their typed inputs, and how their effects follow
// from those inputs. Sealing and policy reason with contracts; implementations live in engine.

namespace rgx::templates {

enum class InputType : std::uint8_t {
  string,       ///< any UTF-8 text
  path,         ///< normal path (base/path.h)
  paths,        ///< list of paths or globs
  argv,         ///< non-empty list of strings, no shell
  identifier,   ///< `[A-Za-z_][A-Za-z0-9_]*`, or with `.` and `::` between such words
  edits,        ///< list of {word|text|anchor|pattern, to}
  environment,  ///< map NAME -> value
  url,
  schema,   ///< any JSON object
  integer,  ///< non-negative
};

inline constexpr std::int64_t kInputTextBytesMax = 1 << 20;  // of one text

struct ToolInput {
  std::string_view name;
  InputType type;
  bool required;
  Axis axis;               ///< whose provenance it carries
  bool also_read = false;  ///< the tool reads the file it writes: provenance of `read`, too
};

/// What a step leaves for later steps (templates/step_output.h), when it succeeds.
struct ToolOutput {
  std::string_view name;
  Shape shape;
};

struct ToolContract {
  std::string_view name;
  std::uint32_t version;
  std::span<const ToolInput> inputs;
  std::span<const ToolOutput> outputs;
  bool runs;        ///< this build's engine implements it
  bool idempotent;  ///< default when the step does not say
  bool declares;    ///< effects go beyond the inputs: `read`, `write`, `hosts` are declared
};

/// All tools, sorted by name.
[[nodiscard]] std::span<const ToolContract> tools();
[[nodiscard]] const ToolContract* find_tool(std::string_view name);
/// Shape of an output, or of a member of one that is a mapping (`tests.failed`); nothing when the
/// tool has none of that name.
[[nodiscard]] std::optional<Shape> output_shape(const ToolContract& tool, std::string_view member);
/// True when `pattern` (`file.edit`, `search.*`) names at least one tool.
[[nodiscard]] bool is_tool_pattern(std::string_view pattern);
[[nodiscard]] bool tool_matches(std::string_view pattern, std::string_view tool);

/// What a step does to the world, as far as its contract and declarations say.
struct Effects {
  std::vector<std::string> reads;   ///< normal paths or globs, sorted
  std::vector<std::string> writes;  ///< likewise
  std::vector<std::string> refs;
  std::vector<std::string> hosts;  ///< `host:port`, lower case
  std::vector<std::string> env;    ///< names of variables set for the program
  std::optional<std::vector<std::string>> argv;
  std::int64_t tokens_max = 0;
  bool starts_process = false;
  bool complete = true;  ///< false: effects beyond these are possible (program without declaration)

  bool operator==(const Effects&) const = default;
};

/// The parts of a step that decide its effects.
struct ToolUse {
  std::string use;
  Json with = Json::object();
  std::optional<std::vector<std::string>> read;
  std::optional<std::vector<std::string>> write;
  std::optional<std::vector<std::string>> hosts;

  bool operator==(const ToolUse&) const = default;
};

/// Checks `with` against the contract (all mistakes at once: tool.unknown with the nearest name,
/// tool.unknown_input, tool.missing_input, tool.input_type, tool.declaration). `what` names the
/// step in messages.
[[nodiscard]] Status check_inputs(const ToolUse& use, std::string_view what, const Place& place);
/// The same use with its paths, globs and hosts in normal form (`./src/` -> `src`), so that one
/// step has one spelling. Errors: those of check_inputs.
[[nodiscard]] Result<ToolUse> normal_use(const ToolUse& use, std::string_view what,
                                         const Place& place);
/// Effects of a checked use.
[[nodiscard]] Result<Effects> effects_of(const ToolUse& use);

}  // namespace rgx::templates
