#pragma once

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/environment.h"
#include "cli/human_log.h"

// The two streams of the program: results on stdout, everything said to a person on stderr.
// Nothing reaches a terminal unescaped, and colour never says what the words do not.

namespace rgx::cli {

enum class Colour : std::uint8_t { off, on };

/// NO_COLOR beats CLICOLOR_FORCE; then TERM=dumb or no TERM, then whether it is a terminal.
[[nodiscard]] Colour colour_for(const Environment& environment, bool is_terminal);

enum class Tone : std::uint8_t { plain, good, bad, careful, faint, strong };

[[nodiscard]] std::string paint(Colour colour, Tone tone, std::string_view text);

class Output {
 public:
  struct Stream {
    std::FILE* file = nullptr;
    Colour colour = Colour::off;
  };
  Output(Stream result, Stream human)
      : result_(result),
        human_colour_(human.colour),
        human_(human.file) {}

  /// Writes a result exactly as it is; the caller has escaped what must be.
  void result(std::string_view bytes);
  /// One or more lines for a person; a line feed is added, controls are escaped but line feeds.
  void say(std::string_view text);
  void say(Tone tone, std::string_view text);
  /// All mistakes of an error, each with its remedy.
  void say(const Error& error);

  [[nodiscard]] Colour result_colour() const { return result_.colour; }

  /// Writes out what is buffered. A reader that went away is no error; a full disk is
  /// (output.unwritable, exit 7).
  [[nodiscard]] Status finish();
  /// True once a reader of the result has gone away: what follows would be for nobody.
  [[nodiscard]] bool reader_is_gone() const;

 private:
  void write_human(std::string_view line);
  void flush_result();

  Stream result_;
  Colour human_colour_;
  HumanLog human_;
  int error_ = 0;     // errno of the first failed write to the result
  std::mutex mutex_;  // one thread at a time, also on the way to the log
};

/// Escapes what must not reach a terminal, line by line.
[[nodiscard]] std::string escape_lines(std::string_view text);

/// `word` quoted for a POSIX shell where needed, for commands that a person may copy.
[[nodiscard]] std::string shell_word(std::string_view word);
[[nodiscard]] std::string shell_words(const std::vector<std::string>& words);

/// Text of any bytes as a JSON string: what is not UTF-8 is escaped for people.
[[nodiscard]] std::string json_text(std::string_view text);

/// `n` and the word, with an `s` unless it is one.
[[nodiscard]] std::string counted(std::int64_t n, std::string_view word);

}  // namespace rgx::cli
