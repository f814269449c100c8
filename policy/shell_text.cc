#include "policy/shell_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace rgx::policy {
namespace {

/// Words that are syntax where a command starts, and builtins that change what later words mean or
/// run their arguments.
constexpr std::array<std::string_view, 61> kNotCommands = {
    "!",       "-",        ".",     "[[",      "alias",   "autoload", "bg",     "bind",
    "builtin", "caller",   "case",  "cd",      "command", "complete", "coproc", "declare",
    "dirs",    "disown",   "do",    "done",    "elif",    "else",     "enable", "esac",
    "eval",    "exec",     "exit",  "export",  "fc",      "fg",       "fi",     "for",
    "foreach", "function", "hash",  "history", "if",      "in",       "let",    "local",
    "mapfile", "noglob",   "popd",  "pushd",   "read",    "readonly", "repeat", "return",
    "select",  "set",      "shift", "shopt",   "source",  "then",     "trap",   "typeset",
    "ulimit",  "unalias",  "unset", "until",   "while"};
static_assert(std::ranges::is_sorted(kNotCommands));

/// Unquoted, these expand, redirect, group or match: the words are then not what is written.
constexpr std::string_view kActive = "$`\\*?[]{}()<>~#!^";

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool is_name(std::string_view text) {
  const auto starts = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && starts(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return starts(c) || (c >= '0' && c <= '9'); });
}

/// `NAME=`, `NAME+=`: an assignment where a command may start.
bool is_assignment(std::string_view raw) {
  const std::size_t equals = raw.find('=');
  if (equals == std::string_view::npos) {
    return false;
  }
  const std::string_view name = raw.substr(0, equals);
  return is_name(name.ends_with('+') ? name.substr(0, name.size() - 1) : name);
}

class Reader {
 public:
  explicit Reader(std::string_view script) : text_(script) {}

  ShellReading read() {
    check_bytes();
    while (problem_.empty() && at_ < text_.size()) {
      const char c = text_[at_];
      if (is_blank(c)) {
        ++at_;
      } else if (is_operator(c)) {
        read_operator();
      } else {
        read_word();
      }
    }
    if (problem_.empty()) {
      finish();
    }
    if (!problem_.empty()) {
      return {std::nullopt, {}, std::move(problem_)};
    }
    return {std::move(commands_), std::move(piped_), {}};
  }

 private:
  static bool is_operator(char c) { return c == '&' || c == '|' || c == ';' || c == '\n'; }

  void refuse(std::string_view what, std::size_t at) {
    if (problem_.empty()) {
      problem_ = std::string(what) + " at byte " + std::to_string(at + 1);
    }
  }

  void check_bytes() {
    if (!is_utf8(text_)) {
      refuse("text that is not UTF-8", 0);
      return;
    }
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const auto byte = static_cast<unsigned char>(text_[at]);
      if ((byte < 0x20 && byte != '\t' && byte != '\n') || byte == 0x7f) {
        refuse("a control byte", at);
        return;
      }
    }
    std::string one_line(text_);
    std::ranges::replace_if(one_line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    if (find_deceptive(one_line)) {
      refuse("an invisible or deceptive character", 0);
    }
  }

  void read_operator() {
    const std::size_t at = at_;
    const char c = text_[at_++];
    const bool doubled = (c == '&' || c == '|') && at_ < text_.size() && text_[at_] == c;
    if (doubled) {
      ++at_;
    }
    if (c == '\n') {
      pipes_ = pipes_ && pending_;
      end_command();  // after `&&`, `||` and `|` the command may start on a later line
      return;
    }
    if (c == '&' && !doubled) {
      refuse("`&`, which leaves a command behind,", at);
    } else if (c == '|' && !doubled && at_ < text_.size() && text_[at_] == '&') {
      refuse("`|&`", at);
    } else if (command_.empty()) {
      refuse("an operator without a command before it", at);
    }
    end_command();
    pending_ = c != ';';
    pipes_ = c == '|' && !doubled;
    last_operator_ = at;
  }

  void end_command() {
    if (!command_.empty()) {
      commands_.push_back(std::move(command_));
      piped_.push_back(fed_);
      command_.clear();
    }
    if (commands_.size() > kShellCommandsMax) {
      refuse("more than " + std::to_string(kShellCommandsMax) + " commands", at_);
    }
  }

  void read_word() {
    const std::size_t start = at_;
    std::string word;
    bool quoted = false;
    while (at_ < text_.size() && !is_blank(text_[at_]) && !is_operator(text_[at_])) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        quoted = true;
        read_quoted(c, word);
      } else if (c == '\\') {
        quoted = true;
        read_escaped(word);
      } else if (is_empty_braces() || is_lone_bang(start)) {
        const std::size_t size = c == '{' ? 2 : 1;
        word += text_.substr(at_, size);
        at_ += size;
      } else if (kActive.find(c) != std::string_view::npos && !is_plain_caret(c, start)) {
        refuse("`" + std::string(1, c) + "` outside quotes", at_);
      } else {
        word += c;
        ++at_;
      }
      if (!problem_.empty()) {
        return;
      }
    }
    add_word(std::move(word), quoted, start);
  }

  /// A backslash takes the meaning from a mark or a blank in every shell. Before a letter or a
  /// digit some shells make another character of it.
  void read_escaped(std::string& word) {
    constexpr std::string_view kMarks = " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    const std::size_t next = at_ + 1;
    if (next == text_.size() || kMarks.find(text_[next]) == std::string_view::npos) {
      refuse("`\\` before something other than a mark", at_);
      return;
    }
    word += text_[next];
    at_ += 2;
  }

  /// `{}` among arguments is itself in every shell.
  [[nodiscard]] bool is_empty_braces() const {
    return text_.substr(at_, 2) == "{}" && !command_.empty();
  }

  /// So is `!` as an argument of its own.
  [[nodiscard]] bool is_lone_bang(std::size_t start) const {
    const std::size_t next = at_ + 1;
    return text_[at_] == '!' && at_ == start && !command_.empty() && next < text_.size() &&
           is_blank(text_[next]);
  }

  /// `HEAD^` is a word in every shell; elsewhere zsh may take `^` for a pattern.
  [[nodiscard]] bool is_plain_caret(char c, std::size_t start) const {
    const std::size_t next = at_ + 1;
    return c == '^' && at_ > start &&
           (next == text_.size() || is_blank(text_[next]) || is_operator(text_[next]));
  }

  void read_quoted(char quote, std::string& word) {
    const std::size_t start = at_++;
    while (at_ < text_.size() && text_[at_] != quote) {
      const char c = text_[at_];
      if (quote == '"' && (c == '$' || c == '`' || c == '\\' || c == '!')) {
        refuse("`" + std::string(1, c) + "` inside double quotes", at_);
        return;
      }
      word += c;
      ++at_;
    }
    if (at_ == text_.size()) {
      refuse("a quote without its end", start);
      return;
    }
    ++at_;
  }

  void add_word(std::string word, bool quoted, std::size_t start) {
    const std::string_view raw = text_.substr(start, at_ - start);
    if (raw.starts_with('=')) {
      refuse("a word that starts with `=`", start);  // zsh puts a program's path there
    } else if (command_.empty()) {
      if (word.empty()) {
        refuse("an empty command name", start);
      } else if (is_assignment(raw)) {
        refuse("an assignment", start);
      } else if (std::ranges::binary_search(kNotCommands, std::string_view(word)) ||
                 word == "time") {
        refuse("`" + printable(word) + "`, which is part of the shell,", start);
      } else if (quoted) {
        refuse("a quoted command name", start);
      }
    }
    if (++words_ > kShellWordsMax) {
      refuse("more than " + std::to_string(kShellWordsMax) + " words", start);
    }
    if (command_.empty()) {
      fed_ = std::exchange(pipes_, false);
    }
    command_.push_back(std::move(word));
    pending_ = false;
  }

  void finish() {
    end_command();
    if (pending_) {
      refuse("an operator without a command after it", last_operator_);
    } else if (commands_.empty()) {
      refuse("no command", 0);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::vector<std::string>> commands_;
  std::vector<std::string> command_;
  std::size_t words_ = 0;
  std::size_t last_operator_ = 0;
  bool pending_ = false;  // an operator wants a command after it
  bool pipes_ = false;    // and that operator is `|`
  bool fed_ = false;      // the command at hand stands after `|`
  std::vector<bool> piped_;
  std::string problem_;
};

}  // namespace

ShellReading read_shell_text(std::string_view script) {
  return Reader(script).read();
}

}  // namespace rgx::policy
