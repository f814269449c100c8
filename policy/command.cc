#include "policy/command.h"

#include <algorithm>
#include <optional>

#include "base/path.h"
#include "base/text.h"
#include "policy/grammar.h"
#include "policy/wrapper.h"

namespace rgx::policy {
namespace {

using Words = std::span<const std::string>;

constexpr std::string_view kAnywhere = "abs:/**";
constexpr std::string_view kFound = "{}";  // what `find` and `xargs` put a path for

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool holds(const std::vector<std::string>& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

std::string tree_of(const std::string& path) {
  return path == "." ? "**" : path + (path.ends_with('/') ? "**" : "/**");
}

class CommandReader {
 public:
  CommandReader(Words argv, const CommandPlace& place, std::size_t depth)
      : argv_(argv),
        place_(place),
        depth_(depth) {}

  CommandReading read() {
    const CommandGrammar* grammar =
        argv_.empty() || depth_ > kInnerDepthMax ? nullptr : find_grammar(argv_.front());
    if (grammar == nullptr) {
      reading_.complete = false;
      reading_.hides_command = argv_.empty() || is_wrapper({argv_.begin(), argv_.end()});
      return std::move(reading_);
    }
    name_ = argv_.front();
    reading_.programs.push_back(name_);
    switch (grammar->reader) {
      case CommandGrammar::Reader::flags:
        read_arguments(*grammar, argv_.subspan(1));
        break;
      case CommandGrammar::Reader::find:
        read_find(*grammar);
        break;
      case CommandGrammar::Reader::xargs:
        read_xargs(*grammar);
        break;
    }
    return std::move(reading_);
  }

 private:
  // --- what words do

  void add_path(const std::string& word, bool tree, bool reads, bool writes) {
    std::vector<std::string> paths;
    if (word == kFound && !found_.empty()) {
      paths = found_;
    } else if (word.find(kFound) != std::string::npos && takes_found_) {
      paths = {std::string(kAnywhere)};
    } else {
      const auto path = path_of(word);
      paths = {path ? (tree ? tree_of(*path) : *path) : std::string(kAnywhere)};
    }
    for (std::string& path : paths) {
      if (reads) {
        reading_.reads.push_back(path);
      }
      if (writes) {
        reading_.writes.push_back(std::move(path));
      }
    }
  }

  /// Nothing for a word that leads out of the workspace in a way that cannot be told.
  [[nodiscard]] std::optional<std::string> path_of(const std::string& word) const {
    if (word.starts_with("abs:") || word.starts_with("home:")) {
      return std::nullopt;  // a file of this odd name would be taken for another place
    }
    const bool absolute = word.starts_with('/');
    const std::string text = absolute               ? "abs:" + word
                             : place_.folder == "." ? word
                                                    : place_.folder + "/" + word;
    const auto path = normal_path(text);
    return path ? std::optional(*path) : std::nullopt;
  }

  void take(WordKind kind, const std::string& word) {
    switch (kind) {
      case WordKind::text:
      case WordKind::command:
        return;
      case WordKind::read:
        return word == "-" ? void() : add_path(word, false, true, false);
      case WordKind::read_tree:
        return word == "-" ? void() : add_path(word, true, true, false);
      case WordKind::write:
        return word == "-" ? void() : add_path(word, false, false, true);
      case WordKind::write_tree:
        return add_path(word, true, false, true);
      case WordKind::change:
        return word == "-" ? void() : add_path(word, false, true, true);
      case WordKind::change_tree:
        return add_path(word, true, true, true);
      case WordKind::awk:
        return is_plain_awk(word) ? void() : runs_code(word);
      case WordKind::sed:
        return is_plain_sed(word) ? void() : runs_code(word);
      case WordKind::open:
        reading_.complete = false;
        return;
      case WordKind::code:
        return runs_code(word);
    }
  }

  void runs_code(const std::string& word) {
    reading_.complete = false;
    reading_.hides_command = reading_.hides_command || is_wrapper({argv_.begin(), argv_.end()});
    if (!reading_.runs) {
      reading_.runs = FlagFact{name_, word};
    }
  }

  void refuse(const std::string& word) {
    reading_.complete = false;
    reading_.hides_command = reading_.hides_command || is_wrapper({argv_.begin(), argv_.end()});
    if (!reading_.refused) {
      reading_.refused = FlagFact{name_, word};
    }
  }

  // --- flags and operands

  void read_arguments(const CommandGrammar& grammar, Words words) {
    if (grammar.open) {
      reading_.complete = false;
    }
    reading_.reads.insert(reading_.reads.end(), grammar.reads.begin(), grammar.reads.end());
    std::vector<std::string> operands;
    bool flags_end = false;
    for (std::size_t at = 0; at < words.size(); ++at) {
      const std::string& word = words[at];
      const bool flag = !flags_end && word.size() > 1 && word.front() == '-';
      if (flag && word == "--") {
        flags_end = true;
      } else if (flag) {
        at = read_flag(grammar, words, at);
      } else if (!grammar.subcommands.empty()) {
        return read_subcommand(grammar, words.subspan(at));
      } else if (!grammar.operands.empty() &&
                 kind_at(grammar, operands.size()) == WordKind::command) {
        return read_inner(words.subspan(at));
      } else {
        operands.push_back(word);
        flags_end = flags_end || grammar.early;
      }
    }
    take_operands(grammar, operands);
  }

  void read_subcommand(const CommandGrammar& grammar, Words words) {
    const auto found = grammar.subcommands.find(words.front());
    if (found == grammar.subcommands.end()) {
      return refuse(words.front());
    }
    name_ += " " + words.front();
    given_.clear();
    read_arguments(found->second, words.subspan(1));
  }

  /// Index of the last word that belongs to the flag at `at`.
  std::size_t read_flag(const CommandGrammar& grammar, Words words, std::size_t at) {
    const std::string& word = words[at];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto whole = grammar.flags.find(name);
    const bool is_word = word.starts_with("--") || grammar.words;
    if (is_word || (whole != grammar.flags.end() && name.size() > 2)) {
      if (whole == grammar.flags.end()) {
        refuse(name);
        return at;
      }
      if (equals != std::string::npos) {
        if (whole->second.arity == Flag::Arity::none) {
          refuse(word);
        }
        give(name, whole->second, word.substr(equals + 1));
        return at;
      }
      return read_value(name, whole->second, words, at);
    }
    if (grammar.numbers && std::ranges::all_of(word.substr(1), is_digit)) {
      return at;
    }
    return read_bundle(grammar, words, at);
  }

  /// `-abc`, `-ofile`
  std::size_t read_bundle(const CommandGrammar& grammar, Words words, std::size_t at) {
    const std::string& word = words[at];
    for (std::size_t letter = 1; letter < word.size(); ++letter) {
      const std::string name = {'-', word[letter]};
      const auto found = grammar.flags.find(name);
      if (found == grammar.flags.end()) {
        refuse(name);
        return at;
      }
      const std::string rest = word.substr(letter + 1);
      if (found->second.arity == Flag::Arity::none) {
        give(name, found->second, "");
      } else if (!rest.empty() || found->second.arity == Flag::Arity::optional) {
        give(name, found->second, rest);
        return at;
      } else {
        return read_value(name, found->second, words, at);
      }
    }
    return at;
  }

  std::size_t read_value(const std::string& name, const Flag& flag, Words words, std::size_t at) {
    if (flag.arity != Flag::Arity::value) {
      give(name, flag, "");
      return at;
    }
    if (at + 1 == words.size()) {
      refuse(name);
      return at;
    }
    give(name, flag, words[at + 1]);
    return at + 1;
  }

  void give(const std::string& name, const Flag& flag, const std::string& value) {
    given_.push_back(name);
    if (flag.arity == Flag::Arity::none && flag.kind != WordKind::code &&
        flag.kind != WordKind::open) {
      return;
    }
    if (flag.kind == WordKind::code) {
      return runs_code(name);
    }
    take(flag.kind, value);
  }

  [[nodiscard]] bool is_given(const std::vector<std::string>& names) const {
    return std::ranges::any_of(given_, [&](const std::string& name) { return holds(names, name); });
  }

  [[nodiscard]] WordKind kind_at(const CommandGrammar& grammar, std::size_t position) const {
    const std::size_t shift = is_given(grammar.first_from) ? 1 : 0;
    return grammar.operands[std::min(position + shift, grammar.operands.size() - 1)];
  }

  void take_operands(const CommandGrammar& grammar, const std::vector<std::string>& operands) {
    if (!operands.empty() && grammar.operands.empty()) {
      return refuse(operands.front());
    }
    bool named = false;
    for (std::size_t at = 0; at < operands.size(); ++at) {
      const bool is_last = at > 0 && at + 1 == operands.size() && grammar.last;
      const WordKind kind = strengthened(grammar, is_last ? *grammar.last : kind_at(grammar, at));
      named = named || kind == WordKind::read || kind == WordKind::read_tree;
      take(kind, operands[at]);
    }
    if (!named && (grammar.tree_with.empty() || is_given(grammar.tree_with))) {
      for (const std::string& path : grammar.unnamed) {
        add_path(path, false, true, false);
      }
    }
    if (operands.empty() && is_given(grammar.passes_with)) {
      reading_.output = place_.input;
    }
  }

  [[nodiscard]] WordKind strengthened(const CommandGrammar& grammar, WordKind kind) const {
    if (is_given(grammar.change_with) && (kind == WordKind::read || kind == WordKind::read_tree)) {
      kind = kind == WordKind::read ? WordKind::change : WordKind::change_tree;
    }
    if (is_given(grammar.tree_with)) {
      kind = kind == WordKind::read     ? WordKind::read_tree
             : kind == WordKind::write  ? WordKind::write_tree
             : kind == WordKind::change ? WordKind::change_tree
                                        : kind;
    }
    return kind;
  }

  // --- commands in commands

  void read_inner(Words words) {
    if (words.empty() || reading_.commands.size() >= kInnerCommandsMax) {
      return runs_code(argv_.front());
    }
    reading_.unwrapped = true;
    reading_.commands.emplace_back(words.begin(), words.end());
    CommandReader inner(words, place_, depth_ + 1);
    inner.found_ = found_;
    inner.takes_found_ = takes_found_;
    const CommandReading read = inner.read();
    const auto add = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    add(reading_.reads, read.reads);
    add(reading_.writes, read.writes);
    add(reading_.commands, read.commands);
    add(reading_.programs, read.programs);
    reading_.complete = reading_.complete && read.complete;
    reading_.hides_command = reading_.hides_command || read.hides_command;
    reading_.refused = reading_.refused ? reading_.refused : read.refused;
    reading_.runs = reading_.runs ? reading_.runs : read.runs;
  }

  /// Starting points, then an expression. GNU findutils, `find(1)`.
  void read_find(const CommandGrammar& grammar) {
    std::size_t at = 1;
    for (; at < argv_.size() && (argv_[at] == "-H" || argv_[at] == "-P"); ++at) {
    }
    bool any = false;
    for (; at < argv_.size() && !starts_expression(argv_[at]); ++at) {
      take(WordKind::read_tree, argv_[at]);
      any = true;
    }
    if (!any) {
      take(WordKind::read_tree, ".");
    }
    found_ = reading_.reads;
    for (; at < argv_.size() && !reading_.refused; ++at) {
      at = read_expression(grammar, at);
    }
    static const std::vector<std::string> kNul = {"-print0"};
    static const std::vector<std::string> kOther = {"-print", "-printf", "-ls", "-exec"};
    if (is_given(kNul) && !is_given(kOther)) {
      reading_.output = found_;
    }
  }

  static bool starts_expression(const std::string& word) {
    return word.starts_with('-') || word == "(" || word == ")" || word == "!" || word == ",";
  }

  std::size_t read_expression(const CommandGrammar& grammar, std::size_t at) {
    const std::string& word = argv_[at];
    if (word == "(" || word == ")" || word == "!" || word == ",") {
      return at;
    }
    if (word == "-exec") {
      given_.push_back(word);
      return read_exec(at);
    }
    if (word == "-delete") {
      reading_.writes.insert(reading_.writes.end(), found_.begin(), found_.end());
      return at;
    }
    const auto flag = grammar.flags.find(word);
    if (flag == grammar.flags.end()) {
      refuse(word);
      return at;
    }
    return read_value(word, flag->second, argv_, at);
  }

  /// Index of the word that ends the command of the action at `at`.
  std::size_t read_exec(std::size_t at) {
    std::size_t end = at + 1;
    while (end < argv_.size() && argv_[end] != ";" &&
           !(argv_[end] == "+" && argv_[end - 1] == kFound)) {
      ++end;
    }
    if (end == argv_.size()) {
      refuse(argv_[at]);
      return end;
    }
    takes_found_ = true;
    read_inner(argv_.subspan(at + 1, end - at - 1));
    return end;
  }

  /// `xargs FLAG... COMMAND`: what arrives on standard input becomes operands.
  void read_xargs(const CommandGrammar& grammar) {
    std::size_t at = 1;
    for (; at < argv_.size() && argv_[at].starts_with('-'); ++at) {
      at = read_flag(grammar, argv_, at);
    }
    Argv inner = at < argv_.size()
                     ? Argv(argv_.begin() + static_cast<std::ptrdiff_t>(at), argv_.end())
                     : Argv{"echo"};
    static const std::vector<std::string> kNul = {"-0", "--null"};
    static const std::vector<std::string> kReplaces = {"-I", "-i", "--replace"};
    found_ = is_given(kNul) ? place_.input : std::vector<std::string>();
    takes_found_ = true;
    if (found_.empty()) {
      found_ = {std::string(kAnywhere)};
      // A line may also be a flag of the inner command.
      reading_.complete = only_speaks(inner.front());
    }
    if (!is_given(kReplaces)) {
      inner.emplace_back(kFound);
    } else if (!replaces_braces()) {
      return runs_code("-I");
    }
    read_inner(inner);
    // The command that people know is the one without what xargs adds.
    if (!is_given(kReplaces) && !reading_.commands.empty()) {
      reading_.commands.front().pop_back();
    }
  }

  /// Whatever its arguments are, the program prints something and does nothing else.
  static bool only_speaks(const std::string& program) {
    const CommandGrammar* grammar = find_grammar(program);
    return grammar != nullptr && grammar->reader == CommandGrammar::Reader::flags &&
           !grammar->open && grammar->subcommands.empty() && grammar->reads.empty() &&
           grammar->unnamed.empty() &&
           std::ranges::all_of(grammar->operands,
                               [](WordKind kind) { return kind == WordKind::text; }) &&
           std::ranges::all_of(grammar->flags,
                               [](const auto& flag) { return flag.second.kind == WordKind::text; });
  }

  /// `-I{}`, `-I {}`: the one spelling that is read.
  [[nodiscard]] bool replaces_braces() const {
    for (std::size_t at = 1; at < argv_.size(); ++at) {
      if (argv_[at] == "-I{}" || argv_[at] == "-i" || argv_[at] == "--replace" ||
          (argv_[at] == "-I" && at + 1 < argv_.size() && argv_[at + 1] == kFound)) {
        return true;
      }
    }
    return false;
  }

  Words argv_;
  const CommandPlace& place_;
  std::size_t depth_;
  std::string name_;
  std::vector<std::string> given_;  // flags, as the grammar names them
  std::vector<std::string> found_;  // globs that `{}` stands for
  bool takes_found_ = false;        // `{}` stands for a path
  CommandReading reading_;
};

}  // namespace

CommandReading read_command(std::span<const std::string> argv, const CommandPlace& place) {
  return CommandReader(argv, place, 0).read();
}

}  // namespace rgx::policy
