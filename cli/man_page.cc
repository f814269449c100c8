#include "cli/man_page.h"

#include "base/text.h"
#include "cli/exit_code.h"

namespace rgx::cli {
namespace {

// A page of help: paragraphs, and indented lines that stay as they are.
std::string page_text(std::string_view page) {
  std::string out;
  bool verbatim = false;
  bool wants_paragraph = false;  // not at the start: the heading makes one
  for (const std::string_view line : split(page, '\n')) {
    const bool indented = line.starts_with("  ");
    if (line.empty()) {
      wants_paragraph = !out.empty();
      continue;
    }
    if (verbatim && !indented) {
      out += ".fi\n";
      verbatim = false;
      wants_paragraph = true;
    }
    if (wants_paragraph) {
      out += ".PP\n";
      wants_paragraph = false;
    }
    if (indented && !verbatim) {
      out += ".nf\n";
      verbatim = true;
    }
    out += roff_escaped(line) + '\n';
  }
  return out + (verbatim ? ".fi\n" : "");
}

std::string flag_text(const CommandFlag& flag) {
  std::string out = ".TP\n\\fB";
  for (std::size_t i = 0; i < flag.names.size(); ++i) {
    out += (i == 0 ? "" : "\\fR, \\fB") + roff_escaped(flag.names[i]);
  }
  out += "\\fR";
  if (!flag.value.empty() && flag.names.front() != flag.value) {
    out += " \\fI" + roff_escaped(flag.value) + "\\fR";
  }
  return out + '\n' + roff_escaped(flag.help.empty() ? "(no more to say)" : flag.help) + '\n';
}

}  // namespace

std::string roff_escaped(std::string_view text) {
  std::string out;
  // A control character at the start of a line would make it a request.
  if (text.starts_with('.') || text.starts_with('\'')) {
    out += "\\&";
  }
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '"':
        out += "\\(dq";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string man_page(const std::vector<CommandInfo>& commands, std::string_view overview,
                     std::string_view version) {
  std::string out = ".\\\" Printed by `rgx man` from the parser and the pages of help.\n";
  out += ".TH RGX 1 \"\" \"rgx " + std::string(version) + "\" \"User Commands\"\n";
  out +=
      ".SH NAME\nrgx \\- compile an intent into a sealed plan, run it under policy, sign the "
      "evidence\n";
  out += ".SH SYNOPSIS\n.B rgx\n.I COMMAND\n.RI [ FLAG ]...\n";
  out += ".SH DESCRIPTION\n" + page_text(overview);
  out += ".SH COMMANDS\n";
  for (const CommandInfo& command : commands) {
    out += ".SS rgx " + roff_escaped(command.name) + '\n' + page_text(command.page);
    for (const CommandFlag& positional : command.positionals) {
      out += flag_text(positional);
    }
    for (const CommandFlag& flag : command.flags) {
      out += flag_text(flag);
    }
  }
  out += ".SH EXIT STATUS\n";
  for (const ExitCodeRow& row : exit_codes()) {
    out += ".TP\n\\fB" + std::to_string(static_cast<int>(row.code)) + "\\fR\n" +
           roff_escaped(row.meaning) + '\n';
  }
  out += ".SH FILES\n";
  constexpr std::string_view kFiles[][2] = {
      {".rgx/config.yaml", "how the project is tested"},
      {".rgx/policy.yaml", "what the repository allows beyond the layers above it"},
      {"~/.config/rgx", "keys, the user's policy and trusted policies"},
      {"~/.local/state/rgx", "ledgers and what they refer to"},
      {"/etc/rgx/policy.yaml", "the organisation's policy"}};
  for (const auto& [file, what] : kFiles) {
    out += ".TP\n\\fI" + roff_escaped(file) + "\\fR\n" + roff_escaped(what) + '\n';
  }
  return out;
}

}  // namespace rgx::cli
