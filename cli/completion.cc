#include "cli/completion.h"

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

// All words come from this program, but they are quoted for the shell all the same.

namespace rgx::cli {
namespace {

constexpr std::string_view kRuns = "rgx runs 2>/dev/null | sed -n 's/^\\(r-[0-9a-f]*\\) .*/\\1/p'";

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + '\'';
}

std::string first_word(const std::string& name) {
  return name.substr(0, name.find(' '));
}

bool is_grouped(const CommandInfo& command) {
  return command.name.find(' ') != std::string::npos;
}

std::vector<std::string> groups_of(const std::vector<CommandInfo>& commands) {
  std::vector<std::string> groups;
  for (const CommandInfo& command : commands) {
    const std::string group = first_word(command.name);
    if (is_grouped(command) && std::ranges::find(groups, group) == groups.end()) {
      groups.push_back(group);
    }
  }
  return groups;
}

std::vector<std::string> top_words(const std::vector<CommandInfo>& commands) {
  std::vector<std::string> words;
  for (const CommandInfo& command : commands) {
    if (!is_grouped(command)) {
      words.push_back(command.name);
    }
  }
  for (const std::string& group : groups_of(commands)) {
    words.push_back(group);
  }
  words.emplace_back("help");
  return words;
}

std::vector<std::string> words_of_group(const std::vector<CommandInfo>& commands,
                                        const std::string& group) {
  std::vector<std::string> words;
  for (const CommandInfo& command : commands) {
    if (command.name.starts_with(group + ' ')) {
      words.push_back(command.name.substr(group.size() + 1));
    }
  }
  return words;
}

bool has_name(const CommandFlag& flag, std::string_view name) {
  return std::ranges::find(flag.names, name) != flag.names.end();
}

// The words that may stand as the value of a flag; none where they cannot be listed.
std::vector<std::string> values_of(const CommandFlag& flag,
                                   const std::vector<std::string>& templates) {
  return has_name(flag, "--template") ? templates : flag.choices;
}

bool takes_file(const CommandFlag& flag) {
  return flag.value.find("FILE") != std::string::npos || flag.value == "PATH" ||
         flag.value.find("PLAN") != std::string::npos || has_name(flag, "--template");
}

bool takes_run(const CommandFlag& flag) {
  return flag.value.starts_with("RUN") || flag.value.find("|RUN") != std::string::npos;
}

// ---- bash ----

std::string bash_flag(const CommandFlag& flag, const std::vector<std::string>& templates) {
  const std::vector<std::string> values = values_of(flag, templates);
  std::string out = "        " + join(flag.names, "|") + ") ";
  if (!values.empty()) {
    out += "words=" + quoted(join(values, " ")) + "; ";
  }
  return out + "kind=" + (takes_file(flag) ? "file" : "word") + " ;;\n";
}

std::string bash_command(const CommandInfo& command, const std::vector<std::string>& templates) {
  std::vector<std::string> names;
  std::string with_value;
  for (const CommandFlag& flag : command.flags) {
    names.insert(names.end(), flag.names.begin(), flag.names.end());
    if (!flag.value.empty()) {
      with_value += bash_flag(flag, templates);
    }
  }
  std::string out = "    " + quoted(command.name) + ")\n";
  out += "      flags=" + quoted(join(names, " ")) + '\n';
  if (!with_value.empty()) {
    out += "      case $previous in\n" + with_value + "      esac\n";
  }
  std::string kind;
  std::string words;
  for (const CommandFlag& positional : command.positionals) {
    if (takes_run(positional)) {
      words = "last $(" + std::string(kRuns) + ")";
    }
    kind = takes_file(positional) ? "file" : kind;
    if (!positional.choices.empty()) {
      words = join(positional.choices, " ");
    }
  }
  if (!words.empty() || !kind.empty()) {
    out += "      if [ -z \"$kind\" ]; then kind=" + (kind.empty() ? "word" : kind) + "; words=\"" +
           words + "\"; fi\n";
  }
  return out + "      ;;\n";
}

std::string bash_script(const std::vector<CommandInfo>& commands,
                        const std::vector<std::string>& templates) {
  std::string out =
      "# bash completion of rgx; `source <(rgx completion bash)` in ~/.bashrc\n"
      "_rgx() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local command= word= flags= words= kind= i\n"
      "  if [ \"$previous\" = = ]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
      "  if [ \"$current\" = = ]; then current=; fi\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    word=${COMP_WORDS[i]}\n"
      "    case $command in\n"
      "      '' | help) command=$word ;;\n";
  for (const std::string& group : groups_of(commands)) {
    out += "      " + quoted(group) + ") command=\"$command $word\" ;;\n";
  }
  out += "    esac\n  done\n  case $command in\n";
  out += "    '' | help) words=" + quoted(join(top_words(commands), " ")) +
         "; flags='--help --version' ;;\n";
  for (const std::string& group : groups_of(commands)) {
    out += "    " + quoted(group) +
           ") words=" + quoted(join(words_of_group(commands, group), " ")) + "; flags=--help ;;\n";
  }
  for (const CommandInfo& command : commands) {
    out += bash_command(command, templates);
  }
  return out +
         "  esac\n"
         "  COMPREPLY=()\n"
         "  case $current in\n"
         "    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$current\")); return ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  if [ \"$kind\" = file ]; then\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    local IFS=$'\\n'\n"
         "    COMPREPLY+=($(compgen -f -- \"$current\"))\n"
         "  fi\n"
         "}\n"
         "complete -F _rgx rgx\n";
}

// ---- zsh ----

// What stands inside an argument of `_arguments`, between colons and brackets.
std::string zsh_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out;
}

std::string zsh_action(const CommandFlag& flag, const std::vector<std::string>& templates) {
  const std::vector<std::string> values = values_of(flag, templates);
  if (!values.empty()) {
    return "(" + join(values, " ") + ")";
  }
  if (takes_run(flag)) {
    return "_rgx_runs";
  }
  return takes_file(flag) ? "_files" : "";
}

std::string zsh_command(const CommandInfo& command, const std::vector<std::string>& templates) {
  std::string out = "    " + quoted(command.name) + ")\n      _arguments";
  for (const CommandFlag& flag : command.flags) {
    for (const std::string& name : flag.names) {
      std::string spec = "*" + name + "[" + zsh_escaped(flag.help) + "]";
      if (!flag.value.empty()) {
        spec += ":" + zsh_escaped(flag.value) + ":" + zsh_action(flag, templates);
      }
      out += " \\\n        " + quoted(spec);
    }
  }
  for (const CommandFlag& positional : command.positionals) {
    out += " \\\n        " +
           quoted("*:" + zsh_escaped(positional.value) + ":" + zsh_action(positional, templates));
    break;  // all words that follow are alike
  }
  return out + "\n      ;;\n";
}

std::string zsh_words(const std::vector<std::string>& words) {
  std::string out = "compadd --";
  for (const std::string& word : words) {
    out += ' ' + quoted(word);
  }
  return out;
}

std::string zsh_script(const std::vector<CommandInfo>& commands,
                       const std::vector<std::string>& templates) {
  std::string out =
      "#compdef rgx\n"
      "# zsh completion of rgx; `rgx completion zsh >\"${fpath[1]}/_rgx\"`\n"
      "_rgx_runs() {\n  compadd -- last $(" +
      std::string(kRuns) +
      ")\n}\n"
      "_rgx() {\n"
      "  if ((CURRENT == 2)); then\n    " +
      zsh_words(top_words(commands)) +
      "\n    return\n  fi\n"
      "  local command=${words[2]}\n"
      "  case $command in\n";
  for (const std::string& group : groups_of(commands)) {
    out += "    " + quoted(group) + ")\n      if ((CURRENT == 3)); then\n        " +
           zsh_words(words_of_group(commands, group)) +
           "\n        return\n      fi\n      command=\"$command ${words[3]}\"\n"
           "      shift words\n      ((CURRENT--))\n      ;;\n";
  }
  out += "    help)\n      " + zsh_words(top_words(commands)) + "\n      return\n      ;;\n";
  out += "  esac\n  shift words\n  ((CURRENT--))\n  case $command in\n";
  for (const CommandInfo& command : commands) {
    out += zsh_command(command, templates);
  }
  return out +
         "  esac\n}\nif [ \"$funcstack[1]\" = _rgx ]; then _rgx \"$@\"; else compdef _rgx rgx; "
         "fi\n";
}

// ---- fish ----

std::string fish_line(const std::string& condition, const std::string& rest) {
  return "complete -c rgx -n " + quoted(condition) + ' ' + rest + '\n';
}

std::string fish_flag(const CommandFlag& flag, const std::vector<std::string>& templates) {
  std::string out;
  for (const std::string& name : flag.names) {
    out +=
        name.starts_with("--") ? " -l " + quoted(name.substr(2)) : " -s " + quoted(name.substr(1));
  }
  if (!flag.value.empty()) {
    const std::vector<std::string> values = values_of(flag, templates);
    out += takes_file(flag) ? " -r -F" : " -x";
    if (!values.empty()) {
      out += " -a " + quoted(join(values, " "));
    }
  }
  return out.substr(1) + " -d " + quoted(flag.help);
}

std::string fish_script(const std::vector<CommandInfo>& commands,
                        const std::vector<std::string>& templates) {
  std::string out =
      "# fish completion of rgx; `rgx completion fish >~/.config/fish/completions/rgx.fish`\n"
      "complete -c rgx -f\n";
  for (const std::string& group : groups_of(commands)) {
    out += fish_line("__fish_use_subcommand", "-a " + quoted(group));
  }
  for (const CommandInfo& command : commands) {
    const std::string group = first_word(command.name);
    std::string condition = "__fish_seen_subcommand_from " + command.name;
    std::string before = "__fish_use_subcommand";
    std::string word = command.name;
    if (is_grouped(command)) {
      word = command.name.substr(group.size() + 1);
      before = "__fish_seen_subcommand_from " + group;
      condition = before;
      condition += "; and __fish_seen_subcommand_from " + word;
      before +=
          "; and not __fish_seen_subcommand_from " + join(words_of_group(commands, group), " ");
    }
    out += fish_line(before, "-a " + quoted(word) + " -d " + quoted(command.summary));
    for (const CommandFlag& flag : command.flags) {
      out += fish_line(condition, fish_flag(flag, templates));
    }
    for (const CommandFlag& positional : command.positionals) {
      if (takes_run(positional)) {
        out += fish_line(condition, "-a " + quoted("last (" + std::string(kRuns) + ")"));
      }
      if (takes_file(positional)) {
        out += fish_line(condition, "-F");
      }
      if (!positional.choices.empty()) {
        out += fish_line(condition, "-a " + quoted(join(positional.choices, " ")));
      }
    }
  }
  return out;
}

}  // namespace

std::string completion_script(Shell shell, const std::vector<CommandInfo>& commands,
                              const std::vector<std::string>& templates) {
  switch (shell) {
    case Shell::bash:
      return bash_script(commands, templates);
    case Shell::zsh:
      return zsh_script(commands, templates);
    case Shell::fish:
      return fish_script(commands, templates);
  }
  RGX_CHECK(false);
}

}  // namespace rgx::cli
