#include "templates/tool.h"

#include <algorithm>
#include <array>

namespace rgx::templates {
namespace {

// The words of docs/formats/plan.md, section "Tools". Inputs stand in alphabetical order.
constexpr ToolInput kAgentRun[] = {{"adapter", InputType::identifier, true, Axis::argv},
                                   {"objective", InputType::string, true, Axis::content}};
constexpr ToolInput kCheckCommand[] = {{"argv", InputType::argv, true, Axis::argv}};
constexpr ToolInput kCheckDiff[] = {{"files_max", InputType::integer, false, Axis::content},
                                    {"lines_max", InputType::integer, false, Axis::content}};
constexpr ToolInput kCheckFile[] = {{"path", InputType::path, true, Axis::read}};
constexpr ToolInput kCheckPaths[] = {{"changed_only", InputType::paths, true, Axis::read}};
constexpr ToolInput kCheckSecrets[] = {{"new_max", InputType::integer, true, Axis::content}};
constexpr ToolInput kCheckTests[] = {{"argv", InputType::argv, true, Axis::argv}};
constexpr ToolInput kExec[] = {{"argv", InputType::argv, true, Axis::argv},
                               {"cwd", InputType::path, false, Axis::argv},
                               {"env", InputType::environment, false, Axis::env}};
constexpr ToolInput kFileDelete[] = {{"path", InputType::path, true, Axis::write}};
constexpr ToolInput kFileEdit[] = {{"edits", InputType::edits, true, Axis::content},
                                   {"path", InputType::path, true, Axis::write, true}};
constexpr ToolInput kFileMove[] = {{"path", InputType::path, true, Axis::write, true},
                                   {"to", InputType::path, true, Axis::write}};
constexpr ToolInput kFilePatch[] = {{"diff", InputType::string, true, Axis::content},
                                    {"path", InputType::path, true, Axis::write, true}};
constexpr ToolInput kFileRead[] = {{"path", InputType::path, true, Axis::read}};
constexpr ToolInput kFileWrite[] = {{"content", InputType::string, true, Axis::content},
                                    {"path", InputType::path, true, Axis::write}};
constexpr ToolInput kGitBranch[] = {{"base", InputType::string, false, Axis::refs},
                                    {"name", InputType::string, true, Axis::refs}};
constexpr ToolInput kGitCommit[] = {{"message", InputType::string, true, Axis::content},
                                    {"paths", InputType::paths, true, Axis::read}};
constexpr ToolInput kGitDiff[] = {{"base", InputType::string, false, Axis::refs}};
constexpr ToolInput kHttpGet[] = {{"url", InputType::url, true, Axis::hosts}};
constexpr ToolInput kHumanApprove[] = {{"message", InputType::string, true, Axis::content}};
constexpr ToolInput kLlmGenerate[] = {{"prompt", InputType::string, true, Axis::content},
                                      {"schema", InputType::schema, false, Axis::content},
                                      {"tokens_max", InputType::integer, true, Axis::content}};
constexpr ToolInput kSearchFiles[] = {{"glob", InputType::string, false, Axis::read},
                                      {"paths", InputType::paths, true, Axis::read}};
constexpr ToolInput kSearchText[] = {{"matches_max", InputType::integer, false, Axis::content},
                                     {"paths", InputType::paths, true, Axis::read},
                                     {"pattern", InputType::string, false, Axis::content},
                                     {"text", InputType::string, false, Axis::content},
                                     {"word", InputType::string, false, Axis::content}};
constexpr ToolInput kShell[] = {{"cwd", InputType::path, false, Axis::argv},
                                {"env", InputType::environment, false, Axis::env},
                                {"script", InputType::string, true, Axis::argv}};

constexpr std::span<const ToolInput> kNoInputs;

// Outputs, in alphabetical order.
constexpr ToolOutput kEditOutputs[] = {{"digest", Shape::text}, {"replacements", Shape::integer}};
constexpr ToolOutput kFileOutputs[] = {{"bytes", Shape::integer}, {"digest", Shape::text}};
constexpr ToolOutput kSearchOutputs[] = {{"count", Shape::integer}, {"paths", Shape::texts}};
constexpr ToolOutput kBranchOutputs[] = {{"ref", Shape::text}};
constexpr ToolOutput kCommitOutputs[] = {{"commit", Shape::text}};
constexpr ToolOutput kDiffOutputs[] = {{"files", Shape::integer}, {"lines", Shape::integer}};
constexpr ToolOutput kLogOutputs[] = {{"commits", Shape::mappings}};
constexpr ToolOutput kStatusOutputs[] = {{"clean", Shape::boolean}, {"paths", Shape::texts}};
constexpr ToolOutput kProgramOutputs[] = {{"exit_code", Shape::integer}, {"tests", Shape::mapping}};
constexpr ToolOutput kCheckProgramOutputs[] = {
    {"exit_code", Shape::integer}, {"passed", Shape::boolean}, {"tests", Shape::mapping}};
constexpr ToolOutput kCheckDiffOutputs[] = {
    {"files", Shape::integer}, {"lines", Shape::integer}, {"passed", Shape::boolean}};
constexpr ToolOutput kCheckFileOutputs[] = {{"digest", Shape::text}, {"passed", Shape::boolean}};
constexpr ToolOutput kCheckPathsOutputs[] = {{"passed", Shape::boolean}, {"paths", Shape::texts}};
constexpr ToolOutput kCheckSecretsOutputs[] = {{"count", Shape::integer},
                                               {"passed", Shape::boolean}};
constexpr ToolOutput kAgentOutputs[] = {{"exit_code", Shape::integer}};
constexpr ToolOutput kHttpOutputs[] = {
    {"bytes", Shape::integer}, {"digest", Shape::text}, {"status", Shape::integer}};
constexpr ToolOutput kGenerateOutputs[] = {{"digest", Shape::text}, {"text", Shape::text}};
constexpr std::span<const ToolOutput> kNoOutputs;

/// Members of the output `tests`.
constexpr ToolOutput kTestsMembers[] = {{"failed", Shape::integer},
                                        {"failures", Shape::texts},
                                        {"passed", Shape::integer},
                                        {"runner", Shape::text},
                                        {"skipped", Shape::integer}};

// name, version, inputs, outputs, runs, idempotent, declares
constexpr std::array kTools = {
    ToolContract{"agent.run", 1, kAgentRun, kAgentOutputs, false, false, true},
    ToolContract{"check.command", 1, kCheckCommand, kCheckProgramOutputs, true, true, true},
    ToolContract{"check.diff", 1, kCheckDiff, kCheckDiffOutputs, true, true, false},
    ToolContract{"check.file", 1, kCheckFile, kCheckFileOutputs, true, true, false},
    ToolContract{"check.paths", 1, kCheckPaths, kCheckPathsOutputs, true, true, false},
    ToolContract{"check.secrets", 1, kCheckSecrets, kCheckSecretsOutputs, true, true, false},
    ToolContract{"check.tests", 1, kCheckTests, kCheckProgramOutputs, true, true, true},
    ToolContract{"exec", 1, kExec, kProgramOutputs, true, false, true},
    ToolContract{"file.delete", 1, kFileDelete, kNoOutputs, true, false, false},
    ToolContract{"file.edit", 1, kFileEdit, kEditOutputs, true, false, false},
    ToolContract{"file.move", 1, kFileMove, kNoOutputs, true, false, false},
    ToolContract{"file.patch", 1, kFilePatch, kFileOutputs, true, false, false},
    ToolContract{"file.read", 1, kFileRead, kFileOutputs, true, true, false},
    ToolContract{"file.write", 1, kFileWrite, kFileOutputs, true, true, false},
    ToolContract{"git.branch", 1, kGitBranch, kBranchOutputs, true, false, false},
    ToolContract{"git.commit", 1, kGitCommit, kCommitOutputs, true, false, false},
    ToolContract{"git.diff", 1, kGitDiff, kDiffOutputs, true, true, false},
    ToolContract{"git.log", 1, kNoInputs, kLogOutputs, true, true, false},
    ToolContract{"git.status", 1, kNoInputs, kStatusOutputs, true, true, false},
    ToolContract{"http.get", 1, kHttpGet, kHttpOutputs, false, true, false},
    ToolContract{"human.approve", 1, kHumanApprove, kNoOutputs, true, true, false},
    ToolContract{"llm.generate", 1, kLlmGenerate, kGenerateOutputs, false, false, false},
    ToolContract{"search.files", 1, kSearchFiles, kSearchOutputs, true, true, false},
    ToolContract{"search.text", 1, kSearchText, kSearchOutputs, true, true, false},
    ToolContract{"shell", 1, kShell, kProgramOutputs, false, false, true},
};

constexpr bool names_are_sorted() {
  return std::ranges::is_sorted(kTools, {}, &ToolContract::name);
}
static_assert(names_are_sorted());

}  // namespace

std::span<const ToolContract> tools() {
  return kTools;
}

const ToolContract* find_tool(std::string_view name) {
  const auto found = std::ranges::lower_bound(kTools, name, {}, &ToolContract::name);
  return found != kTools.end() && found->name == name ? &*found : nullptr;
}

std::optional<Shape> output_shape(const ToolContract& tool, std::string_view member) {
  const std::string_view first = member.substr(0, member.find('.'));
  const auto output = std::ranges::find(tool.outputs, first, &ToolOutput::name);
  if (output == tool.outputs.end()) {
    return std::nullopt;
  }
  if (first == member) {
    return output->shape;
  }
  const auto inner =
      std::ranges::find(kTestsMembers, member.substr(first.size() + 1), &ToolOutput::name);
  return first == "tests" && inner != std::end(kTestsMembers) ? std::optional(inner->shape)
                                                              : std::nullopt;
}

bool tool_matches(std::string_view pattern, std::string_view tool) {
  if (pattern == "*") {
    return true;
  }
  if (pattern.ends_with(".*")) {
    return tool.starts_with(pattern.substr(0, pattern.size() - 1));
  }
  return pattern == tool;
}

bool is_tool_pattern(std::string_view pattern) {
  return std::ranges::any_of(
      kTools, [pattern](const ToolContract& tool) { return tool_matches(pattern, tool.name); });
}

}  // namespace rgx::templates
