#include "cli/output.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "base/text.h"

namespace rgx::cli {
namespace {

std::string_view escape_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::good:
      return "\x1b[32m";
    case Tone::bad:
      return "\x1b[31m";
    case Tone::careful:
      return "\x1b[33m";
    case Tone::faint:
      return "\x1b[2m";
    case Tone::strong:
      return "\x1b[1m";
  }
  RGX_CHECK(false);
}

bool is_shell_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:=@%+,").find(c) != std::string_view::npos;
}

}  // namespace

std::string paint(Colour colour, Tone tone, std::string_view text) {
  if (colour == Colour::off || tone == Tone::plain || text.empty()) {
    return std::string(text);
  }
  return std::string(escape_of(tone)) + std::string(text) + "\x1b[0m";
}

Colour colour_for(const Environment& environment, bool is_terminal) {
  if (environment.find("NO_COLOR")) {
    return Colour::off;
  }
  if (const auto force = environment.find("CLICOLOR_FORCE"); force && *force != "0") {
    return Colour::on;
  }
  const auto term = environment.find("TERM");
  if (!term || *term == "dumb") {
    return Colour::off;
  }
  return is_terminal ? Colour::on : Colour::off;
}

std::string escape_lines(std::string_view text) {
  std::string out;
  bool first = true;
  for (const std::string_view line : split(text, '\n')) {
    if (!first) {
      out += '\n';
    }
    first = false;
    out += escape_controls(line);
  }
  return out;
}

std::string shell_word(std::string_view word) {
  bool safe = !word.empty();
  for (const char c : word) {
    safe = safe && is_shell_safe(c);
  }
  if (safe) {
    return std::string(word);
  }
  // Double quotes read best, but only where the shell expands nothing in them.
  if (word.find_first_of("\"$`\\!\n") == std::string_view::npos) {
    return '"' + std::string(word) + '"';
  }
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string shell_words(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) {
      out += ' ';
    }
    out += shell_word(word);
  }
  return out;
}

std::string json_text(std::string_view text) {
  return is_utf8(text) ? std::string(text) : printable(text);
}

std::string counted(std::int64_t n, std::string_view word) {
  std::string out = std::to_string(n) + ' ' + std::string(word);
  if (n != 1) {
    out += 's';
  }
  return out;
}

void Output::result(std::string_view bytes) {
  if (error_ == 0 && std::fwrite(bytes.data(), 1, bytes.size(), result_.file) != bytes.size()) {
    error_ = errno;
  }
}

void Output::say(std::string_view text) {
  write_human(escape_lines(text));
}

void Output::say(Tone tone, std::string_view text) {
  write_human(paint(human_colour_, tone, escape_lines(text)));
}

void Output::say(const Error& error) {
  std::string text = to_string(error);
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  say(text);
}

Status Output::finish() {
  const std::scoped_lock lock(mutex_);
  flush_result();
  if (error_ != 0 && error_ != EPIPE) {
    std::vector<char> buffer(256);
    const std::string reason = ::strerror_r(error_, buffer.data(), buffer.size());
    return fail(ErrorKind::environment, "output.unwritable",
                "the result cannot be written to standard output: " + reason,
                "free space, or send the output elsewhere");
  }
  return {};
}

bool Output::reader_is_gone() const {
  return error_ == EPIPE;
}

void Output::write_human(std::string_view line) {
  const std::scoped_lock lock(mutex_);
  // What was answered so far comes first, also where both streams lead to one place.
  flush_result();
  human_.write(line);
}

void Output::flush_result() {
  if (std::fflush(result_.file) != 0 && error_ == 0) {
    error_ = errno;
  }
}

}  // namespace rgx::cli
