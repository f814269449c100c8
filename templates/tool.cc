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
constexpr ToolInput kSearchText[] = {{"paths", InputType::paths, true, Axis::read},
                                     {"pattern", InputType::string, false, Axis::content},
                                     {"text", InputType::string, false, Axis::content},
                                     {"word", InputType::string, false, Axis::content}};
constexpr ToolInput kShell[] = {{"cwd", InputType::path, false, Axis::argv},
                                {"env", InputType::environment, false, Axis::env},
                                {"script", InputType::string, true, Axis::argv}};

constexpr std::span<const ToolInput> kNoInputs;
// name, version, inputs, runs, idempotent, declares
constexpr std::array kTools = {
    ToolContract{"agent.run", 1, kAgentRun, false, false, true},
    ToolContract{"check.command", 1, kCheckCommand, false, true, true},
    ToolContract{"check.diff", 1, kCheckDiff, false, true, false},
    ToolContract{"check.file", 1, kCheckFile, false, true, false},
    ToolContract{"check.paths", 1, kCheckPaths, false, true, false},
    ToolContract{"check.secrets", 1, kCheckSecrets, false, true, false},
    ToolContract{"check.tests", 1, kCheckTests, false, true, true},
    ToolContract{"exec", 1, kExec, true, false, true},
    ToolContract{"file.delete", 1, kFileDelete, false, false, false},
    ToolContract{"file.edit", 1, kFileEdit, true, false, false},
    ToolContract{"file.move", 1, kFileMove, false, false, false},
    ToolContract{"file.patch", 1, kFilePatch, false, false, false},
    ToolContract{"file.read", 1, kFileRead, false, true, false},
    ToolContract{"file.write", 1, kFileWrite, false, true, false},
    ToolContract{"git.branch", 1, kGitBranch, false, false, false},
    ToolContract{"git.commit", 1, kGitCommit, false, false, false},
    ToolContract{"git.diff", 1, kGitDiff, false, true, false},
    ToolContract{"git.log", 1, kNoInputs, false, true, false},
    ToolContract{"git.status", 1, kNoInputs, false, true, false},
    ToolContract{"http.get", 1, kHttpGet, false, true, false},
    ToolContract{"human.approve", 1, kHumanApprove, false, true, false},
    ToolContract{"llm.generate", 1, kLlmGenerate, false, false, false},
    ToolContract{"search.files", 1, kSearchFiles, false, true, false},
    ToolContract{"search.text", 1, kSearchText, true, true, false},
    ToolContract{"shell", 1, kShell, false, false, true},
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
