#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// What the arguments of a known program mean: its flags, and what its operands do. Private to the
// package. Format: docs/formats/programs.md

namespace rgx::policy {

/// What a word does that stands where a value or an operand may stand.
enum class WordKind : std::uint8_t {
  text,         ///< nothing outside the program
  read,         ///< names a file that is read
  read_tree,    ///< a file, or a folder with everything below it
  write,        ///< names a file that is made, changed or removed
  write_tree,   ///< likewise, with everything below it
  change,       ///< is read and written
  change_tree,  ///< likewise, with everything below it
  awk,          ///< a program in AWK's language
  sed,          ///< a script in sed's language
  open,         ///< makes the program do more than its arguments say
  code,         ///< runs as code or names a command: nobody can tell what it does
  command,      ///< it and all that follow are a command of their own
};
inline constexpr std::array<std::string_view, 12> kWordKindNames = {
    "text",        "read", "read_tree", "write", "write_tree", "change",
    "change_tree", "awk",  "sed",       "open",  "code",       "command"};

struct Flag {
  enum class Arity : std::uint8_t {
    none,      ///< `-v`
    value,     ///< `-o FILE`, `-oFILE`, `--output FILE`, `--output=FILE`
    optional,  ///< `--color`, `--color=always`: a value only where it is attached
  };
  Arity arity = Arity::none;
  WordKind kind = WordKind::text;  ///< of the value; `code` counts without one, too
};

struct CommandGrammar {
  /// A language of its own, read by code of that name.
  enum class Reader : std::uint8_t { flags, find, xargs };

  Reader reader = Reader::flags;
  bool open = false;     ///< does more than its arguments say (a build, a test run)
  bool numbers = false;  ///< `-5` is a flag
  bool words = false;    ///< flags are whole words (`-run X`), never bundles of letters
  bool early = false;    ///< no flag after the first operand
  std::map<std::string, Flag, std::less<>> flags;
  std::vector<WordKind> operands;        ///< by position; the last repeats; empty = none are taken
  std::optional<WordKind> last;          ///< of the last of several operands
  std::vector<std::string> reads;        ///< normal paths or globs, whatever the arguments are
  std::vector<std::string> unnamed;      ///< read when there is no operand
  std::vector<std::string> first_from;   ///< flags after which there is no first operand
  std::vector<std::string> tree_with;    ///< flags that take operands with all below them
  std::vector<std::string> change_with;  ///< flags that change the files that are read
  std::vector<std::string> passes_with;  ///< flags that pass on names that a NUL ends
  std::map<std::string, CommandGrammar, std::less<>> subcommands;  ///< by the first operand
};

using Grammars = std::map<std::string, CommandGrammar, std::less<>>;
/// Reads a file of grammars. Errors: yaml.*, programs.* (docs/codes.md).
[[nodiscard]] Result<Grammars> load_grammars(std::string_view text, std::string_view file);
/// The grammars that are compiled in.
[[nodiscard]] Result<Grammars> load_shipped_grammars();
/// Nothing for a program that rgx does not know. `name` is what argv[0] says.
[[nodiscard]] const CommandGrammar* find_grammar(std::string_view name);

}  // namespace rgx::policy
