#include "cli/help.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "cli/embedded_help.h"
#include "cli/exit_code.h"

namespace rgx::cli {
namespace {

constexpr std::array<CommandSummary, 22> kCommands = {{
    {"init", "set up a repository: settings, policy and keys"},
    {"plan", "compile an intent into a sealed plan and show what policy says"},
    {"run", "run a plan under policy, with signed evidence"},
    {"approve", "let a step of a run that waits for people start"},
    {"reject", "end a step of a run that waits for people"},
    {"resume", "go on with a run that waits or was cut short"},
    {"rollback", "give back what a run changed"},
    {"runs", "list the runs of this repository"},
    {"show", "show what a run did"},
    {"verify", "prove that evidence was not altered"},
    {"doctor", "look for what is missing: kernel, keys, policy, project"},
    {"completion", "print a script that completes commands in your shell"},
    {"man", "print the manual page"},
    {"policy check", "check policy files"},
    {"policy eval", "decide one step by a policy"},
    {"policy explain", "show what every rule of a policy says about one step"},
    {"policy lint", "find what policy files say by mistake"},
    {"policy test", "run the tests of policies"},
    {"policy trust", "let an uncommitted repository policy count"},
    {"template list", "list the shipped templates"},
    {"template show", "show what a template takes and does"},
    {"template check", "check template files"},
}};
constexpr std::array<std::string_view, 2> kGroups = {"policy", "template"};
constexpr std::size_t kNameColumn = 16;

std::string pad(std::string_view text, std::size_t width) {
  std::string out(text);
  if (out.size() < width) {
    out.append(width - out.size(), ' ');
  }
  return out;
}

std::string page_name(std::string_view command) {
  std::string name(command);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name + ".md";
}

std::string_view page(std::string_view name) {
  for (const EmbeddedFile& file : embedded_help()) {
    if (file.name.ends_with(name) &&
        (file.name.size() == name.size() || file.name[file.name.size() - name.size() - 1] == '/')) {
      return file.bytes;
    }
  }
  RGX_CHECK(false);
}

std::string list_commands(std::string_view prefix) {
  std::string out;
  for (const CommandSummary& command : kCommands) {
    if (command.name.starts_with(prefix)) {
      out += "  " + pad(command.name, kNameColumn) + std::string(command.summary) + '\n';
    }
  }
  return out;
}

// The words that may stand where `word` stood.
std::vector<std::string_view> candidates(std::string_view group) {
  std::vector<std::string_view> out;
  if (group.empty()) {
    for (const CommandSummary& command : kCommands) {
      if (command.name.find(' ') == std::string_view::npos) {
        out.push_back(command.name);
      }
    }
    out.insert(out.end(), kGroups.begin(), kGroups.end());
    out.push_back("help");
    return out;
  }
  for (const CommandSummary& command : kCommands) {
    if (command.name.starts_with(std::string(group) + ' ')) {
      out.push_back(command.name.substr(group.size() + 1));
    }
  }
  return out;
}

}  // namespace

std::span<const CommandSummary> command_summaries() {
  return kCommands;
}

bool is_command_group(std::string_view word) {
  return std::find(kGroups.begin(), kGroups.end(), word) != kGroups.end();
}

std::string_view help_page(std::string_view command) {
  return page(page_name(command));
}

std::string help_overview() {
  return std::string(page("rgx.md")) + "\ncommands:\n" + list_commands("") +
         "\n`rgx COMMAND --help` and `rgx help COMMAND` explain one of them;\n"
         "`rgx help exit-codes` lists what the program exits with.\n";
}

std::string help_group(std::string_view group) {
  return "commands:\n" + list_commands(std::string(group) + ' ') + "\n`rgx " + std::string(group) +
         " COMMAND --help` explains one of them.\n";
}

std::string help_exit_codes() {
  std::string out;
  for (const ExitCodeRow& row : exit_codes()) {
    out += pad(std::to_string(static_cast<int>(row.code)), 5) + std::string(row.meaning) + '\n';
  }
  return out + "\nOf several ends of one run, 3 beats 5 and 5 beats 1.\n";
}

std::string unknown_command(std::string_view group, std::string_view word) {
  const std::string full =
      group.empty() ? std::string(word) : std::string(group) + ' ' + std::string(word);
  std::string out = "there is no command `" + printable(full) + "`";
  if (const auto near = nearest(word, candidates(group))) {
    out += "; did you mean `rgx ";
    out += group.empty() ? *near : std::string(group) + ' ' + *near;
    out += "`?";
  }
  return out;
}

}  // namespace rgx::cli
