#include <algorithm>
#include <array>

#include "policy/command.h"

// Programs of awk and scripts of sed, as far as a few characters tell. Whatever is not plainly
// harmless is taken for code.

namespace rgx::policy {
namespace {

/// Words with which an AWK program starts other programs, reads or writes files, or takes names of
/// files from somewhere else. POSIX awk(1) and GNU awk.
constexpr std::array<std::string_view, 7> kAwkWords = {"system",   "getline", "ARGV",   "ARGC",
                                                       "PROCINFO", "SYMTAB",  "FUNCTAB"};

/// A `>` redirects only after `print`, so before the first action it compares.
bool redirects(std::string_view program) {
  const std::size_t action = program.find('{');
  for (std::size_t at = program.find('>'); at != std::string_view::npos;
       at = program.find('>', at + 1)) {
    const bool compares = at + 1 < program.size() && program[at + 1] == '=';
    if (!compares && at > action) {
      return true;
    }
  }
  return false;
}

bool has_pipe(std::string_view program) {
  for (std::size_t at = 0; at < program.size(); ++at) {
    if (program[at] == '|') {
      if (at + 1 == program.size() || program[at + 1] != '|') {
        return true;
      }
      ++at;
    }
  }
  return false;
}

/// Reads a script command by command.
class SedReader {
 public:
  explicit SedReader(std::string_view script) : text_(script) {}

  bool is_plain() {
    while (at_ < text_.size()) {
      if (std::string_view(" \t\n;{}").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else if (!read_addresses() || !read_function()) {
        return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip(std::string_view set) {
    while (at_ < text_.size() && set.find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
  }

  bool read_addresses() {
    constexpr std::string_view kNumbers = "0123456789$~+, ";
    for (;;) {
      skip(kNumbers);
      if (now() != '/') {
        break;
      }
      if (!read_part('/')) {
        return false;
      }
      ++at_;
      skip("IM");
    }
    skip("! ");
    return true;
  }

  /// Text up to the delimiter, which stands at the start; a backslash protects one character.
  bool read_part(char delimiter) {
    ++at_;
    std::size_t bracket = std::string_view::npos;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        return false;
      }
      if (c == '\\') {
        ++at_;
      } else if (c == '[') {
        bracket = at_;
      } else if (c == ']') {
        bracket = std::string_view::npos;
      } else if (c == delimiter) {
        // In a bracket it may stand for itself.
        return bracket == std::string_view::npos;
      }
    }
    return false;
  }

  bool read_function() {
    constexpr std::string_view kPlain = "pdDPnNgGhHx=lqz";
    const char function = now();
    if (function == 's' || function == 'y') {
      ++at_;
      const char delimiter = now();
      if (delimiter == '\0' || delimiter == '\n' || delimiter == '\\' || delimiter == ' ' ||
          !read_part(delimiter)) {
        return false;
      }
      if (!read_part(delimiter)) {
        return false;
      }
      ++at_;
      if (function == 's') {
        skip("gpiIm0123456789");  // never `e`, which runs what it made, nor `w`, which writes
      }
      return ends();
    }
    if (function == '\0' || kPlain.find(function) == std::string_view::npos) {
      return false;
    }
    ++at_;
    return ends();
  }

  bool ends() {
    skip(" \t");
    return at_ == text_.size() || std::string_view("\n;}").find(now()) != std::string_view::npos;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_plain_awk(std::string_view program) {
  const auto contains = [&](std::string_view word) {
    return program.find(word) != std::string_view::npos;
  };
  return std::ranges::none_of(kAwkWords, contains) && !contains("@") && !has_pipe(program) &&
         !redirects(program);
}

bool is_plain_sed(std::string_view script) {
  return SedReader(script).is_plain();
}

}  // namespace rgx::policy
