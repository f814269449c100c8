#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "policy/policy.h"
#include "templates/plan.h"
#include "templates/tool.h"

// The facts a step is judged by. Format: docs/formats/decision.md

namespace rgx::policy {

/// A path or glob the step reads or writes. `resolved` is where it leads on the machine after
/// symbolic links, workspace-relative or `abs:`; both forms are decided.
struct PathFact {
  std::string path;
  std::optional<std::string> resolved;

  auto operator<=>(const PathFact&) const = default;
};

struct ProgramFact {
  std::string name;  ///< argv[0] as written
  /// Once resolved: the entry of `programs` that exists on this machine, as written there (links
  /// not followed); decide() refuses any other path.
  std::optional<std::string> path;
  std::optional<Digest> digest;  ///< of the program's bytes

  bool operator==(const ProgramFact&) const = default;
};

/// An argument that the grammar of a program says something about.
struct FlagFact {
  std::string program;  ///< with its subcommand: `git log`
  std::string argument;

  bool operator==(const FlagFact&) const = default;
};

/// What the facts owe to the grammars of programs (docs/formats/programs.md).
struct GrammarFact {
  std::vector<std::string> programs;  ///< sorted; without their grammars the facts are partial
  std::optional<FlagFact> refused;    ///< the grammar does not know it
  std::optional<FlagFact> runs;       ///< it is code, or names a program to run

  bool operator==(const GrammarFact&) const = default;
};

struct Facts {
  std::string tool;
  std::uint32_t contract_version = 1;
  std::optional<std::vector<std::string>> argv;
  std::optional<ProgramFact> program;
  /// Each a program and its arguments: the commands of a script of the tool `shell`, and those that
  /// other commands start in turn. Absent when there are none; `unreadable` says why a script has
  /// none.
  std::optional<std::vector<std::vector<std::string>>> commands;
  std::optional<std::string> unreadable;
  std::vector<PathFact> reads;   ///< sorted
  std::vector<PathFact> writes;  ///< sorted
  std::vector<std::string> refs;
  std::vector<std::string> hosts;
  std::vector<std::string> env;
  templates::Provenance provenance;
  GrammarFact grammar;
  Analysis analysis = Analysis::full;

  bool operator==(const Facts&) const = default;
};

[[nodiscard]] Json to_json(const Facts& facts);  ///< `rgx.facts/v1`
[[nodiscard]] Result<Facts> facts_from_json(const Json& value);

/// One step as `policy eval`, examples and tests write it.
struct Request {
  templates::ToolUse tool;
  templates::Provenance provenance;
};
[[nodiscard]] Result<Request> request_from_json(const Json& value, std::string_view what);

/// Lexical facts: what the contract, the inputs and the declarations say, without the machine.
[[nodiscard]] Result<Facts> derive(const Request& request);
[[nodiscard]] Result<Facts> derive(const templates::Step& step);

}  // namespace rgx::policy
