#include <algorithm>
#include <array>

#include "engine/tool.h"

namespace rgx::engine {

namespace {

struct Implementation {
  std::string_view name;
  PrepareAction prepare;
};

// Sorted by name; the tools that templates/tool.h says this build runs.
constexpr std::array kImplementations = {
    Implementation{"check.command", prepare_check_command},
    Implementation{"check.diff", prepare_check_diff},
    Implementation{"check.file", prepare_check_file},
    Implementation{"check.paths", prepare_check_paths},
    Implementation{"check.secrets", prepare_check_secrets},
    Implementation{"check.tests", prepare_check_tests},
    Implementation{"exec", prepare_exec},
    Implementation{"file.delete", prepare_file_delete},
    Implementation{"file.edit", prepare_file_edit},
    Implementation{"file.move", prepare_file_move},
    Implementation{"file.patch", prepare_file_patch},
    Implementation{"file.read", prepare_file_read},
    Implementation{"file.write", prepare_file_write},
    Implementation{"git.branch", prepare_git_branch},
    Implementation{"git.commit", prepare_git_commit},
    Implementation{"git.diff", prepare_git_diff},
    Implementation{"git.log", prepare_git_log},
    Implementation{"git.status", prepare_git_status},
    Implementation{"human.approve", prepare_human_approve},
    Implementation{"search.files", prepare_search_files},
    Implementation{"search.text", prepare_search_text},
};

}  // namespace

PrepareAction find_tool_implementation(std::string_view name) {
  const auto found = std::ranges::find(kImplementations, name, &Implementation::name);
  return found == kImplementations.end() ? nullptr : found->prepare;
}

std::vector<std::string_view> implemented_tools() {
  std::vector<std::string_view> names;
  for (const Implementation& tool : kImplementations) {
    names.push_back(tool.name);
  }
  return names;
}

Outcome failed_outcome(const Error& error) {
  Outcome outcome;
  outcome.state = StepState::failed;
  outcome.spent.steps = 1;
  outcome.confinement = "in_process";
  outcome.error = error.first();
  outcome.summary = error.first().message;
  outcome.detail = error.first().remedy;
  return outcome;
}

}  // namespace rgx::engine
